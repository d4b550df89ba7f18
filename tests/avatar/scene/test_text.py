"""Text: which characters can be drawn, and where lines break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avatar.errors import AvatarValueError
from avatar.scene.text import balanced, broken, fitted, has_glyph, legible, width_of

_WRITING = st.text("abc defgh iW.,'（好的），。！今天直播间“价”¥12", max_size=120)


def test_the_fonts_hold_both_languages() -> None:
    shop = "欢迎光临直播间，限时优惠：￥199！点击购物车下单，包邮。“正品”"
    latin = "Welcome — café, naïve, Zürich; $1,299.00 €5 £6 “quoted” it’s 50 %"
    assert all(map(has_glyph, shop + latin))
    assert not has_glyph("한")


def test_what_the_fonts_lack_takes_another_form() -> None:
    assert legible("歡迎") == "欢迎"
    assert legible("ﬁve ㎏") == "five kg"
    assert legible("Tiếng") == "Tieng"
    assert legible("Deal 🎉 now") == "Deal now"


def test_letters_without_a_form_are_refused_by_name() -> None:
    with pytest.raises(AvatarValueError, match="'한글' cannot be drawn; accepted: Latin"):
        legible("a 한글 b")
    with pytest.raises(AvatarValueError, match="'🎉' cannot be drawn"):
        legible("🎉")
    assert legible("a 한글 b", strict=False) == "a b"


@given(_WRITING, st.integers(60, 500))
def test_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = broken(text, "Bold", 30, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        assert width_of(line, "Bold", 30) <= width or len(line) == 1


def test_words_stay_whole_and_chinese_breaks_anywhere() -> None:
    words = "Welcome to the show everyone"
    assert " ".join(broken(words, "Regular", 30, 200)) == words
    assert all(
        len(line) >= 6 for line in broken("今天的连衣裙特别适合夏天穿着", "Regular", 30, 200)[:-1]
    )


@pytest.mark.parametrize("width", range(100, 400, 12))
def test_no_line_begins_with_a_stop_or_ends_with_an_opening(width: int) -> None:
    text = "大家好，欢迎来到直播间！今天（周五）的价格是《特价》：¥199，只限今晚。"
    lines = broken(text, "Regular", 30, width)
    assert not any(line[0] in "，！）》：。" for line in lines[1:])
    assert not any(line[-1] in "（《¥" for line in lines)


def test_two_lines_are_made_alike() -> None:
    text = "Welcome to the show, today we have a lovely linen dress"
    lines = balanced(text, "Bold", 30, 700)
    wide = [width_of(line, "Bold", 30) for line in lines]
    assert len(lines) == 2
    assert min(wide) > 0.75 * max(wide)


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    lines = fitted("A very long name of a product that goes on", "Bold", 30, 200, 2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert all(width_of(line, "Bold", 30) <= 200 for line in lines)
