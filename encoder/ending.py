"""How finished a text reads: the silence after which a speaker is taken to have ended a turn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from encoder.words import ENGLISH, MANDARIN


class EndOfTurn(Protocol):
    """Decides how long to wait. A learned detector of the end of a turn fits here too."""

    def silence(self, text: str, language: str) -> float:
        """Return the seconds of silence after which `text` is taken as a whole turn.

        `text`: all that was recognised of the turn, never empty. `language`: "en" or "zh".
        """


@dataclass(frozen=True, slots=True)
class TextEndOfTurn:
    """Rules over words. A recogniser closes broken-off phrases with a full stop, so words weigh
    more than its punctuation.

    Attributes (seconds):
        complete: a clause that nothing in its words leaves open, closed by . ! or ?
        plain: the same without closing punctuation.
        unfinished: a comma, a subordinate clause alone, a spoken number that may go on.
        open: the last words demand more: "and", "because", "to the", "I want to ask".
    """

    complete: float = 0.3
    plain: float = 0.5
    unfinished: float = 1.2
    open: float = 2.0

    def silence(self, text: str, language: str) -> float:
        """Return `complete`, `plain`, `unfinished` or `open` after the words of `text`."""
        stripped = text.strip().strip("\"'“”‘’「」《》()（）")
        rules = _mandarin if language == "zh" else _english
        state = rules(stripped)
        if state == "closed":
            return self.complete if stripped[-1:] in ".!?。！？" else self.plain
        return self.unfinished if state == "unfinished" else self.open


_TRAILING: Final = re.compile(r"(\.\.\.|…|[,，、;；:：\-—])$")
_CLOSING: Final = ".!?。！？ "
_SENTENCE: Final = re.compile(r"[.!?。！？]\s*")


def _english(text: str) -> str:
    words = re.findall(r"[a-z0-9']+", _last_sentence(text).lower().replace("’", "'"))
    if not words:
        return "closed" if text else "unfinished"
    if _ends_open(words):
        return "open"
    if _TRAILING.search(text) or _english_clause_missing(words) or _spoken_number(text, words):
        return "unfinished"
    return "closed"


def _ends_open(words: Sequence[str]) -> bool:
    if len(words) > 1 and words[-1] in ENGLISH.closing_after.get(words[-2], ()):
        return False
    line = " ".join(words)
    return words[-1] in ENGLISH.dangling or any(
        line == lead or line.endswith(" " + lead) for lead in ENGLISH.leads
    )


def _english_clause_missing(words: Sequence[str]) -> bool:
    """Tell whether a clause that a conjunction began still lacks its main part."""
    while len(words) > 1 and words[0] in ENGLISH.openers:
        words = words[1:]
        if not ENGLISH.verbs.intersection(words):
            return True
    if words[0] not in ENGLISH.subordinators:
        return False
    return len(ENGLISH.verbs.intersection(words)) < 2


def _spoken_number(text: str, words: Sequence[str]) -> bool:
    """Tell whether digits are being read out, as in a telephone number: they come in groups."""
    digits = sum(len(word) for word in words if word.isdigit())
    digits += sum(word in ENGLISH.digits for word in words)
    others = sum(not word.isdigit() and word not in ENGLISH.digits for word in words)
    return 3 <= digits < ENGLISH.longest_number and others <= 3 and not re.search(r"[$€£¥%]", text)


def _mandarin(text: str) -> str:
    words = _last_sentence(text)
    core = re.sub(r"[^\w]", "", words)
    if not core:
        return "closed" if text else "unfinished"
    if core in MANDARIN.leads or core.endswith(MANDARIN.dangling):
        return "open"
    if any(core.endswith(lead) for lead in MANDARIN.leads if len(lead) > 2):
        return "open"
    if _TRAILING.search(text) or _mandarin_clause_missing(words, core):
        return "unfinished"
    return "closed"


def _mandarin_clause_missing(words: str, core: str) -> bool:
    for opener, answers in MANDARIN.pairs.items():
        if core.startswith(opener) and not any(answer in core for answer in answers):
            return len(re.split(r"[,，]", words.strip(_CLOSING))) < 2
    return False


def _last_sentence(text: str) -> str:
    sentences = [part for part in _SENTENCE.split(text) if part.strip()]
    return sentences[-1] if sentences else ""
