"""Studs and hoops at the ear lobes, and a necklace that hangs where gravity lays it."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.landmarks import Landmarks
from avatar.body.masks import vertex_mask
from avatar.body.mesh import unit, vertex_normals
from avatar.body.source import SKIN_VERTICES, Body
from avatar.wardrobe.ornaments_solids import Solid, joined, mirrored, tube, turned

Floats = NDArray[np.floating[Any]]

_CHAIN_POINTS: Final = 64
_CHAIN_LENGTH: Final = 0.46  # metres on the reference head
_CHAIN_RADIUS: Final = 0.00065
_LINK: Final = 0.0021
# Keeps a link's direction off the chain's own.
_ASKEW: Final = np.array([0.05, -0.05, 0.0])
_STEPS: Final = 150


def lobe(body: Body, marks: Landmarks) -> tuple[Floats, Floats]:
    """Return a place [3] on the left ear lobe and the way out of it [3]."""
    ears = vertex_mask(body, "mpfb_ears.jpg")[:SKIN_VERTICES] > 0.5
    chosen = np.flatnonzero(ears & (body.vertices[:SKIN_VERTICES, 0] > 0.0))
    points = body.vertices[chosen]
    low = points[:, 2] < points[:, 2].min() + 0.012 * marks.scale
    # The lobe shows its outer side: of the low points, those farthest out.
    outer = points[:, 0] > np.quantile(points[low, 0], 0.55)
    place = points[low & outer].mean(0)
    normals = vertex_normals(body.vertices, body.groups["body"].triangles)[chosen]
    out = unit(normals[low & outer].mean(0) + np.array([0.8, -0.35, 0.0]))
    return place, out


def studs(body: Body, marks: Landmarks) -> Solid:
    """Return a small ball in a cup at each lobe."""
    place, out = lobe(body, marks)
    r = 0.0026 * marks.scale
    angle = np.linspace(0.0, 0.95 * np.pi / 2.0, 6)
    ball = [(float(r * np.cos(a)), float(r * (0.75 + np.sin(a)))) for a in angle]
    cup = ((0.75 * r, -0.4 * r), (1.06 * r, 0.35 * r), (1.06 * r, 0.7 * r))
    left = turned((*cup, *ball, (0.0, 1.75 * r)), place, out, around=16)
    return joined([left, mirrored(left)])


def hoops(body: Body, marks: Landmarks) -> Solid:
    """Return a ring of 22 mm that hangs from each lobe, turned a little to the front."""
    place, out = lobe(body, marks)
    radius = 0.0105 * marks.scale
    turn = np.radians(52.0)
    ahead = np.array([np.sin(turn), -np.cos(turn), 0.0])
    side = np.array([np.cos(turn), np.sin(turn), 0.0])
    top = place + out * 0.0022 - np.array([0.0, 0.0, 0.001])
    centre = top - np.array([0.0, 0.0, radius])
    angle = 2.0 * np.pi * np.arange(40) / 40
    ring = centre + radius * (
        np.sin(angle)[:, None] * ahead + np.cos(angle)[:, None] * np.array([0.0, 0.0, 1.0])
    )
    thick = (0.00105 + 0.0004 * (1.0 - np.cos(angle)) / 2.0)[:, None] * marks.scale
    left = tube(ring, side, np.repeat(thick, 2, 1), closed=True, sides=8)
    return joined([left, mirrored(left)])


def necklace(
    points: Floats, normals: Floats, weights: Floats, marks: Landmarks
) -> tuple[Solid, Floats]:
    """Hang a chain with a pendant about the neck.

    Args:
        points, normals: [n, 3], what it lies on: neck and chest, or the cloth there.
        weights: [n, 104], of those points.

    Returns:
        The solid and its weights [m, 104].
    """
    line = _hang(points, normals, marks)
    tree = cKDTree(points)
    front = int(np.argmin(line[:, 2] + 0.2 * np.abs(line[:, 0])))
    chain = _links(line)
    where = line[front]
    _, nearest = tree.query(where, k=12)
    out = unit(normals[nearest].mean(0) + np.array([0.0, -0.6, 0.0]))
    pendant = _pendant(where, out, marks.scale)
    _, close = tree.query(chain.positions, k=6)
    on_chain = weights[close].mean(1)
    on_pendant = np.repeat(weights[nearest].mean(0)[None], len(pendant.positions), 0)
    return joined([chain, pendant]), np.concatenate([on_chain, on_pendant]).astype(np.float32)


def _hang(points: Floats, normals: Floats, marks: Landmarks) -> Floats:
    """Let a closed chain fall on the body (positions after Jakobsen, 2001); return [64, 3]."""
    angle = 2.0 * np.pi * np.arange(_CHAIN_POINTS) / _CHAIN_POINTS
    length = _CHAIN_LENGTH * marks.scale**0.8
    step = length / _CHAIN_POINTS
    neck = marks.neck
    radius = 1.02 * length / (2.0 * np.pi)
    line = neck + np.stack(
        [radius * np.sin(angle), 0.012 - radius * np.cos(angle), 0.045 - 0.05 * np.cos(angle)], 1
    )
    line[:, 1] -= 0.012
    tree = cKDTree(points)
    pull = 0.00012 * np.ones(_CHAIN_POINTS)
    pull[np.cos(angle) > 0.985] *= 3.0  # the pendant's weight
    before = line.copy()
    for _ in range(_STEPS):
        moved = line + 0.9 * (line - before)
        before = line
        moved[:, 2] -= pull
        for _ in range(24):
            moved = _stretched(moved, step)
        _, near = tree.query(moved, k=3)
        above = ((moved[:, None] - points[near]) * normals[near]).sum(2).mean(1)
        lift = np.clip(0.0016 - above, 0.0, 0.01)
        line = moved + unit(normals[near].mean(1)) * lift[:, None]
        line[:, 0] = 0.5 * (line[:, 0] - line[_MIRROR, 0])
        line[:, 1:] = 0.5 * (line[:, 1:] + line[_MIRROR, 1:])
    for _ in range(2):  # the skin's facets are not the chain's
        line = 0.25 * np.roll(line, 1, 0) + 0.5 * line + 0.25 * np.roll(line, -1, 0)
    return np.asarray(line)


_MIRROR: Final = -np.arange(_CHAIN_POINTS) % _CHAIN_POINTS


def _stretched(line: Floats, step: float) -> Floats:
    """Move neighbours towards a distance of `step`, both by half."""
    ahead = np.roll(line, -1, 0) - line
    length = np.linalg.norm(ahead, axis=1, keepdims=True)
    move = 0.5 * ahead * (1.0 - step / np.maximum(length, 1e-9))
    out: Floats = line + 0.5 * (move - np.roll(move, 1, 0)) * 1.6
    return out


def _links(line: Floats) -> Solid:
    """Make a fine chain along a closed `line`: it swells and turns with each link."""
    closed = np.concatenate([line, line[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    count = int(along[-1] / _LINK)
    place = along[-1] * np.arange(3 * count) / (3 * count)
    path = np.stack([np.interp(place, along, closed[:, axis]) for axis in range(3)], 1)
    wave = np.arange(3 * count) % 3 == 0
    turn = (np.arange(3 * count) // 3 % 2)[:, None] * np.pi / 2.0
    across = np.concatenate([np.sin(turn), np.zeros_like(turn), np.cos(turn)], 1)
    half = np.where(wave, 0.55, 1.25)[:, None] * _CHAIN_RADIUS * np.array([1.0, 0.62])
    return tube(path, across + _ASKEW, half, closed=True, sides=5)


def _pendant(where: Floats, out: Floats, scale: float) -> Solid:
    """Make a small domed disc on a bail, hanging from `where` with its face along `out`."""
    down = unit(np.array([0.0, 0.0, -1.0]) - out * -out[2])
    r = 0.0052 * scale
    centre = where + down * (r + 0.0022) + 0.0008 * out
    dome = ((0.0, -0.0009), (0.9 * r, -0.0009), (r, -0.0002), (r, 0.0004), (0.86 * r, 0.0009))
    disc = turned((*dome, (0.80 * r, 0.0006), (0.4 * r, 0.0012), (0.0, 0.0014)), centre, out, 24)
    angle = 2.0 * np.pi * np.arange(12) / 12
    middle = where + down * 0.0014 + 0.0006 * out
    loop = middle + 0.0017 * (np.cos(angle)[:, None] * down + np.sin(angle)[:, None] * out)
    bail = tube(loop, np.cross(down, out), (0.0006, 0.0005), closed=True, sides=5)
    return joined([disc, bail])
