"""The paths of strands: from the parting over the skull to the ears, then hanging."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.hair.skull import Skull

Floats = NDArray[np.floating[Any]]

# Points of a strand on the skull, and hanging.
OVER: Final = 13
DOWN: Final = 9
# Where the parting runs: degrees along the middle of the head, 0 at the crown, and metres aside.
FRONT: Final = 63.0
NAPE: Final = -112.0
_PARTING: Final = 0.020


@dataclass(frozen=True, slots=True)
class Fall:
    """How hair hangs below the ears.

    Attributes:
        length: height of the ends above the eye, metres on the reference head (negative).
        wave: metres to either side. turns: waves between ear and end.
        body: how much wider it hangs than the head, share. inward: how far the ends turn in, share.
    """

    length: float
    wave: float
    turns: float
    body: float
    inward: float


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


def strand_paths(skull: Skull, marks: Landmarks, roots: Roots, fall: Fall) -> Floats:
    """Return the paths [n, 22, 3] of strands, root first, in metres."""
    start = _root_directions(skull, roots)
    end = _ear_directions(roots, start)
    t = np.linspace(0.0, 1.0, OVER)[None, :, None]
    over = unit(_slerp(start[:, None], end[:, None], t))
    rise = smoothstep(0.0, 0.4, t[..., 0]) * roots.lift[:, None]
    dome = 0.0085 * np.sin(np.pi * np.clip(1.1 * t[..., 0], 0.0, 1.0))
    off = 0.0014 + (rise + dome) * marks.scale
    top = skull.centre + over * (skull.radius(over) + off)[..., None]
    paths = np.concatenate([top, _hanging(marks, top[:, -1], roots, fall)], 1)
    paths[:, OVER - 2 :, 2] = np.minimum.accumulate(paths[:, OVER - 2 :, 2], axis=1)
    for _ in range(3):
        paths[:, 1:-1] = 0.25 * paths[:, :-2] + 0.5 * paths[:, 1:-1] + 0.25 * paths[:, 2:]
    return paths.astype(np.float32)


def _root_directions(skull: Skull, roots: Roots) -> Floats:
    angle = np.radians(roots.along)
    middle = np.stack([np.zeros_like(angle), -np.sin(angle), np.cos(angle)], 1)
    points = skull.centre + middle * skull.radius(middle)[:, None]
    toward_nape = np.clip((roots.along - NAPE) / 100.0, 0.0, 1.0)
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


def _hanging(marks: Landmarks, start: Floats, roots: Roots, fall: Fall) -> Floats:
    """Return the free part [n, 9, 3]: down from the ears in a soft wave, tips turned in."""
    u = np.linspace(0.0, 1.0, DOWN + 1)[1:][None]
    around = np.arctan2(start[:, 0], -(start[:, 1] - marks.axis))[:, None]
    radius = np.hypot(start[:, 0], start[:, 1] - marks.axis)[:, None]
    back = smoothstep(1.9, 2.9, np.abs(around))
    front = smoothstep(1.6, 1.1, np.abs(around))
    end = marks.eye[2] + (roots.length[:, None] - 0.03 * back) * marks.scale
    z = start[:, 2:3] + (end - start[:, 2:3]) * u
    wave = np.sin(2 * np.pi * fall.turns * u + roots.phase[:, None]) * smoothstep(0.1, 0.8, u)
    wide = fall.body * (1.0 - 0.4 * front) * np.sin(np.pi * u**0.8)
    full = 1.0 + wide - fall.inward * (1.0 - 0.5 * front) * u**2.4
    radius = radius * full * (1.0 - 0.2 * back * smoothstep(0.0, 0.6, u)) + fall.wave * wave
    turned = around + np.sign(around) * (0.05 * u - 0.16 * u**2 * front) + 9.2 * fall.wave * wave
    place = [np.sin(turned) * radius, marks.axis - np.cos(turned) * radius, z]
    return np.stack(place, -1).astype(np.float32)


def _slerp(a: Floats, b: Floats, t: Floats) -> Floats:
    angle = np.arccos(np.clip((a * b).sum(-1, keepdims=True), -1.0, 1.0))
    blend = np.sin((1 - t) * angle) * a + np.sin(t * angle) * b
    return np.asarray(blend / (np.sin(angle) + 1e-6))
