"""Hair to the shoulders: two opaque sheets from a side parting and one layer of loose locks."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import compact, unit
from avatar.body.noise import smoothstep
from avatar.body.source import Body
from avatar.body.surface import Surface, stack
from avatar.hair.drape import Shoulders
from avatar.hair.ribbons import ribbons, sheet
from avatar.hair.skull import Skull
from avatar.hair.strands import FRONT, NAPE, OVER, Roots, strand_paths
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_COLUMNS: Final = 56
_COLUMNS_A_LOCK: Final = 4.0
_LOCKS: Final = 72
_TIPS: Final = 4
# Locks come loose from the sheets at this step of a strand, above the ears.
_LOOSE_FROM: Final = 6
# Height of the ends above the eye, metres on the reference head.
_LENGTH: Final = -0.240


def hair_surfaces(
    body: Body, marks: Landmarks, who: AvatarSpec, clothes: Sequence[Surface]
) -> list[Surface]:
    """Build the sheets and the loose locks, lying on the shoulders of `clothes`."""
    skull = Skull.of(body, marks)
    shoulders = Shoulders.of(body, marks, clothes)
    rng = np.random.default_rng(who.seed + 20)
    halves = [
        sheet(
            _sheet_paths(skull, marks, shoulders, side),
            skull.centre,
            mirrored=side < 0.0,
            tips=_TIPS,
        )
        for side in (1.0, -1.0)
    ]
    closed = stack([(rows, whole) for rows, whole, _ in halves])
    tips = stack([(rows, frayed) for rows, _, frayed in halves])
    locks = ribbons(_lock_paths(skull, marks, shoulders, rng), skull.centre, rng)
    return [
        _surface(body, marks, who, "hair", "hair", "strands", *closed),
        _surface(body, marks, who, "tips", "strand", "tips", *tips),
        _surface(body, marks, who, "locks", "strand", "strands", *locks),
    ]


def _surface(
    body: Body,
    marks: Landmarks,
    who: AvatarSpec,
    name: str,
    material: str,
    texture: str,
    rows: Floats,
    triangles: NDArray[np.int32],
) -> Surface:
    colour = linear(who.hair.colour)
    tip = linear(who.hair.tip) if who.hair.tip else tuple(1.8 * value for value in colour)
    used, triangles = compact(triangles)
    rows = rows[used]
    return Surface(
        name=name,
        material=material,
        texture=texture,
        positions=rows[:, :3],
        normals=rows[:, 3:6],
        tangents=rows[:, 6:9],
        uv=rows[:, 9:11],
        weights=_follow(body, marks, rows[:, :3]),
        triangles=triangles,
        shade=np.stack([rows[:, 11], np.zeros(len(rows))], 1).astype(np.float32),
        occludes=name == "hair",
        floor=0.35,
        values={"colour": list(colour), "tip": list(tip)},
    )


def _follow(body: Body, marks: Landmarks, points: Floats) -> Floats:
    """Let hair follow the head, and below the chin more and more the neck and chest."""
    loose = smoothstep(-0.09, -0.20, marks.above_eye(points[:, 2]))
    weights = np.zeros((len(points), body.weights.shape[1]), np.float32)
    weights[:, JOINT_NAMES.index("head")] = 1.0 - 0.95 * loose
    weights[:, JOINT_NAMES.index("neck01")] = 0.15 * loose
    weights[:, JOINT_NAMES.index("spine01")] = 0.80 * loose
    return weights


def _lock_phase(along: Floats, side: Floats | float) -> Floats:
    """Return the phase of the wave of strands from `along`, so that neighbours wave together."""
    return np.asarray(0.8 * np.sin(along / 9.0) + 0.5 * np.sin(along / 23.0) + 0.4 * side)


def _sheet_paths(skull: Skull, marks: Landmarks, shoulders: Shoulders, side: float) -> Floats:
    """Return one side's strands [56, 22, 3] from forehead to nape, gathered into locks."""
    column = np.arange(_COLUMNS)
    lock = column / _COLUMNS_A_LOCK
    along = np.linspace(FRONT, NAPE, _COLUMNS)
    roots = Roots(
        along=along,
        side=np.full(_COLUMNS, side),
        spread=np.full(_COLUMNS, -0.0015),
        lift=np.full(_COLUMNS, 0.0060),
        length=_LENGTH + 0.004 * np.sin(2.3 * column) + 0.006 * np.sin(1.1 * lock),
        phase=_lock_phase(along, side),
    )
    paths = shoulders.drape(strand_paths(skull, marks, roots), 0.007)
    for _ in range(4):
        paths[1:-1, OVER:] += 0.25 * np.diff(paths[:, OVER:], n=2, axis=0)
    t = np.linspace(0.0, 1.0, paths.shape[1])
    out = unit(paths - np.array([0.0, marks.axis, 0.0]))
    groove = np.abs(np.sin(np.pi * lock))[:, None] * smoothstep(0.05, 0.6, t)[None]
    depth = (0.0034 * groove - 0.003)[..., None] * smoothstep(0.0, 0.3, t)[:, None]
    return np.asarray(paths + out * depth)


def _lock_paths(
    skull: Skull, marks: Landmarks, shoulders: Shoulders, rng: np.random.Generator
) -> Floats:
    """Return the loose part of locks [72, s, 3], just above the sheets; half are in front."""
    front = rng.random(_LOCKS) < 0.45
    along = np.where(
        front, FRONT - 4 - 40 * rng.random(_LOCKS) ** 1.5, 52 - 150 * rng.random(_LOCKS)
    )
    side = np.where(rng.random(_LOCKS) > 0.45, -1.0, 1.0)
    roots = Roots(
        along=along,
        side=side,
        spread=0.0008 + 0.008 * np.abs(rng.standard_normal(_LOCKS)),
        lift=0.0064 + 0.0003 * rng.standard_normal(_LOCKS),
        length=_LENGTH - 0.006 + 0.006 * rng.standard_normal(_LOCKS),
        phase=_lock_phase(along, side) + 0.25 * rng.standard_normal(_LOCKS),
    )
    return shoulders.drape(strand_paths(skull, marks, roots), 0.008)[:, _LOOSE_FROM:]
