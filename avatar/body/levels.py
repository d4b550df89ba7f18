"""What is drawn of an avatar's parts: only what can be seen, and coarser from further away."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Level, Part
from avatar.body.seen import Seen, seen_triangles
from avatar.body.simplify import simplified

Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int32]

# Metres the coarser levels may be off, root of the mean square.
TOLERANCES: Final = (0.0006, 0.0012, 0.0018, 0.0028)
# What may be drawn coarser: not what the face moves, nor strips of hair, which are blended.
_COARSENED: Final = ("cloth", "hair", "skin")
# Parts of fewer triangles are left as they are.
_FEW: Final = 100
# A level that saves less than this share of the triangles is not worth its memory.
_WORTH: Final = 0.12
# How much a change of place counts: outlines show it.
_PLACE: Final = 2.4
# Metres that a change of the normal by 1 is as bad as, of the light that arrives by 1, of the
# joints that carry a vertex by a metre, and of the place in the texture by 1.
_NORMAL: Final = 0.004
_LIGHT: Final = 0.006
_CARRIED: Final = 0.09
_TEXTURE: Final = {"cloth": 0.4, "skin": 0.3, "hair": 0.03}
_STRAND: Final = 0.004


def with_levels(context: Any, asset: AvatarAsset) -> AvatarAsset:
    """Return `asset` with the levels its parts are drawn at; all else is as it was."""
    seen = seen_triangles(context, asset)
    shared = shared_vertices([part.positions for part in asset.parts])
    parts = [
        replace(part, levels=_levels(asset, part, found, locked))
        for part, found, locked in zip(asset.parts, seen, shared, strict=True)
    ]
    return replace(asset, parts=tuple(parts))


def shared_vertices(positions: Sequence[Floats]) -> list[Flags]:
    """Return for each part's vertices [n, 3] whether another part has one in the same place."""
    places = np.concatenate([np.round(points / 1e-5) for points in positions])
    owner = np.repeat(np.arange(len(positions)), [len(points) for points in positions])
    _, spot = np.unique(places, axis=0, return_inverse=True)
    spot = spot.reshape(-1)
    least, most = np.full(spot.max() + 1, len(positions)), np.full(spot.max() + 1, -1)
    np.minimum.at(least, spot, owner)
    np.maximum.at(most, spot, owner)
    shared = (least != most)[spot]
    return np.split(shared, np.cumsum([len(points) for points in positions])[:-1])


def _levels(asset: AvatarAsset, part: Part, seen: Seen, locked: Flags) -> tuple[Level, ...]:
    visible = part.triangles[seen.triangles]
    found = [_level(0.0, visible, seen.backs)]
    if part.material not in _COARSENED or part.morphs[:, 1].any() or len(visible) < _FEW:
        return tuple(found)
    coarse = simplified(_features(asset, part), visible, locked, TOLERANCES)
    for tolerance, triangles in zip(TOLERANCES, coarse, strict=True):
        if len(triangles) < (1.0 - _WORTH) * len(found[-1].triangles):
            found.append(_level(tolerance, triangles, seen.backs))
    return tuple(found)


def _level(error: float, triangles: Ints, backs: Flags) -> Level:
    """Put triangles that may be seen from behind first, each kind in its order."""
    behind = backs[triangles].any(1)
    return Level(error, triangles[np.argsort(~behind, kind="stable")], int(behind.sum()))


def _features(asset: AvatarAsset, part: Part) -> Floats:
    """Return what must not change of a part's vertices, float64 [n, d], each as if in metres."""
    carried = (part.weights[:, :, None] * asset.joints[part.joints]).sum(1)
    columns = [
        _PLACE * part.positions,
        _NORMAL * part.normals,
        _LIGHT * part.baked,
        _CARRIED * carried,
        _TEXTURE[part.material] * part.uv,
    ]
    if part.material == "hair":
        columns.append(_STRAND * part.tangents)
    return np.concatenate(columns, 1).astype(np.float64)
