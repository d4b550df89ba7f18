"""What words of tools and of questions have in common, whichever language either is in.

A merchant describes a tool once, often in English, and people ask in any words. So phrases of both
languages are read as concepts, "parcel" and "快递" as one; other words stand for themselves.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from agents.clause import Language
from agents.tokens import STOP_WORDS, simplified, stem

_DATA = json.loads((resources.files("agents") / "data" / "tools.json").read_text("utf-8"))

# What a concept is: what is done; an errand every tool is, such as "get"; what it is done to; and
# a value that things have, such as "large".
GROUPS = ("actions", "errands", "things", "values")

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[\u3400-\u9fff]")
_IS = re.compile(r"(?:what|where|when|who|how|which|there|here|it|that)'s")
_NAME_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+")

# Words whose ending is no ending.
_WHOLE = frozenset({"news"})
_DULL_EN = STOP_WORDS | frozenset(_DATA["dull_en"].split())
_DULL_ZH = frozenset(_DATA["dull_zh"].split())
_LONGEST_DULL = max(map(len, _DULL_ZH))


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text.

    Attributes:
        start, end: where it stands.
        keys: the concepts it means, "things.order"; or its stem or character, alone.
        known: whether these are concepts.
        dull: whether it says nothing about any subject, as "please".
    """

    start: int
    end: int
    keys: tuple[str, ...]
    known: bool
    dull: bool

    def is_of(self, *groups: str) -> bool:
        """Say whether it is a concept of one of these groups."""
        return self.known and any(key.partition(".")[0] in groups for key in self.keys)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or a Chinese character, as phrases are compared by it."""

    start: int
    end: int
    key: str


def spaced(name: str) -> str:
    """Return a name of code as words: "orderId", "order_id" -> "order Id", "order id"."""
    return _NAME_BREAK.sub(" ", name).strip()


def word_set(name: str, kind: str) -> frozenset[str]:
    """Return a list of words of the data: what says "yes" in a language, which values are looks."""
    return frozenset(_DATA[name][kind].split())


def sentence(name: str, language: Language) -> str:
    """Return a ready sentence of tools, with places in braces to fill."""
    return str(_DATA["sentences"][name][language])


def term(text: str, language: Language, groups: tuple[str, ...] = GROUPS) -> str:
    """Return a text that is one concept of some groups as a language calls it, "" for others.

    "order_id" -> "订单号", "shipped" -> "已发货". Of several concepts it is the one of that name.
    """
    parts = read(spaced(text))
    names = [key.partition(".") for key in parts[0].keys] if len(parts) == 1 else []
    known = [(group, name) for group, dot, name in names if dot and group in groups]
    if not known:
        return ""
    plain = spaced(text).lower()
    for group, name in known:
        entry = _DATA[group][name]
        if plain in (entry["en"][0], entry["en"][0] + "s", entry["zh"][0]):
            return str(entry[language][0])
    # The narrowest of a group stands last, an order's number behind the order.
    group, name = [one for one in known if one[0] == known[0][0]][-1]
    return str(_DATA[group][name][language][0])


def is_written_in(text: str, language: Language) -> bool:
    """Say whether a text is in a language: Chinese has Chinese characters, English has none."""
    return bool(re.search(r"[\u3400-\u9fff]", text)) == (language == "zh")


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Part, ...]:
    """Return the parts of a text, longest phrases first, in order and apart."""
    pieces = list(_pieces(text))
    dull = _dull_places(pieces)
    parts: list[Part] = []
    at = 0
    while at < len(pieces):
        length, keys = _longest(pieces, at)
        last = pieces[at + max(length, 1) - 1]
        if length:
            parts.append(Part(pieces[at].start, last.end, keys, True, False))
        else:
            key = pieces[at].key
            parts.append(Part(pieces[at].start, last.end, (key,), False, at in dull))
        at += max(length, 1)
    return tuple(parts)


@lru_cache(maxsize=1024)
def features(text: str) -> frozenset[str]:
    """Return what a text is about: concepts, stems, and pairs of Chinese characters."""
    found: set[str] = set()
    parts = read(text)
    for number, part in enumerate(parts):
        if part.known or (not part.dull and not _is_han(part)):
            found.update(part.keys)
        elif number and _joins(parts[number - 1], part):
            found.add(parts[number - 1].keys[0] + part.keys[0])
    return frozenset(found)


def _joins(left: Part, right: Part) -> bool:
    """Say whether two Chinese characters beside each other may be a word."""
    plain = all(_is_han(part) and not part.known and not part.dull for part in (left, right))
    return plain and left.end == right.start


def _is_han(part: Part) -> bool:
    return "\u3400" <= part.keys[0][0] <= "\u9fff" and len(part.keys[0]) == 1


def _pieces(text: str) -> Iterator[_Piece]:
    lower = text.lower().replace("’", "'")
    plain = simplified(lower) if re.search(r"[\u3400-\u9fff]", lower) else lower
    if len(plain) != len(text):
        plain = lower if len(lower) == len(text) else text
    for match in _WORD.finditer(plain):
        start, end, word = match.start(), match.end(), match.group()
        if _IS.fullmatch(word):
            yield _Piece(start, end - 2, stem(word[:-2]))
            yield _Piece(end - 2, end, "is")
        else:
            yield _Piece(start, end, word if word in _WHOLE else stem(word))


def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the phrases of all concepts by their first word or character, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for group in GROUPS:
        for name, entry in _DATA[group].items():
            for phrase in (*entry["en"], *entry["zh"]):
                keys = tuple(piece.key for piece in _pieces(phrase))
                found.setdefault(keys[0], []).append((keys, f"{group}.{name}"))
    for phrases in found.values():
        phrases.sort(key=lambda one: -len(one[0]))
    return found


_PHRASES = _phrases()


def _longest(pieces: list[_Piece], at: int) -> tuple[int, tuple[str, ...]]:
    """Return how many pieces the longest phrase here takes, and the concepts it means."""
    length, keys = 0, []
    for phrase, concept in _PHRASES.get(pieces[at].key, ()):
        if len(phrase) < length:
            break
        if tuple(piece.key for piece in pieces[at : at + len(phrase)]) == phrase:
            length = len(phrase)
            keys.append(concept)
    return length, tuple(dict.fromkeys(keys))


def _dull_places(pieces: list[_Piece]) -> set[int]:
    """Return which pieces say nothing; in Chinese the words that do are found longest first."""
    dull = {at for at, piece in enumerate(pieces) if piece.key in _DULL_STEMS}
    at = 0
    while at < len(pieces):
        for length in range(_LONGEST_DULL, 0, -1):
            if "".join(piece.key for piece in pieces[at : at + length]) in _DULL_ZH:
                dull.update(range(at, min(at + length, len(pieces))))
                at += length - 1
                break
        at += 1
    return dull


_DULL_STEMS = frozenset(stem(word) for word in _DULL_EN) | _DULL_EN
