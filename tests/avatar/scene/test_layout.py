"""Overlays stand in the safe area, clear of each other and of the face."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avatar.body.asset import AvatarAsset
from avatar.renderer.base import Size
from avatar.scene.layout import SLOTS, Box, Slot, face_area, layout, safe_area
from avatar.scene.panels import (
    Panel,
    caption_panel,
    card_panels,
    lower_third_panel,
    mark_panel,
)
from avatar.spec.scene import FRAMINGS, LowerThird, ProductCard
from motion.skeleton import joint_index
from tests.avatar.pictures import project

# Formats: 9:16, 16:9, 1:1 and what is near them, as (width, height) of the unit.
_SHAPES = st.sampled_from([(9, 16), (16, 9), (1, 1), (3, 4), (4, 3), (2, 3)])
_WORDS = st.text("Linen dress 亚麻裙", min_size=1, max_size=40).filter(str.strip)


def _size(shape: tuple[int, int], height: int) -> Size:
    return Size(max(2 * round(height * shape[0] / shape[1] / 2), 2), 2 * (height // 2))


@given(
    _SHAPES,
    st.integers(240, 1400),
    st.sampled_from(FRAMINGS),
    st.sets(st.sampled_from(SLOTS)),
    st.booleans(),
)
def test_rooms_are_safe_and_apart(
    shape: tuple[int, int], height: int, framing: str, shown: set[Slot], moving: bool
) -> None:
    size = _size(shape, height)
    boxes = layout(size, framing, frozenset(shown), moving=moving)
    face = face_area(size, framing, moving=moving)
    assert set(boxes) == shown
    for box in boxes.values():
        assert box.width > 0
        assert box.height > 0
        assert safe_area(size).holds(box)
        assert not box.meets(face)
    assert not any(a.meets(b) for a, b in combinations(boxes.values(), 2))


@given(
    _SHAPES,
    st.sampled_from(FRAMINGS),
    _WORDS,
    _WORDS,
    st.text("0123456789,.", min_size=1, max_size=12),
)
def test_panels_stay_in_their_rooms(
    shape: tuple[int, int], framing: str, name: str, caption: str, price: str
) -> None:
    size = _size(shape, 480)
    boxes = layout(size, framing, frozenset(SLOTS), moving=False)
    card = ProductCard(name=name, price=price, strike=price, currency="¥", badge="NEW")
    plate, tag = card_panels(card, boxes["card"])
    third = lower_third_panel(LowerThird(name=name, title=caption), boxes["lower_third"])
    panels: list[tuple[Slot, Panel]] = [
        ("card", plate),
        ("card", tag),
        ("lower_third", third),
        ("mark", mark_panel("zh", boxes["mark"])),
    ]
    said = caption_panel(caption, boxes["caption"])
    panels += [("caption", said)] if said is not None else []
    for slot, panel in panels:
        assert boxes[slot].holds(panel.box)
        assert panel.texels.shape == (panel.box.height, panel.box.width, 4)


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("size", [Size(720, 1280), Size(1280, 720), Size(720, 720)])
def test_the_head_is_where_the_layout_thinks(mia: AvatarAsset, framing: str, size: Size) -> None:
    face = face_area(size, framing, moving=False)
    eyes = np.array(mia.values["eye"])
    head = mia.joints[joint_index("head")]
    chin = np.array([0.0, eyes[1], eyes[2] - 0.10 * mia.values["scale"][0]])
    points = np.stack([eyes, eyes * [-1, 1, 1], chin, [0.0, eyes[1], head[2]]]).astype(np.float32)
    for x, y in project(mia, points, framing, size):
        assert Box(int(x), int(y), 1, 1).meets(face)
