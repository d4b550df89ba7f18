"""Puts garments on a bare body, without light or textures, for the try-on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from avatar.body.face_parts import skin_normals
from avatar.body.source import Body
from avatar.body.surface import Surface


def skin(body: Body, covered: NDArray[np.bool_]) -> Surface:
    """Return the whole skin but for triangles that are `covered` [v] all over."""
    faces = body.groups["body"].triangles
    return Surface(
        name="skin",
        material="skin",
        texture="",
        positions=body.vertices,
        normals=skin_normals(body),
        uv=np.zeros((len(body.vertices), 2), np.float32),
        weights=body.weights,
        triangles=faces[~covered[faces].all(1)],
    )


def asset_of(joints: NDArray[np.float32], surfaces: Sequence[Surface]) -> AvatarAsset:
    """Return surfaces as an avatar in full light."""
    parts: list[Part] = []
    for surface in surfaces:
        full = np.ones(len(surface.positions), np.float32)
        parts.append(surface.part(full, full, np.zeros((len(full), 2), np.int32)))
    return AvatarAsset(tuple(parts), {}, joints, np.zeros((1, 8), np.float32), {})
