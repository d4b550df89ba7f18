"""A programme that gives numbered lines and notes what became of each."""

from collections import deque
from dataclasses import dataclass, field

from agents.clause import Clause
from agents.show.line import Line
from pipeline.programme import Dropped


@dataclass
class FakeProgramme:
    """Gives `texts` in order, then None; a line that was dropped is given again, first.

    Attributes:
        told: ("given" | "began" | "ended" | "cut" | "dropped", text) as it happened.
        urgent: texts given before all others.
        endless: goes on with numbered lines for ever.
    """

    texts: list[str]
    endless: bool = False
    told: list[tuple[str, str]] = field(default_factory=list)
    urgent: deque[str] = field(default_factory=deque)
    heard: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    why: list[tuple[Dropped, str]] = field(default_factory=list)
    given: int = 0
    _waiting: deque[str] = field(default_factory=deque)

    def next_line(self) -> Line | None:
        text = self._next()
        if text is None:
            return None
        self.given += 1
        self.told.append(("given", text))
        return Line(f"line_{self.given}", "script", (Clause(text, "en"),), "en")

    def began(self, line: Line, position: int) -> None:
        self.told.append(("began", line.text))
        self.positions.append(position)

    def ended(self, line: Line, heard: str, *, whole: bool) -> None:
        self.told.append(("ended" if whole else "cut", line.text))
        self.heard.append(heard)

    def dropped(self, line: Line, why: Dropped, message: str = "") -> None:
        self.told.append(("dropped", line.text))
        self.why.append((why, message))
        if why != "failed":
            self._waiting.appendleft(line.text)

    def said(self, what: str) -> list[str]:
        """Return the texts to which `what` happened, in order."""
        return [text for kind, text in self.told if kind == what]

    def _next(self) -> str | None:
        for source in (self.urgent, self._waiting):
            if source:
                return source.popleft()
        if self.texts:
            return self.texts.pop(0)
        return f"number {self.given} of many" if self.endless else None
