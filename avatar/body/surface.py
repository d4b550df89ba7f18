"""`Surface`: a part while it is being built, before its light is baked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import INFLUENCES, Part
from avatar.body.mesh import spatial_order, unit
from motion.skeleton import JOINT_NAMES, JOINT_PARENTS

Floats = NDArray[np.floating[Any]]

# No pose turns these against their parents, children before parents.
_RIGID: Final = (
    "pelvis", "upperleg02", "lowerleg02", "toe", "spine05", "shoulder01", "metacarpal",
)  # fmt: skip
_STILL: Final = tuple(
    joint for joint in reversed(range(len(JOINT_NAMES))) if JOINT_NAMES[joint].startswith(_RIGID)
)
# How steeply a weight fades towards the first that is left out: 1 evenly, more only close to it.
_FADE: Final = 3.0


@dataclass(slots=True)
class Surface:
    """As `Part`, with dense weights float32 [n, 104] and the body vertex each vertex comes from.

    Attributes:
        source: int [n], body vertices whose face shapes move this surface; None where no face
            coefficient does.
        shade: float32 [n, 2], the material's own two baked values.
        occludes: whether it casts shadow while light is baked.
        floor: ambient light that arrives even where everything is covered, 0 to 1.
    """

    name: str
    material: str
    texture: str
    positions: Floats
    normals: Floats
    uv: Floats
    weights: Floats
    triangles: NDArray[np.int32]
    source: NDArray[np.intp] | None = None
    tangents: Floats | None = None
    shade: Floats | None = None
    occludes: bool = True
    floor: float = 0.2
    values: dict[str, list[float]] = field(default_factory=dict)

    def part(self, ambient: Floats, key: Floats, morphs: NDArray[np.int32]) -> Part:
        """Freeze into a `Part` with baked light [n] each and morph rows [n, 2]."""
        count = len(self.positions)
        shade = np.zeros((count, 2), np.float32) if self.shade is None else self.shade
        tangents = np.zeros((count, 3), np.float32) if self.tangents is None else self.tangents
        joints, weights = strongest(self.weights)
        return Part(
            name=self.name,
            material=self.material,
            texture=self.texture,
            positions=self.positions.astype(np.float32),
            normals=unit(self.normals).astype(np.float32),
            tangents=tangents.astype(np.float32),
            uv=self.uv.astype(np.float32),
            baked=np.concatenate([ambient[:, None], key[:, None], shade], 1).astype(np.float32),
            joints=joints,
            weights=weights,
            triangles=spatial_order(self.triangles, self.positions)
            if self.material not in ("strand", "lash")
            else self.triangles,
            morphs=morphs,
            values=self.values,
        )


def strongest(weights: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """Keep the `INFLUENCES` strongest weights [n, 104] of each row, rescaled to sum to one.

    What a joint that nothing moves carries is given to its parent first. Then the weaker of the
    kept fade out as they come near the strongest of those left out, so that neighbours that keep
    different joints still move alike, and cloth does not tear where many joints meet.
    """
    weights = weights.copy()
    for joint in _STILL:
        weights[:, JOINT_PARENTS[joint]] += weights[:, joint]
        weights[:, joint] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")
    left_out = np.take_along_axis(weights, order[:, INFLUENCES : INFLUENCES + 1], 1)
    order = order[:, :INFLUENCES]
    kept = np.take_along_axis(weights, order, 1)
    kept = kept * (1.0 - (left_out / np.maximum(kept, 1e-9)) ** _FADE)
    kept = np.where(kept < 0.01, 0.0, kept)
    kept = kept / kept.sum(1, keepdims=True)
    return np.where(kept > 0.0, order, 0).astype(np.uint8), kept.astype(np.float32)


def rigid(count: int, joint: int, joints: int = 104) -> Floats:
    """Return dense weights [count, joints] that follow one joint."""
    weights = np.zeros((count, joints), np.float32)
    weights[:, joint] = 1.0
    return weights


def stack(surfaces: Sequence[tuple[Floats, NDArray[np.int32]]]) -> tuple[Floats, NDArray[np.int32]]:
    """Join (attributes [n, k], triangles) pairs into one."""
    rows, faces, start = [], [], 0
    for attributes, triangles in surfaces:
        rows.append(attributes)
        faces.append(triangles + start)
        start += len(attributes)
    return np.concatenate(rows), np.concatenate(faces).astype(np.int32)
