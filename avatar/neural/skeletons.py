"""Pictures of skeletons as pose-driven models were trained on: OpenPose's coloured limbs."""

import colorsys
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.neural.keypoints import Keypoints
from avatar.renderer.base import Size

Floats = NDArray[np.float32]
RGB = tuple[int, int, int]

# Cao et al. 2019: pairs of the 18 points, and a colour for each point (a limb has the colour of
# its number, darkened).
LIMBS: Final = (
    (1, 2), (1, 5), (2, 3), (3, 4), (5, 6), (6, 7), (1, 8), (8, 9), (9, 10), (1, 11), (11, 12),
    (12, 13), (1, 0), (0, 14), (14, 16), (0, 15), (15, 17),
)  # fmt: skip
COLOURS: Final[tuple[RGB, ...]] = (
    (255, 0, 0), (255, 85, 0), (255, 170, 0), (255, 255, 0), (170, 255, 0), (85, 255, 0),
    (0, 255, 0), (0, 255, 85), (0, 255, 170), (0, 255, 255), (0, 170, 255), (0, 85, 255),
    (0, 0, 255), (85, 0, 255), (170, 0, 255), (255, 0, 255), (255, 0, 170), (255, 0, 85),
)  # fmt: skip
_LIMB_SHADE: Final = 0.6
# Twice the size, then halved: smooth edges.
_OVER: Final = 2


def draw_skeletons(points: Keypoints, size: Size) -> list[Image.Image]:
    """Return one picture a pose, RGB on black, of `size`."""
    return [_draw(body, hands, size) for body, hands in zip(points.body, points.hands, strict=True)]


def _draw(body: Floats, hands: Floats, size: Size) -> Image.Image:
    canvas = Image.new("RGB", (size.width * _OVER, size.height * _OVER))
    pen = ImageDraw.Draw(canvas)
    # Four pixels on a side of 512, as the pictures of the training sets.
    width = max(min(size.width, size.height) * 4.0 / 512.0, 1.0) * _OVER
    for (first, second), colour in zip(LIMBS, COLOURS, strict=False):
        shade: RGB = tuple(round(_LIMB_SHADE * value) for value in colour)  # type: ignore[assignment]
        _limb(pen, body[first] * _OVER, body[second] * _OVER, width, shade)
    for point, colour in zip(body * _OVER, COLOURS, strict=True):
        _dot(pen, point, width, colour)
    for hand in hands * _OVER:
        _hand(pen, hand, width)
    return canvas.resize((size.width, size.height), Image.Resampling.BOX)


def _limb(pen: ImageDraw.ImageDraw, a: Floats, b: Floats, width: float, colour: RGB) -> None:
    """An ellipse from point to point."""
    middle, half = (a + b) / 2.0, (b - a) / 2.0
    length = float(np.hypot(*half))
    along = half / max(length, 1e-6)
    across = np.array([-along[1], along[0]])
    turn = np.linspace(0.0, 2.0 * np.pi, 25)[:, None]
    outline = middle + np.cos(turn) * along * length + np.sin(turn) * across * width
    pen.polygon([(float(x), float(y)) for x, y in outline], fill=colour)


def _hand(pen: ImageDraw.ImageDraw, hand: Floats, width: float) -> None:
    """Twenty bones in the colours of the rainbow, and blue points."""
    for bone in range(20):
        finger, step = divmod(bone, 4)
        start = 0 if step == 0 else 4 * finger + step
        red, green, blue = (round(255 * v) for v in colorsys.hsv_to_rgb(bone / 20.0, 1.0, 1.0))
        ends = [(float(x), float(y)) for x, y in (hand[start], hand[4 * finger + step + 1])]
        pen.line(ends, fill=(red, green, blue), width=max(round(0.5 * width), 1))
    for point in hand:
        _dot(pen, point, 0.5 * width, (0, 0, 255))


def _dot(pen: ImageDraw.ImageDraw, point: Floats, radius: float, colour: RGB) -> None:
    x, y = map(float, point)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
