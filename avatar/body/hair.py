"""Hair to the shoulders: two opaque sheets from a side parting and one layer of loose locks.

Every strand starts at the parting, follows the skull to the level of the ears, then hangs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.interpolate import griddata
from scipy.spatial import cKDTree

from avatar.body.identity import Identity
from avatar.body.landmarks import Landmarks
from avatar.body.mesh import compact, unit, vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface, stack
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_OVER, _DOWN = 13, 9
_TIPS = 4
# Locks come loose from the sheets at this step of a strand, above the ears.
_LOOSE_FROM = 6
_COLUMNS = 56
_FRONT, _NAPE = 63.0, -112.0
_PARTING = 0.020
_LENGTH = -0.240


@dataclass(frozen=True, slots=True)
class Skull:
    """The head as a radius by direction around `centre` [3]; `radii` is [polar, azimuth]."""

    centre: Floats
    radii: Floats

    @classmethod
    def of(cls, body: Body, marks: Landmarks) -> "Skull":
        """Measure the skull of `body`."""
        centre = np.array([0.0, marks.axis, marks.eye[2] + 0.01], np.float32)
        skin = body.vertices[:SKIN_VERTICES]
        away = skin[body.weight_of("head")[:SKIN_VERTICES] > 0.5] - centre
        radius = np.linalg.norm(away, axis=1)
        polar, around = _cells(away)
        grid = np.zeros((76, 180), np.float32)
        np.maximum.at(grid, (polar.round().astype(int), around.astype(int) % 180), radius)
        known = np.argwhere(np.tile(grid, (1, 3)) > 0)
        values = np.tile(grid, (1, 3))[tuple(known.T)]
        places = tuple(np.mgrid[0:76, 0:540])
        filled = griddata(known, values, places, "linear")
        nearest = griddata(known, values, places, "nearest")
        filled = ndimage.gaussian_filter(np.where(np.isnan(filled), nearest, filled), 1.6)
        radii = filled[:, 180:360].astype(np.float32)
        radii[:2] = radii[2].mean()
        return cls(centre, radii)

    def radius(self, directions: Floats) -> Floats:
        """Return the skull's radius [...] in `directions` [..., 3], metres."""
        polar, around = _cells(directions)
        wrapped = np.pad(self.radii, ((0, 0), (4, 4)), mode="wrap")
        where = [np.clip(polar, 0, 75), around - 0.5 + 4]
        return np.asarray(ndimage.map_coordinates(wrapped, where, order=1, mode="nearest"))


def _cells(directions: Floats) -> tuple[Floats, Floats]:
    """Return polar (0 at the crown, 75 at 150 degrees) and azimuth (0 to 180) coordinates."""
    height = directions[..., 2] / np.linalg.norm(directions, axis=-1)
    polar = np.degrees(np.arccos(np.clip(height, -1.0, 1.0))) / 2.0
    around = np.arctan2(directions[..., 0], -directions[..., 1]) / (2 * np.pi) + 0.5
    return np.clip(polar, 0.0, 75.0), around * 180.0


@dataclass(frozen=True, slots=True)
class Roots:
    """Where strands start and which way they fall.

    Attributes:
        along: [n], degrees along the parting, +62 at the forehead to -112 at the nape.
        side: [n], +1 for the left side of the head, -1 for the right.
        spread: [n], metres beside the parting.
        lift: [n], metres the strand stands off the skull.
        length: [n], height of its end above the eye on the reference head (negative).
        phase: [n], of its wave.
    """

    along: Floats
    side: Floats
    spread: Floats
    lift: Floats
    length: Floats
    phase: Floats


def strand_paths(skull: Skull, marks: Landmarks, roots: Roots) -> Floats:
    """Return the paths [n, 22, 3] of strands, root first, in metres."""
    start = _root_directions(skull, roots)
    end = _ear_directions(roots, start)
    t = np.linspace(0.0, 1.0, _OVER)[None, :, None]
    over = unit(_slerp(start[:, None], end[:, None], t))
    rise = smoothstep(0.0, 0.4, t[..., 0]) * roots.lift[:, None]
    dome = 0.0085 * np.sin(np.pi * np.clip(1.1 * t[..., 0], 0.0, 1.0))
    off = 0.0014 + (rise + dome) * marks.scale
    top = skull.centre + over * (skull.radius(over) + off)[..., None]
    paths = np.concatenate([top, _hanging(marks, top[:, -1], roots)], 1)
    paths[:, _OVER - 2 :, 2] = np.minimum.accumulate(paths[:, _OVER - 2 :, 2], axis=1)
    for _ in range(3):
        paths[:, 1:-1] = 0.25 * paths[:, :-2] + 0.5 * paths[:, 1:-1] + 0.25 * paths[:, 2:]
    return paths.astype(np.float32)


def _root_directions(skull: Skull, roots: Roots) -> Floats:
    angle = np.radians(roots.along)
    middle = np.stack([np.zeros_like(angle), -np.sin(angle), np.cos(angle)], 1)
    points = skull.centre + middle * skull.radius(middle)[:, None]
    toward_nape = np.clip((roots.along - _NAPE) / 100.0, 0.0, 1.0)
    points[:, 0] = _PARTING * toward_nape + roots.side * roots.spread
    return np.asarray(unit(points - skull.centre), np.float32)


def _ear_directions(roots: Roots, start: Floats) -> Floats:
    """Return where each strand leaves the skull: around the head by its place in the parting."""
    azimuth = np.radians(
        np.interp(-roots.along, [-80, -55, -30, 0, 45, 90, 112], [56, 60, 80, 104, 140, 168, 179])
    )
    polar = np.radians(np.interp(np.degrees(azimuth), [56, 90, 180], [96, 96, 100]))
    end = np.stack(
        [
            roots.side * np.sin(azimuth) * np.sin(polar),
            -np.cos(azimuth) * np.sin(polar),
            np.cos(polar),
        ],
        1,
    )
    # A root that lies lower than its strand's end only falls straight down.
    low = start[:, 2] < end[:, 2] + 0.05
    around = np.arctan2(start[:, 0], -start[:, 1])
    drop = np.minimum(np.arccos(np.clip(start[:, 2], -1, 1)) + 0.10, 2.0)
    straight = np.stack(
        [np.sin(around) * np.sin(drop), -np.cos(around) * np.sin(drop), np.cos(drop)], 1
    )
    return np.where(low[:, None], straight, end).astype(np.float32)


def _hanging(marks: Landmarks, start: Floats, roots: Roots) -> Floats:
    """Return the free part [n, 9, 3]: down to the shoulders in a soft wave, tips turned in."""
    u = np.linspace(0.0, 1.0, _DOWN + 1)[1:][None]
    around = np.arctan2(start[:, 0], -(start[:, 1] - marks.axis))[:, None]
    radius = np.hypot(start[:, 0], start[:, 1] - marks.axis)[:, None]
    back = smoothstep(1.9, 2.9, np.abs(around))
    front = smoothstep(1.6, 1.1, np.abs(around))
    end = marks.eye[2] + (roots.length[:, None] - 0.03 * back) * marks.scale
    z = start[:, 2:3] + (end - start[:, 2:3]) * u
    wave = np.sin(2 * np.pi * 1.05 * u + roots.phase[:, None]) * smoothstep(0.1, 0.8, u)
    full = 1.0 + (0.20 - 0.08 * front) * np.sin(np.pi * u**0.8) - (0.20 - 0.10 * front) * u**2.4
    radius = radius * full * (1.0 - 0.2 * back * smoothstep(0.0, 0.6, u)) + 0.0065 * wave
    turned = around + np.sign(around) * (0.05 * u - 0.16 * u**2 * front) + 0.06 * wave
    place = [np.sin(turned) * radius, marks.axis - np.cos(turned) * radius, z]
    return np.stack(place, -1).astype(np.float32)


def _slerp(a: Floats, b: Floats, t: Floats) -> Floats:
    angle = np.arccos(np.clip((a * b).sum(-1, keepdims=True), -1.0, 1.0))
    blend = np.sin((1 - t) * angle) * a + np.sin(t * angle) * b
    return np.asarray(blend / (np.sin(angle) + 1e-6))


@dataclass(frozen=True, slots=True)
class Shoulders:
    """What hair lies on: points [n, 3] of skin and clothes and their outward normals."""

    points: Floats
    normals: Floats

    @classmethod
    def of(cls, body: Body, marks: Landmarks, clothes: Sequence[Surface]) -> "Shoulders":
        """Collect neck, shoulders and chest of `body` and its `clothes`."""
        normals = vertex_normals(body.vertices, body.groups["body"].triangles)
        bare = np.flatnonzero(body.weight_of("neck", "spine01")[:SKIN_VERTICES] > 0.3)
        # Rims of edges face inwards, towards the neck: hair does not lie on those.
        flat = [_flat(piece) for piece in clothes]
        points = np.concatenate([body.vertices[bare], *(place for place, _ in flat)])
        outward = np.concatenate([normals[bare], *(normal for _, normal in flat)])
        near = (points[:, 2] > marks.eye[2] - 0.40) & (np.abs(points[:, 0]) < 0.22)
        return cls(points[near].astype(np.float32), outward[near].astype(np.float32))

    def drape(self, paths: Floats, clearance: float) -> Floats:
        """Lift the hanging part of strands [n, s, 3] off what it would sink into."""
        tree = cKDTree(self.points)
        out = paths.copy()
        for _ in range(6):
            loose = out[:, _OVER:].reshape(-1, 3)
            distance, nearest = tree.query(loose, k=4)
            above = ((loose[:, None] - self.points[nearest]) * self.normals[nearest]).sum(2)
            height = above.mean(1)
            push = np.where(distance[:, 0] < 0.09, np.clip(clearance - height, 0.0, 0.02), 0.0)
            outward = unit(self.normals[nearest].mean(1))
            out[:, _OVER:] = (loose + outward * push[:, None]).reshape(len(out), -1, 3)
            middle = 0.25 * out[:, _OVER - 1 : -2] + 0.25 * out[:, _OVER + 1 :]
            out[:, _OVER:-1] = 0.5 * out[:, _OVER:-1] + middle
        return out.astype(np.float32)


def _flat(piece: Surface) -> tuple[Floats, Floats]:
    """Return positions and normals of `piece` without the rims of its edges."""
    chosen = (
        np.ones(len(piece.positions), bool) if piece.shade is None else piece.shade[:, 0] == 0.0
    )
    return piece.positions[chosen], piece.normals[chosen]


def hair_surfaces(
    body: Body, marks: Landmarks, who: Identity, clothes: Sequence[Surface]
) -> list[Surface]:
    """Build the sheets and the loose locks, lying on the shoulders of `clothes`."""
    skull = Skull.of(body, marks)
    shoulders = Shoulders.of(body, marks, clothes)
    rng = np.random.default_rng(who.seed + 20)
    colours = {"colour": list(who.hair), "tip": list(who.hair_tip)}
    halves = [_sheet(skull, marks, shoulders, side) for side in (1.0, -1.0)]
    sheets = stack([(rows, closed) for rows, closed, _ in halves])
    tips = stack([(rows, frayed) for rows, _, frayed in halves])
    locks = _locks(skull, marks, shoulders, rng)
    out = []
    for name, material, texture, (rows, triangles) in (
        ("hair", "hair", "strands", sheets),
        ("tips", "strand", "tips", tips),
        ("locks", "strand", "strands", locks),
    ):
        used, triangles = compact(triangles)
        rows = rows[used]
        out.append(
            Surface(
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
                values=colours,
            )
        )
    return out


def _lock_phase(along: Floats, side: Floats | float) -> Floats:
    """Return the phase of the wave of strands from `along`, so that neighbours wave together."""
    return np.asarray(0.8 * np.sin(along / 9.0) + 0.5 * np.sin(along / 23.0) + 0.4 * side)


def _follow(body: Body, marks: Landmarks, points: Floats) -> Floats:
    """Let hair follow the head, and below the chin more and more the neck and chest."""
    loose = smoothstep(-0.09, -0.20, marks.above_eye(points[:, 2]))
    weights = np.zeros((len(points), body.weights.shape[1]), np.float32)
    weights[:, JOINT_NAMES.index("head")] = 1.0 - 0.95 * loose
    weights[:, JOINT_NAMES.index("neck01")] = 0.15 * loose
    weights[:, JOINT_NAMES.index("spine01")] = 0.80 * loose
    return weights


def _sheet(
    skull: Skull, marks: Landmarks, shoulders: Shoulders, side: float
) -> tuple[Floats, NDArray[np.int32], NDArray[np.int32]]:
    """Return one side's sheet: rows [n, 12], its closed triangles and those of its frayed tips."""
    column = np.arange(_COLUMNS)
    lock = column / 4.0
    roots = Roots(
        along=np.linspace(_FRONT, _NAPE, _COLUMNS),
        side=np.full(_COLUMNS, side),
        spread=np.full(_COLUMNS, -0.0015),
        lift=np.full(_COLUMNS, 0.0060),
        length=_LENGTH + 0.004 * np.sin(2.3 * column) + 0.006 * np.sin(1.1 * lock),
        phase=_lock_phase(np.linspace(_FRONT, _NAPE, _COLUMNS), side),
    )
    paths = shoulders.drape(strand_paths(skull, marks, roots), 0.007)
    for _ in range(4):
        paths[1:-1, _OVER:] += 0.25 * np.diff(paths[:, _OVER:], n=2, axis=0)
    count, steps = paths.shape[:2]
    t = np.linspace(0.0, 1.0, steps)
    out = unit(paths - np.array([0.0, marks.axis, 0.0]))
    groove = np.abs(np.sin(np.pi * lock))[:, None] * smoothstep(0.05, 0.6, t)[None]
    paths = paths + out * (0.0034 * groove - 0.003)[..., None] * smoothstep(0.0, 0.3, t)[:, None]
    i, j = np.meshgrid(np.arange(count - 1), np.arange(steps - 1), indexing="ij")
    a = i * steps + j
    faces = np.stack(
        [np.stack([a, a + steps, a + 1], -1), np.stack([a + steps, a + steps + 1, a + 1], -1)], 2
    )
    if side < 0.0:
        faces = faces[..., ::-1]
    positions = paths.reshape(-1, 3).astype(np.float32)
    normals = vertex_normals(positions, faces.reshape(-1, 3).astype(np.int32))
    if (normals * (positions - skull.centre)).sum(1).mean() < 0.0:
        normals = -normals
    # Both sides face straight out where they meet, so that the parting is no crease of light.
    share = np.tile(smoothstep(0.0, 0.30, t), count)[:, None]
    normals = unit(unit(positions - skull.centre) * (1.0 - share) + normals * share)
    tangents = unit(np.gradient(paths, axis=1)).reshape(-1, 3)
    v = np.interp(np.arange(steps), [0, steps - 1 - _TIPS, steps - 1], [0.0, 0.45, 1.0])
    uv = np.stack(np.broadcast_arrays(0.30 * column[:, None], v[None]), -1).reshape(-1, 2)
    tip = np.tile(t, count)[:, None]
    rows = np.concatenate([positions, normals, tangents, uv, tip], 1).astype(np.float32)
    closed, frayed = faces[:, :-_TIPS], faces[:, -_TIPS:]
    return rows, closed.reshape(-1, 3).astype(np.int32), frayed.reshape(-1, 3).astype(np.int32)


def _locks(
    skull: Skull, marks: Landmarks, shoulders: Shoulders, rng: np.random.Generator, count: int = 72
) -> tuple[Floats, NDArray[np.int32]]:
    """Return loose locks as ribbons just above the sheets: rows [n, 12] and triangles."""
    front = rng.random(count) < 0.45
    along = np.where(
        front, _FRONT - 4 - 40 * rng.random(count) ** 1.5, 52 - 150 * rng.random(count)
    )
    side = np.where(rng.random(count) > 0.45, -1.0, 1.0)
    roots = Roots(
        along=along,
        side=side,
        spread=0.0008 + 0.008 * np.abs(rng.standard_normal(count)),
        lift=0.0064 + 0.0003 * rng.standard_normal(count),
        length=_LENGTH - 0.006 + 0.006 * rng.standard_normal(count),
        phase=_lock_phase(along, side) + 0.25 * rng.standard_normal(count),
    )
    paths = shoulders.drape(strand_paths(skull, marks, roots), 0.008)[:, _LOOSE_FROM:]
    steps = paths.shape[1]
    t = np.linspace(0.0, 1.0, steps)
    tangents = unit(np.gradient(paths, axis=1))
    out = unit(paths - skull.centre)
    across = unit(np.cross(tangents, out))
    facing = np.cross(across, tangents)
    width = (
        0.5
        * 0.014
        * (0.75 + 0.5 * rng.random(count))[:, None]
        * np.interp(t, [0, 0.35, 1], [0.55, 1.0, 0.5])
    )
    sides = np.array([-1.0, 1.0])
    positions = paths[:, :, None] + sides[:, None] * (across * width[..., None])[:, :, None]
    normals = unit(facing[:, :, None] + 0.45 * sides[:, None] * across[:, :, None])
    strip = rng.integers(0, 4, count)[:, None] + np.array([0.02, 0.98])[None]
    u = np.broadcast_to(strip[:, None] / 4.0, (count, steps, 2))
    v = np.broadcast_to(0.99 * t[None, :, None], u.shape)
    tip = np.broadcast_to(t[None, :, None], u.shape)
    along_both = np.broadcast_to(tangents[:, :, None], positions.shape)
    columns = [positions, normals, along_both, u[..., None], v[..., None], tip[..., None]]
    rows = np.concatenate(columns, -1).reshape(-1, 12).astype(np.float32)
    i, j = np.meshgrid(np.arange(count), np.arange(steps - 1), indexing="ij")
    a = 2 * (i * steps + j)
    faces = np.stack([np.stack([a, a + 1, a + 2], -1), np.stack([a + 1, a + 3, a + 2], -1)], 2)
    return rows, faces.reshape(-1, 3).astype(np.int32)
