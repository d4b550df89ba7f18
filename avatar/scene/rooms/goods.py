"""Things that stand on shelves and counters."""

from typing import Final

import numpy as np

from avatar.scene.rooms.model import Model, Paint, Vector
from avatar.spec.colour import linear

BOTTLE: Final = (
    (0.001, 0.0), (0.034, 0.0), (0.036, 0.01), (0.036, 0.13), (0.03, 0.15),
    (0.013, 0.165), (0.012, 0.2), (0.001, 0.2),
)  # fmt: skip
JAR: Final = (
    (0.001, 0.0), (0.045, 0.0), (0.048, 0.012), (0.048, 0.09), (0.04, 0.1),
    (0.043, 0.102), (0.043, 0.125), (0.001, 0.127),
)  # fmt: skip
VASE: Final = (
    (0.001, 0.0), (0.05, 0.0), (0.075, 0.05), (0.085, 0.11), (0.065, 0.18),
    (0.035, 0.23), (0.04, 0.26), (0.03, 0.26), (0.001, 0.25),
)  # fmt: skip
BOWL: Final = (
    (0.001, 0.0), (0.05, 0.0), (0.055, 0.008), (0.1, 0.05), (0.125, 0.085),
    (0.118, 0.085), (0.08, 0.045), (0.001, 0.02),
)  # fmt: skip
POT: Final = (
    (0.001, 0.0), (0.075, 0.0), (0.1, 0.17), (0.108, 0.17), (0.108, 0.2), (0.095, 0.2),
    (0.001, 0.19),
)  # fmt: skip


def scaled(
    profile: tuple[tuple[float, float], ...], size: float
) -> tuple[tuple[float, float], ...]:
    """Return a profile made larger or smaller."""
    return tuple((radius * size, height * size) for radius, height in profile)


def bottle(model: Model, foot: Vector, colour: str, size: float = 1.0) -> None:
    """A bottle with a cap of its own colour."""
    model.turned(foot, scaled(BOTTLE, size), colour)
    cap = (foot[0], foot[1], foot[2] + 0.2 * size)
    model.turned(
        cap, scaled(((0.001, 0), (0.015, 0), (0.015, 0.03), (0.001, 0.031)), size), "#d9c08c"
    )


def jar(model: Model, foot: Vector, colour: str, lid: str = "#e9e2d6", size: float = 1.0) -> None:
    """A jar with a lid."""
    model.turned(foot, scaled(JAR[:5], size), colour)
    top = (foot[0], foot[1], foot[2] + 0.1 * size)
    model.turned(top, scaled(((0.043, 0), (0.044, 0.028), (0.001, 0.03)), size), lid)


def carton(
    model: Model, foot: Vector, size: Vector, colour: str, label: str, paint: Paint = "fixed"
) -> None:
    """A carton with a label on its front."""
    x, y, z = foot
    w, d, h = size
    model.box((x - w / 2, y - d / 2, z), (x + w / 2, y + d / 2, z + h), colour, paint=paint)
    model.plate(
        (x - 0.36 * w, y - d / 2 - 0.002, z + 0.3 * h), (0.72 * w, 0, 0), (0, 0, 0.34 * h), label
    )


def stack(model: Model, foot: Vector, colours: tuple[str, ...], wide: float = 0.24) -> None:
    """Folded cloth, one on another."""
    x, y, z = foot
    for colour in colours:
        w = wide * model.chance(0.06)
        model.box((x - w / 2, y - 0.13, z), (x + w / 2, y + 0.12, z + 0.032), colour, vary=0.05)
        z += 0.035


def books(model: Model, foot: Vector, wide: float, colours: tuple[str, ...]) -> None:
    """A row of books that fills `wide` metres from `foot` to the right."""
    x, y, z = foot
    end, number = x + wide, 0
    while x < end - 0.02:
        thick = 0.028 * model.chance(0.35)
        tall = 0.215 * model.chance(0.16)
        colour = colours[number % len(colours)]
        model.box((x, y - 0.08, z), (min(x + thick, end), y + 0.08, z + tall), colour, vary=0.2)
        x += thick + 0.002
        number += 3


def plant(model: Model, foot: Vector, size: float, pot: str, leaf: str, count: int = 34) -> None:
    """A potted plant: arching leaves, each a strip of four pieces."""
    model.turned(foot, scaled(POT, size), pot)
    rng = np.random.default_rng(int(1000 * (foot[0] + 7.0)))
    base = np.array([foot[0], foot[1], foot[2] + 0.19 * size])
    for number in range(count):
        angle = 2.399963 * number + rng.uniform(-0.3, 0.3)
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        side = np.array([-out[1], out[0], 0.0])
        lean = rng.uniform(0.18, 0.8)
        long, wide = size * rng.uniform(0.4, 0.68), size * rng.uniform(0.045, 0.075)
        t = np.linspace(0.0, 1.0, 6)[:, None]
        spine = base + long * (t * lean * out + (t - 0.45 * lean * t**2) * np.array([0, 0, 1.0]))
        half = wide * np.sin(np.pi * np.clip(0.08 + 0.92 * t, 0.0, 1.0)) ** 0.8
        strip = np.stack([spine - half * side, spine + half * side], 1).reshape(-1, 3)
        bend = np.gradient(spine, axis=0)
        normal = np.cross(side, bend)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        normal *= np.sign(normal[:, 2:] + 1e-6)
        rows = np.arange(5, dtype=np.int32)[:, None] * 2
        faces = (rows[:, :, None] + np.array([[0, 1, 3], [0, 3, 2]], np.int32)).reshape(-1, 3)
        shade = np.array(linear(leaf), np.float32) * rng.uniform(0.7, 1.35)
        model.add(strip, np.repeat(normal, 2, 0), faces, shade.astype(np.float32))
