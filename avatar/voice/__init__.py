"""Text to speech behind one contract, and the normaliser every spoken text passes."""

from avatar.voice.base import Voice, VoiceInfo

__all__ = ["Voice", "VoiceInfo"]
