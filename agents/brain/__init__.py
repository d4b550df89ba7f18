"""The operations brain: watches a room's figures and decides what to do about them."""
