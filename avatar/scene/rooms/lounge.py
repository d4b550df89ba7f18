"""A living room in the evening: a window over a city's lights, books, a lamp with a shade."""

import numpy as np

from avatar.scene.rooms import goods
from avatar.scene.rooms.model import Lamp, Model, Vector
from avatar.scene.rooms.shop import BACK, shell

_WALNUT = "#6b4a33"
_WARM: Vector = (7.5, 4.9, 2.5)


def lounge() -> Model:
    """Return the room."""
    model = Model(sky=(0.36, 0.36, 0.40), seed=5)
    shell(model, "#7d868c", "#7a5c42")
    _city(model, 0.12, 2.5, 0.75, 2.55)
    _bookcase(model, -2.3, -0.6)
    _floor_lamp(model, -0.37, BACK - 0.45)
    _sofa(model, 0.5)
    goods.plant(model, (-0.95, 1.5, 0.0), 1.5, "#3b3b40", "#3f6046", 40)
    model.shine(
        Lamp((-0.9, 1.2, 2.85), (1.8, 0.0, 0.0), (0.0, -1.6, 0.0), (0.55, 0.45, 0.36)), seen=False
    )
    return model


def table(model: Model, eye: float) -> None:
    """Add the desk before the figure; `eye` is the height of the eyes."""
    top, near, far = eye - 0.455, -0.95, -0.42
    model.box((-1.3, near, 0.0), (1.3, far, top - 0.035), "#4a3324", step=0.15)
    model.box((-1.32, near - 0.02, top - 0.035), (1.32, far + 0.02, top), _WALNUT, step=0.05)
    foot = (-0.3, far - 0.16, top)
    model.turned(foot, ((0.001, 0), (0.036, 0), (0.038, 0.085), (0.001, 0.086)), "#e9e2d6")
    flame = (-0.3, far - 0.16, top + 0.088)
    model.turned(
        flame, ((0.004, 0.0), (0.009, 0.012), (0.002, 0.034)), "#ffffff", glow=(4.0, 2.6, 1.0)
    )
    goods.carton(model, (0.3, far - 0.16, top), (0.13, 0.08, 0.11), "#24303a", "#c9a25f", "accent")
    model.shine(
        Lamp((-0.5, far - 0.6, top + 1.1), (1.0, 0, 0), (0, -0.4, 0), (1.6, 1.3, 1.0)), seen=False
    )


def _city(model: Model, left: float, right: float, low: float, high: float) -> None:
    """A window at night: towers with lit rooms, far away."""
    rng = np.random.default_rng(3)
    y = BACK - 0.004
    rows = 48
    for k in range(rows):
        z, tall = low + (high - low) * k / rows, (high - low) / rows
        share = k / (rows - 1)
        dusk = (0.10 - 0.075 * share, 0.07 - 0.04 * share, 0.12 - 0.045 * share)
        model.plate((left, y, z), (right - left, 0, 0), (0, 0, tall), "#000000", glow=dusk)
    x = left
    while x < right - 0.1:
        wide, top = rng.uniform(0.12, 0.3), low + rng.uniform(0.35, 1.25)
        end = min(x + wide, right)
        shade = (0.012, 0.014, 0.025)
        model.plate((x, y - 0.003, low), (end - x, 0, 0), (0, 0, top - low), "#000000", glow=shade)
        for _ in range(int(150 * wide * (top - low)) + 4):
            a, z = rng.uniform(x + 0.01, end - 0.03), rng.uniform(low, top - 0.03)
            warm = rng.uniform(0.5, 3.6)
            light = (warm, warm * rng.uniform(0.55, 0.8), warm * rng.uniform(0.2, 0.6))
            model.plate((a, y - 0.006, z), (0.016, 0, 0), (0, 0, 0.014), "#000000", glow=light)
        x = end + rng.uniform(-0.02, 0.06)
    for bar in np.linspace(left, right, 4).tolist():
        model.box((bar - 0.02, y - 0.05, low - 0.03), (bar + 0.02, y, high + 0.03), "#22252a")
    for z in (low - 0.04, high):
        model.box((left - 0.03, y - 0.06, z), (right + 0.03, y, z + 0.045), "#22252a")


def _bookcase(model: Model, left: float, right: float) -> None:
    depth, levels = 0.32, (0.5, 0.9, 1.3, 1.7, 2.1, 2.5)
    spines = ("#7c3b30", "#c7b08a", "#2f4a55", "#d8cfc0", "#4c5b3f", "#a46a3c", "#30343c")
    model.plate((left, BACK - 0.004, 0.1), (right - left, 0, 0), (0, 0, 2.4), "#4b3525", step=0.05)
    middle = (left + right) / 2.0
    for x in (left, middle, right):
        model.box((x - 0.016, BACK - depth, 0.0), (x + 0.016, BACK, 2.53), _WALNUT)
    for z in levels:
        model.box((left, BACK - depth, z - 0.03), (right, BACK, z), _WALNUT, step=0.06)
    model.box((left, BACK - depth, 0.0), (right, BACK, 0.47), "#5b3f2b")
    for row, z in enumerate(levels[:-1]):
        for column, start in enumerate((left, middle)):
            wide = middle - left
            model.shine(
                Lamp(
                    (start + 0.03, BACK - 0.05, levels[row + 1] - 0.042),
                    (wide - 0.06, 0.0, 0.0),
                    (0.0, -0.018, 0.0),
                    _WARM,
                )
            )
            foot = (start + 0.05, BACK - 0.14, z)
            if (row + column) % 3 == 0:
                goods.books(model, foot, 0.46, spines)
                model.turned((start + wide - 0.2, BACK - 0.16, z), goods.VASE, "#b9825a")
            elif (row + column) % 3 == 1:
                goods.books(model, foot, 0.3, spines[2:])
                goods.carton(
                    model,
                    (start + 0.56, BACK - 0.16, z),
                    (0.24, 0.05, 0.2),
                    "#1f2226",
                    "#d9c9a8",
                )
                goods.plant(
                    model, (start + wide - 0.16, BACK - 0.17, z), 0.42, "#d8cfc0", "#5b7a4c", 18
                )
            else:
                goods.books(model, (start + 0.34, BACK - 0.14, z), 0.48, spines[1:])
                model.turned(
                    (start + 0.17, BACK - 0.16, z), goods.scaled(goods.BOWL, 0.95), "#c9bba5"
                )


def _floor_lamp(model: Model, x: float, y: float) -> None:
    model.turned((x, y, 0.0), ((0.001, 0.0), (0.15, 0.0), (0.15, 0.02), (0.012, 0.03)), "#b08d57")
    model.box((x - 0.009, y - 0.009, 0.02), (x + 0.009, y + 0.009, 1.5), "#b08d57")
    shade = ((0.2, 0.0), (0.19, 0.08), (0.17, 0.18), (0.15, 0.27))
    model.turned((x, y, 1.46), shade, "#f1e2c8", glow=(1.0, 0.66, 0.35))
    model.turned((x, y, 1.47), ((0.001, 0.0), (0.18, 0.0)), "#ffffff", glow=(3.0, 2.1, 1.2))
    for down in (True, False):
        z = 1.45 if down else 1.74
        across, along = (0.0, 0.24, 0.0), (0.24, 0.0, 0.0)
        edges = (across, along) if down else (along, across)
        lamp = Lamp((x - 0.12, y - 0.12, z), edges[0], edges[1], (11.0, 7.6, 4.2))
        model.shine(lamp, seen=False)
    # The shade itself lights the wall behind it.
    model.shine(
        Lamp((x - 0.16, y + 0.16, 1.46), (0, 0, 0.27), (0.32, 0, 0), (5.0, 3.4, 1.9)), seen=False
    )


def _sofa(model: Model, left: float) -> None:
    y, cloth = BACK - 0.95, "#6f7f86"
    model.box((left, y - 0.3, 0.12), (left + 1.7, y + 0.55, 0.42), cloth)
    model.box((left, y + 0.32, 0.42), (left + 1.7, y + 0.55, 0.82), cloth, step=0.06)
    model.box((left - 0.16, y - 0.3, 0.12), (left, y + 0.55, 0.62), cloth)
    for k, colour in enumerate(("#c98b52", "#d8cfc0")):
        x = left + 0.18 + 0.5 * k
        model.box((x, y + 0.18, 0.43), (x + 0.4, y + 0.3, 0.79), colour, paint="accent", step=0.05)
