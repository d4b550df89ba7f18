"""Eyes, lashes, teeth and tongue."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import compact, split_seams, unit, vertex_normals
from avatar.body.source import Body
from avatar.body.surface import Surface, rigid
from avatar.body.teeth import mouth_depth, teeth_surface
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_AROUND, _RINGS = 24, 12
_SPAN = 0.62 * np.pi


def eyes(body: Body) -> list[Surface]:
    """Build both eyeballs: a ball with a bulge for the cornea; tangents hold the direction."""
    return [_eye(body, side) for side in ("L", "R")]


def eye_radius(body: Body) -> float:
    """Return the eyeball's radius in metres."""
    used = np.unique(body.groups["helper-l-eye"].triangles)
    distance = np.linalg.norm(body.vertices[used] - body.joint("eye.L"), axis=1)
    return float(np.quantile(distance, 0.25))


def _eye(body: Body, side: str) -> Surface:
    local = _ball()
    radius = eye_radius(body)
    bulge = np.clip(1.0 - (np.hypot(local[:, 0], local[:, 2]) / 0.45) ** 2, 0.0, 1.0)
    centre = body.joint(f"eye.{side}")
    positions = centre + local * (radius * (1.0 + 0.05 * bulge))[:, None]
    count = len(local)
    return Surface(
        name=f"eye.{side}",
        material="eye",
        texture="iris",
        positions=positions.astype(np.float32),
        normals=local.astype(np.float32),
        uv=np.zeros((count, 2), np.float32),
        weights=rigid(count, JOINT_NAMES.index(f"eye.{side}")),
        triangles=_grid(_RINGS, _AROUND),
        tangents=local.astype(np.float32),
        occludes=False,
        values={
            "centre": centre.tolist(),
            "radius": [radius],
            "lid": _lid(body, side),
        },
    )


def _ball() -> Floats:
    """Return directions [n, 3] of the front of a unit ball, ring by ring from -y."""
    polar = _SPAN * np.arange(_RINGS + 1) / _RINGS
    turn = 2 * np.pi * np.arange(_AROUND) / _AROUND
    ring, around = np.meshgrid(polar, turn, indexing="ij")
    axes = [np.sin(ring) * np.cos(around), -np.cos(ring), np.sin(ring) * np.sin(around)]
    return np.stack(axes, -1).reshape(-1, 3)


def _lid(body: Body, side: str) -> list[float]:
    """Return the height of the upper lid over the eye and what each coefficient adds, metres."""
    group = body.groups[f"helper-{side.lower()}-eyelashes-2"]
    used = np.unique(group.triangles)
    centre = body.joint(f"eye.{side}")
    distance = np.linalg.norm(body.vertices[used] - centre, axis=1)
    near = used[distance < np.quantile(distance, 0.4)]
    near = near[np.abs(body.vertices[near, 0] - centre[0]) < 0.008]
    height = float(body.vertices[near, 2].mean() - centre[2])
    return [height, *body.shapes[:, near, 2].mean(1).tolist()]


def _grid(rings: int, around: int) -> NDArray[np.int32]:
    i, j = np.meshgrid(np.arange(rings), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    c, d = a + around, b + around
    faces = np.stack([np.stack([a, c, b], -1), np.stack([b, c, d], -1)], 2)
    return faces.reshape(-1, 3).astype(np.int32)


def lash_surface(body: Body) -> Surface:
    """Build the four rows of lashes; u runs from the nose outwards, v from root to tip."""
    triangles, coordinates = [], []
    for side in ("l", "r"):
        for row, base in ((2, 0.5), (1, 0.0)):
            faces = body.groups[f"helper-{side}-eyelashes-{row}"].triangles
            uv = _lash_uv(body, faces, body.joint(f"eye.{side.upper()}"), base)
            triangles.append(faces)
            coordinates.append(uv[faces])
    source, uv, faces = split_seams(np.concatenate(triangles), np.concatenate(coordinates))
    positions = body.vertices[source]
    return Surface(
        name="lashes",
        material="lash",
        texture="lashes",
        positions=positions,
        normals=vertex_normals(positions, faces),
        uv=uv,
        weights=body.weights[source],
        triangles=faces,
        source=source,
        occludes=False,
    )


def _lash_uv(body: Body, faces: NDArray[np.int32], centre: Floats, base: float) -> Floats:
    used = np.unique(faces)
    points = body.vertices[used]
    outwards = np.abs(points[:, 0])
    u = (outwards - outwards.min()) / np.ptp(outwards)
    distance = np.linalg.norm(points - centre, axis=1)
    beside = np.abs(points[:, None, 0] - points[None, :, 0]) < 0.006
    near = np.where(beside, distance, np.inf).min(1)
    far = np.where(beside, distance, -np.inf).max(1)
    t = np.clip((distance - near) / (far - near + 1e-6), 0.0, 1.0)
    uv = np.zeros((len(body.vertices), 2), np.float32)
    uv[used] = np.stack([0.01 + 0.98 * u, base + 0.5 * (0.02 + 0.96 * t)], 1)
    return uv


def mouth(body: Body) -> list[Surface]:
    """Build both rows of teeth and the tongue; see `teeth_surface` for what they shade."""
    source, faces = compact(body.groups["helper-tongue"].triangles)
    positions = body.vertices[source] + np.array((0.0, 0.0035, -0.0035), np.float32)
    depth = mouth_depth(body, positions)
    across = positions[:, [0, 1]] / 0.03
    tongue = Surface(
        name="tongue",
        material="mouth",
        texture="tongue",
        positions=positions,
        normals=vertex_normals(positions, faces),
        uv=across.astype(np.float32),
        weights=body.weights[source],
        triangles=faces,
        source=source,
        shade=np.stack([depth, np.full_like(depth, 0.05)], 1).astype(np.float32),
        occludes=False,
        values={"gloss": [0.10]},
    )
    return [teeth_surface(body, "upper"), teeth_surface(body, "lower"), tongue]


def skin_normals(body: Body) -> Floats:
    """Return the skin's normals over the whole body's vertex list."""
    return np.asarray(
        unit(vertex_normals(body.vertices, body.groups["body"].triangles)), np.float32
    )
