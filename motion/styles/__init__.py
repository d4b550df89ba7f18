"""The ready motion styles, a JSON file each."""
