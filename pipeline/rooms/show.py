"""`Show`: a room on air, from its start to its end."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from agents.brain import Brain, Figures, Situation, Watch
from agents.rundown.document import Item, Rundown
from agents.shop.product import Shop
from agents.show.director import Director
from agents.show.line import Line
from agents.show.pace import PACES, Pace
from agents.show.question import Heard
from agents.show.viewers import ViewerEvent
from pipeline.rooms.answering import Answering, Answers
from pipeline.rooms.meter import Meter
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.pilot import Pilot
from pipeline.rooms.prompter import Censor, Prompter, Told
from pipeline.rooms.state import DecisionView, ItemView
from pipeline.rooms.theatre import Performer
from pipeline.rooms.views import item_view
from pipeline.tasks import Tasks

TICK_S: Final = 0.5  # how often a show looks after itself
END_S: Final = 20.0  # a line that is heard to its end when a show stops takes no longer
TICKS_A_SECOND: Final = round(1 / TICK_S)


@dataclass(frozen=True, slots=True)
class Cast:
    """What a show is made of, and whom it tells.

    Attributes:
        told: of lines.
        untrue: as of `Prompter`.
        answers: as `Answers`, but for `ready`.
        keep, decided: as of `Pilot`.
        changed: where the room is has changed: to be kept.
        second: called every second.
    """

    director: Director
    performer: Performer
    meter: Meter
    censor: Censor
    clock: RoomClock
    watch: Watch
    brain: Brain
    told: Told
    untrue: Callable[[Line], list[str]]
    answers: Answers
    host: Callable[[], Any]
    writes: Callable[[], bool]
    keep: Callable[[DecisionView], Awaitable[None]]
    decided: Callable[[DecisionView], None]
    changed: Callable[[], None]
    second: Callable[[], Awaitable[None]]


class Show:
    """Runs a director on a performer. Used on the event loop alone.

    Attributes:
        item: the item that is heard now; None before the first line.
        cut: whether the holding card is shown and nothing is said.
        taken_over: whether an operator speaks through the host.
    """

    def __init__(self, cast: Cast, shop: Shop) -> None:
        self.item: Item | None = None
        self.cut = False
        self.taken_over = False
        self._cast = cast
        self._shop = shop
        self._sentence = 0  # the one of the item that was heard last
        self._item_since = cast.clock.now()
        self._pinned = False
        self._idle = asyncio.Event()
        self._tasks = Tasks()
        told = replace(cast.told, began=self._began, ended=self._ended)
        self.prompter = Prompter(cast.director, cast.censor, told, cast.untrue)
        self.answering = Answering(
            cast.director,
            cast.host,
            cast.clock,
            replace(cast.answers, ready=self.nudge),
            cast.writes,
        )
        self.pilot = Pilot(cast.brain, cast.watch, self, self._look, cast.keep, cast.decided)

    @property
    def director(self) -> Director:
        """What decides what comes next."""
        return self._cast.director

    @property
    def performer(self) -> Performer:
        """The session."""
        return self._cast.performer

    @property
    def meter(self) -> Meter:
        """What measures it."""
        return self._cast.meter

    def begin(self) -> None:
        """Speak from now on."""
        self.performer.perform(self.prompter)
        self._speak_at(self.director.paced)  # a room that comes back goes on as fast
        self._tasks.start(self._run(), "show")

    async def finish(self) -> None:
        """Speak the running line to its end, and no other."""
        self._idle.clear()
        self.performer.perform(None)
        if self.prompter.running is None:
            return
        waiting = asyncio.create_task(self._cast.clock.sleep(END_S))
        ended = asyncio.create_task(self._idle.wait())
        try:
            await asyncio.wait({waiting, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            ended.cancel()
            await asyncio.wait({waiting, ended})

    async def close(self) -> None:
        """Do nothing more. The session is whoever opened it's to close."""
        await self.answering.close()
        await self._tasks.close()

    # What happens

    def hear(self, event: ViewerEvent) -> Heard:
        """Let the director hear what a viewer did."""
        return self.director.hear(event)

    def nudge(self) -> None:
        """Have the session ask again, where that changes what comes next."""
        self.answering.look()
        if not self.cut and self.director.urgent:
            self.performer.wake()

    # Commands

    def skip(self) -> None:
        """Leave the current item."""
        self.director.skip()
        self._ordered()

    def jump(self, item_id: str) -> None:
        """Go to an item. Raises: AgentValueError."""
        self.director.jump(item_id)
        self._ordered()

    def hold(self, on: bool) -> None:
        """Stay with the current item, or go on."""
        if on:
            self.director.hold()
        else:
            self.director.go_on()
        self._ordered()

    def offer(self, product_id: str) -> None:
        """Announce an offer. Raises: AgentValueError."""
        self.director.offer(product_id)
        self._ordered()

    def repeat(self) -> None:
        """Bring the product across once more."""
        self.director.repeat()
        self._ordered()

    def thank(self) -> None:
        """Thank all who are there."""
        self.director.thank()
        self._ordered()

    def change_pace(self, pace: Pace) -> None:
        """Speak slower, as usual or faster, from the next line on."""
        self.director.pace(pace)
        self._cast.watch.paced(pace)
        self._speak_at(pace)
        self._ordered()

    def say(self, text: str, language: Any, *, now: bool) -> None:
        """Say an operator's words after the running sentence, or at once."""
        self.director.say(text, language)
        if now:
            self.performer.hush()
        self._ordered()

    def set_cut(self, on: bool, card: str) -> None:
        """Fall silent at once behind the holding card, or come back with the sentence cut."""
        self.cut = on
        if on:
            self.performer.hold_card(card)
            self.performer.perform(None)
            self.performer.hush()
        else:
            self.performer.hold_card(None)
            self.performer.perform(self.prompter)
        self.meter.make_loud()
        self._cast.changed()

    def recast(self, censor: Censor) -> None:
        """Have lines pass other rules from the next one on."""
        self.prompter.censor = censor

    def pin(self, pinned: bool) -> None:
        """Note whether an operator keeps a product shown."""
        self._pinned = pinned

    def restock(self, shop: Shop) -> None:
        """Go on with changed goods."""
        self._shop = shop
        self.director.restock(shop)
        self.nudge()

    def replace(self, rundown: Rundown) -> None:
        """Go on in an edited rundown, at the exact place."""
        self.director.replace(rundown)
        self._ordered()

    # How it stands

    def current(self) -> ItemView | None:
        """Return the item that is heard now."""
        if self.item is None:
            return None
        view = item_view(
            self.item,
            self._shop,
            self.director.rundown.language,
            self._cast.clock.now() - self._item_since,
        )
        return view.model_copy(update={"sentence": self._sentence})

    def following(self) -> ItemView | None:
        """Return the item that comes next."""
        director = self.director
        ahead = self.item is not None and director.item.id != self.item.id
        item = director.item if ahead else director.following
        return None if item is None else item_view(item, self._shop, director.rundown.language)

    def figures(self) -> Figures:
        """Return the room's figures now."""
        return self._cast.watch.figures(self.director.waiting)

    def _look(self) -> tuple[Figures, Situation]:
        situation = self._cast.watch.situation(
            self._shop,
            self.director.rundown,
            held=self.director.held,
            cut=self.cut,
            taken_over=self.taken_over,
            pinned=self._pinned,
        )
        return self.figures(), situation

    def _speak_at(self, pace: Pace) -> None:
        if self.performer.options.speed != PACES[pace]:
            self.performer.update(replace(self.performer.options, speed=PACES[pace]))

    def _ordered(self) -> None:
        """An order has changed what comes next: what was prepared gives way where it must."""
        if not self.cut and (self.director.urgent or self.prompter.starved):
            self.performer.wake()
        self._cast.changed()

    def _began(self, line: Line) -> None:
        known = {item.id: item for item in self.director.rundown}
        item = known.get(line.item or "", self.item)
        if item is not None and (self.item is None or item.id != self.item.id):
            self.item, self._item_since = item, self._cast.clock.now()
            self._sentence = 0
        if line.sentence is not None:
            self._sentence = line.sentence
        self._cast.watch.shown(line.product or (item.product if item else None), line.item)
        self._cast.told.began(line)
        self._cast.changed()
        self.nudge()

    def _ended(self, line: Line, heard: str, whole: bool) -> None:
        self._cast.told.ended(line, heard, whole)
        if line.kind == "thanks" and whole:
            self._cast.watch.courteous(len(line.events))
        self._cast.changed()
        self._idle.set()
        self.answering.look()

    async def _run(self) -> None:
        """Look after what time alone changes."""
        clock, ticks = self._cast.clock.clock, 0
        due = clock.now()
        while True:
            due = max(due + TICK_S, clock.now())
            await clock.sleep_until(due)
            ticks += 1
            self.answering.look()
            if not self.cut and (self.director.urgent or self.prompter.starved):
                self.performer.wake()
            if ticks % TICKS_A_SECOND == 0:
                await self.pilot.tick()
                await self._cast.second()
