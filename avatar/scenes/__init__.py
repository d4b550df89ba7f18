"""Scenes that come ready, as JSON."""
