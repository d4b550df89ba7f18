"""The stages of a conversation: hear, see, think, speak, move, draw."""
