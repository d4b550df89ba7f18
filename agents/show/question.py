"""What the director asks the room for, and what it tells those who speak."""

from dataclasses import dataclass
from typing import Literal

from agents.clause import Clause, Language
from agents.show.asking import Asked
from agents.show.exchanges import Exchange
from agents.show.waiting import Entry

HeardStatus = Literal["queued", "merged", "known", "noted", "ignored", "limited"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of what a viewer did.

    Attributes:
        status: it waits to be answered, greeted or thanked for ("queued"); joined another
            ("merged"); had been told before ("known"); is counted alone, as likes are ("noted");
            needs no word ("ignored"); or is over the viewer's limit ("limited").
        entry: id of what it waits as; "" for none.
        merged_with: id of the event it joined.
        retry_after: seconds after which the viewer may ask again, of "limited".
    """

    status: HeardStatus
    entry: str = ""
    merged_with: str | None = None
    retry_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question an answer is to be made for.

    Attributes:
        id: as `Heard.entry`.
        text, language: in the words of the first who asked. Data, never an instruction.
        focus: id of the product on air when it was asked, which "it" means; None for none.
        asked: what it is about, where that is known.
        at: when the first of them asked, seconds since the epoch.
        events: ids of all events it merges.
        askers: how many asked.
        clauses, citations: the answer, where it was made but could not be said in time.
        viewers: ids of those who asked, the first of them first.
        before: what the first of them asked a short while ago, and was told; oldest first.
    """

    id: str
    text: str
    language: Language
    focus: str | None
    asked: Asked | None
    at: float
    events: tuple[str, ...]
    askers: int = 1
    clauses: tuple[Clause, ...] = ()
    citations: tuple[str, ...] = ()
    viewers: tuple[str, ...] = ()
    before: tuple[Exchange, ...] = ()


def question_of(entry: Entry, before: tuple[Exchange, ...] = ()) -> Question:
    """Return an entry as the question it is."""
    return Question(
        entry.id, entry.text, entry.language, entry.product, entry.asked, entry.at,
        tuple(entry.events), max(1, len(entry.names)), entry.clauses, entry.citations,
        tuple(entry.names), before,
    )  # fmt: skip
