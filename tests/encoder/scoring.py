"""Word and character error rates."""

import re
import unicodedata
from collections.abc import Sequence

from tests.recordings import Recording

_DIGITS = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
_CJK = re.compile(r"[\u3400-\u9fff]")


def units(text: str, digits: bool = False) -> list[str]:
    """Return the words of English and the characters of Mandarin, without case or punctuation.

    `digits`: count digit by digit, whether written as words or as figures.
    """
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    found = re.findall(r"[\u3400-\u9fff]|[a-z0-9']+", plain.replace("-", " ").replace(",", ""))
    if digits:
        return list("".join(_DIGITS.get(word, word) for word in found))
    if _CJK.search(plain):
        return [unit for word in found for unit in (list(word) if word.isdigit() else [word])]
    return found


def distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the Levenshtein distance."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        previous, row = row, [i]
        for j, right in enumerate(second, 1):
            row.append(min(row[-1] + 1, previous[j] + 1, previous[j - 1] + (left != right)))
    return row[-1]


def errors(recording: Recording, text: str) -> tuple[int, int]:
    """Return the errors in `text` and the length of what was said."""
    digits = "digits" in recording.tags
    said = units(recording.text, digits)
    return distance(said, units(text, digits)), len(said)
