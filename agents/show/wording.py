"""Ready words for what is said beside script and answers, in very many ways.

Each kind of line has patterns; a pattern is columns, a column is alternatives, and one of each
column makes a sentence. A few dozen phrases so make hundreds of sentences, and none is said twice
within the hour while another is left.
"""

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from random import Random
from typing import Any, Final

from agents.clause import Language
from agents.errors import AgentValueError
from agents.rundown.said import Said
from agents.rundown.variation import Mend, allow_all

_DATA: Final[Mapping[str, Any]] = json.loads(
    (resources.files("agents") / "data" / "show.json").read_text("utf-8")
)
_DRAWS: Final = 60
_MOST_COUNTED: Final = 12  # people beside those named; of more nobody says how many
_JOINS: Final[Mapping[Language, str]] = {"en": " ", "zh": ""}


class Wording:
    """Draws sentences from patterns.

    Args:
        mend: as `Mend`; what may not be said is not drawn.
        data: patterns by kind and language; by default those that ship.

    Raises:
        AgentValueError: a pattern is no list of columns of texts.
    """

    def __init__(
        self, mend: Mend = allow_all, data: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._mend = mend
        self._kinds = _DATA["kinds"] if data is None else data
        for kind, languages in self._kinds.items():
            for language, patterns in languages.items():
                _check(patterns, f"{kind}.{language}")

    @property
    def mend(self) -> Mend:
        """What every sentence goes through."""
        return self._mend

    def draw(
        self,
        kind: str,
        language: Language,
        said: Said,
        now: float,
        random: Random,
        values: Mapping[str, str] | None = None,
        *,
        always: bool = False,
    ) -> str | None:
        """Return a sentence that was not said within the hour, None where none is left.

        Patterns that name a value that is not given are passed over.

        Args:
            always: where none is left, return the one of those drawn that was said longest ago.
        """
        known = values or {}
        patterns = [p for p in self._kinds[kind][language] if _fits(p, known)]
        if not patterns:
            return None
        weights = [_size(pattern) ** 0.5 for pattern in patterns]
        stale: list[tuple[float, str]] = []
        for _ in range(_DRAWS):
            pattern = random.choices(patterns, weights)[0]
            drawn = _JOINS[language].join(filter(None, map(random.choice, pattern)))
            text = self._mend(_tidied(drawn.format_map(known), language), language)
            if text is None:
                continue
            if said.is_fresh(text, now):
                return text
            stale.append((said.last(text) or 0.0, text))
        return min(stale)[1] if always and stale else None

    def topic(self, attribute: str, language: Language) -> str | None:
        """Return what an attribute is called after "asks about", None where it has no name."""
        name = _DATA["topics"].get(attribute, {}).get(language)
        return None if name is None else str(name)

    def count(self, kind: str, language: Language) -> int:
        """Return how many sentences a kind has, names and products apart."""
        return sum(_size(pattern) for pattern in self._kinds[kind][language])


def listed(names: Sequence[str], count: int, language: Language) -> str:
    """Return "Anna", "Anna and Ben", "Anna, Ben and three others", in words, of `count` people.

    Args:
        names: of some of them, cleaned; the first two are said.
        count: how many there are, at least as many as names.
    """
    words = _DATA["names"][language]
    if not names:
        return str(words["somebody"] if count <= 1 else words["several"])
    others = count - min(2, len(names))
    if len(names) == 1:
        pattern = words["alone"] if others == 0 else words["with_one"] if others == 1 \
            else words["with_more"]  # fmt: skip
        return str(pattern).format(names[0], n=number_word(others, language))
    if others > _MOST_COUNTED:
        return str(words["many"]).format(names[0], names[1])
    pattern = words["two"] if others == 0 else words["one_more"] if others == 1 else words["more"]
    shown = others if language == "en" else count
    return str(pattern).format(names[0], names[1], n=number_word(shown, language))


def number_word(number: int, language: Language) -> str:
    """Return a whole number as it stands in a sentence: small ones in English words."""
    words = _DATA["numbers"].get(language, [])
    return str(words[number]) if 0 <= number < len(words) else str(number)


def _fits(pattern: Sequence[Sequence[str]], values: Mapping[str, str]) -> bool:
    named = {
        field.partition("}")[0] for column in pattern for text in column
        for field in text.split("{")[1:]
    }  # fmt: skip
    return named <= values.keys()


def _size(pattern: Sequence[Sequence[str]]) -> int:
    size = 1
    for column in pattern:
        size *= len(column)
    return size


def _tidied(text: str, language: Language) -> str:
    text = text.strip()
    if language == "en" and text[:1].islower():
        text = text[:1].upper() + text[1:]
    return text


def _check(patterns: Any, path: str) -> None:
    columns = [c for p in patterns for c in p] if isinstance(patterns, list) else [None]
    if not all(isinstance(c, list) and c and all(isinstance(t, str) for t in c) for c in columns):
        raise AgentValueError(f"wording {path}: accepted is a list of lists of lists of texts")
