"""`Line`: what a host on air says at a stretch."""

from dataclasses import dataclass
from typing import Literal

from agents.clause import Clause, Language

LineKind = Literal[
    "script", "answer", "greeting", "thanks", "bridge", "more", "operator", "decision"
]


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the script, or one answer, greeting, thanks...: nothing breaks into it but
    an operator, and what comes next comes after it.

    Attributes:
        id: unique in the room, growing.
        kind: why it is said.
        clauses: at least one; joined they are the text.
        language: of the text.
        item: the rundown's item on air meanwhile; None before the first.
        sentence: of a "script" line, which sentence of its item, from 0.
        product: shown meanwhile; None leaves what is shown.
        events: ids of the viewers' events it answers.
        citations: ids of the facts and documents it rests on.
    """

    id: str
    kind: LineKind
    clauses: tuple[Clause, ...]
    language: Language
    item: str | None = None
    sentence: int | None = None
    product: str | None = None
    events: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is said, as captions show it."""
        return "".join(clause.text for clause in self.clauses).strip()
