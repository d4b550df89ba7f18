"""Hair to the shoulders: two opaque sheets from a side parting and one layer of loose locks.

Every strand starts at the parting, follows the skull to the level of the ears, then hangs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.interpolate import griddata

from avatar.body.identity import Identity
from avatar.body.landmarks import Landmarks
from avatar.body.mesh import unit, vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface, stack
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.float32]

_OVER, _DOWN = 10, 9
_COLUMNS = 56
_FRONT, _NAPE = 62.0, -112.0
_PARTING = 0.020
_LENGTH = -0.235


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
    """Return the paths [n, 19, 3] of strands, root first, in metres."""
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
    end = marks.eye[2] + (roots.length[:, None] + 0.02 * back) * marks.scale
    z = start[:, 2:3] + (end - start[:, 2:3]) * u
    wave = np.sin(2 * np.pi * 1.15 * u + roots.phase[:, None]) * smoothstep(0.1, 0.7, u)
    full = 1.0 + (0.13 - 0.06 * front) * np.sin(np.pi * u**0.8) - (0.14 - 0.07 * front) * u**2.2
    radius = radius * full * (1.0 - 0.2 * back * smoothstep(0.0, 0.6, u)) + 0.0045 * wave
    turned = around + np.sign(around) * (0.05 * u - 0.20 * u**2 * front) + 0.045 * wave
    return np.stack([np.sin(turned) * radius, marks.axis - np.cos(turned) * radius, z], -1).astype(
        np.float32
    )


def _slerp(a: Floats, b: Floats, t: Floats) -> Floats:
    angle = np.arccos(np.clip((a * b).sum(-1, keepdims=True), -1.0, 1.0))
    return (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / (np.sin(angle) + 1e-6)


def hair_surfaces(body: Body, marks: Landmarks, who: Identity) -> list[Surface]:
    """Build the sheets and the loose locks."""
    skull = Skull.of(body, marks)
    rng = np.random.default_rng(who.seed + 20)
    colours = {"colour": list(who.hair), "tip": list(who.hair_tip)}
    sheets = stack([_sheet(skull, marks, side) for side in (1.0, -1.0)])
    locks = _locks(skull, marks, rng)
    out = []
    for name, material, (rows, triangles) in (
        ("hair", "hair", sheets),
        ("locks", "strand", locks),
    ):
        out.append(
            Surface(
                name=name,
                material=material,
                texture="strands",
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


def _follow(body: Body, marks: Landmarks, points: Floats) -> Floats:
    """Let hair follow the head, and below the chin more and more the neck and chest."""
    loose = smoothstep(-0.10, -0.26, marks.above_eye(points[:, 2]))
    weights = np.zeros((len(points), body.weights.shape[1]), np.float32)
    weights[:, JOINT_NAMES.index("head")] = 1.0 - 0.75 * loose
    weights[:, JOINT_NAMES.index("neck01")] = 0.30 * loose
    weights[:, JOINT_NAMES.index("spine01")] = 0.45 * loose
    return weights


def _sheet(skull: Skull, marks: Landmarks, side: float) -> tuple[Floats, NDArray[np.int32]]:
    """Return one side's closed sheet, gathered into locks: rows [n, 12] and triangles."""
    column = np.arange(_COLUMNS)
    lock = column / 4.0
    roots = Roots(
        along=np.linspace(_FRONT, _NAPE, _COLUMNS),
        side=np.full(_COLUMNS, side),
        spread=np.full(_COLUMNS, 0.0006),
        lift=np.full(_COLUMNS, 0.0060),
        length=_LENGTH + 0.004 * np.sin(2.3 * column) + 0.006 * np.sin(1.1 * lock),
        phase=0.9 * np.sin(1.7 * lock) + 0.4 * side,
    )
    paths = strand_paths(skull, marks, roots)
    count, steps = paths.shape[:2]
    t = np.linspace(0.0, 1.0, steps)
    out = unit(paths - np.array([0.0, marks.axis, 0.0]))
    groove = np.abs(np.sin(np.pi * lock))[:, None] * smoothstep(0.05, 0.6, t)[None]
    paths = paths + out * (0.0042 * groove - 0.002)[..., None] * smoothstep(0.0, 0.3, t)[:, None]
    i, j = np.meshgrid(np.arange(count - 1), np.arange(steps - 1), indexing="ij")
    a = i * steps + j
    faces = np.stack(
        [np.stack([a, a + steps, a + 1], -1), np.stack([a + steps, a + steps + 1, a + 1], -1)], 2
    )
    triangles = faces.reshape(-1, 3).astype(np.int32)
    positions = paths.reshape(-1, 3).astype(np.float32)
    normals = vertex_normals(positions, triangles)
    if ((normals * (positions - skull.centre)).sum(1)).mean() < 0.0:
        normals, triangles = -normals, triangles[:, ::-1]
    tangents = unit(np.gradient(paths, axis=1)).reshape(-1, 3)
    uv = np.stack(np.broadcast_arrays(0.30 * column[:, None], 0.85 * t[None]), -1).reshape(-1, 2)
    tip = np.tile(t, count)[:, None]
    return np.concatenate([positions, normals, tangents, uv, tip], 1).astype(np.float32), triangles


def _locks(
    skull: Skull, marks: Landmarks, rng: np.random.Generator, count: int = 110
) -> tuple[Floats, NDArray[np.int32]]:
    """Return loose locks as ribbons just above the sheets: rows [n, 12] and triangles."""
    front = rng.random(count) < 0.45
    along = np.where(front, _FRONT - 40 * rng.random(count) ** 1.5, 52 - 150 * rng.random(count))
    roots = Roots(
        along=along,
        side=np.where(rng.random(count) > 0.45, -1.0, 1.0),
        spread=0.0008 + 0.008 * np.abs(rng.standard_normal(count)),
        lift=0.0078 + 0.0008 * rng.standard_normal(count),
        length=_LENGTH - 0.012 + 0.008 * rng.standard_normal(count),
        phase=1.2 * rng.standard_normal(count),
    )
    paths = strand_paths(skull, marks, roots)
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
