"""`Place`: from where a backdrop is seen."""

from dataclasses import dataclass

from avatar.renderer.camera import Shot
from avatar.scene.window import Window


@dataclass(frozen=True, slots=True)
class Place:
    """From where a backdrop is seen.

    Attributes:
        rest: the camera before it moves.
        whole: the window that it will ever see, `WHOLE` where it does not move.
        eyes: height of the figure's eyes, metres in the world.
        floor: height of the floor it stands on.
        face: depth of its face.
        pixels: of the picture, (width, height).
    """

    rest: Shot
    whole: Window
    eyes: float
    floor: float
    face: float
    pixels: tuple[int, int]
