"""`Room`: one live room, on air and off, and across restarts."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Final

from agents.brain import Watch
from agents.rundown.document import Rundown
from agents.shop.product import Shop
from agents.show.viewers import ViewerEvent
from pipeline.errors import ConfigurationError, StoreError, VivantError
from pipeline.events import SessionEvent, SessionFailed, SpokenThrough, TranscriptionCompleted
from pipeline.options import SessionOptions
from pipeline.rooms.alarms import Alarms
from pipeline.rooms.answering import Answers
from pipeline.rooms.board import Board
from pipeline.rooms.chatter import Chatter, event_of
from pipeline.rooms.errors import CommandRefusedError
from pipeline.rooms.expert import Expert
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.memory import Memory, Remembered
from pipeline.rooms.meter import Meter
from pipeline.rooms.parts import Parts
from pipeline.rooms.pilot import brain_limits, choose
from pipeline.rooms.prompter import Told
from pipeline.rooms.reception import Reception
from pipeline.rooms.reporter import Reporter
from pipeline.rooms.shelf import Shelf
from pipeline.rooms.show import Cast, Show
from pipeline.rooms.state import AlertView, Autopilot, RoomSpec
from pipeline.rooms.views import item_view
from pipeline.rooms.warden import Warden
from pipeline.store import chat, rooms
from pipeline.store.alerts import ALERTS
from pipeline.store.policies import POLICIES
from pipeline.tasks import Tasks

# Questions younger than this are taken up again by a room that comes back.
STILL_WAITING_S: Final = 60.0
# A shop that changes at every order is not taken over more often.
RESTOCK_S: Final = 1.0
# Seconds between tries to come back after a session broke; the last one for ever.
RETRIES: Final = (1.0, 2.0, 5.0, 10.0, 30.0)

_log = logging.getLogger(__name__)


class Room:
    """One room. Used on the event loop alone.

    Args:
        spec: what it is set to be.
        secret: signs its chat.
        parts: what rooms share.

    Attributes:
        board: how it stands.
        show: what is on air; None while off.
        commanding: held while a command is carried out, so that they come one after the other.
    """

    def __init__(self, spec: RoomSpec, secret: str, parts: Parts) -> None:
        self.secret = secret
        self.show: Show | None = None
        self.commanding = asyncio.Lock()
        self.board = Board(spec)
        self._parts = parts
        self.clock = parts.clock
        self._ledger = Ledger(spec.id, parts.store, parts.clock.clock)
        self.alarms = Alarms(self.board, self._keep_alert, parts.clock.now)
        self.watch = Watch(parts.clock.now)
        self.chatter = Chatter(spec.id, self.board, self._ledger, self._waited)
        self.shelf = Shelf(parts.shops.now(spec.shop), spec.language, parts.clock.wall())
        self.memory = Memory(parts, spec.id)
        self.warden = Warden(self, parts, self._ledger)
        self.reporter = Reporter(self, parts.store, self._ledger)
        self.reception = Reception(self, parts)
        self.expert = Expert(self, parts)
        self.brain = self.memory.new_brain()
        self._tasks = Tasks()
        self._restocking = False
        self._stock_changed = False
        self._writing = asyncio.create_task(self._ledger.run(), name=f"ledger {spec.id}")
        self.reporter.restock()

    @property
    def spec(self) -> RoomSpec:
        """What it is set to be."""
        return self.board.spec

    @property
    def id(self) -> str:
        """Its id."""
        return self.spec.id

    # Life

    async def load(self) -> None:
        """Show what was kept of it."""
        kept = await self.memory.load(self.clock.now())
        for field, entries in kept.lists.items():
            self.board.fill(field, entries)
        for alert in kept.alerts_to_end:
            self._keep_alert(alert)
        self.alarms = Alarms(self.board, self._keep_alert, self.clock.now, kept.next_alert)
        self.shelf.restore(kept.counts)
        self.brain = kept.brain
        self.reporter.restock()

    async def start(self, *, afresh: bool = False) -> None:
        """Go on air.

        Raises:
            CommandRefusedError: it is on air, or about to be.
            ServerFullError, ConfigurationError: no session can be opened.
            StoreError: the mark "on air" could not be kept.
        """
        if self.board.get("status") not in ("off", "failed"):
            status = self.board.get("status")
            raise CommandRefusedError(f"the room is {status}; accepted while it is off: start")
        self.board.set(status="starting")
        try:
            await self._mark(True)
            await self._open(afresh=afresh)
        except BaseException:
            self.board.set(status="off")
            await self._unmark()
            raise

    async def resume(self) -> None:
        """Come back on air; try again for as long as it fails."""
        self.board.set(status="starting")
        for seconds in chain(RETRIES, repeat(RETRIES[-1])):
            try:
                await self._open(afresh=False)
            except VivantError as error:
                _log.error("room %s does not come back yet: %s", self.id, error)
                self.alarms.sound("session_broke", f"the room is off air: {error}")
                self.board.set(status="failed")
                await self.clock.sleep(seconds)
            else:
                return

    async def stop(self, *, now: bool) -> None:
        """Go off air; the room stays off at the next start of the server.

        Raises:
            CommandRefusedError: it is off.
            StoreError: that it is off could not be kept; it stays on air.
        """
        if self.board.get("status") == "off":
            raise CommandRefusedError("the room is off; accepted: start")
        await self._mark(False)
        await self._tasks.close()
        show = self.show
        if show is not None:
            self.board.set(status="stopping")
            if not now and not show.cut:
                await show.finish()
            await self._end()
        self.board.set(status="off", since=None, stream="", line=None, current=None, next=None)
        for code in self.alarms.standing:
            self.alarms.over(code)

    async def close(self, *, forget: bool = False) -> None:
        """End, as the server does: a room on air comes back at its next start.

        Args:
            forget: it has been deleted: nothing more is written of it.
        """
        await self._tasks.close()
        await self.reception.close()
        await self._end()
        if forget:
            self._ledger.forget()
        self._ledger.close()
        await asyncio.wait({self._writing})
        self.board.end()

    async def _open(self, *, afresh: bool) -> None:
        spec, clock, told = self.spec, self.clock, self.reporter
        remembered = await self.memory.recall(spec, self.shelf.shop, afresh=afresh)
        await self.expert.read_figures()
        brain = self.brain
        brain.limits = brain_limits(spec.limits)
        choose(brain, spec.autopilot)
        meter = Meter(clock.now, self._session_told)
        performer = await self._parts.theatre.open(
            spec.id, self._parts.graphics.options(spec), meter, self._broke
        )
        self.show = Show(
            Cast(
                director=remembered.director,
                performer=performer,
                meter=meter,
                censor=self._parts.censor(spec, self.shelf.shop),
                clock=clock,
                watch=self.watch,
                brain=brain,
                untrue=self.expert.untrue,
                told=Told(told.began, told.ended, told.failed, told.censored),
                answers=Answers(
                    lambda: None,
                    self.chatter.written,
                    told.unanswered,
                    told.answer_failed,
                    self.chatter.dismissed,
                ),
                host=lambda: self.expert.host,
                writes=lambda: self.spec.writes,
                keep=told.keep_decision,
                decided=partial(self.board.put, "decisions"),
                changed=self.save,
                second=self.warden.second,
            ),
            self.shelf.shop,
        )
        await self._take_up(remembered)
        self.expert.sounds.clear()
        self.show.begin()
        self.board.set(
            status="on_air", since=clock.now(), stream=spec.id, loop=remembered.director.loop
        )
        self.alarms.over("session_broke")
        self._tasks.start(self.expert.make(), f"host {spec.id}")

    async def _take_up(self, remembered: Remembered) -> None:
        """Go on with what was under way when the room was left."""
        show = self.show
        assert show is not None
        since = self.clock.now() - STILL_WAITING_S
        waiting = await self._parts.store.read(partial(chat.waiting, room=self.id, since=since))
        for document in waiting:
            show.hear(event_of(document))
        for event in self.chatter.give_up(since):
            show.director.dismiss(event)
        if remembered.opening is not None:
            show.prompter.open_with(remembered.opening)
        self.board.set(
            pinned=remembered.pinned, held=show.director.held, muted=remembered.muted, cut=False
        )
        show.pin(remembered.pinned is not None)
        show.performer.mute(remembered.muted)
        self.warden.show_card()

    async def _end(self) -> None:
        show, self.show = self.show, None
        if show is None:
            return
        await show.close()
        await self._parts.theatre.close(self.id)
        self.memory.save(show.director, self.shelf, self.board, self._ledger)
        self.memory.save_brain(self.brain, self._ledger)
        self.board.set(takeover=None, recording="", cut=False)

    def _broke(self, reason: str) -> None:
        """The session has ended by itself."""
        _log.error("room %s: its session ended: %s", self.id, reason)
        self.alarms.sound("session_broke", f"the session ended: {reason}")
        self._tasks.start(self._come_back(), f"come back {self.id}")

    async def _come_back(self) -> None:
        await self._end()
        await self.resume()

    async def _mark(self, on_air: bool) -> None:
        await self._parts.store.write(partial(rooms.mark, room=self.id, on_air=on_air))

    async def _unmark(self) -> None:
        try:
            await self._mark(False)
        except StoreError as error:
            _log.error("room %s: that it is off could not be kept: %s", self.id, error)

    # What is on air

    def _waited(self, seconds: float) -> None:
        if self.show is not None:
            self.show.meter.waited(seconds)

    def _session_told(self, event: SessionEvent) -> None:
        match event:
            case TranscriptionCompleted(item_id=item, transcript=text) if text.strip():
                said = ViewerEvent(f"voice-{item}", "voice", "voice", text=text)
                self._tasks.start(self.reception.hear_voice(said), f"voice {item}")
            case SpokenThrough(on=on):
                self.board.set(takeover="voice" if on else None)
                if self.show is not None:
                    self.show.taken_over = on
            case SessionFailed(code=code, message=message):
                self.warden.session_failed(code, message)
            case _:
                pass

    def _keep_alert(self, alert: AlertView) -> None:
        document = alert.model_dump(mode="json")
        self._ledger.add(
            partial(ALERTS.put, room=self.id, entry=alert.id, at=alert.at, document=document)
        )

    def refresh(self) -> None:
        """Show how it stands now."""
        self.reporter.refresh()
        self.reporter.refresh_show()

    def next_look(self) -> tuple[SessionOptions, Mapping[str, object]]:
        """Return how it will look when the next item is on air."""
        following = self.show.following() if self.show is not None else None
        if following is None:
            first = self._parts.rundowns.now(self.spec.rundown).items[0]
            following = item_view(first, self.shelf.shop, self.spec.language)
        product = next((each for each in self.shelf.shop if each.id == following.product), None)
        graphics, wall = self._parts.graphics, self.clock.wall()
        changes = graphics.card(self.spec, self.shelf.shop, product, "", wall)
        return graphics.options(self.spec), changes

    async def record(self, on: bool) -> str | None:
        """Begin or end a recording; return the name of the one being made, or that was.

        Raises:
            CommandRefusedError: the room is off.
            ConfigurationError: there is no room for it.
        """
        if self.show is None:
            raise CommandRefusedError("the room is off; accepted while it is on air: a recording")
        theatre = self._parts.theatre
        name = theatre.recording(self.id)
        if on and name is None:
            name = await theatre.begin_recording(self.id)
        elif not on:
            await theatre.end_recording(self.id)
        self.board.set(recording=(name or "") if on else "")
        return name

    # What changes

    def pin(self, product: str | None) -> None:
        """Keep a product shown, or show again what is spoken of."""
        self.board.set(pinned=product)
        if self.show is not None:
            self.show.pin(product is not None)

    def mute(self, muted: bool) -> None:
        """Send silence, or sound again."""
        self.board.set(muted=muted)
        if self.show is not None:
            self.show.performer.mute(muted)

    def cut(self, on: bool) -> None:
        """Fall silent behind the holding card, or come back."""
        if self.show is not None and self.show.cut != on:
            self.show.set_cut(on, self.spec.holding)
            self.board.set(cut=on)

    async def set_autopilot(self, autopilot: Autopilot) -> None:
        """Choose who decides; it holds from this moment, and is then kept."""
        choose(self.brain, autopilot)
        spec = self.spec.model_copy(update={"autopilot": autopilot})
        self.board.set(room=spec)
        document = spec.model_dump(mode="json")
        await self._parts.store.write(partial(rooms.set_spec, room=self.id, spec=document))

    def restocked(self, shop: Shop) -> None:
        """Its shop has changed: at once, but not more often than every second."""
        self.shelf.restock(shop, self.clock.wall())
        self.reporter.restock()
        self._stock_changed = True
        if not self._restocking:
            self._restocking = True
            self._tasks.start(self._restock(), f"restock {self.id}")

    async def _restock(self) -> None:
        try:
            while self._stock_changed:
                self._stock_changed = False
                # The host first: what the show takes back is answered anew at once.
                await self.expert.restock()
                if self.show is not None:
                    self.show.restock(self.shelf.shop)
                    self.warden.show_card()
                await self.clock.sleep(RESTOCK_S)
        finally:
            self._restocking = False

    def rewritten(self, rundown: Rundown) -> None:
        """Its rundown has been edited."""
        if self.show is not None:
            self.show.replace(rundown)
            self.alarms.over("rundown_over")
            self.reporter.refresh_show()

    def respec(self, spec: RoomSpec) -> None:
        """Take what it is set to be from now on; what a session cannot change, at the next start.

        Raises:
            ConfigurationError: a value is not accepted; nothing changed.
        """
        options = self._parts.graphics.options(spec)
        show = self.show
        if show is not None:
            now = show.performer.options
            changed = replace(options, avatar=now.avatar, video=now.video, speed=now.speed)
            show.performer.update(changed)
            brain = show.pilot.brain
            brain.limits = brain_limits(spec.limits)
            choose(brain, spec.autopilot)
            show.recast(self._parts.censor(spec, self.shelf.shop))
            if spec.rundown != self.spec.rundown:
                show.replace(self._parts.rundowns.now(spec.rundown))
        else:
            self.shelf = Shelf(self._parts.shops.now(spec.shop), spec.language, self.clock.wall())
        self.board.set(room=spec)
        self.refresh()

    # What is kept

    def save(self) -> None:
        """Write down where the room is."""
        if self.show is not None:
            self.memory.save(self.show.director, self.shelf, self.board, self._ledger)

    async def save_brain(self) -> None:
        """Write down what the brain has learnt.

        Raises:
            StoreError: it could not be kept.
        """
        document = self.brain.snapshot()
        await self._parts.store.write(partial(POLICIES.put, key=self.id, document=document))


def check_spec(spec: RoomSpec, parts: Parts) -> None:
    """Do nothing if a room can be set to this.

    Raises:
        ConfigurationError: it names a shop, a rundown or an option there is not.
    """
    try:
        parts.shops.now(spec.shop)
        parts.rundowns.now(spec.rundown)
    except LookupError as error:
        raise ConfigurationError(str(error)) from error
    parts.graphics.options(spec)
