"""Kokoro's English phonemes in the IPA that Piper's American voices were trained on.

Those voices know long vowels by their length mark, vowels with r as one symbol, and diphthongs and
affricates as two. Kokoro's alphabet leaves length to the vowel, so it is put back by rule.
"""

from collections.abc import Iterator, Mapping
from typing import Final

_PAIRS: Final = {"ɜɹ": "ɜː", "əɹ": "ɚ"}
_SINGLES: Final = {
    "A": "eɪ",
    "I": "aɪ",
    "O": "oʊ",
    "Q": "oʊ",
    "W": "aʊ",
    "Y": "ɔɪ",
    "T": "ɾ",
    "ʤ": "dʒ",
    "ʧ": "tʃ",
    "ᵊ": "ə",
    "u": "uː",
    "ɑ": "ɑː",
    "ɔ": "ɔː",
    "ɜ": "ɜː",
    "—": ",",
    "…": ".",
}
_VOWELS: Final = frozenset("AIOQWYaiuæɑɐɒɔəɛɜɪʊʌᵊᵻ")
_STRESSES: Final = "ˈˌ"

PAD: Final = "_"
BEGIN: Final = "^"
END: Final = "$"


def piper_symbols(symbols: str) -> Iterator[tuple[str, int]]:
    """Yield (IPA, how many of `symbols` it says) for English phonemes, in order."""
    index = 0
    while index < len(symbols):
        ipa, count = _piper_symbol(symbols, index)
        yield ipa, count
        index += count


def _piper_symbol(symbols: str, index: int) -> tuple[str, int]:
    pair = symbols[index : index + 2]
    if pair in _PAIRS and symbols[index + 2 : index + 3] not in _VOWELS:
        return _PAIRS[pair], 2
    if pair[0] == "i":
        return ("iː" if _is_long(symbols, index) else "i"), 1
    return _SINGLES.get(pair[0], pair[0]), 1


def _is_long(symbols: str, index: int) -> bool:
    """FLEECE is long, the last vowel of "happy" is not: long is what carries the stress, comes
    before it, or is a word's only vowel.
    """
    start = symbols.rfind(" ", 0, index) + 1
    end = symbols.find(" ", index)
    word = symbols[start : end if end >= 0 else len(symbols)]
    here = index - start
    if word[here + 1 : here + 2] == "ə":
        return False
    if word[:here].endswith(tuple(_STRESSES)):
        return True
    if any(mark in word[:here] for mark in _STRESSES):
        return False
    if any(mark in word[here:] for mark in _STRESSES):
        return True
    return sum(symbol in _VOWELS for symbol in word) == 1


def piper_ids(
    symbols: str, numbers: Mapping[str, list[int]]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the input of a Piper voice for Kokoro `symbols`.

    Args:
        symbols: English, in Kokoro's alphabet.
        numbers: the voice's own `phoneme_id_map`.

    Returns:
        The ids, a pad between all of them as the voice was trained; and for each of `symbols` the
        (first, end) range of ids that are its sound and the pads after it. Two symbols that became
        one share its range in halves of ids.
    """
    ids = [*numbers[BEGIN], *numbers[PAD]]
    ranges: list[tuple[int, int]] = []
    for ipa, count in piper_symbols(symbols):
        start = len(ids)
        for letter in ipa:
            if letter in numbers:
                ids += [*numbers[letter], *numbers[PAD]]
        middle = (start + len(ids)) // 2
        ranges += [(start, len(ids))] if count == 1 else [(start, middle), (middle, len(ids))]
    return [*ids, *numbers[END]], ranges
