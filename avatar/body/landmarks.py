"""Named places on a body that skin, hair and clothes are laid out by."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.source import SKIN_VERTICES, Body
from avatar.hair.hairlines import Line, hairline, outline

Floats = NDArray[np.floating[Any]]

# The distance from eye to crown that all lengths on the head are written for, metres.
_REFERENCE_HEIGHT = 0.118


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Positions in metres in the rest pose.

    Attributes:
        eye: centre [3] of the left eyeball; the right one mirrors x.
        top: height of the crown.
        axis: y of the vertical axis the head's cylinder map turns about.
        scale: size of this head against the one lengths are written for.
        neck, waist, hip: heights of the neck's base, the waist and the hips.
    """

    eye: Floats
    top: float
    axis: float
    scale: float
    neck: Floats
    waist: Floats
    hip: Floats

    @classmethod
    def of(cls, body: Body) -> "Landmarks":
        """Find the landmarks of `body`."""
        eye = body.joint("eye.L")
        head = body.vertices[:SKIN_VERTICES][body.weight_of("head")[:SKIN_VERTICES] > 0.5]
        top = float(head[:, 2].max())
        cranium = head[head[:, 2] > eye[2] + 0.02, 1]
        return cls(
            eye=eye,
            top=top,
            axis=float(cranium.min() + cranium.max()) / 2.0 + 0.012,
            scale=(top - float(eye[2])) / _REFERENCE_HEIGHT,
            neck=body.joint("neck01"),
            waist=body.joint("spine04"),
            hip=body.joint("upperleg01.L"),
        )

    def above_eye(self, heights: Floats) -> Floats:
        """Return heights in metres above the eye on the reference head."""
        return np.asarray((heights - self.eye[2]) / self.scale, np.float32)

    def azimuth(self, points: Floats) -> Floats:
        """Return the angle [...] of points [..., 3] about the head's axis, 0 in front, radians."""
        return np.asarray(np.arctan2(points[..., 0], -(points[..., 1] - self.axis)))


def hairline_distance(marks: Landmarks, points: Floats, style: str = "long") -> Floats:
    """Return how far points [..., 3] lie above the hairline of a hair style, metres.

    Negative is bare skin.
    """
    return _above(marks, points, hairline(style))


def outline_distance(marks: Landmarks, points: Floats, style: str) -> Floats:
    """Return how far points [..., 3] lie above where hair of a style begins at all, metres."""
    return _above(marks, points, outline(style))


def _above(marks: Landmarks, points: Floats, height: Line) -> Floats:
    angles, heights = np.array(height).T
    line = np.interp(np.degrees(np.abs(marks.azimuth(points))), angles, heights)
    return np.asarray(marks.above_eye(points[..., 2]) - line, np.float32)
