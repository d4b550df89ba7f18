"""Words of shopping misspelt as they are meant: "warrenty", "pirce", "how mutch"."""

from functools import lru_cache

from agents.shop.lexicon import single_words, written_words
from agents.tokens import COMMON_WORDS, distance, stem

# Letters of a word that may be a slip of the pen.
_SHORTEST_SLIP = 6
_LONG_SLIP = 8
_EVERYDAY = frozenset(stem(word) for word in COMMON_WORDS)
_AFTER_HOW = (
    "much", "many", "long", "heavy", "large", "thick", "wide", "tall", "high", "deep", "warm",
    "bright", "fast", "soon", "loud", "often",
)  # fmt: skip


def meant(key: str, word: str, before: str, own: frozenset[str] = frozenset()) -> str:
    """Return the word of shopping, or of a merchant's, that an unknown one is a slip for.

    Args:
        key, word: the unknown word, as compared and as written.
        before: the word before it; "" for none.
        own: words the merchant's attributes are called by.
    """
    found = _meant(key) if len(word) >= _SHORTEST_SLIP else ""
    return found or _slipped(word, before) or _left_out(word) or _of_names(word, own)


def _of_names(word: str, own: frozenset[str]) -> str:
    """Return the one attribute's name that a word is a slip for, "protien"; "" for none."""
    if len(word) < _SHORTEST_SLIP or word in own or stem(word) in _EVERYDAY:
        return ""
    near = [one for one in own if one[:2] == word[:2] and _are_alike(one, word)]
    return near[0] if len(near) == 1 else ""


def _are_alike(one: str, other: str) -> bool:
    """Say whether words are the same but for a letter, or for the order of their letters."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _SHORTEST_SLIP:
        return False
    return distance(one, other) == 1 or sorted(one) == sorted(other)


@lru_cache(maxsize=1024)
def _left_out(word: str) -> str:
    """Return the long word that one is but a letter away from: "shippng"; "" for none."""
    if len(word) < _LONG_SLIP - 1 or stem(word) in _EVERYDAY:
        return ""
    near = [
        one
        for one in written_words()
        if one[:2] == word[:2] and abs(len(one) - len(word)) < 2 and distance(one, word) == 1
    ]
    return near[0] if len(near) == 1 else ""


@lru_cache(maxsize=1024)
def _meant(key: str) -> str:
    """Return the one word of shopping that a word may be a slip for; "" for none."""
    if key in _EVERYDAY:
        return ""
    allowed = 1 if len(key) < _LONG_SLIP else 2
    near = sorted(
        (distance(key, word), word)
        for word in single_words()
        if word[:2] == key[:2] and abs(len(word) - len(key)) <= allowed
        if distance(key, word) <= allowed
    )
    alone = len(near) == 1 or (len(near) > 1 and near[0][0] < near[1][0])
    return near[0][1] if alone else ""


@lru_cache(maxsize=1024)
def _slipped(word: str, before: str) -> str:
    """Return what a short word is a slip for: "pirce", "coolor", "how mutch"; "" for nothing.

    Letters that have changed places, or been doubled, make no other word as a rule; others are
    only mended where few words can stand.
    """
    if len(word) < 4 or stem(word) in _EVERYDAY or stem(word) in single_words():
        return ""
    turned = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    single = {word[:at] + word[at + 1 :] for at in range(len(word) - 1) if word[at] == word[at + 1]}
    meant = sorted(w for w in turned | single if stem(w) in single_words())
    if meant:
        return meant[0]
    after_how = [one for one in _AFTER_HOW if before == "how" and distance(word, one) == 1]
    return after_how[0] if after_how else ""
