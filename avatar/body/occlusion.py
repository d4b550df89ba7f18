"""Light baked per vertex: how much ambient light and how much of the key lamp arrives."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.lids import lid_area
from avatar.body.mesh import averaging, smooth, unit, vertex_normals
from avatar.body.raster import DepthMaps
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.renderer.light import KEY_DIRECTION
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.rotations import axis_degrees
from motion.skeleton import JOINT_INDEX, JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_KEY_SAMPLES = 20
_KEY_SPREAD = 0.14
# How far points are lifted off their surface before they look for light, metres.
_LIFT = {"skin": 0.004, "mouth": 0.003, "cloth": 0.004}


def bake_light(
    context: Any, body: Body, surfaces: Sequence[Surface], seed: int, directions: int
) -> list[tuple[Floats, Floats]]:
    """Return (ambient [n], key [n]) per surface, 0 to 1, with the arms near the sides."""
    moves = _resting_arms(body)
    skin = _blend(body.weights, moves, body.vertices)
    skin_triangles = body.groups["body"].triangles
    posed = [_pose(surface, moves) for surface in surfaces]
    posed.append((skin, vertex_normals(skin, skin_triangles)))
    meshes = [
        (points, surface.triangles)
        for surface, (points, _) in zip(surfaces, posed, strict=False)
        if surface.occludes
    ]
    # The whole skin casts shadow too, also where clothes hide it.
    meshes.append((skin, skin_triangles))
    centre = body.joint("head") + np.array([0.0, 0.05, -0.22], np.float32)
    maps = DepthMaps(context, meshes, centre, 0.48)
    lifts = [*(_LIFT.get(surface.material, 0.007) for surface in surfaces), _LIFT["skin"]]
    *arrived, on_skin = _arriving(maps, posed, lifts, seed, directions)
    maps.release()
    on_skin = _unfold(body, *_settle(*on_skin, skin_triangles))
    return [
        _of_surface(surface, light, on_skin)
        for surface, light in zip(surfaces, arrived, strict=True)
    ]


def _arriving(
    maps: DepthMaps,
    posed: Sequence[tuple[Floats, Floats]],
    lifts: Sequence[float],
    seed: int,
    directions: int,
) -> list[tuple[Floats, Floats]]:
    """Return (ambient, key) for each (points, normals), asked for all of them together."""
    rng = np.random.default_rng(seed)
    lamp = unit(KEY_DIRECTION + _KEY_SPREAD * rng.standard_normal((_KEY_SAMPLES, 3)))
    points, normals = (np.concatenate(column) for column in zip(*posed, strict=True))
    counts = [len(place) for place, _ in posed]
    lift = np.repeat(lifts, counts)
    sky = _sphere(directions)
    ambient = maps.seen(points, normals, sky, offset=lift, cosine=True)
    key = maps.seen(points, normals, lamp, offset=lift, cosine=False)
    bounds = np.cumsum(counts)[:-1]
    return list(zip(np.split(ambient, bounds), np.split(key, bounds), strict=True))


def _of_surface(
    surface: Surface, light: tuple[Floats, Floats], on_skin: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Skin takes the light of the whole body, so that it joins; eyes and lashes take it all."""
    if surface.material in ("eye", "lash"):
        full = np.ones(len(surface.positions), np.float32)
        return full, full
    if surface.material == "skin" and surface.source is not None:
        ambient, key = (values[surface.source] for values in on_skin)
    else:
        ambient, key = _settle(*light, surface.triangles)
    return surface.floor + (1.0 - surface.floor) * ambient, key


def _settle(ambient: Floats, key: Floats, triangles: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """Smooth light over a surface's neighbouring vertices."""
    operator = averaging(len(ambient), triangles)
    return smooth(ambient, operator, 0.6, 2), smooth(key, operator, 0.6, 3)


def _unfold(body: Body, ambient: Floats, key: Floats) -> tuple[Floats, Floats]:
    """Spread light over the upper lids, whose folds at rest are smooth when they close."""
    operator = averaging(len(body.vertices), body.groups["body"].triangles)
    area = 0.7 * lid_area(body)
    ambient, key = smooth(ambient, operator, area, 9), smooth(key, operator, area, 9)
    return ambient + 0.4 * area * (1.0 - ambient), key


def _pose(surface: Surface, moves: Floats) -> tuple[Floats, Floats]:
    blend = np.einsum("nj,jab->nab", surface.weights, moves)
    points = np.einsum("nab,nb->na", blend[:, :3, :3], surface.positions) + blend[:, :3, 3]
    normals = unit(np.einsum("nab,nb->na", blend[:, :3, :3], surface.normals))
    return points.astype(np.float32), normals.astype(np.float32)


def _blend(weights: Floats, moves: Floats, points: Floats) -> Floats:
    blend = np.einsum("nj,jab->nab", weights, moves)
    moved = np.einsum("nab,nb->na", blend[:, :3, :3], points) + blend[:, :3, 3]
    return np.asarray(moved, np.float32)


def _resting_arms(body: Body) -> Floats:
    rotations = np.zeros((len(JOINT_NAMES), 4), np.float32)
    rotations[:, 0] = 1.0
    rotations[JOINT_INDEX["upperarm01.L"]] = axis_degrees("y", 16.0)
    rotations[JOINT_INDEX["upperarm01.R"]] = axis_degrees("y", -16.0)
    placed = joint_transforms(rotations, rest_offsets(body.joints))
    return skinning_transforms(placed, body.joints)


def _sphere(count: int) -> Floats:
    """Return evenly spread directions [count, 3] (a Fibonacci lattice)."""
    i = np.arange(count) + 0.5
    polar, around = np.arccos(1.0 - 2.0 * i / count), np.pi * (1.0 + 5.0**0.5) * i
    return np.stack(
        [np.cos(around) * np.sin(polar), np.sin(around) * np.sin(polar), np.cos(polar)], 1
    ).astype(np.float32)
