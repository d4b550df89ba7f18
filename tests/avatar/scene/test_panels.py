"""What panels show."""

from pathlib import Path

import numpy as np
import pytest

from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.planes import ycbcr
from avatar.scene.layout import Box
from avatar.scene.panels import PRICE, caption_panel, card_panels, lower_third_panel, mark_panel
from avatar.scene.pictures import check, covering, decoded
from avatar.scene.shapes import Canvas
from avatar.spec.colour import display
from avatar.spec.scene import LowerThird, ProductCard
from tests.avatar.scene.pictures import photo

ROW, COLUMN = Box(20, 30, 520, 168), Box(20, 30, 236, 406)


def test_an_opaque_colour_comes_out_as_it_went_in() -> None:
    canvas = Canvas(8, 6)
    canvas.lay(canvas.rounded((0, 0, 8, 6), 0), "#3366cc")
    texels = canvas.texels()
    assert np.abs(texels[..., :3] - ycbcr(display("#3366cc"))).max() <= 1
    assert (texels[..., 3] == 255).all()


def test_half_covered_white_blends_to_grey_over_black() -> None:
    canvas = Canvas(4, 4)
    canvas.lay(np.full((4, 4), 0.5, np.float32), "#ffffff")
    y, blue, red, alpha = canvas.texels()[0, 0].astype(float)
    keep = 1.0 - alpha / 255.0
    assert y + keep * 16.0 == pytest.approx(16.0 + 219.0 * 0.5, abs=1.5)
    assert blue + keep * 128.0 == pytest.approx(128.0, abs=1.5)
    assert red + keep * 128.0 == pytest.approx(128.0, abs=1.5)


@pytest.mark.parametrize("box", [ROW, COLUMN])
def test_a_card_shows_its_picture_and_its_price(tmp_path: Path, box: Box) -> None:
    source = photo(tmp_path / "a.jpg", (40, 90, 200))
    card, price = card_panels(ProductCard(name="Dress", price="199", picture=source), box)
    blue = np.abs(card.texels[..., :3].astype(int) - ycbcr([40 / 255, 90 / 255, 200 / 255]))
    assert (blue.max(-1) < 8).mean() > 0.12
    solid = price.texels[price.texels[..., 3] > 250][:, :3].astype(int)
    assert len(solid) > 200
    assert np.abs(solid - ycbcr(display(PRICE))).max() <= 4


@pytest.mark.parametrize("box", [ROW, COLUMN])
def test_every_field_of_a_card_is_seen(box: Box) -> None:
    plain = ProductCard(name="Dress", price="199")
    before = [panel.texels for panel in card_panels(plain, box)]
    for field, value in (
        ("name", "Shirt"),
        ("price", "188"),
        ("strike", "299"),
        ("currency", "€"),
        ("badge", "NEW"),
    ):
        after = card_panels(plain.changed(**{field: value}), box)
        assert any(
            a.shape != b.texels.shape or np.abs(a.astype(int) - b.texels).max() > 60
            for a, b in zip(before, after, strict=True)
        ), field


@pytest.mark.parametrize("box", [ROW, COLUMN])
@pytest.mark.parametrize("badge", ["NEW", "今日特价 -20%"])
def test_a_badge_without_a_picture_covers_no_part_of_the_name(box: Box, badge: str) -> None:
    plain, marked = (
        card_panels(ProductCard(name="Margherita", price="12", badge=text), box)[0].texels
        for text in ("", badge)
    )
    dark, before = (int((texels[..., 0] < 60).sum()) for texels in (marked, plain))
    assert dark > 0.9 * before > 100


def test_marks_and_names_are_drawn_in_both_languages() -> None:
    box = Box(0, 0, 190, 36)
    assert mark_panel("en", box).box.right == mark_panel("zh", box).box.right == 190
    assert not np.array_equal(mark_panel("en", box).texels, mark_panel("zh", box).texels)
    third = lower_third_panel(LowerThird(name="陈美娅", title="穿搭顾问"), Box(0, 0, 400, 96))
    assert (third.texels[..., 0] > 200).sum() > 400


def test_a_caption_has_at_most_two_lines_and_shows_the_end() -> None:
    box = Box(0, 0, 600, 122)
    one = caption_panel("Hello there.", box)
    two = caption_panel("Welcome to the show, here is a lovely linen dress", box)
    long = caption_panel("word " * 70 + "end", box)
    assert one is not None
    assert two is not None
    assert long is not None
    assert one.box.height < two.box.height <= 122
    assert long.box.height <= 122
    assert caption_panel("🎉", box) is None
    assert all(panel.box.bottom == box.bottom for panel in (one, two, long))


def test_pictures_cover_the_frame_without_being_stretched(tmp_path: Path) -> None:
    texels = covering(photo(tmp_path / "a.jpg"), 0.0, (90, 160))
    assert texels.shape == (160, 90, 4)
    assert np.abs(texels[..., :3] - ycbcr([200 / 255, 60 / 255, 40 / 255])).max() < 4
    assert not texels[..., 3].any()


def test_broken_and_foreign_pictures_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.jpg"
    text.write_text("no picture")
    with pytest.raises(AvatarValueError, match="accepted: JPEG, PNG, WEBP"):
        check(str(text))
    with pytest.raises(AvatarValueError, match="accepted: a file that exists"):
        check(str(tmp_path / "none.png"))
    with pytest.raises(AvatarValueError, match="accepted: asset:"):
        check("asset:none")
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(Path(photo(tmp_path / "b.jpg")).read_bytes()[:-200])
    check(str(cut))
    with pytest.raises(AvatarError, match="cannot be decoded"):
        decoded(str(cut))
