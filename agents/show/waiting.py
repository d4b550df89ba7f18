"""What waits to be said beside the script: operators' words, viewers' questions, thanks, greetings.

Each thing has a moment by which it should begin: when it came, and as long after as its kind can
be kept waiting. The earliest moment goes first. So what is urgent passes what is not, and what has
waited long passes what has just come: nothing waits for ever (earliest deadline first; Liu and
Layland, 1973).
"""

import math
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from agents.clause import Clause, Language
from agents.show.asking import Asked

EntryKind = Literal[
    "operator", "voice", "decision", "order", "gift", "question", "talk", "follow", "join"
]
# "waiting" for an answer to be made, "asked" of the host, "ready" to be said, "given" to be said.
State = Literal["waiting", "asked", "ready", "given"]

# Seconds each kind can be kept waiting.
PATIENCE: Final[dict[EntryKind, float]] = {
    "operator": 0.0, "voice": 1.0, "decision": 3.0, "order": 5.0, "gift": 7.0, "question": 8.0,
    "talk": 20.0, "follow": 60.0, "join": 90.0,
}  # fmt: skip
# What is asked or said by a viewer, and answered.
ASKING: Final = frozenset({"voice", "question", "talk"})
# What breaks in at the end of the running line, though another line was prepared.
PRESSING: Final = frozenset({"operator", "voice", "decision", "order", "gift", "question"})

_MOST: Final = 500
_MOST_EVENTS: Final = 100  # of one entry; what comes then begins another
# So many questions within so many seconds are more than can be answered aloud.
_MANY: Final = 4
_MANY_WITHIN_S: Final = 10.0
_PER_ASKER: Final = 2.0  # seconds by which twice as many askers are more urgent


@dataclass(slots=True)
class Entry:
    """One thing that waits.

    Attributes:
        at: when the first of its events came, seconds since the epoch.
        text, language: what was asked, in the words of the first who asked; what an operator says.
        asked: what it is about; None where that is not known.
        product: shown while it is said.
        events: ids of what viewers did, oldest first.
        names: of those who did it, by viewer, cleaned; "" for who has none that can be said.
        count: how many things were bought, given...
        clauses, citations: what is said, once it is ready.
        line: id of the line it was given as.
    """

    id: str
    kind: EntryKind
    at: float
    language: Language
    text: str = ""
    asked: Asked | None = None
    product: str | None = None
    gift: str = ""
    events: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    count: float = 0.0
    state: State = "waiting"
    clauses: tuple[Clause, ...] = ()
    citations: tuple[str, ...] = ()
    line: str = ""
    preferred: bool = False

    @property
    def deadline(self) -> float:
        """When it should begin, in seconds since the epoch."""
        if self.preferred:
            return self.at - PATIENCE["join"]
        eager = _PER_ASKER * math.log2(max(1, len(self.names)))
        return self.at + max(0.0, PATIENCE[self.kind] - eager)

    def make_anew(self) -> None:
        """Have the answer made again."""
        self.state, self.clauses, self.citations = "waiting", (), ()

    @property
    def is_full(self) -> bool:
        """Whether it takes no further event."""
        return len(self.events) >= _MOST_EVENTS


class Waiting:
    """All entries, at most 500; the least urgent gives way to what is more urgent."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self.pushed_out: list[Entry] = []
        self._asked_at: deque[float] = deque(maxlen=_MANY)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._entries

    def get(self, entry_id: str) -> Entry | None:
        """Return an entry, None where there is none of that id."""
        return self._entries.get(entry_id)

    def add(self, entry: Entry) -> bool:
        """Take an entry in. False where all others are more urgent, and it is itself left out.

        What gives way is kept in `pushed_out`, at most as many as wait, until somebody takes it.
        Operators' words, orders and gifts never give way.
        """
        self._entries[entry.id] = entry
        if entry.kind in ASKING:
            self._asked_at.append(entry.at)
        if len(self._entries) <= self._most:
            return True
        loose = [one for one in self if one.kind not in ("operator", "decision", "order", "gift")
                 and one.state != "given"]  # fmt: skip
        if not loose:
            return True
        least = max(loose, key=lambda one: one.deadline)
        del self._entries[least.id]
        self.pushed_out.append(least)
        del self.pushed_out[: -self._most]
        return least is not entry

    def is_crowded(self, now: float) -> bool:
        """Whether more is asked than can be answered aloud: questions wait, or came, by the dozen
        a minute.
        """
        since = now - self._asked_at[0] if len(self._asked_at) == _MANY else math.inf
        lately = 0.0 <= since <= _MANY_WITHIN_S
        return lately or len(self.questions()) >= _MANY

    def remove(self, entry_id: str) -> Entry | None:
        """Take an entry out."""
        return self._entries.pop(entry_id, None)

    def with_event(self, event_id: str) -> Entry | None:
        """Return the entry that holds an event."""
        return next((one for one in self if event_id in one.events), None)

    def ready(self) -> list[Entry]:
        """Return what could be said now, most urgent first."""
        return by_urgency([one for one in self if one.state == "ready"])

    def questions(self) -> list[Entry]:
        """Return what has been asked and is not being said, most urgent first."""
        return by_urgency([one for one in self if one.kind in ASKING and one.state != "given"])


def by_urgency(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order they should be said in; operators' words before all."""
    return sorted(entries, key=lambda one: (one.kind != "operator", one.deadline, one.id))
