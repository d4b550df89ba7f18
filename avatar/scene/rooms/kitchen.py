"""A bright kitchen: sage cupboards, white tiles, a window, a shelf with plates and jars."""

from math import cos, pi, sin

import numpy as np

from avatar.scene.rooms import goods
from avatar.scene.rooms.model import Lamp, Model
from avatar.scene.rooms.shop import BACK, shell

_SAGE, _STONE, _WOOD = "#8fa08a", "#f0ece4", "#c49a68"


def kitchen() -> Model:
    """Return the room."""
    model = Model(sky=(0.72, 0.74, 0.76), seed=11)
    shell(model, "#efe9df", "#c8ab85")
    _cupboards(model)
    _tiles(model, -2.7, 0.34)
    _tiles(model, 1.42, 2.7)
    _window(model, 0.42, 1.34, 1.08, 2.1)
    _shelf(model, -1.75, 0.1, 1.56)
    _shelf(model, -1.75, 0.1, 1.98)
    _worktop_things(model)
    for x in (-0.55, 0.28):
        _lamp(model, x, BACK - 0.95, 1.98)
    model.shine(
        Lamp((-1.2, 1.7, 2.85), (2.4, 0.0, 0.0), (0.0, -1.8, 0.0), (1.1, 1.08, 1.04)), seen=False
    )
    model.shine(
        Lamp((-2.6, -0.9, 0.6), (0.0, 1.9, 0.0), (0.0, 0.0, 1.9), (2.2, 2.3, 2.45)), seen=False
    )
    return model


def worktop(model: Model, eye: float) -> None:
    """Add the island before the figure; `eye` is the height of the eyes."""
    top, near, far = eye - 0.455, -0.98, -0.42
    model.box((-1.3, near, 0.0), (1.3, far, top - 0.04), _SAGE, paint="accent", step=0.15)
    model.box((-1.33, near - 0.02, top - 0.04), (1.33, far + 0.02, top), _WOOD, step=0.05)
    model.turned((-0.29, far - 0.17, top), goods.scaled(goods.BOWL, 0.85), "#f4f0e8")
    for k, (x, y) in enumerate(((-0.32, 0.02), (-0.26, -0.02), (-0.29, 0.05), (-0.29, -0.04))):
        colour = ("#d9782e", "#d9782e", "#9aa83a", "#c94a35")[k]
        _ball(model, (x, far - 0.17 + y, top + 0.045), 0.036, colour)
    goods.jar(model, (0.26, far - 0.13, top), "#e2c28f", size=0.75)
    goods.bottle(model, (0.33, far - 0.17, top), "#6f7d36", 0.85)


def _cupboards(model: Model) -> None:
    top = 0.9
    model.box((-2.7, BACK - 0.62, top - 0.04), (2.7, BACK, top), _STONE, step=0.08)
    model.box((-2.7, BACK - 0.56, 0.1), (2.7, BACK, top - 0.04), "#5f6d5c", paint="accent")
    x = -2.7
    while x < 2.7:
        for low, high in ((0.12, 0.62), (0.64, 0.84)):
            model.box(
                (x + 0.008, BACK - 0.585, low),
                (x + 0.592, BACK - 0.56, high),
                _SAGE,
                paint="accent",
            )
            z = high - 0.05
            model.box((x + 0.22, BACK - 0.605, z), (x + 0.38, BACK - 0.595, z + 0.014), "#b89a63")
        x += 0.6


def _tiles(model: Model, left: float, right: float) -> None:
    """White tiles of 15 by 7.5 cm in a running bond, over the worktop."""
    model.plate((left, BACK - 0.003, 0.9), (right - left, 0, 0), (0, 0, 0.62), "#d9d4ca", step=0.1)
    row, z = 0, 0.903
    while z < 1.5:
        x = left - 0.075 * (row % 2)
        while x < right:
            a, b = max(x + 0.003, left), min(x + 0.147, right)
            if b - a > 0.01:
                bright = 0.80 * model.chance(0.06)
                shade = [bright * tone for tone in (1.0, 0.985, 0.955)]
                model.plate(
                    (a, BACK - 0.008, z),
                    (b - a, 0, 0),
                    (0, 0, 0.069),
                    np.array(shade, np.float32),
                    step=0.2,
                )
            x += 0.15
        row += 1
        z += 0.075


def _window(model: Model, left: float, right: float, low: float, high: float) -> None:
    """A window full of daylight, with a frame and a sill with herbs."""
    y = BACK - 0.02
    model.shine(
        Lamp((left, y, low), (right - left, 0, 0), (0, 0, high - low), (1.5, 1.62, 1.75)),
        seen=False,
    )
    rows = 8
    for k in range(rows):
        z, tall = low + (high - low) * k / rows, (high - low) / rows
        share = k / (rows - 1)
        green = (0.62 + 0.5 * share, 0.78 + 0.42 * share, 0.62 + 0.72 * share)
        model.plate((left, y, z), (right - left, 0, 0), (0, 0, tall), "#000000", glow=green)
    middle = (left + right) / 2.0
    for x in (left - 0.05, middle - 0.02, right):
        model.box((x, y - 0.03, low - 0.05), (x + 0.05, y + 0.01, high + 0.05), "#f7f4ee")
    for z in (low - 0.05, (low + high) / 2.0 - 0.015, high):
        model.box((left - 0.05, y - 0.028, z), (right + 0.05, y + 0.01, z + 0.05), "#f7f4ee")
    model.box((left - 0.1, y - 0.16, low - 0.08), (right + 0.1, y, low - 0.05), "#f7f4ee")
    for x, size in ((left + 0.12, 0.42), (right - 0.15, 0.5)):
        goods.plant(model, (x, y - 0.09, low - 0.05), size, "#c98b63", "#6d9448", 26)


def _shelf(model: Model, left: float, right: float, z: float) -> None:
    model.box((left, BACK - 0.24, z - 0.035), (right, BACK, z), _WOOD, step=0.07, vary=0.05)
    y, x, number = BACK - 0.13, left + 0.14, int(z * 10)
    while x < right - 0.08:
        kind = number % 4
        if kind == 0:
            for k in range(4):
                plate = ((0.001, 0.0), (0.06, 0.0), (0.11, 0.014), (0.11, 0.017), (0.001, 0.006))
                model.turned((x + 0.02, y, z + 0.017 * k), plate, "#f4f1ea")
            x += 0.27
        elif kind == 1:
            goods.jar(model, (x, y, z), ("#d9b27c", "#b5c0a5", "#c9764f")[number % 3], "#b58d5c")
            x += 0.14
        elif kind == 2:
            model.turned((x + 0.03, y, z), goods.scaled(goods.VASE, 0.72), "#7f95a3")
            x += 0.2
        else:
            model.turned((x + 0.04, y, z), goods.scaled(goods.BOWL, 0.9), "#ece5d8")
            model.turned((x + 0.04, y, z + 0.04), goods.scaled(goods.BOWL, 0.85), "#e3d6c2")
            x += 0.27
        number += 1


def _worktop_things(model: Model) -> None:
    top, y = 0.9, BACK - 0.28
    for x, tall in ((-1.05, 0.36), (-0.98, 0.3)):
        model.box((x, y + 0.2, top), (x + 0.22, y + 0.22, top + tall), _WOOD, vary=0.2)
    model.turned((-0.42, y, top), goods.scaled(goods.POT, 0.75), "#e9e4da")
    for k in range(5):
        x = -0.42 + 0.03 * (k - 2)
        model.box((x, y, top + 0.1), (x + 0.012, y + 0.012, top + 0.27 + 0.02 * (k % 3)), "#a97d4f")
    pan = ((0.001, 0.0), (0.12, 0.0), (0.125, 0.01), (0.125, 0.14), (0.132, 0.145), (0.001, 0.15))
    model.turned((0.02, y, top), pan, "#b8553c")
    model.turned((0.02, y, top + 0.15), ((0.12, 0), (0.1, 0.02), (0.02, 0.035), (0.02, 0.055),
                                         (0.001, 0.056)), "#a94a34")  # fmt: skip
    goods.bottle(model, (-0.2, y + 0.08, top), "#7d8a3c", 1.2)
    goods.bottle(model, (-0.27, y + 0.04, top), "#d7c06a", 1.0)


def _lamp(model: Model, x: float, y: float, z: float) -> None:
    globe = tuple((0.095 * s, 0.095 * (1.0 - c)) for s, c in _half_circle())
    model.turned((x, y, z), globe, "#ffffff", glow=(1.5, 1.32, 1.05))
    model.box((x - 0.004, y - 0.004, z + 0.19), (x + 0.004, y + 0.004, 2.9), "#b89a63")


def _ball(model: Model, foot: tuple[float, float, float], radius: float, colour: str) -> None:
    model.turned(foot, tuple((radius * s, radius * (1.0 - c)) for s, c in _half_circle()), colour)


def _half_circle() -> list[tuple[float, float]]:
    return [(max(sin(pi * k / 10), 0.001), cos(pi * k / 10)) for k in range(11)]
