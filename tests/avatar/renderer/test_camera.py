"""Framings."""

import numpy as np
import pytest

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.renderer.camera import FRAMINGS, camera, density
from tests.avatar.pictures import project


@pytest.mark.parametrize("framing", ["half", "head"])
@pytest.mark.parametrize("size", [Size(540, 960), Size(720, 720), Size(1280, 720)])
def test_what_a_framing_promises_is_in_the_picture(
    mia: AvatarAsset, framing: str, size: Size
) -> None:
    wanted, scale = FRAMINGS[framing], mia.values["scale"][0]
    eye = np.array(mia.values["eye"]) * [0.0, 1.0, 1.0] - [0.0, 0.02, 0.0]
    corners = [
        [side * wanted.width / 2.0, 0.0, height]
        for side in (-1.0, 1.0)
        for height in (wanted.above, -wanted.below)
    ]
    pixels = project(mia, eye + scale * np.array(corners), framing, size)
    assert (pixels > -0.5).all()
    assert (pixels < [size.width + 0.5, size.height + 0.5]).all()


def test_pixels_are_square_and_their_density_is_told(mia: AvatarAsset) -> None:
    size = Size(540, 960)
    view, position = camera(mia, "half", size)
    middle = np.array([0.0, mia.values["eye"][1] - 0.02, position[2]])
    steps = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1]])
    pixels = project(mia, middle + steps, "half", size)
    width, height = pixels[1, 0] - pixels[0, 0], pixels[0, 1] - pixels[2, 1]
    assert width == pytest.approx(height, rel=1e-3)
    assert density(mia, view, size) == pytest.approx(10.0 * width, rel=0.05)
