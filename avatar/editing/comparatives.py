"""Steps ("darker") in the ways languages build them from an adjective ("too light", "再深一点")."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

OPPOSITES: Final[Mapping[str, str]] = {
    "shorter": "longer", "longer": "shorter", "darker": "lighter", "lighter": "darker",
    "brighter": "darker", "richer": "duller", "duller": "richer", "thicker": "thinner",
    "thinner": "thicker", "more": "less", "less": "more", "warmer": "cooler", "cooler": "warmer",
    "closer": "farther", "farther": "closer",
}  # fmt: skip

_MORE: Final = ("more", "even", "a bit more", "a little more")
# A complaint asks for the opposite.
_TOO: Final = (
    "too", "a bit too", "a little too", "way too", "overly", "less", "not as", "not so",
)  # fmt: skip
# "调亮" asks for a step alone, "再亮" as much as "亮一点".
_BEFORE: Final = ("更", "再", "调", "变", "加", "弄", "改", "更加", "画", "涂")
_AFTER: Final = ("一点", "一些", "些", "点", "一点点", "点儿", "一点儿", "一丢丢")
_LED: Final = ("", "再", "稍微", "稍", "更", "调", "弄", "变", "改")
_COMPLAINTS: Final = ("太", "过于", "有点", "有些", "偏", "有点太")
# "亮点" is a highlight, "重点" a main point.
_OTHERWISE: Final = frozenset(("亮点", "重点"))


def comparatives(adjectives: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield phrases with the sense of the step they ask for.

    Args:
        adjectives: by a step's name, or a target and a step ("smile more"), what is said of a thing
            that has much of it, in English and Chinese.
    """
    for sense, words in adjectives.items():
        *target, step = sense.split()
        back = " ".join((*target, OPPOSITES[step]))
        for word in words:
            made = _english if word.isascii() else _chinese
            for phrase, forward in made(word):
                if phrase not in _OTHERWISE:
                    yield phrase, sense if forward else back


def _english(word: str) -> Iterator[tuple[str, bool]]:
    yield from ((f"{lead} {word}", True) for lead in _MORE)
    yield from ((f"{lead} {word}", False) for lead in _TOO)
    yield f"not {word} enough", True


def _chinese(word: str) -> Iterator[tuple[str, bool]]:
    yield from ((lead + word, True) for lead in _BEFORE)
    yield from ((lead + word + tail, True) for lead, tail in product(_LED, _AFTER))
    yield from ((lead + word, False) for lead in _COMPLAINTS)
    yield from ((f"不够{word}", True), (f"别太{word}", False), (f"不要太{word}", False))
    yield f"别这么{word}", False
