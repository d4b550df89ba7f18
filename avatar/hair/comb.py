"""Hair combed over the skull: paths from a crown, a knot or a parting to the hairline."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import unit
from avatar.hair.hairlines import Line
from avatar.hair.skull import Skull

Floats = NDArray[np.floating[Any]]


def rim(skull: Skull, marks: Landmarks, line: Line, azimuth: Floats, beyond: Floats) -> Floats:
    """Return directions [n, 3] of the hairline at `azimuth` [n] degrees, `beyond` metres lower."""
    angles, heights = np.array(line).T
    height = marks.eye[2] + (np.interp(np.abs(azimuth), angles, heights) - beyond) * marks.scale
    polar = np.radians(np.arange(2.0, 150.0, 1.5))
    around = np.radians(azimuth)[:, None]
    ways = np.stack(
        np.broadcast_arrays(
            np.sin(around) * np.sin(polar), -np.cos(around) * np.sin(polar), np.cos(polar)
        ),
        -1,
    )
    heights_on = skull.centre[2] + ways[..., 2] * skull.radius(ways)
    found = np.array(
        [
            np.interp(-wanted, -np.minimum.accumulate(own), polar)
            for wanted, own in zip(height, heights_on, strict=True)
        ]
    )
    around = around[:, 0]
    return np.stack(
        [np.sin(around) * np.sin(found), -np.cos(around) * np.sin(found), np.cos(found)], 1
    ).astype(np.float32)


def arcs(start: Floats, end: Floats, share: Floats) -> Floats:
    """Return directions [n, s, 3] at `share` [s] of great circles from `start` to `end` [n, 3]."""
    t = share[None, :, None]
    a, b = unit(start)[:, None], unit(end)[:, None]
    angle = np.arccos(np.clip((a * b).sum(-1, keepdims=True), -1.0, 1.0)) + 1e-6
    blend = np.sin((1.0 - t) * angle) * a + np.sin(t * angle) * b
    return np.asarray(unit(blend / np.sin(angle)), np.float32)


def closing(steps: int) -> Floats:
    """Return shares [steps] of a strand from 0 to 1 that lie closer towards its end."""
    return np.asarray(1.0 - (1.0 - np.linspace(0.0, 1.0, steps)) ** 1.7)


def on_skull(skull: Skull, ways: Floats, lift: Floats) -> Floats:
    """Return points [..., 3] that stand `lift` [...] metres off the skull in `ways` [..., 3]."""
    points = skull.centre + ways * (skull.radius(ways) + lift)[..., None]
    return np.asarray(points, np.float32)


def grooves(columns: int, per_lock: float, rng: np.random.Generator) -> Floats:
    """Return the height [columns, 1] of locks side by side: 0 between them, up to 1 on them."""
    lock = np.arange(columns) / per_lock + 0.35 * np.sin(np.arange(columns) / 3.7)
    high = 0.6 + 0.4 * rng.random(int(lock.max()) + 3)
    return np.asarray(np.abs(np.sin(np.pi * lock)) * high[lock.astype(int) + 1])[:, None]


def between(paths: Floats, place: Floats) -> Floats:
    """Return paths at fractional columns `place` [k] of `paths` [n, s, 3]."""
    low = np.clip(place.astype(int), 0, len(paths) - 2)
    share = (place - low)[:, None, None]
    return np.asarray(paths[low] * (1.0 - share) + paths[low + 1] * share)


def stretch(paths: Floats, begin: Floats, end: Floats, steps: int) -> Floats:
    """Return each of `paths` [n, s, 3] from share `begin` [n] to `end` [n] in `steps` points."""
    at = begin[:, None] + (end - begin)[:, None] * np.linspace(0.0, 1.0, steps)
    at = np.clip(at * (paths.shape[1] - 1), 0.0, paths.shape[1] - 1.001)
    low = at.astype(int)
    rows = np.arange(len(paths))[:, None]
    share = (at - low)[..., None]
    return np.asarray(paths[rows, low] * (1.0 - share) + paths[rows, low + 1] * share)
