"""Draws each overlay once, as a picture to be blended over the frame."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from avatar.scene.layout import Box
from avatar.scene.pictures import decoded
from avatar.scene.shapes import Canvas, Floats
from avatar.scene.text import Weight, balanced, broken, fitted, legible, width_of
from avatar.spec.scene import LowerThird, ProductCard

MARKS: Final = {"en": "AI-generated", "zh": "AI 生成"}
INK: Final = "#1c1c21"
PALE: Final = "#8d8d94"
PRICE: Final = "#e0342b"
NIGHT: Final = "#101014"
ACCENT: Final = "#ff5b4a"
_CAPTION_SMALLEST: Final = 0.85  # captions shrink to this share before their beginning is lost
_SMALLEST: Final = 0.62  # text shrinks to this share before it is cut


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A picture and where it goes.

    Attributes:
        box: pixels of the output picture.
        texels: uint8 [height, width, 4], bottom row first: Y', Cb, Cr times alpha, and alpha.
    """

    box: Box
    texels: NDArray[np.uint8]


def mark_panel(language: str, box: Box) -> Panel:
    """Return the mark that says the picture is generated, at the box's right."""
    text = MARKS[language]
    pad = 0.42 * box.height
    pixels = shrunk(text, "Regular", round(0.56 * box.height), box.width - 2 * pad)
    width = min(round(width_of(text, "Regular", pixels) + 2 * pad), box.width)
    canvas = Canvas(width, box.height)
    canvas.lay(canvas.rounded((0, 0, width, box.height), 0.5 * box.height), NIGHT, 0.46)
    place = (width / 2.0, 0.5 * box.height + 0.36 * pixels)
    canvas.lay(canvas.text(text, "Regular", pixels, place, "ms"), "#ffffff", 0.94)
    return Panel(Box(box.right - width, box.top, width, box.height), canvas.texels())


def logo_panel(source: str, box: Box) -> Panel:
    """Return a picture as large as fits, at the box's top left."""
    picture = ImageOps.contain(decoded(source), (box.width, box.height), Image.Resampling.LANCZOS)
    canvas = Canvas(*picture.size)
    whole: Floats = np.ones((canvas.height, canvas.width), np.float32)
    canvas.picture(picture, (0, 0, *picture.size), whole)
    return Panel(Box(box.left, box.top, *picture.size), canvas.texels())


def lower_third_panel(third: LowerThird, box: Box) -> Panel:
    """Return name and title on a dark plate with a bar of the accent colour."""
    name, title = legible(third.name), legible(third.title)
    tall = box.height
    bar, pad = max(round(0.07 * tall), 1), 0.24 * tall
    room = box.width - bar - 2 * pad
    size = shrunk(name, "Bold", round((0.36 if title else 0.42) * tall), room)
    small = shrunk(title, "Regular", round(0.235 * tall), room)
    name, title = _one(name, "Bold", size, room), _one(title, "Regular", small, room)
    wide = max(width_of(name, "Bold", size), width_of(title, "Regular", small))
    canvas = Canvas(min(round(wide + bar + 2 * pad), box.width), tall)
    plate = canvas.rounded((0, 0, canvas.width, tall), 0.12 * tall)
    canvas.lay(plate, NIGHT, 0.66)
    edge = (np.arange(canvas.width) < bar).astype(np.float32)
    canvas.lay(plate * edge, ACCENT)
    left = bar + pad
    baseline = (0.48 if title else 0.5) * tall + (0.0 if title else 0.36 * size)
    canvas.lay(canvas.text(name, "Bold", size, (left, baseline)), "#ffffff")
    canvas.lay(canvas.text(title, "Regular", small, (left, 0.81 * tall)), "#e4e4e8")
    return Panel(Box(box.left, box.top, canvas.width, tall), canvas.texels())


def caption_panel(text: str, box: Box) -> Panel | None:
    """Return the last one or two lines of what is said; None where nothing can be drawn."""
    text = legible(text, strict=False)
    pixels = max(round(0.31 * box.height), 4)
    pad = 0.6 * pixels
    smallest = round(_CAPTION_SMALLEST * pixels)
    while len(lines := broken(text, "Bold", pixels, box.width - 2 * pad)) > 2 and pixels > smallest:
        pixels -= 1
    if not lines:
        return None
    last = lines[-2:]
    if len(lines) == 2:
        last = balanced(text, "Bold", pixels, box.width - 2 * pad)
    wide = max(width_of(line, "Bold", pixels) for line in last)
    leading = 1.32 * pixels
    width = min(round(wide + 2 * pad), box.width)
    height = min(round(leading * len(last) + 0.5 * pixels), box.height)
    canvas = Canvas(width, height)
    canvas.lay(canvas.rounded((0, 0, width, height), 0.42 * pixels), NIGHT, 0.58)
    for row, line in enumerate(last):
        middle = height / 2.0 + leading * (row - (len(last) - 1) / 2.0)
        place = (width / 2.0, middle + 0.36 * pixels)
        canvas.lay(canvas.text(line, "Bold", pixels, place, "ms"), "#ffffff")
    left = box.left + (box.width - width) // 2
    return Panel(Box(left, box.bottom - height, width, height), canvas.texels())


def card_panels(card: ProductCard, box: Box) -> tuple[Panel, Panel]:
    """Return the product card, and its price, which moves by itself."""
    return (_Row if box.width > 1.4 * box.height else _Column)(card, box).panels()


def shrunk(text: str, weight: Weight, pixels: int, width: float) -> int:
    """Return the size, at least 62 % of `pixels`, at which a line is at most `width` wide."""
    smallest = max(round(_SMALLEST * pixels), 4)
    size = max(pixels, smallest)
    while size > smallest and width_of(text, weight, size) > width:
        size -= 1
    return size


def _one(text: str, weight: Weight, pixels: int, width: float) -> str:
    lines = fitted(text, weight, pixels, width, 1)
    return lines[0] if lines else ""


class _Card:
    """What both shapes of card share; measures are shares of `unit`."""

    def __init__(self, card: ProductCard, box: Box, unit: float) -> None:
        self.unit = unit
        self.name, self.badge = legible(card.name), legible(card.badge)
        self.price, self.strike = legible(card.price), legible(card.strike)
        self.currency = legible(card.currency)
        self.picture = None if card.picture is None else decoded(card.picture)
        self.box = box

    def plate(self, width: int, height: int) -> Canvas:
        """Return a canvas with the card's plate and its shadow, a margin inside the box."""
        canvas, margin = Canvas(width, height), self.margin
        soft = (margin, 1.35 * margin, width - margin, height - 0.65 * margin)
        canvas.lay(canvas.rounded(soft, 0.1 * self.unit, 1.3 * margin), "#000000", 0.28)
        inner = (margin, margin, width - margin, height - margin)
        canvas.lay(canvas.rounded(inner, 0.085 * self.unit), "#ffffff", 0.96)
        return canvas

    @property
    def margin(self) -> float:
        return max(0.045 * self.unit, 1.0)

    def lay_picture(self, canvas: Canvas, left: int, top: int, side: int) -> None:
        """Lay the product's picture, square, and the badge on its corner."""
        if self.picture is not None and side > 0:
            square = ImageOps.fit(self.picture, (side, side), Image.Resampling.LANCZOS)
            box = (left, top, left + side, top + side)
            canvas.lay(canvas.rounded(box, 0.06 * self.unit), "#f1efec")
            canvas.picture(square, box, canvas.rounded(box, 0.06 * self.unit))

    def lay_badge(
        self, canvas: Canvas, left: float, top: float, width: float, *, at_right: bool = False
    ) -> float:
        """Lay the badge, a small plate in the accent colour; return how wide it is.

        It begins at `left`, or ends at `left` + `width`.
        """
        if not self.badge:
            return 0.0
        tall = 0.155 * self.unit
        pixels = shrunk(self.badge, "Bold", max(round(0.62 * tall), 4), width - 0.8 * tall)
        text = _one(self.badge, "Bold", pixels, width - 0.8 * tall)
        wide = width_of(text, "Bold", pixels) + 0.8 * tall
        left += width - wide if at_right else 0.0
        canvas.lay(canvas.rounded((left, top, left + wide, top + tall), 0.3 * tall), PRICE)
        place = (left + wide / 2.0, top + tall / 2.0 + 0.36 * pixels)
        canvas.lay(canvas.text(text, "Bold", pixels, place, "ms"), "#ffffff")
        return wide

    def lay_name(self, canvas: Canvas, left: float, top: float, width: float, pixels: int) -> None:
        """Lay the name in up to two lines."""
        for row, line in enumerate(fitted(self.name, "Bold", pixels, width, 2)):
            baseline = top + 0.92 * pixels + 1.28 * pixels * row
            canvas.lay(canvas.text(line, "Bold", pixels, (left, baseline)), INK)

    def lay_strike(
        self, canvas: Canvas, left: float, baseline: float, width: float, pixels: int
    ) -> None:
        """Lay the former price with a line through it."""
        text = self.currency + self.strike
        if not self.strike or width <= pixels:
            return
        pixels = shrunk(text, "Regular", pixels, width)
        text = _one(text, "Regular", pixels, width)
        canvas.lay(canvas.text(text, "Regular", pixels, (left, baseline)), PALE)
        line = (left, baseline - 0.37 * pixels)
        end = left + width_of(text, "Regular", pixels)
        thick = max(0.07 * pixels, 1.0)
        canvas.lay(
            canvas.rounded((line[0], line[1] - thick / 2, end, line[1] + thick / 2), 0), PALE
        )

    def price_panel(self, left: float, baseline: float, width: float, pixels: int) -> Panel:
        """Return the price; `left` and `baseline` are in the card's box."""
        pixels = max(pixels, 4)
        while pixels > 4 and self._price_width(pixels) > width:
            pixels -= 1
        small = max(round(0.6 * pixels), 3)
        canvas = Canvas(
            min(int(self._price_width(pixels)) + 2, max(int(width), 1)), round(1.25 * pixels)
        )
        low = canvas.height - 0.27 * pixels
        canvas.lay(canvas.text(self.currency, "Bold", small, (0, low)), PRICE)
        start = width_of(self.currency, "Bold", small) + (0.06 * pixels if self.currency else 0)
        canvas.lay(canvas.text(self.price, "Bold", pixels, (start, low)), PRICE)
        box = Box(
            self.box.left + round(left),
            self.box.top + round(baseline - low),
            canvas.width,
            canvas.height,
        )
        return Panel(box, canvas.texels())

    def _price_width(self, pixels: int) -> float:
        small = max(round(0.6 * pixels), 3)
        gap = 0.06 * pixels if self.currency else 0.0
        return width_of(self.currency, "Bold", small) + gap + width_of(self.price, "Bold", pixels)


class _Row(_Card):
    """Picture at the left, words beside it."""

    def __init__(self, card: ProductCard, box: Box) -> None:
        super().__init__(card, box, float(box.height))

    def panels(self) -> tuple[Panel, Panel]:
        unit = self.unit
        width = self.box.width if self.picture else round(0.72 * self.box.width)
        canvas = self.plate(width, self.box.height)
        pad = 0.075 * unit
        start = round(self.margin + pad)
        side = self.box.height - 2 * start
        self.lay_picture(canvas, start, start, side)
        left = start + side + 0.11 * unit if self.picture else start + 0.06 * unit
        room = canvas.width - self.margin - 1.4 * pad - left
        top = float(start) + 0.01 * unit
        named = room
        if self.picture:
            self.lay_badge(canvas, start, start, side)
        elif self.badge:
            # Beside the name, which would lie under it.
            edge = left + 0.55 * room
            wide = self.lay_badge(canvas, edge, top + 0.02 * unit, 0.45 * room, at_right=True)
            named -= wide + 0.04 * unit
        self.lay_name(canvas, left, top, named, max(round(0.165 * unit), 4))
        baseline = self.box.height - self.margin - 1.75 * pad
        price = self.price_panel(left, baseline, 0.68 * room, round(0.29 * unit))
        after = price.box.right - self.box.left + 0.07 * unit
        self.lay_strike(canvas, after, baseline, left + room - after, round(0.145 * unit))
        box = Box(self.box.left, self.box.top, canvas.width, canvas.height)
        return Panel(box, canvas.texels()), price


class _Column(_Card):
    """Picture above, words below it."""

    def __init__(self, card: ProductCard, box: Box) -> None:
        super().__init__(card, box, float(min(box.width, box.height / 1.68)))

    def panels(self) -> tuple[Panel, Panel]:
        unit = self.unit
        width = round(unit)
        pad = 0.06 * unit
        start = round(self.margin + pad)
        # Without a picture the badge has a row of its own.
        side = width - 2 * start if self.picture else round(0.16 * unit) if self.badge else 0
        words = (0.70 if self.strike else 0.57) * unit
        height = min(round(start + side + words + self.margin), self.box.height)
        left_edge = self.box.right - width
        self.box = Box(left_edge, self.box.bottom - height, width, height)
        canvas = self.plate(width, height)
        self.lay_picture(canvas, start, start, side)
        room = width - 2.0 * start
        self.lay_name(canvas, start, start + side + 0.05 * unit, room, max(round(0.098 * unit), 4))
        baseline = start + side + 0.475 * unit
        price = self.price_panel(start, baseline, room, round(0.185 * unit))
        self.lay_strike(canvas, start, baseline + 0.125 * unit, room, round(0.095 * unit))
        self.lay_badge(canvas, start, start, room)
        return Panel(self.box, canvas.texels()), price
