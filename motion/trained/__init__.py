"""Weights that ship, and how they were made (README.md)."""

from functools import cache
from importlib import resources

from motion.lips.stream import LipCheckpoint, load_lips
from motion.streaming.checkpoint import Checkpoint, load_checkpoint


@cache
def trained_lips() -> LipCheckpoint:
    """Return the lips that ship; read once."""
    with resources.as_file(resources.files(__name__) / "lips.safetensors") as path:
        return load_lips(path)


@cache
def trained_gestures() -> Checkpoint:
    """Return the gesture network that ships; read once."""
    with resources.as_file(resources.files(__name__) / "gestures.safetensors") as path:
        return load_checkpoint(path)
