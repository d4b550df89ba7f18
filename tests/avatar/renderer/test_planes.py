"""The planes agree with a reference conversion of the same picture."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from avatar.renderer.base import Size
from avatar.renderer.context import create_context
from avatar.renderer.opengl import OpenGLRenderer
from avatar.renderer.planes import Planes, PlaneShaders, ycbcr
from avatar.renderer.shaders import PART_COLOURS
from motion.pose import Pose
from tests.avatar.pictures import draw, full, is_part


@pytest.fixture
def context() -> Iterator[Any]:
    made = create_context()
    yield made
    made.release()


@pytest.mark.parametrize(
    ("rgb", "expected"),
    [
        ((0.0, 0.0, 0.0), (16, 128, 128)),
        ((1.0, 1.0, 1.0), (235, 128, 128)),
        ((1.0, 0.0, 0.0), (63, 102, 240)),
        ((0.0, 1.0, 0.0), (173, 42, 26)),
        ((0.0, 0.0, 1.0), (32, 240, 118)),
    ],
)
def test_the_conversion_is_bt_709(
    rgb: tuple[float, float, float], expected: tuple[int, int, int]
) -> None:
    assert np.abs(ycbcr(rgb) - expected).max() < 0.6


def test_drawn_colours_agree_with_the_conversion(flat: OpenGLRenderer) -> None:
    pixels = full(draw(flat, Pose.rest()))
    for material in ("skin", "cloth", "hair", "studio"):
        shown = is_part(draw(flat, Pose.rest()), material)
        middle = shown.copy()
        for axis in (0, 1):
            for step in (-2, -1, 1, 2):
                middle &= np.roll(shown, step, axis)
        assert middle.sum() > 20
        assert np.abs(pixels[middle] - ycbcr(PART_COLOURS[material])).max() <= 2.0


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("size", [Size(64, 64), Size(66, 70), Size(270, 100), Size(98, 66)])
def test_planes_hold_the_frame_top_row_first(context: Any, size: Size, asynchronous: bool) -> None:
    rng = np.random.default_rng(3)
    image = rng.integers(16, 235, (size.height, size.width, 4), np.uint8)
    shaders = PlaneShaders(context)
    planes = Planes(context, shaders, size, asynchronous=asynchronous)
    frame = context.texture((size.width, size.height), 4, image.tobytes())
    planes.convert(frame, edges=False)
    stacked = planes.read().planes
    height, width = size.height, size.width
    assert np.array_equal(stacked[:height], image[::-1, :, 0])
    chroma = stacked.reshape(-1)[height * width :].reshape(2, height // 2, width // 2)
    means = image[::-1, :, 1:3].astype(float).reshape(height // 2, 2, width // 2, 2, 2)
    expected = means.mean((1, 3)).transpose(2, 0, 1)
    assert np.abs(chroma - expected).max() <= 1.0


def test_edges_lose_their_stairs_and_flat_places_stay(context: Any) -> None:
    size = Size(64, 64)
    rows, columns = np.mgrid[0:64, 0:64]
    image = np.full((64, 64, 4), 40, np.uint8)
    image[rows * 0.37 + 10 > columns] = 200
    shaders = PlaneShaders(context)
    planes = Planes(context, shaders, size)
    frame = context.texture((64, 64), 4, image.tobytes())
    planes.convert(frame, edges=True)
    smooth = planes.read().planes[:64].astype(int)
    hard = image[::-1, :, 0].astype(int)
    assert ((smooth > 60) & (smooth < 180)).sum() > 20
    far = np.abs(rows[::-1] * 0.37 + 10 - columns) > 3
    assert np.array_equal(smooth[far], hard[far])
