"""Light in a room, reckoned once per vertex: lamps with soft shadows, and light from all sides."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.scene.rooms.model import Model

Floats = NDArray[np.floating[Any]]

_SKY_RAYS: Final = 64
_LAMP_POINTS: Final = 16
_FAINT: Final = 0.004  # light that is left out
_CHUNK: Final = 4096
_OFF: Final = 2e-3  # metres; rays begin so far from their surface
# What a surface that a ray meets sends back of the light it is thought to get.
_BOUNCE: Final = 0.62


def irradiance(model: Model) -> Floats:
    """Return the light every vertex gets, linear RGB [vertices, 3]; 1 shows a surface as it is.

    One gathering step: rays over the hemisphere that meet nothing bring the sky's light, those
    that meet a solid bring its colour's share of it; lamps are sampled over their faces.
    """
    points = np.concatenate(model.positions)
    normals = np.concatenate(model.normals)
    points = points + _OFF * normals
    out = np.zeros_like(points)
    for first in range(0, len(points), _CHUNK):
        part = slice(first, first + _CHUNK)
        out[part] = _from_sky(model, points[part], normals[part])
        for number in range(len(model.lamps)):
            out[part] += _from_lamp(model, number, points[part], normals[part])
    return out


def _from_sky(model: Model, points: Floats, normals: Floats) -> Floats:
    local = _hemisphere(_SKY_RAYS)
    side = np.where(np.abs(normals[:, :1]) > 0.9, [[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]])
    tangent = np.cross(normals, side)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    frame = np.stack([tangent, np.cross(normals, tangent), normals], 1)
    rays = np.einsum("rk,nkd->nrd", local, frame).astype(np.float32)
    starts = np.repeat(points, _SKY_RAYS, 0)
    nearest, hit = _first(model, starts, rays.reshape(-1, 3))
    # A room may have no solids; then no ray meets the one colour.
    colours = np.array([colour for _, _, colour in model.solids] or [(0.0,) * 3], np.float32)
    sky = np.array(model.sky, np.float32)
    met = np.isfinite(nearest)
    light = np.where(met[:, None], _BOUNCE * colours[hit] * sky, sky)
    return np.asarray(light.reshape(len(points), _SKY_RAYS, 3).mean(1), np.float32)


def _from_lamp(model: Model, number: int, points: Floats, normals: Floats) -> Floats:
    lamp = model.lamps[number]
    across, along = np.array(lamp.across), np.array(lamp.along)
    face = np.cross(across, along)
    area = float(np.linalg.norm(face))
    face /= area
    out = np.zeros(len(points), np.float32)
    for s, t in _spread(_LAMP_POINTS):
        place = np.array(lamp.corner) + s * across + t * along
        ray = (place - points).astype(np.float32)
        far = np.linalg.norm(ray, axis=1)
        unit = ray / far[:, None]
        # Lamps near a surface would show their samples as spots: none is nearer than this.
        weight = np.maximum((unit * normals).sum(1), 0.0) * np.maximum(-(unit @ face), 0.0)
        weight *= area / np.maximum(far, 0.06) ** 2 / np.pi
        seen = weight > _FAINT / max(lamp.radiance)
        nearest, _ = _first(model, points[seen], unit[seen])
        weight[seen] *= nearest > far[seen] - 0.03
        weight[~seen] = 0.0
        out += weight.astype(np.float32)
    return out[:, None] * np.array(lamp.radiance, np.float32) / _LAMP_POINTS


def _first(model: Model, starts: Floats, rays: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return how far along each ray the first solid is (inf for none), and which."""
    nearest = np.full(len(starts), np.inf, np.float32)
    hit = np.zeros(len(starts), np.intp)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.float32(1.0) / rays
        for number, (low, high, _) in enumerate(model.solids):
            a = (np.array(low, np.float32) - starts) * inverse
            b = (np.array(high, np.float32) - starts) * inverse
            enter = np.minimum(a, b).max(1)
            leave = np.maximum(a, b).min(1)
            closer = (leave >= enter) & (enter > 0.0) & (enter < nearest)
            nearest[closer] = enter[closer]
            hit[closer] = number
    return nearest, hit


def _hemisphere(count: int) -> Floats:
    """Return directions [count, 3] round z, dense as the cosine (a Fibonacci spiral)."""
    k = np.arange(count) + 0.5
    radius = np.sqrt(k / count)
    angle = np.pi * (3.0 - np.sqrt(5.0)) * k
    z = np.sqrt(1.0 - radius**2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], -1).astype(np.float32)


def _spread(count: int) -> list[tuple[float, float]]:
    """Return points in the unit square (the R2 sequence of Roberts, 2018)."""
    return [((0.5 + 0.7548776662 * k) % 1.0, (0.5 + 0.5698402910 * k) % 1.0) for k in range(count)]
