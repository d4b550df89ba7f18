"""`Room`: one live room, on air and off, and across restarts."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, Final

from agents.brain import Watch
from agents.errors import AgentValueError
from agents.rundown.document import Rundown
from agents.shop.product import Shop
from agents.shop.truth import FigureCheck
from agents.show.line import Line, LineKind
from agents.show.question import Question
from agents.show.viewers import ViewerEvent
from pipeline.errors import ConfigurationError, StoreError, VivantError
from pipeline.events import SessionEvent, SessionFailed, SpokenThrough, TranscriptionCompleted
from pipeline.options import SessionOptions
from pipeline.rooms.alarms import Alarms
from pipeline.rooms.answering import Answers
from pipeline.rooms.board import Board
from pipeline.rooms.chatter import Chatter, event_of
from pipeline.rooms.errors import CommandRefusedError
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.memory import Memory, Remembered
from pipeline.rooms.meter import Meter
from pipeline.rooms.parts import Parts, RoomHost
from pipeline.rooms.pilot import brain_limits, choose
from pipeline.rooms.prompter import Told
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.shelf import Shelf
from pipeline.rooms.show import Cast, Show
from pipeline.rooms.state import AlertView, Autopilot, DecisionView, LineView, RoomSpec
from pipeline.rooms.views import item_view, line_view
from pipeline.rooms.warden import Warden
from pipeline.store import chat, rooms
from pipeline.store.alerts import ALERTS
from pipeline.store.decisions import DECISIONS
from pipeline.store.lines import LINES
from pipeline.store.policies import POLICIES
from pipeline.tasks import Tasks

# Questions younger than this are taken up again by a room that comes back.
STILL_WAITING_S: Final = 60.0
# A shop that changes at every order is not taken over more often.
RESTOCK_S: Final = 1.0
# Products whose host reads them before anybody asks: a second or two of one core each.
READ_AHEAD: Final = 200
# Lines whose figures are not those of the shop's facts.
UNCHECKED: Final[frozenset[LineKind]] = frozenset({"answer", "operator", "greeting", "thanks"})
# Seconds after which a host is made though nothing is heard yet.
FIRST_SOUND_S: Final = 5.0
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
        self._host: RoomHost | None = None
        self._sounds = asyncio.Event()
        self._figures: FigureCheck | None = None
        self.brain = self.memory.new_brain()
        self._tasks = Tasks()
        self._taking: set[asyncio.Task[list[Receipt]]] = set()
        self._restocking = False
        self._stock_changed = False
        self._writing = asyncio.create_task(self._ledger.run(), name=f"ledger {spec.id}")
        self._restock_board()

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
        self._restock_board()

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
        if self._taking:
            await asyncio.wait(set(self._taking))
        await self._end()
        if forget:
            self._ledger.forget()
        self._ledger.close()
        await asyncio.wait({self._writing})
        self.board.end()

    async def _open(self, *, afresh: bool) -> None:
        spec, clock = self.spec, self.clock
        remembered = await self.memory.recall(spec, self.shelf.shop, afresh=afresh)
        await self._read_figures()
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
                untrue=self._untrue,
                told=Told(self._began, self._ended, self._failed, self._censored),
                answers=Answers(
                    lambda: None,
                    self.chatter.written,
                    self._unanswered,
                    self._answer_failed,
                    self.chatter.dismissed,
                ),
                host=lambda: self._host,
                writes=lambda: self.spec.writes,
                keep=self._keep_decision,
                decided=partial(self.board.put, "decisions"),
                changed=self.save,
                second=self.warden.second,
            ),
            self.shelf.shop,
        )
        await self._take_up(remembered)
        self._sounds.clear()
        self.show.begin()
        self.board.set(
            status="on_air", since=clock.now(), stream=spec.id, loop=remembered.director.loop
        )
        self.alarms.over("session_broke")
        self._tasks.start(self._make_host(), f"host {spec.id}")

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

    async def _read_figures(self) -> None:
        wall, before = self.clock.wall, self._figures
        self._figures = await self._parts.aside(_figures_of, self.shelf.shop, wall, before)

    async def _make_host(self) -> None:
        """Make the host, beside the show: questions wait for it, the rundown does not."""
        await self._first_sound()
        self._host = await self._parts.aside(
            self._parts.host, self.spec, self.shelf.shop, self._model_trouble
        )
        if self.show is not None:
            self.show.nudge()
        await self._read_ahead()

    async def _first_sound(self) -> None:
        """Wait for the first line, though not long: speaking it is to have the machine."""
        tasks = {
            asyncio.create_task(self._sounds.wait(), name=f"first sound {self.id}"),
            asyncio.create_task(self.clock.sleep(FIRST_SOUND_S), name=f"no sound {self.id}"),
        }
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _read_ahead(self) -> None:
        """Have the host read all goods beside the show, what is on air and what is next first."""
        host = self._host
        assert host is not None
        items = (self.show.current(), self.show.following()) if self.show is not None else ()
        first = [item.product for item in items if item is not None]
        goods = sorted(
            self.shelf.shop, key=lambda each: first.index(each.id) if each.id in first else 2
        )
        for product in goods[:READ_AHEAD]:
            try:
                await self._parts.aside(host.read_ahead, product.id)
            except AgentValueError:
                continue  # it has been taken out of the shop meanwhile

    # Viewers

    async def hear(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        """Take in what viewers did; what is accepted is on disk on return, whoever waits for it.

        Raises:
            StoreError: nothing was kept.
        """
        taking = asyncio.create_task(self._take(events), name=f"take {self.id}")
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)
        try:
            return await asyncio.shield(taking)
        except StoreError:
            self.warden.look_at_store()
            raise

    async def _take(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        now = self.clock.now()
        stamped = [replace(event, at=now) for event in events]
        if any(event.kind == "order" for event in events):
            fresh = await self._sell(stamped)
        else:
            fresh = await self._parts.store.write(partial(self.chatter.write, events=stamped))
        for event in fresh:
            self._happened(event)
        if self.show is not None:
            self.show.nudge()
        self._refresh()
        self._restock_board()
        taken = {event.id for event in fresh}
        receipts = []
        for event in events:
            receipts.append(Receipt(event.id, "taken" if event.id in taken else "known"))
            taken.discard(event.id)
        return receipts

    async def _sell(self, events: Sequence[ViewerEvent]) -> list[ViewerEvent]:
        shops, shop = self._parts.shops, self.spec.shop

        def take(connection: Any) -> tuple[list[ViewerEvent], Sequence[Any]]:
            fresh = self.chatter.write(connection, events)
            orders = [event for event in fresh if event.kind == "order"]
            return fresh, shops.sell(connection, shop, orders)

        async with shops.changing:
            fresh, changed = await self._parts.store.write(take)
            shops.sold(shop, changed)
        return fresh

    def _happened(self, event: ViewerEvent) -> None:
        discount = 0.0
        if event.kind == "order":
            discount = self.shelf.reduction(event.product, self.clock.wall())
        self.watch.hear(event, discount)
        self.shelf.count(event)
        self.warden.count(event)
        heard = self.show.hear(event) if self.show is not None else None
        self.chatter.show(event, heard)

    def _refresh(self) -> None:
        """Show how many are there and wait."""
        waiting = self.show.director.waiting if self.show is not None else 0
        self.board.set(viewers=self.watch.viewers, waiting=waiting)

    # What is on air

    def _began(self, line: Line) -> None:
        self._sounds.set()
        now = self.clock.now()
        view = line_view(line, now)
        self.chatter.began(line, now)
        self.board.set(line=view)
        self._keep_line(view)
        self._refresh_show()

    def _ended(self, line: Line, heard: str, whole: bool) -> None:
        self.chatter.ended(line, whole)
        running = self.board.get("line")
        if running is None or running.id != line.id:
            running = line_view(line, self.clock.now())
        told = {"ended_at": self.clock.now(), "heard": heard, "whole": whole}
        view = running.model_copy(update=told)
        self.board.put("lines", view)
        self.board.set(line=None)
        self._keep_line(view)
        self._refresh()

    def _failed(self, line: Line, message: str) -> None:
        self.alarms.note("line_failed", f"a line could not be spoken: {message}", text=line.text)

    def _censored(self, wished: Line, said: Line | None, why: str) -> None:
        if said is None:
            self.alarms.note("line_left_out", f"a line was left out: {why}", text=wished.text)
        else:
            told = {"text": wished.text, "said": said.text}
            self.alarms.note("line_mended", f"a line was said otherwise: {why}", **told)

    def _untrue(self, line: Line) -> list[str]:
        """Return the figures of a line that no fact of the shop holds. Answers have been through
        the host's own guard, what operators say is theirs to know, and the figures of courtesies
        count viewers: names are cleaned of whatever states something.
        """
        if line.kind in UNCHECKED or self._figures is None:
            return []
        return self._figures.false(line.text, line.product)

    def _waited(self, seconds: float) -> None:
        if self.show is not None:
            self.show.meter.waited(seconds)

    def _unanswered(self, question: Question) -> None:
        self.chatter.unanswered(question)
        self._refresh()

    def _answer_failed(self, message: str) -> None:
        self.alarms.note("answering_failed", message)

    def _model_trouble(self, message: str | None) -> None:
        self.alarms.set("model_failing", message)

    def _session_told(self, event: SessionEvent) -> None:
        match event:
            case TranscriptionCompleted(item_id=item, transcript=text) if text.strip():
                said = ViewerEvent(f"voice-{item}", "voice", "voice", text=text)
                self._tasks.start(self._hear_voice(said), f"voice {item}")
            case SpokenThrough(on=on):
                self.board.set(takeover="voice" if on else None)
                if self.show is not None:
                    self.show.taken_over = on
            case SessionFailed(code=code, message=message):
                self.warden.session_failed(code, message)
            case _:
                pass

    async def _hear_voice(self, event: ViewerEvent) -> None:
        try:
            await self.hear([event])
        except StoreError:  # the alert tells of it; what was said to the host was still heard
            self._happened(replace(event, at=self.clock.now()))
            if self.show is not None:
                self.show.nudge()

    def _refresh_show(self) -> None:
        show = self.show
        if show is None:
            return
        self.board.set(
            current=show.current(), next=show.following(), loop=show.director.loop,
            held=show.director.held, pace=show.director.paced,
        )  # fmt: skip
        self._restock_board()
        self.warden.show_card()

    def show_learning(self) -> None:
        """Show which policy decides, and how the learning stands."""
        mode, reports = self.brain.mode, self.brain.book.reports()
        learnt = [report for report in reports if report.kind == "learnt"]
        deciding = {"off": "", "rules": "rules"}.get(mode, self.brain.book.deciding().name)
        told = learnt[0].reason.get(self.spec.language, "") if learnt else ""
        self.board.set(policy=deciding, learning=told)

    def refresh(self) -> None:
        """Show how it stands now."""
        self._refresh()
        self._refresh_show()

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
        self._restock_board()
        self._stock_changed = True
        if not self._restocking:
            self._restocking = True
            self._tasks.start(self._restock(), f"restock {self.id}")

    async def _restock(self) -> None:
        try:
            while self._stock_changed:
                self._stock_changed = False
                await self._read_figures()
                # The host first: what the show takes back is answered anew at once.
                if self._host is not None:
                    await self._parts.aside(self._host.restock, self.shelf.shop)
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
            self._refresh_show()

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

    def _restock_board(self) -> None:
        line: LineView | None = self.board.get("line")
        pinned = self.board.get("pinned")
        shown = line.product if line is not None else None
        self.board.stock(self.shelf.views(shown, pinned, self.clock.wall()))

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

    def _keep_line(self, view: LineView) -> None:
        document = view.model_dump(mode="json")
        self._ledger.add(
            partial(LINES.put, room=self.id, entry=view.id, at=view.began_at, document=document)
        )

    def _keep_alert(self, alert: AlertView) -> None:
        document = alert.model_dump(mode="json")
        self._ledger.add(
            partial(ALERTS.put, room=self.id, entry=alert.id, at=alert.at, document=document)
        )

    async def _keep_decision(self, view: DecisionView) -> None:
        document = view.model_dump(mode="json")
        await self._parts.store.write(
            partial(DECISIONS.put, room=self.id, entry=view.id, at=view.at, document=document)
        )


def _figures_of(shop: Shop, wall: Callable[[], float], before: FigureCheck | None) -> FigureCheck:
    check = FigureCheck(shop, wall, before)
    check.prepare()
    return check


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
