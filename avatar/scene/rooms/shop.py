"""A boutique: lit shelves of light oak, a wall of slats, a lamp, a plant."""

from avatar.scene.rooms import goods
from avatar.scene.rooms.model import Lamp, Model, Vector

BACK = 2.3  # metres from the face to the wall behind
_OAK, _PALE_OAK, _WALL = "#b39571", "#cdb696", "#e6dfd6"
_WARM: Vector = (7.0, 5.3, 3.5)
_CLOTH = ("#5d7285", "#c9b9a6", "#8f5a4a", "#e7e0d6", "#39424e", "#a9b5a0", "#d4a59a")


def shop() -> Model:
    """Return the room."""
    model = Model(sky=(0.62, 0.62, 0.62))
    shell(model, _WALL, "#b99f7f")
    _slats(model, 0.2, 2.6)
    _shelves(model, -2.14, -0.1)
    _rail(model, 0.72)
    goods.plant(model, (0.4, BACK - 0.4, 0.0), 1.75, "#efe9e0", "#3f6b3a", 46)
    _pendant(model, 0.4, BACK - 0.6, 1.86)
    # A large window at the left, out of sight, and the lamps of the studio.
    model.shine(
        Lamp((-2.6, -0.9, 0.6), (0.0, 1.9, 0.0), (0.0, 0.0, 1.9), (3.2, 3.4, 3.7)), seen=False
    )
    model.shine(
        Lamp((-0.9, 1.9, 2.85), (1.8, 0.0, 0.0), (0.0, -1.6, 0.0), (1.5, 1.42, 1.3)), seen=False
    )
    return model


def shell(model: Model, wall: str, floor: str) -> None:
    """Add floor, walls and ceiling of a room."""
    model.plate((-2.7, -2.5, 0.0), (5.4, 0, 0), (0, BACK + 2.5, 0), floor, step=0.12)
    model.plate((-2.7, BACK, 0.0), (5.4, 0, 0), (0, 0, 2.9), wall, paint="wall", step=0.06)
    model.plate((-2.7, -1.0, 0.0), (0, BACK + 1.0, 0), (0, 0, 2.9), wall, paint="wall", step=0.15)
    model.plate((2.7, BACK, 0.0), (0, -BACK - 1.0, 0), (0, 0, 2.9), wall, paint="wall", step=0.15)
    model.box((-2.7, BACK - 0.02, 0.0), (2.7, BACK, 0.09), "#f2ece4")
    model.solids += [
        ((-2.8, BACK, 0.0), (2.8, BACK + 0.1, 2.9), (0.7, 0.66, 0.6)),
        ((-2.8, -2.5, -0.1), (2.8, BACK, 0.0), (0.45, 0.34, 0.24)),
    ]


def _slats(model: Model, left: float, right: float) -> None:
    x = left
    while x < right:
        model.box(
            (x, BACK - 0.045, 0.09), (x + 0.038, BACK - 0.002, 2.9), _OAK, step=0.24, vary=0.14
        )
        x += 0.062


def _shelves(model: Model, left: float, right: float) -> None:
    depth, thick = 0.34, 0.03
    levels = (0.42, 0.82, 1.22, 1.62, 2.02, 2.42)
    model.plate((left, BACK - 0.004, 0.2), (right - left, 0, 0), (0, 0, 2.3), "#cfbda2", step=0.05)
    middle = (left + right) / 2.0
    for x in (left, middle, right):
        model.box((x - 0.015, BACK - depth, 0.1), (x + 0.015, BACK, 2.46), _PALE_OAK, vary=0.05)
    for z in levels:
        model.box(
            (left, BACK - depth, z - thick), (right, BACK, z), _PALE_OAK, step=0.05, vary=0.05
        )
    model.box((left, BACK - depth, 0.1), (right, BACK - 0.01, 0.39), "#b0936c", vary=0.05)
    for z in levels[1:]:
        for a, b in ((left, middle), (middle, right)):
            model.shine(
                Lamp(
                    (a + 0.03, BACK - 0.05, z - thick - 0.012),
                    (b - a - 0.06, 0.0, 0.0),
                    (0.0, -0.018, 0.0),
                    _WARM,
                )
            )
    for row, z in enumerate(levels[:-1]):
        for column, start in enumerate((left, middle)):
            _fill(model, start + 0.03, middle - left - 0.06, z, 2 * row + column)


def _fill(model: Model, left: float, wide: float, z: float, number: int) -> None:
    """Fill one compartment with one of five displays."""
    y = BACK - 0.2
    kind = number % 5
    if kind == 0:
        for k in range(3):
            colours = tuple(
                _CLOTH[(number + k + j) % len(_CLOTH)] for j in range(3 + (k + number) % 3)
            )
            goods.stack(model, (left + wide * (0.18 + 0.32 * k), y, z), colours)
    elif kind == 1:
        for k in range(6):
            colour = ("#7a3b2e", "#e8dcc8", "#a8b8a0")[(k // 2) % 3]
            goods.bottle(model, (left + 0.1 + 0.13 * k, y + 0.02 * (k % 2), z), colour, 1.15)
    elif kind == 2:
        goods.carton(model, (left + 0.17, y, z), (0.2, 0.14, 0.26), "#f0e9df", "#b0563f", "accent")
        goods.carton(model, (left + 0.36, y + 0.03, z), (0.14, 0.12, 0.19), "#31464f", "#e6ddcf")
        model.turned((left + wide - 0.22, y, z), goods.scaled(goods.VASE, 1.1), "#efe7da")
    elif kind == 3:
        for k in range(4):
            goods.jar(
                model, (left + 0.12 + 0.14 * k, y, z), ("#c98b5b", "#f1e6d2")[k % 2], size=1.2
            )
        goods.books(model, (left + 0.66, y, z), wide - 0.72, ("#39424e", "#c9b9a6", "#8f5a4a"))
    else:
        goods.plant(model, (left + 0.2, y, z), 0.5, "#d9cfc2", "#5d7d4a", 22)
        goods.carton(
            model, (left + wide - 0.3, y, z), (0.26, 0.16, 0.18), "#d9a08b", "#f6efe6", "accent"
        )


def _rail(model: Model, left: float) -> None:
    """A rail of clothes at the right."""
    y, top = BACK - 0.38, 1.62
    model.box((left, y - 0.012, top), (left + 1.25, y + 0.012, top + 0.024), "#2b2b2e")
    for x in (left, left + 1.226):
        model.box((x, y - 0.012, 0.0), (x + 0.024, y + 0.012, top), "#2b2b2e")
    for k in range(13):
        x = left + 0.1 + 0.085 * k
        drop = 0.78 + 0.22 * model.chance(0.9) * (k % 3 == 0)
        colour = _CLOTH[(3 * k) % len(_CLOTH)]
        model.box(
            (x, y - 0.21, top - 0.06 - drop), (x + 0.05, y + 0.2, top - 0.06), colour, vary=0.1
        )


def _pendant(model: Model, x: float, y: float, z: float) -> None:
    shade = ((0.16, 0.0), (0.15, 0.03), (0.1, 0.11), (0.03, 0.16), (0.012, 0.2))
    model.turned((x, y, z), shade, "#e9dfd0", glow=(0.75, 0.52, 0.3))
    model.turned((x, y, z + 0.01), ((0.001, 0.0), (0.14, 0.0)), "#ffffff", glow=(3.4, 2.6, 1.7))
    model.box((x - 0.004, y - 0.004, z + 0.2), (x + 0.004, y + 0.004, 2.9), "#2b2b2e")
    model.shine(
        Lamp((x - 0.1, y - 0.1, z), (0.0, 0.2, 0.0), (0.2, 0.0, 0.0), (9.0, 6.8, 4.4)), seen=False
    )


def counter(model: Model, eye: float) -> None:
    """Add the desk before the figure, with goods at its sides; `eye` is the height of the eyes."""
    top, near, far = eye - 0.455, -0.95, -0.42
    model.box((-1.3, near, 0.0), (1.3, far, top - 0.03), "#bfa27c", step=0.15)
    model.box((-1.32, near - 0.02, top - 0.03), (1.32, far + 0.02, top), "#e9e1d5", step=0.05)
    goods.bottle(model, (-0.31, far - 0.13, top), "#7a3b2e", 0.8)
    goods.bottle(model, (-0.25, far - 0.2, top), "#e8dcc8", 0.7)
    goods.carton(model, (0.31, far - 0.16, top), (0.12, 0.08, 0.13), "#d9a08b", "#f6efe6", "accent")
    goods.jar(model, (0.23, far - 0.12, top), "#f1e6d2", size=0.7)
