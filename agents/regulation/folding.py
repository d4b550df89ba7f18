"""Reads a text as it is meant: evasions such as "b.e.s.t", "ｂｅｓｔ", "最 好" are folded away."""

import re
import unicodedata
from dataclasses import dataclass

from agents.tokens import simplified

# Letters of other scripts that look like ours.
_LIKE = str.maketrans(
    "аеорсухіјѕԁһкмнтвԛԝгαβεικνορτυχγωηçøıł",
    "aeopcyxijsdhkmhtbqwrabeikvoptuxywncoil",
)  # fmt: skip
_LEET = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"}
_HAN = r"[\u3400-\u9fff]"
# What may stand between two Chinese characters without parting them for the eye.
_FILLER = re.compile(
    r"[\s\-_·・.*~|/\\+=^'\"`•…—–﹒﹡＊:;()\[\]{}<>#&%@$!?、「」『』【】《》“”‘’]+"
)
_SPELT = re.compile(r"(?<![a-z0-9])(?:[a-z0-9@$][\s.\-_*·|/]{1,3}){2,}[a-z0-9@$](?![a-z0-9])")
_MIXED = re.compile(
    r"(?<![\w@$])(?=[a-z013457@$!]*[a-z])(?=[a-z]*[013457@$!])[a-z013457@$!]{3,}(?![\w@$])"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared, and where each of its characters stands in the text itself."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the folded text stands in the text itself."""
        return self.places[start], self.places[end - 1] + 1

    def without(self, spans: list[tuple[int, int]]) -> "Folded":
        """Return it with some parts cut out."""
        cut = {at for start, end in spans for at in range(start, end)}
        kept = [at for at in range(len(self.text)) if at not in cut]
        return Folded("".join(self.text[at] for at in kept), tuple(self.places[at] for at in kept))


def readings(text: str) -> list[Folded]:
    """Return the ways a text may be meant: as it stands, and with what evades taken away."""
    plain = _plain(text)
    found = {plain.text: plain}
    for folded in (
        _tight(plain),
        _spelt(plain),
        _unleeted(_spelt(plain)),
        _tight(_unleeted(plain)),
    ):
        found.setdefault(folded.text, folded)
    return list(found.values())


def _plain(text: str) -> Folded:
    """Fold width, case, accents, look-alikes and traditional characters."""
    letters: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        for letter in unicodedata.normalize("NFKD", char).lower():
            if unicodedata.category(letter) in ("Cf", "Mn", "Me", "Cc") and letter not in "\n\t":
                continue
            letters.append(letter)
            places.append(at)
    folded = "".join(letters).translate(_LIKE).replace("’", "'")
    if re.search(_HAN, folded):
        plain = simplified(folded)
        # Character by character where a word changes its length.
        folded = plain if len(plain) == len(folded) else "".join(map(_one, folded))
    return Folded(folded, tuple(places))


def _one(char: str) -> str:
    plain = simplified(char)
    return plain if len(plain) == 1 else char


def _tight(folded: Folded) -> Folded:
    """Take away what parts Chinese characters, and pictures."""
    spans = [
        match.span()
        for match in _FILLER.finditer(folded.text)
        if _is_han(folded.text, match.start() - 1) and _is_han(folded.text, match.end())
    ]
    spans += [(at, at + 1) for at, c in enumerate(folded.text) if unicodedata.category(c) == "So"]
    return folded.without(spans) if spans else folded


def _spelt(folded: Folded) -> Folded:
    """Join words that are spelt letter by letter: "b e s t"."""
    spans = [
        (match.start() + at, match.start() + at + 1)
        for match in _SPELT.finditer(folded.text)
        for at, char in enumerate(match.group())
        if not (char.isalnum() or char in "@$")
    ]
    return folded.without(spans) if spans else folded


def _unleeted(folded: Folded) -> Folded:
    """Read digits within words as the letters they stand for: "b3st", "cur3"."""

    def letters(match: re.Match[str]) -> str:
        return "".join(_LEET.get(char, char) for char in match.group())

    return Folded(_MIXED.sub(letters, folded.text), folded.places)


def _is_han(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "\u3400" <= text[at] <= "\u9fff"
