"""`Memory`: what a room remembers over restarts."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from agents.brain import Brain, Limits
from agents.clause import Clause
from agents.errors import AgentValueError
from agents.rundown.said import Said
from agents.shop.product import Shop
from agents.show.director import Director
from agents.show.line import Line
from agents.show.wording import Wording
from pipeline.rooms.board import KEPT, Board, Entry
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.parts import Parts
from pipeline.rooms.shelf import Shelf
from pipeline.rooms.state import (
    AlertView,
    ChatView,
    DecisionView,
    LineView,
    MetricPoint,
    RoomSpec,
)
from pipeline.store import rooms
from pipeline.store.alerts import ALERTS
from pipeline.store.chat import CHAT
from pipeline.store.decisions import DECISIONS
from pipeline.store.lines import LINES
from pipeline.store.metrics import METRICS
from pipeline.store.policies import POLICIES
from pipeline.store.tables import Journal

_JOURNALS: Final[dict[str, tuple[Journal, Any]]] = {
    "chat": (CHAT, ChatView),
    "lines": (LINES, LineView),
    "decisions": (DECISIONS, DecisionView),
    "metrics": (METRICS, MetricPoint),
    "alerts": (ALERTS, AlertView),
}
# A room that comes back within this says so; after a longer time it just begins.
BACK_S: Final = 600.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is shown of the time before.

    Attributes:
        lists: fields of the board.
        alerts_to_end: what stood when the process ended.
        next_alert: number of the next alert.
        counts: clicks and orders by product.
    """

    lists: dict[str, list[Entry]]
    alerts_to_end: list[AlertView]
    next_alert: int
    counts: Mapping[str, Mapping[str, int]]
    brain: Brain


@dataclass(frozen=True, slots=True)
class Remembered:
    """How the room goes on.

    Attributes:
        opening: what is said first, where it was torn from the air.
    """

    director: Director
    opening: Line | None = None
    pinned: str | None = None
    muted: bool = False


@dataclass(slots=True)
class _Place:
    """What is kept of where a room was."""

    director: Any = None
    at: float = 0.0
    on_air: bool = False
    pinned: str | None = None
    muted: bool = False
    counts: dict[str, dict[str, int]] = field(default_factory=dict)


class Memory:
    """Reads and writes where a room is: the exact sentence, the queue, what was said."""

    def __init__(self, parts: Parts, room: str) -> None:
        self._parts = parts
        self._room = room

    def save(self, director: Director, shelf: Shelf, board: Board, ledger: Ledger) -> None:
        """Write down soon how all stands, but for what the brain has learnt."""
        now = self._parts.clock.now()
        document = {
            "director": director.snapshot(),
            "at": now,
            "on_air": board.get("status") == "on_air",
            "pinned": board.get("pinned"),
            "muted": board.get("muted"),
            "counts": shelf.snapshot(),
        }
        ledger.place(now, document)

    def save_brain(self, brain: Brain, ledger: Ledger) -> None:
        """Write down soon what the brain has learnt."""
        ledger.add(partial(POLICIES.put, key=self._room, document=brain.snapshot()))

    def new_brain(self) -> Brain:
        """Return a brain that has learnt nothing."""
        return Brain(Limits(), random=self._parts.random(self._room), now=self._parts.clock.now)

    async def load(self, now: float) -> Kept:
        """Return what is shown of the time before; alerts that stood are over."""
        documents, place = await self._parts.store.read(self._read)
        learnt = await self._parts.store.read(partial(POLICIES.get, key=self._room))
        brain = self._brain(learnt, _highest(documents["decisions"]))
        lists = {
            name: [kind.model_validate(each) for each in reversed(documents[name])]
            for name, (_, kind) in _JOURNALS.items()
        }
        standing = [each for each in lists["alerts"] if each.ended_at is None]
        ended = {each.id: each.model_copy(update={"ended_at": now}) for each in standing}
        lists["alerts"] = [ended.get(each.id, each) for each in lists["alerts"]]
        next_alert = _highest(documents["alerts"]) + 1
        return Kept(lists, list(ended.values()), next_alert, place.counts, brain)

    async def recall(self, spec: RoomSpec, shop: Shop, *, afresh: bool) -> Remembered:
        """Return how the room goes on; `afresh` begins the rundown, and remembers what was said."""
        documents, place = await self._parts.store.read(partial(self._read, limit=1))
        director = self._director(spec, shop)
        went_on = not afresh and self._restored(director, place.director)
        if not went_on:
            _begin_after(director, place.director, _highest(documents["lines"]))
        if not went_on:
            return Remembered(director)
        torn = place.on_air and self._parts.clock.now() - place.at < BACK_S
        opening = self._opening(director) if torn else None
        return Remembered(director, opening, place.pinned, place.muted)

    def _director(self, spec: RoomSpec, shop: Shop) -> Director:
        censor = self._parts.censor(spec, shop)
        return Director(
            self._parts.rundowns.now(spec.rundown),
            shop,
            Wording(censor.mend),
            now=self._parts.clock.now,
            random=self._parts.random(spec.id),
            questions_per_minute=spec.limits.questions_per_minute,
            greets=spec.greets,
        )

    def _restored(self, director: Director, snapshot: Any) -> bool:
        if snapshot is None or snapshot.get("rundown") != director.rundown.id:
            return False
        try:
            director.restore(snapshot)
        except AgentValueError as error:
            _log.error("room %s begins anew, for its place cannot be read: %s", self._room, error)
            return False
        return True

    def _opening(self, director: Director) -> Line | None:
        """Return the bridge of a room that comes back within a sentence: a short one, as the
        sentence has been waited for.
        """
        language, now = director.rundown.language, self._parts.clock.now()
        random = self._parts.random(self._room)
        text = Wording().draw("back", language, Said(), now, random)
        if text is None:
            return None
        item = director.item
        return Line(
            id=f"back-{int(now * 1000)}",
            kind="bridge",
            clauses=(Clause(text, language),),
            language=language,
            item=item.id,
            product=item.product,
        )

    def _brain(self, snapshot: Any, number: int) -> Brain:
        brain = self.new_brain()
        kept: dict[str, Any] = dict(snapshot or brain.snapshot())
        try:
            brain.restore({**kept, "count": max(int(kept.get("count", 0)), number)})
        except (AgentValueError, TypeError, ValueError) as error:
            _log.error("room %s: what its brain remembered cannot be read: %s", self._room, error)
            brain.restore({**brain.snapshot(), "count": number})
        return brain

    def _read(
        self, connection: Connection, limit: int | None = None
    ) -> tuple[dict[str, list[dict[str, Any]]], _Place]:
        documents = {
            name: journal.newest(connection, self._room, limit or KEPT[name])
            for name, (journal, _) in _JOURNALS.items()
        }
        kept = rooms.cursor(connection, self._room)
        known = {name: kept[name] for name in _Place.__slots__ if name in kept} if kept else {}
        return documents, _Place(**known)


def _begin_after(director: Director, snapshot: Any, number: int) -> None:
    """Have a new director go on with the numbers and the memory of the one before."""
    fresh = director.snapshot()
    before = snapshot if isinstance(snapshot, dict) else {}
    fresh["number"] = max(number, int(before.get("number", 0)))
    fresh["said"] = before.get("said", fresh["said"])
    try:
        director.restore(fresh)
    except AgentValueError:
        fresh["said"] = []
        director.restore(fresh)


def _highest(documents: Sequence[Mapping[str, Any]]) -> int:
    """Return the highest number in the ids of entries."""
    numbers = (re.search(r"(\d+)$", str(each.get("id", ""))) for each in documents)
    return max((int(found.group()) for found in numbers if found), default=0)
