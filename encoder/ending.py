"""How long to wait in silence before a speaker is taken to have ended a turn."""

import re
from dataclasses import dataclass
from typing import Final, Protocol

from encoder.ending_english import english_finish
from encoder.ending_mandarin import mandarin_finish
from encoder.finish import Finish


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
        complete: a clause that nothing leaves open, closed by . ! or ?
        plain: the same without closing punctuation, or with an ending that may go on.
        unfinished: a comma, or a subordinate clause alone; a long question that a question mark
            closes although its last word demands more, which is more often misheard than cut off.
        counting: a number that is being read out, as of a telephone.
        open: the last words demand more: "and", "because", "to the", "I want to ask".
    """

    complete: float = 0.3
    plain: float = 0.5
    unfinished: float = 1.2
    counting: float = 1.6
    open: float = 2.0

    def silence(self, text: str, language: str) -> float:
        """Return one of the times above after the words of `text`."""
        phrase = text.strip(_QUOTES)
        finish = self._finish(phrase, language)
        if finish is Finish.OPEN:
            return self.unfinished if _long_question(phrase) else self.open
        if finish is Finish.COUNTING:
            return self.counting
        if finish is Finish.UNFINISHED or _TRAILING.search(phrase):
            return self.unfinished
        closed = finish is Finish.CLOSED and phrase[-1:] in _CLOSING
        return self.complete if closed else self.plain

    @staticmethod
    def _finish(phrase: str, language: str) -> Finish:
        sentences = [part for part in _SENTENCE.split(phrase) if re.search(r"\w", part)]
        if not sentences:
            return Finish.UNFINISHED
        if language == "zh" or _CJK.search(sentences[-1]):
            return mandarin_finish(sentences[-1], asked=phrase.endswith(("？", "?")))
        return english_finish(sentences[-1])


_QUOTES: Final = " \t\n\"'“”‘’「」《》()（）"
_CLOSING: Final = ".!?。！？"
_SENTENCE: Final = re.compile(r"[.!?。！？]+(?:\s+|$|(?=[^\d\s]))")
_TRAILING: Final = re.compile(r"(\.\.+|…|[,，、;；:：\-—])$")
_ASKING: Final = frozenset(["what", "which", "who", "when", "where", "why", "how"])
_LONG: Final = 6  # words
_CJK: Final = re.compile(r"[\u3400-\u9fff]")


def _long_question(phrase: str) -> bool:
    """Tell whether the last sentence is an English question of some length, with its mark."""
    if not phrase.endswith("?"):
        return False
    sentences = [part for part in _SENTENCE.split(phrase) if part.strip()]
    words = re.findall(r"[\w']+", sentences[-1].lower()) if sentences else []
    opening = words[1:2] if words[:1] in (["and"], ["so"], ["but"]) else words[:1]
    return len(words) >= _LONG and bool(_ASKING.intersection(opening))
