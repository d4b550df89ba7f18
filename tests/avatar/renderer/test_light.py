"""The lamps model a face: one side lit, the other in shade, neither lost."""

import numpy as np
import pytest

from avatar.renderer.light import DIRECTIONS, KEY_AXES, lamp_colours
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec
from avatar.spec.scene import Light
from motion.pose import Pose
from tests.avatar.pictures import draw, is_part, luma


def test_the_key_lamps_side_of_a_face_is_the_brighter_one(
    renderer: OpenGLRenderer, flat: OpenGLRenderer
) -> None:
    scene = SceneSpec(framing="head")
    skin = is_part(draw(flat, Pose.rest(), scene), "skin")
    picture = luma(draw(renderer, Pose.rest(), scene))
    rows = slice(int(0.30 * len(skin)), int(0.55 * len(skin)))
    middle = skin.shape[1] // 2
    shade, lit = (
        picture[rows, half][skin[rows, half]].astype(np.float64)
        for half in (slice(0, middle), slice(middle, None))
    )
    # Shade keeps its shape, and light does not burn out.
    assert 1.08 * shade.mean() < lit.mean() < 1.8 * shade.mean()
    assert np.quantile(shade, 0.1) > 40
    assert np.quantile(lit, 0.99) < 230


def test_the_key_stands_to_one_side_and_the_fill_to_the_other() -> None:
    key, fill = DIRECTIONS[:2]
    assert np.degrees(np.arctan2(key[0], -key[1])) == pytest.approx(45.0, abs=10.0)
    assert fill[0] < 0.0
    assert np.allclose(KEY_AXES @ KEY_AXES.T, np.eye(3), atol=2e-2)


def test_the_key_is_warm_and_far_brighter_than_the_cool_fill() -> None:
    key, fill = lamp_colours(Light())[:2, :3]
    assert key[0] > key[2]
    assert fill[2] > fill[0]
    assert 3.0 < key.mean() / fill.mean() < 9.0
