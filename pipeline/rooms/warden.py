"""`Warden`: looks after a room every second: alerts, figures, cards, offers that end."""

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from agents.show.viewers import ViewerEvent
from pipeline.errors import ConfigurationError
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.meter import NOTHING_DB
from pipeline.rooms.parts import Parts
from pipeline.rooms.state import MetricPoint
from pipeline.store.errors import WORDS, Trouble
from pipeline.store.metrics import METRICS

if TYPE_CHECKING:
    from pipeline.rooms.room import Room

LEARNT_S: Final = 30  # seconds between two writings of what the brain has learnt
METRIC_S: Final = 5  # seconds between two points of figures
SILENT_S: Final = 8.0
# Pictures are late below the first share of them, and in time again from the second on.
LATE: Final = 0.9
IN_TIME: Final = 0.97
# Events that come in within ten seconds and are a flood; and no more, below half of it.
FLOOD: Final = 300
FLOOD_S: Final = 10.0
_TROUBLES: Final[tuple[Trouble, ...]] = ("full", "lost", "failed")
_MINUTE: Final = 60.0
_FAILURES: Final = frozenset({"voice_fallback", "scene_refused"})


class Warden:
    """Keeps an eye on one room."""

    def __init__(self, room: "Room", parts: Parts, ledger: Ledger) -> None:
        self._room = room
        self._parts = parts
        self._ledger = ledger
        self._seconds = 0
        self._came: deque[float] = deque(maxlen=FLOOD)
        self._likes: deque[tuple[float, float]] = deque(maxlen=1000)
        self._shown: Mapping[str, object] = {}

    def count(self, event: ViewerEvent) -> None:
        """Count what viewers did."""
        now = self._parts.clock.now()
        self._came.append(now)
        if event.kind == "like":
            self._likes.append((now, event.amount))
        if len(self._came) == FLOOD and now - self._came[0] < FLOOD_S:
            self._room.alarms.sound(
                "flood", f"more than {FLOOD / FLOOD_S:g} events a second come in"
            )

    def session_failed(self, code: str, message: str) -> None:
        """The session has told of a failure."""
        alarms = self._room.alarms
        if code in _FAILURES:
            alarms.sound(code, message)
        elif code == "voice_restored":
            alarms.over("voice_fallback")

    def show_card(self) -> None:
        """Show the product that is spoken of, or the one that is pinned."""
        room, show = self._room, self._room.show
        if show is None:
            return
        line = room.board.get("line")
        wanted = room.board.get("pinned") or (line.product if line is not None else None)
        product = next((each for each in room.shelf.shop if each.id == wanted), None)
        hook = show.item.hook if show.item is not None else ""
        graphics, wall = self._parts.graphics, self._parts.clock.wall()
        changes = graphics.card(room.spec, room.shelf.shop, product, hook, wall)
        if changes == self._shown:
            return
        try:
            show.performer.show(changes)
        except ConfigurationError as error:
            room.alarms.sound("scene_refused", str(error))
        else:
            self._shown = changes
            room.alarms.over("scene_refused")

    async def second(self) -> None:
        """Look at all, as every second."""
        self._seconds += 1
        self.look_at_store()
        if self._room.shelf.expire(self._parts.clock.wall()):
            self._room.restocked(self._parts.shops.now(self._room.spec.shop))
        self._look_at_sound()
        self._look_at_flood()
        if self._seconds % METRIC_S == 0:
            self._measure()
        if self._seconds % LEARNT_S == 0:
            self._room.memory.save_brain(self._room.brain, self._ledger)
        self._room.board.set(at=self._parts.clock.now())
        self._room.refresh()

    def look_at_store(self) -> None:
        """Tell whether what is to be kept can be kept."""
        trouble = self._parts.store.trouble
        for name in _TROUBLES:
            words = (
                f"{WORDS[name]}; what viewers do is refused until it is"
                if name == trouble
                else None
            )
            self._room.alarms.set(f"database_{name}", words)

    def _look_at_sound(self) -> None:
        room, show = self._room, self._room.show
        if show is None:
            return
        meant = show.cut or room.board.get("muted") or show.taken_over
        if meant:
            show.meter.make_loud()
        quiet = show.meter.quiet_s
        over = show.director.finished and show.prompter.starved
        silent = quiet > SILENT_S and not over
        room.alarms.set("silence", f"nothing has been heard for {quiet:.0f} s" if silent else None)
        room.alarms.set("rundown_over", "the rundown has been told" if over else None)

    def _look_at_flood(self) -> None:
        now = self._parts.clock.now()
        if sum(now - at < FLOOD_S for at in self._came) < FLOOD / 2:
            self._room.alarms.over("flood")

    def _measure(self) -> None:
        room, show = self._room, self._room.show
        if show is None:
            return
        watching = self._parts.theatre.watching(room.id)
        level, pictures, share = show.meter.read()
        on_time = share if watching else 1.0
        if watching and on_time < LATE:
            room.alarms.sound("pictures_late", f"{100 * on_time:.0f} % of pictures are in time")
        elif on_time >= IN_TIME:
            room.alarms.over("pictures_late")
        room.reporter.show_learning()
        figures, now = show.figures(), self._parts.clock.now()
        wait = show.meter.answer_p95_s
        point = MetricPoint(
            at=round(now, 3),
            viewers=figures.viewers,
            watching=watching,
            dwell_s=round(figures.dwell_s, 1),
            questions=figures.questions,
            clicks=figures.clicks,
            orders=figures.orders,
            gifts=figures.gifts,
            likes=sum(amount for at, amount in self._likes if now - at < _MINUTE),
            answer_p95_s=None if wait is None else round(wait, 2),
            on_time=round(on_time, 3),
            pictures=round(pictures, 1),
            level_db=round(max(level, NOTHING_DB), 1),
        )
        room.board.put("metrics", point)
        document = point.model_dump(mode="json")
        self._ledger.add(
            partial(METRICS.put, room=room.id, entry=str(point.at), at=point.at, document=document)
        )
