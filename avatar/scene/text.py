"""Text as pictures: the bundled fonts, characters they lack, and where a line may break."""

import unicodedata
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from opencc import OpenCC
from PIL import ImageFont

from avatar.errors import AvatarValueError

Weight = Literal["Regular", "Bold"]
ELLIPSIS: Final = "…"

# A line does not begin with these, nor end with those (after JIS X 4051 and GB/T 15834).
_NOT_FIRST: Final = frozenset("，。！？、；：）》〉」』】〕”’…—·％％%,.!?;:)]}~～々ー")
_NOT_LAST: Final = frozenset("（《〈「『【〔“‘([{¥￥$€£")
# What is left out when the fonts lack it: symbols such as emoji, marks, and invisible characters.
_SILENT: Final = frozenset({"So", "Sk", "Cf", "Mn", "Me", "Mc", "Cs", "Co"})


@lru_cache(maxsize=64)
def font(weight: Weight, pixels: int) -> ImageFont.FreeTypeFont:
    """Return a bundled font, Noto Sans SC, at a size in pixels."""
    path = Path(str(resources.files("avatar.scene"))) / "fonts" / f"NotoSansSC-{weight}.otf"
    return ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def has_glyph(character: str) -> bool:
    """Whether the bundled fonts can draw a character."""
    drawn = font("Regular", 16).getmask(character)
    return (drawn.size, bytes(drawn)) != _missing()


def legible(text: str, *, strict: bool = True) -> str:
    """Return `text` in characters that can be drawn.

    What the fonts lack is put in its compatible, unaccented or simplified form (Unicode NFKC,
    then NFD, then OpenCC); emoji and other symbols without one are left out.

    Raises:
        AvatarValueError: when `strict`, letters or numerals that cannot be drawn, or nothing is
            left of a text that had something.
    """
    if all(map(has_glyph, text)):
        return text
    out, lost = [], []
    for character in text:
        form = _form(character)
        if form is not None:
            out.append(form)
        elif unicodedata.category(character) not in _SILENT:
            lost.append(character)
    legible_text = " ".join("".join(out).split())
    if strict and (lost or (text.strip() and not legible_text)):
        shown = "".join(lost) or text
        raise AvatarValueError(
            f"text {shown!r} cannot be drawn; accepted: Latin, Greek, Cyrillic, kana and Chinese"
        )
    return legible_text


def width_of(text: str, weight: Weight, pixels: int) -> float:
    """Return how wide a line is, in pixels."""
    return float(font(weight, pixels).getlength(text))


def broken(text: str, weight: Weight, pixels: int, width: float) -> list[str]:
    """Break text into lines of at most `width` pixels, between words or Chinese characters.

    A word longer than a line is broken inside.
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        wider = line + piece if line else piece.lstrip()
        if not line or width_of(wider.rstrip(), weight, pixels) <= width:
            line = wider
        else:
            lines.append(line.rstrip())
            line = piece.lstrip()
        while width_of(line.rstrip(), weight, pixels) > width and len(line) > 1:
            cut = _longest(line, weight, pixels, width)
            lines.append(line[:cut])
            line = line[cut:]
    if line.strip():
        lines.append(line.rstrip())
    return lines


def balanced(text: str, weight: Weight, pixels: int, width: float) -> list[str]:
    """As `broken`, in as few lines, but of lengths as like as can be."""
    lines = broken(text, weight, pixels, width)
    low, high = width / 2.0, width
    while len(lines) > 1 and high - low > pixels / 2.0:
        middle = (low + high) / 2.0
        narrower = broken(text, weight, pixels, middle)
        if len(narrower) == len(lines):
            lines, high = narrower, middle
        else:
            low = middle
    return lines


def fitted(text: str, weight: Weight, pixels: int, width: float, most: int) -> list[str]:
    """As `broken`, in at most `most` lines; the last ends in an ellipsis where text is lost."""
    lines = broken(text, weight, pixels, width)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and width_of(last + ELLIPSIS, weight, pixels) > width:
        last = last[:-1]
    return [*lines[: most - 1], last.rstrip() + ELLIPSIS]


def _form(character: str) -> str | None:
    if has_glyph(character):
        return character
    plain = "".join(
        c for c in unicodedata.normalize("NFD", character) if unicodedata.category(c) != "Mn"
    )
    for form in (unicodedata.normalize("NFKC", character), plain, _simplified(character)):
        if form and form != character and all(map(has_glyph, form)):
            return form
    return None


def _pieces(text: str) -> list[str]:
    """Cut text into the pieces between which a line may break; spaces stay at a piece's end."""
    pieces: list[str] = []
    for character in text:
        if pieces and not _breaks(pieces[-1][-1], character):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _breaks(before: str, after: str) -> bool:
    if after.isspace() or after in _NOT_FIRST or before in _NOT_LAST:
        return False
    return before.isspace() or _is_wide(before) or _is_wide(after) or before in "-—/"


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _longest(line: str, weight: Weight, pixels: int, width: float) -> int:
    cut = 1
    while cut < len(line) and width_of(line[: cut + 1], weight, pixels) <= width:
        cut += 1
    return cut


@cache
def _missing() -> tuple[tuple[int, int], bytes]:
    drawn = font("Regular", 16).getmask("\U0010fffd")
    return drawn.size, bytes(drawn)


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def _simplified(character: str) -> str:
    return str(_converter().convert(character))
