"""`Request`: what one reply answers."""

from dataclasses import dataclass, replace

from agents.brief import PLAIN, Brief
from agents.clause import Language
from agents.history import History
from agents.outcome import is_failure

# Reading figures takes some 10 ms a thousand characters.
_LONGEST_HEEDED = 4000
_MOST_HEEDED = 4


@dataclass(frozen=True, slots=True)
class Request:
    """A question with all that an answer to it depends on.

    Attributes:
        question: without spaces at its ends; empty where nothing was said.
        language: of the question and of the answer.
        history: what was said before; perhaps the question too.
        focus: id of the product on air; None for none.
    """

    question: str
    language: Language
    history: History
    brief: Brief = PLAIN
    focus: str | None = None

    @property
    def gap(self) -> str:
        """What parts one sentence from the next."""
        return " " if self.language == "en" else ""

    @property
    def outputs(self) -> list[str]:
        """What tools have answered in the history: the newest, and the beginning of each."""
        told = [item.text[:_LONGEST_HEEDED] for item in self.history if item.role == "output"]
        return told[-_MOST_HEEDED:]

    @property
    def done(self) -> bool:
        """Whether it is tools that have to be answered for, and none of them failed."""
        newest = [item.text for item in self.history.unanswered()]
        return bool(newest) and not any(map(is_failure, newest))

    def met(self) -> "Request":
        """Return the request once a tool has answered, or a demand would be met for ever."""
        if not self.brief.demands:
            return self
        return replace(self, brief=replace(self.brief, tool_choice="auto"))
