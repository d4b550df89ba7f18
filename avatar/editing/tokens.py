"""Words of English and Chinese with what they stand for."""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from avatar.editing.comparatives import comparatives
from avatar.words.looks import looks

LONGEST_INSTRUCTION: Final = 400

_QUOTES: Final = re.compile(
    r"[\"“”「『]([^\"“”「」『』]{1,120})[\"“”」』]|(?<!\w)'([^']{1,120})'(?!\w)"
)
# What follows a colon is a text too, up to the end of the sentence.
_COLON: Final = re.compile(r"[:：]\s*([^:：\"”。;；\n]{1,120})")
_NUMBER: Final = re.compile(r"[$¥€£]?\d+(?:[.,]\d+)?")
_LATIN: Final = re.compile(r"[a-z][a-z'’-]*")
# Kinds before all others, and the shared ones that are called otherwise here.
_FIRST: Final = ("target", "style", "length", "pattern", "fabric", "relative", "degree", "shade")
# Whose words are read as they are written, and may follow a colon.
_TEXTS: Final = ("card", "caption", "lower_third")
_SHARED: Final = {"target": ("garment", "ornament")}
_MADE_OF: Final = {"suit": "blazer", "jeans": "trousers"}
_STOPS: Final = ",，。.;；、!！?？:：\n"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or phrase: its kind (a key of the vocabulary, or "text", "number", "stop",
    "unknown"), what it stands for, and as it was written.
    """

    kind: str
    value: str
    written: str


@cache
def _vocabulary() -> tuple[dict[str, tuple[Token, ...]], int]:
    """Return phrases with their tokens, and the length of the longest."""
    source = resources.files("avatar.editing").joinpath("vocabulary.json").read_text("utf-8")
    own = json.loads(source)
    out: dict[str, tuple[Token, ...]] = {}
    compound = own.pop("compound")
    steps = list(comparatives(own.pop("adjective")))
    for meaning, phrases in compound.items():
        for phrase in phrases:
            out[phrase] = _tokens(meaning, phrase)
    # Kinds come in order of precedence, fillers last but for colours.
    for kind in (*_FIRST, *(kind for kind in own if kind not in _FIRST), "colour"):
        senses = [(kind, *sense) for sense in own.get(kind, {}).items()]
        senses += [
            (kind, _MADE_OF.get(value, value), phrases)
            for shared in _SHARED.get(kind, (kind,))
            for value, phrases in looks().get(shared, {}).items()
        ]
        for _, value, phrases in senses:
            for phrase in phrases:
                for written in (phrase, phrase.replace(" ", "-")):
                    out.setdefault(written, (Token(kind, value, written),))
        for phrase, sense in steps if kind == "relative" else ():
            *target, step = sense.split()
            named = "".join(f"target:{name} " for name in target)
            out.setdefault(phrase, _tokens(f"{named}relative:{step}", phrase))
    return out, max(map(len, out))


def _tokens(meaning: str, written: str) -> tuple[Token, ...]:
    """Return the tokens of a meaning such as "target:smile relative:more"."""
    pairs = (part.split(":") for part in meaning.split())
    return tuple(Token(kind, value, written) for kind, value in pairs)


def tokens(instruction: str) -> list[Token]:
    """Return the tokens of an instruction, longest phrases first.

    Texts in quotes are taken whole, as they are written, and so is what follows the name of a text
    and a colon. A word that is in no vocabulary is "unknown"; Chinese characters in none are
    gathered into one.
    """
    out: list[Token] = []
    end = 0
    colon = _COLON.search(instruction)
    if colon and not _QUOTES.search(instruction):
        before = _scan(instruction[: colon.start()])
        if any(token.kind == "target" and token.value in _TEXTS for token in before):
            instruction = _COLON.sub(r'"\1"', instruction, count=1)
    for match in _QUOTES.finditer(instruction):
        # A colon before a text does not end the clause.
        out += _scan(instruction[end : match.start()].rstrip(" :："))
        quoted = (match[1] or match[2]).strip()
        out.append(Token("text", quoted, quoted))
        end = match.end()
    return out + list(_scan(instruction[end:]))


def _scan(piece: str) -> Iterator[Token]:
    text = unicodedata.normalize("NFKC", piece).lower().replace("’", "'")
    place = 0
    stray = ""
    while place < len(text):
        found, width = _at(text, place)
        place += width
        if found and found[0].kind == "unknown" and not found[0].written.isascii():
            stray += found[0].written
            continue
        if stray:
            yield Token("unknown", stray, stray)
            stray = ""
        yield from found
    if stray:
        yield Token("unknown", stray, stray)


def _at(text: str, place: int) -> tuple[tuple[Token, ...], int]:
    """Return the tokens that begin at `place` (none for nothing of meaning) and their length."""
    known, longest = _vocabulary()
    for width in range(min(longest, len(text) - place), 0, -1):
        phrase = text[place : place + width]
        if phrase in known and _whole(text, place, width):
            return known[phrase], width
    letter = text[place]
    if number := _NUMBER.match(text, place):
        return (Token("number", number[0], number[0]),), len(number[0])
    if letter in _STOPS:
        return (Token("stop", letter, letter),), 1
    if word := _LATIN.match(text, place):
        return (Token("unknown", word[0], word[0]),), len(word[0])
    return ((), 1) if not letter.isalnum() else ((Token("unknown", letter, letter),), 1)


def _whole(text: str, place: int, width: int) -> bool:
    """Whether a Latin phrase there is not a part of a longer word."""
    first, last = text[place], text[place + width - 1]
    before = text[place - 1] if place else " "
    after = text[place + width] if place + width < len(text) else " "
    cut_before = first.isascii() and first.isalpha() and before.isascii() and before.isalpha()
    cut_after = last.isascii() and last.isalpha() and after.isascii() and after.isalpha()
    return not cut_before and not cut_after
