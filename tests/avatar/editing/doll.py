"""A paper doll: draws an identity and a scene as flat shapes within milliseconds."""

import zlib
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.editing.atoms import PART_INDEX
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, PieceSpec, SceneSpec
from avatar.spec.colour import display, mixed
from avatar.spec.scene import Gradient, Plain, Stage
from motion.pose import Pose

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Picture = tuple[NDArray[np.uint8], NDArray[np.uint8]]

# Metres from the eyes to the upper edge, and of the whole height.
_FRAMES: Final = {"head": (0.20, 0.55), "half": (0.29, 1.10), "full": (0.26, 1.88)}
# Where the sides of a style end below the eyes at length 1, metres; None: it leaves the ears free.
_ENDS: Final = {
    "long": 0.34, "waves": 0.28, "curls": 0.20, "bob": 0.14, "side_part": None, "pixie": None,
    "crop": None, "ponytail": None, "bun": None,
}  # fmt: skip
_PATTERNS: Final[Mapping[str, Callable[[Floats, Floats], Mask]]] = {
    "plain": lambda x, _: np.zeros(len(x), bool),
    "stripes": lambda x, _: (x % 1) < 0.5,
    "pinstripes": lambda x, _: (x % 1) < 0.25,
    "checks": lambda x, y: ((x % 1) < 0.5) ^ ((y % 1) < 0.5),
    "dots": lambda x, y: ((x % 1 - 0.5) ** 2 + (y % 1 - 0.5) ** 2) < 0.09,
    "floral": lambda x, y: np.sin(3 * x) * np.sin(3 * y) > 0.3,
    "herringbone": lambda x, y: ((np.abs(x % 2 - 1) + y) % 0.5) < 0.25,
}
_GRAINS: Final = {
    "cotton": 0.0, "twill": 0.02, "denim": 0.05, "silk": -0.03, "knit": 0.07, "linen": 0.03,
    "leather": -0.06,
}  # fmt: skip
_LOW_NECK: Final = ("top", "t_shirt", "blouse", "dress")


class Doll:
    """A `Studio`. `drawn` counts pictures."""

    def __init__(self) -> None:
        self.drawn = 0
        self._kept: dict[tuple[AvatarSpec, SceneSpec, Size], Picture] = {}

    def draw(self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size) -> Picture:
        """Draw; the pose is not shown."""
        del pose
        self.drawn += 1
        key = spec, scene, size
        if key not in self._kept:
            self._kept[key] = self._draw(*key)
        return self._kept[key]

    @staticmethod
    def _draw(spec: AvatarSpec, scene: SceneSpec, size: Size) -> Picture:
        sheet = _Sheet(scene, size)
        _body(sheet, spec)
        for piece in spec.outfit:
            _garment(sheet, piece)
        _head(sheet, spec)
        _hair(sheet, spec)
        _ornaments(sheet, spec)
        sheet.light(scene)
        _overlays(sheet, scene)
        return np.round(255 * np.clip(sheet.rgb, 0, 1)).astype(np.uint8), sheet.parts


class _Sheet:
    def __init__(self, scene: SceneSpec, size: Size) -> None:
        above, height = _FRAMES[scene.framing]
        step = height / size.height
        rows = np.arange(size.height)[:, None] * step - above
        self.y = np.broadcast_to(rows, (size.height, size.width))
        columns = (np.arange(size.width)[None] - size.width / 2 + 0.5) * step
        self.x = np.broadcast_to(columns, self.y.shape)
        self.share = np.broadcast_to(
            np.linspace(0, 1, size.height)[:, None], (size.height, size.width)
        )
        self.parts = np.zeros(self.y.shape, np.uint8)
        self.rgb = _backdrop(scene, self.share, self.x)

    def fill(self, where: Mask, part: str, colour: Floats | str) -> None:
        self.rgb[where] = np.array(display(colour)) if isinstance(colour, str) else colour
        self.parts[where] = PART_INDEX[part]

    def blend(self, where: Mask, part: str, colour: str, share: float) -> None:
        """Lay a thin colour over what is there."""
        self.rgb[where] += share * (np.array(display(colour)) - self.rgb[where])
        self.parts[where] = PART_INDEX[part]

    def ellipse(self, x: float, y: float, wide: float, tall: float) -> Mask:
        return ((np.abs(self.x) - x) / wide) ** 2 + ((self.y - y) / tall) ** 2 < 1

    def box(self, left: float, right: float, top: float, bottom: float) -> Mask:
        """Between two distances from the middle, on both sides."""
        side = np.abs(self.x)
        return (side >= left) & (side < right) & (self.y >= top) & (self.y < bottom)

    def light(self, scene: SceneSpec) -> None:
        """Shade the figure from one side, in the colour of the lamps."""
        figure = self.parts > 0
        shade = 0.95 - 0.5 * np.clip(self.x, -0.3, 0.3)
        warm = scene.light.warmth
        tint = scene.light.intensity * np.array([1 + 0.2 * warm, 1.0, 1 - 0.2 * warm])
        self.rgb[figure] *= (shade[..., None] * tint)[figure]


def _backdrop(scene: SceneSpec, share: Floats, x: Floats) -> Floats:
    ground = scene.background
    if isinstance(ground, Gradient):
        ends = [np.array(display(colour)) for colour in (ground.top, ground.bottom)]
        return np.asarray(ends[0] + share[..., None] * (ends[1] - ends[0]))
    if isinstance(ground, Plain):
        return np.broadcast_to(np.array(display(ground.colour)), (*share.shape, 3)).copy()
    assert isinstance(ground, Stage)
    walls = {"kitchen": "#c9d2c6", "shop": "#c3a98a", "lounge": "#8c7b86"}
    wall = np.array(display(ground.wall or walls[ground.room]))
    shelves = 0.25 * (np.sin(40 * share) > 0.6) + 0.1 * (np.sin(60 * x) > 0.5)
    return np.asarray(np.ones((*share.shape, 3)) * wall - shelves[..., None])


def _body(sheet: _Sheet, spec: AvatarSpec) -> None:
    sheet.fill(sheet.box(0, 0.05, 0.05, 0.22), "limbs", spec.skin.colour)
    sheet.fill(sheet.ellipse(0.26, 0.60, 0.035, 0.06), "limbs", spec.skin.colour)
    sheet.fill(sheet.ellipse(0.26, 0.65, 0.02, 0.008), "nails", spec.skin.nails)


def _garment(sheet: _Sheet, piece: PieceSpec) -> None:
    if piece.place == "lower":
        where = sheet.box(0.01, 0.17, 0.55, 1.45)
        if piece.garment == "skirt":
            where = sheet.box(0.0, 0.20, 0.55, 1.0)
        sheet.fill(where, "lower", _cloth(sheet, piece, where))
    elif piece.place == "feet":
        where = sheet.box(0.02, 0.16, 1.45, 1.55)
        sheet.fill(where, "feet", _cloth(sheet, piece, where))
    elif piece.place == "over":
        where = sheet.box(0.0, 0.14, 0.25, 0.85)
        sheet.fill(where, "over", _cloth(sheet, piece, where))
    else:
        low = 1.2 if piece.garment == "dress" else 0.62
        where = sheet.box(0, 0.22, 0.17, low) | sheet.box(0.22, 0.30, 0.2, 0.55)
        neck = 0.06 if piece.garment in _LOW_NECK else 0.02
        where &= ~sheet.ellipse(0, 0.17, neck, 1.2 * neck)
        if piece.garment == "hoodie":
            where |= sheet.box(0.05, 0.13, 0.13, 0.22)
        if piece.place == "outer":
            where &= np.abs(sheet.x) > 0.07 * np.clip((0.5 - sheet.y) / 0.3, 0, 1)
        sheet.fill(where, piece.place, _cloth(sheet, piece, where))


def _cloth(sheet: _Sheet, piece: PieceSpec, where: Mask) -> Floats:
    """Return the cloth's colours [n, 3] at the pixels of `where`."""
    x, y = sheet.x[where], sheet.y[where]
    first = np.array(display(piece.colour))
    second = np.array(display(piece.second or mixed(piece.colour, "#808080", 0.25)))
    drawn = _PATTERNS[piece.pattern](x / 0.05, y / 0.05)
    grain = _GRAINS[piece.fabric]
    weave = grain * np.sin(90 * (x + y))[:, None] + grain / 2 if grain else 0.0
    return np.asarray(np.where(drawn[:, None], second, first) + weave)


def _head(sheet: _Sheet, spec: AvatarSpec) -> None:
    skin = spec.skin
    face = sheet.ellipse(0, 0.02, 0.075, 0.115)
    sheet.fill(sheet.ellipse(0.078, 0.02, 0.012, 0.025), "head", skin.colour)
    sheet.fill(face, "head", skin.colour)
    sheet.blend(face & (sheet.y > 0.06), "head", "#3a3030", 0.4 * skin.stubble)
    lines = face & (np.sin(500 * sheet.y) > 0.8)
    sheet.blend(lines, "head", "#402a20", 0.3 * skin.lines)
    cheek = sheet.ellipse(0.045, 0.045, 0.02, 0.018)
    sheet.blend(cheek, "cheeks", "#d4656a", 0.5 * skin.blush)
    spots = cheek & (np.sin(900 * sheet.x) * np.sin(900 * sheet.y) > 0.5)
    sheet.blend(spots, "cheeks", "#7a4a30", 0.8 * skin.freckles)
    sheet.blend(sheet.ellipse(0.033, -0.008, 0.02, 0.012), "lids", "#4a3038", 0.7 * skin.makeup)
    sheet.fill(sheet.ellipse(0.033, 0, 0.016, 0.008), "eyes", "#efeae6")
    sheet.fill(sheet.ellipse(0.033, 0, 0.007, 0.007), "eyes", spec.eyes.outer)
    sheet.fill(sheet.ellipse(0.033, 0, 0.0055, 0.0055), "eyes", spec.eyes.inner)
    brows = spec.brows
    sheet.blend(
        sheet.ellipse(0.034, -0.026, 0.021, 0.004 * brows.thickness),
        "brows", brows.colour, min(0.6 * brows.density, 1.0),
    )  # fmt: skip
    smile = dict(spec.body.face).get("mouthSmileLeft", 0.0)
    # A smile lifts the cheeks as well.
    sheet.blend(cheek, "cheeks", "#9c4a3c", 0.6 * smile)
    lips = sheet.ellipse(0, 0.08 - 0.05 * smile * 0.2, 0.024 + 0.012 * smile, 0.009)
    sheet.fill(lips, "lips", spec.lips.colour)
    shine = sheet.ellipse(0, 0.078, 0.01, 0.003)
    sheet.blend(shine, "lips", "#ffffff", 0.5 * spec.lips.gloss)


def _hair(sheet: _Sheet, spec: AvatarSpec) -> None:
    hair = spec.hair
    where = sheet.ellipse(0, -0.03, 0.095, 0.12) & ~sheet.ellipse(0, 0.03, 0.068, 0.10)
    where &= sheet.y < -0.01
    end = _ENDS[hair.style]
    if end is not None:
        wide = 0.015 if hair.style in ("long", "bob") else 0.035
        end *= hair.length
        where |= sheet.box(0.066, 0.095 + wide, -0.03, end)
    elif hair.style == "crop":
        where &= sheet.y < -0.09
    elif hair.style == "bun":
        where |= sheet.ellipse(0, -0.15, 0.04, 0.035)
    elif hair.style == "ponytail":
        where |= (np.abs(sheet.x - 0.11) < 0.02) & (sheet.y > -0.1) & (sheet.y < 0.2 * hair.length)
    elif hair.style == "side_part":
        where |= sheet.ellipse(0.03, -0.1, 0.07, 0.05)
    tip = hair.tip or mixed(hair.colour, "#ffffff", 0.03)
    grey = np.sin(700 * sheet.x) > 1 - 2 * hair.grey
    colour = np.ones((*sheet.y.shape, 3)) * np.array(display(hair.colour))
    colour[sheet.y > (end or 0.1) * 0.45] = display(tip)
    colour[grey] = display("#a9a9a9")
    sheet.fill(where, "hair", colour[where])


def _ornaments(sheet: _Sheet, spec: AvatarSpec) -> None:
    covered = sheet.parts == PART_INDEX["hair"]
    high = (spec.piece("upper") or PieceSpec(garment="top", colour="#000000")).garment not in (
        _LOW_NECK
    )
    for worn in spec.ornaments:
        if worn.place == "eyes":
            rim = 1.25 if worn.kind == "round_glasses" else 1.0
            ring = sheet.ellipse(0.033, 0.0, 0.027, 0.02 * rim)
            ring &= ~sheet.ellipse(0.033, 0.0, 0.022, 0.016 * rim)
            sheet.fill(ring, "glasses", worn.colour)
        elif worn.place == "ears":
            large = worn.kind == "hoops"
            where = sheet.ellipse(
                0.082, 0.055, 0.012 if large else 0.005, 0.016 if large else 0.005
            )
            sheet.fill(where & ~covered, "ears", worn.colour)
        elif worn.place == "wrist":
            sheet.fill(sheet.box(0.23, 0.285, 0.55, 0.575) & (sheet.x > 0), "wrist", worn.colour)
        elif not high:
            line = np.abs(np.hypot(sheet.x, sheet.y - 0.15) - 0.055) < 0.004
            sheet.fill(line & (sheet.y > 0.17) & ~covered, "neck", worn.colour)


def _overlays(sheet: _Sheet, scene: SceneSpec) -> None:
    if scene.card:
        _plate(sheet, (0.55, 0.72), f"{scene.card.name}{scene.card.price}{scene.card.strike}")
    if scene.lower_third:
        _plate(sheet, (0.76, 0.84), f"{scene.lower_third.name}{scene.lower_third.title}")
    if scene.caption:
        _plate(sheet, (0.88, 0.94), scene.caption)


def _plate(sheet: _Sheet, rows: tuple[float, float], text: str) -> None:
    plate = (sheet.share >= rows[0]) & (sheet.share < rows[1])
    sheet.fill(plate, "overlay", "#101418")
    noise = np.random.default_rng(zlib.crc32(text.encode())).random(sheet.parts.shape) < 0.3
    sheet.fill(plate & noise, "overlay", "#ffffff")
