"""The soft dark patch where feet stand on the floor, whatever floor a scene has."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface, rigid, stack
from motion.skeleton import JOINT_INDEX

Floats = NDArray[np.floating[Any]]

_AROUND: Final = 24
# Rings from the middle outwards: share of the patch's reach, and how dark it is there.
_RINGS: Final = ((0.0, 0.62), (0.45, 0.58), (0.68, 0.34), (0.85, 0.11), (1.0, 0.0))
# How far the patch reaches beyond what stands there, metres, and how high it lies over the floor.
_BEYOND: Final = 0.055
_OVER: Final = 0.0008


def contact_shadow(body: Body, clothes: Sequence[Surface]) -> Surface:
    """Return the patches under both feet, which follow the feet.

    `shade` holds how dark each point is, 0 to 1.

    Args:
        clothes: all that is worn; soles stand lower than bare feet.
    """
    worn = [surface.positions for surface in clothes if surface.material == "cloth"]
    points = np.concatenate([body.vertices[:SKIN_VERTICES], *worn])
    floor = float(points[:, 2].min())
    low = points[points[:, 2] < floor + 0.03]
    feet = [_patch(low[sign * low[:, 0] > 0.0], floor + _OVER) for sign in (1.0, -1.0)]
    rows, faces = stack(feet)
    half = len(feet[0][0])
    joints = (JOINT_INDEX["foot.L"], JOINT_INDEX["foot.R"])
    return Surface(
        name="contact-shadow",
        material="shadow",
        texture="",
        positions=rows[:, :3],
        normals=np.tile(np.array([0.0, 0.0, 1.0], np.float32), (len(rows), 1)),
        uv=np.zeros((len(rows), 2), np.float32),
        weights=np.concatenate([rigid(half, joint) for joint in joints]),
        triangles=faces,
        shade=np.stack([rows[:, 3], np.zeros(len(rows))], 1),
        occludes=False,
    )


def _patch(points: Floats, height: float) -> tuple[Floats, NDArray[np.int32]]:
    """Return (x, y, z, darkness) [n, 4] and triangles of the patch under one foot's points."""
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    way = np.stack([np.cos(angle), np.sin(angle)], 1)
    low, high = points[:, :2].min(0), points[:, :2].max(0)
    middle = 0.5 * (low + high)
    reach = 0.5 * (high - low) + _BEYOND
    rows = [
        np.column_stack(
            [middle + share * reach * way, np.full(_AROUND, height), np.full(_AROUND, dark)]
        )
        for share, dark in _RINGS
    ]
    ring, turn = np.meshgrid(np.arange(len(_RINGS) - 1), np.arange(_AROUND), indexing="ij")
    a, b = ring * _AROUND + turn, ring * _AROUND + (turn + 1) % _AROUND
    c, d = a + _AROUND, b + _AROUND
    inner = np.stack([a, c, d], -1)
    outer = np.stack([a, d, b], -1)[1:]  # the first ring is a point
    faces = np.concatenate([inner.reshape(-1, 3), outer.reshape(-1, 3)])
    return np.concatenate(rows).astype(np.float32), faces.astype(np.int32)
