"""Hair lies on what is worn, not in it."""

import numpy as np
import pytest

from avatar.body.landmarks import Landmarks
from avatar.body.source import Body
from avatar.body.surface import Surface, rigid
from avatar.hair.styles import hair_surfaces
from tests.avatar.hair.worn import identity

RADIUS = 0.105


def _collar(marks: Landmarks) -> Surface:
    """Return a stiff tube about the neck, wider than hair would hang."""
    around, height = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 73), np.linspace(-0.30, -0.16, 15))
    outward = np.stack([np.sin(around), -np.cos(around), 0.0 * around], -1).reshape(-1, 3)
    places = RADIUS * outward + np.array([0.0, marks.axis, marks.eye[2]])
    places[:, 2] += height.ravel()
    i, j = np.meshgrid(np.arange(14), np.arange(72), indexing="ij")
    corner = (73 * i + j).ravel()
    triangles = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + 73], 1),
            np.stack([corner + 1, corner + 74, corner + 73], 1),
        ]
    )
    return Surface(
        name="collar",
        material="cloth",
        texture="",
        positions=places,
        normals=outward,
        uv=np.zeros((len(places), 2)),
        weights=rigid(len(places), 0),
        triangles=triangles.astype(np.int32),
    )


@pytest.mark.parametrize("style", ["long", "waves", "ponytail"])
def test_hair_hangs_outside_a_collar(bodies: dict[str, Body], style: str) -> None:
    marks = Landmarks.of(bodies["woman"])
    who = identity(style, length=1.2)
    hair = hair_surfaces(bodies["woman"], marks, who, [_collar(marks)])[0].positions
    low = (hair[:, 2] > marks.eye[2] - 0.29) & (hair[:, 2] < marks.eye[2] - 0.18)
    assert low.sum() > 20
    radius = np.hypot(hair[low, 0], hair[low, 1] - marks.axis)
    assert radius.min() > RADIUS
