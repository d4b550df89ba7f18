"""`Prompter`: gives a session the director's lines, none of which may not be said."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from agents.clause import Clause, Language
from agents.show.director import Director
from agents.show.line import Line
from pipeline.programme import Dropped

# Lines left out one after the other before the room says nothing for a moment.
MOST_LEFT_OUT: Final = 24


class Censor(Protocol):
    """Says what may not be spoken."""

    def problems(self, text: str, language: Language) -> list[str]:
        """Return what is wrong with a text, in words; nothing where it may be said."""

    def mend(self, text: str, language: Language) -> str | None:
        """Return the text as it may be said, None where it has to be left out."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a prompter tells of lines.

    Attributes:
        began: it is heard from now on.
        ended: it was heard to its end (`whole`), or in part, the words `heard`.
        failed: it could not be spoken, and why.
        censored: the line that was wished for, what is said instead (None for nothing), and why.
    """

    began: Callable[[Line], None]
    ended: Callable[[Line, str, bool], None]
    failed: Callable[[Line, str], None]
    censored: Callable[[Line, Line | None, str], None]


class Prompter:
    """A `pipeline.programme.Programme` from a director.

    Args:
        untrue: returns the figures of a line that no fact holds; with one it is left out.

    Attributes:
        running: the line that is heard now.
        censor: what every line passes.
        starved: there was nothing to say when the session asked last.
    """

    def __init__(
        self,
        director: Director,
        censor: Censor,
        told: Told,
        untrue: Callable[[Line], list[str]] = lambda _: [],
    ) -> None:
        self.running: Line | None = None
        self.starved = False
        self._director = director
        self.censor = censor
        self._told = told
        self._untrue = untrue
        self._first: Line | None = None

    def open_with(self, line: Line) -> None:
        """Say a line before all that the director gives."""
        self._first = line

    def next_line(self) -> Line | None:
        """See `Programme`. What may not be said counts as said, so the show goes on after it."""
        for _ in range(MOST_LEFT_OUT):
            line, self._first = self._first or self._director.next(), None
            if line is None:
                break
            allowed = self._allowed(line)
            if allowed is not None:
                self.starved = False
                return allowed
            self._director.began(line)
            self._director.ended(line, True)
        self.starved = True
        return None

    def began(self, line: Line, position: int) -> None:
        """See `Programme`."""
        del position
        self.running = line
        self._director.began(line)
        self._told.began(line)

    def ended(self, line: Line, heard: str, *, whole: bool) -> None:
        """See `Programme`."""
        self.running = None
        self._director.ended(line, whole)
        self._told.ended(line, heard, whole)

    def dropped(self, line: Line, why: Dropped, message: str = "") -> None:
        """See `Programme`. What fails to be spoken is not tried for ever: it counts as said."""
        if why == "failed":
            self._director.began(line)
            self._director.ended(line, True)
            self._told.failed(line, message)
        else:
            self._director.dropped(line, why)

    def _allowed(self, line: Line) -> Line | None:
        problems = self.censor.problems(line.text, line.language)
        said = self._mended(line) if problems else line
        if said is not None and (figures := self._untrue(said)):
            problems = [*problems, f"no fact holds {', '.join(figures)}"]
            said = None
        if problems:
            self._told.censored(line, said, "; ".join(problems))
        return said

    def _mended(self, line: Line) -> Line | None:
        clauses: list[Clause] = []
        for clause in line.clauses:
            text = self.censor.mend(clause.text, clause.language)
            if text is None:
                return None
            # The word that an action lands on may be gone.
            clauses.append(
                clause if text == clause.text else replace(clause, text=text, action=None)
            )
        mended = replace(line, clauses=tuple(clauses))
        if not mended.text or self.censor.problems(mended.text, mended.language):
            return None
        return mended
