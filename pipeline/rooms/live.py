"""`LiveRooms`: the live rooms of a server, kept in a store."""

import asyncio
import base64
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from agents.brain.book import Report
from agents.errors import AgentValueError
from agents.knowledge.store import Knowledge
from agents.rundown.document import Rundown
from agents.shop.product import Shop
from agents.show.viewers import ViewerEvent
from pipeline.errors import ConfigurationError, StoreError
from pipeline.options import SessionOptions
from pipeline.rooms.cataloguing import Cataloguing
from pipeline.rooms.commands import Command
from pipeline.rooms.errors import (
    CommandRefusedError,
    RecordInUseError,
    RecordNotFoundError,
    RecordTakenError,
)
from pipeline.rooms.obeying import obey
from pipeline.rooms.parts import Parts
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.room import Room, check_spec
from pipeline.rooms.rundowns import KeptRundowns
from pipeline.rooms.service import HistoryKind, Policy
from pipeline.rooms.shops import KeptShops
from pipeline.rooms.state import RoomChange, RoomSpec, RoomState
from pipeline.store import Store, rooms
from pipeline.store.alerts import ALERTS
from pipeline.store.chat import CHAT
from pipeline.store.decisions import DECISIONS
from pipeline.store.lines import LINES
from pipeline.store.metrics import METRICS
from pipeline.store.orders import ORDERS
from pipeline.store.policies import POLICIES
from pipeline.store.rooms import RoomRow
from pipeline.store.tables import Journal
from pipeline.tasks import Tasks

MOST_EVENTS: Final = 100
MOST_HISTORY: Final = 1000
MOST_ROOMS: Final = 100
SWEEP_S: Final = 60.0
_JOURNALS: Final[dict[HistoryKind, Journal]] = {
    "chat": CHAT, "lines": LINES, "decisions": DECISIONS, "metrics": METRICS, "orders": ORDERS,
}  # fmt: skip
_DAY_S: Final = 86_400.0

Still = Callable[[SessionOptions, Mapping[str, object]], Awaitable[bytes]]
Seed = Callable[["LiveRooms"], Awaitable[None]]

_log = logging.getLogger(__name__)


class LiveRooms:
    """A `pipeline.rooms.service.Rooms`.

    Args:
        store: closed with the rooms.
        make_parts: what rooms share, made from their shops and rundowns.
        make_shops, make_rundowns: take which rooms use a record, and whom to tell of changes.
        knowledge: closed with the rooms.
        still: draws a picture of a session's options and changes of its scene.
        seed: called with rooms that have nothing yet.
        keep_days, keep_rows: what is kept of each room's history.
    """

    def __init__(
        self,
        store: Store,
        make_parts: Callable[[KeptShops, KeptRundowns], Parts],
        make_shops: Callable[[Callable[[str], list[str]], Callable[[Shop], None]], KeptShops],
        make_rundowns: Callable[
            [KeptShops, Callable[[str], list[str]], Callable[[Rundown], None]], KeptRundowns
        ],
        knowledge: Knowledge,
        still: Still,
        seed: Seed,
        *,
        keep_days: float = 30.0,
        keep_rows: int = 200_000,
    ) -> None:
        self._store = store
        self._shops = make_shops(self._using_shop, self._restocked)
        self._rundowns = make_rundowns(self._shops, self._using_rundown, self._rewritten)
        self._parts = make_parts(self._shops, self._rundowns)
        self._knowledge = knowledge
        self._cataloguing = Cataloguing(knowledge)
        self._still = still
        self._seed = seed
        self._keep_s = keep_days * _DAY_S
        self._keep_rows = keep_rows
        self._rooms: dict[str, Room] = {}
        self._tasks = Tasks()
        self._changing = asyncio.Lock()
        self._closed = False

    @property
    def shops(self) -> KeptShops:
        """The shops kept here."""
        return self._shops

    @property
    def rundowns(self) -> KeptRundowns:
        """The rundowns kept here."""
        return self._rundowns

    @property
    def knowledge(self) -> Knowledge:
        """Documents that hosts and drafts draw on."""
        return self._knowledge

    async def start(self) -> None:
        """See `Rooms.start`.

        Raises:
            StoreError: what is kept cannot be read.
        """
        await self._shops.load()
        await self._rundowns.load()
        for shop in await self._shops.list():
            self._cataloguing.take(shop)
        rows = await self._store.read(rooms.everything)
        returning: list[Room] = []
        for row in rows:
            room = Room(RoomSpec.model_validate(row.spec), row.secret, self._parts)
            self._rooms[room.id] = room
            await room.load()
            if row.on_air:
                returning.append(room)
        if not rows and not await self._shops.list():
            await self._seed(self)
        for room in returning:
            self._tasks.start(self._resume(room), f"resume {room.id}")
        self._tasks.start(self._sweep(), "sweep histories")

    async def close(self) -> None:
        """See `Rooms.close`."""
        if self._closed:
            return
        self._closed = True
        await self._tasks.close()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        await self._cataloguing.close()
        await asyncio.to_thread(self._knowledge.close)
        await self._store.close()

    async def specs(self) -> list[RoomSpec]:
        """See `Rooms.specs`."""
        return [self._rooms[room_id].spec for room_id in sorted(self._rooms)]

    async def create(self, spec: RoomSpec) -> None:
        """See `Rooms.create`."""
        async with self._changing:
            if spec.id in self._rooms:
                raise RecordTakenError("room", spec.id)
            if len(self._rooms) >= MOST_ROOMS:
                raise ConfigurationError(f"there are {MOST_ROOMS} rooms; accepted: no more")
            check_spec(spec, self._parts)
            row = RoomRow(spec.model_dump(mode="json"), new_secret(), on_air=False)
            await self._store.write(partial(rooms.add, room=spec.id, row=row))
            self._rooms[spec.id] = Room(spec, row.secret, self._parts)

    async def update(self, spec: RoomSpec) -> None:
        """See `Rooms.update`."""
        async with self._changing:
            room = self._room(spec.id)
            check_spec(spec, self._parts)
            async with room.commanding:
                document = spec.model_dump(mode="json")
                await self._store.write(partial(rooms.set_spec, room=spec.id, spec=document))
                room.respec(spec)

    async def delete(self, room_id: str) -> None:
        """See `Rooms.delete`."""
        async with self._changing:
            room = self._room(room_id)
            if room.board.get("status") != "off":
                raise RecordInUseError(
                    f"the room {room_id!r} is {room.board.get('status')}; accepted: one that is off"
                )
            await self._store.write(partial(_forget, room=room_id))
            del self._rooms[room_id]
            await room.close(forget=True)

    async def state(self, room_id: str) -> RoomState:
        """See `Rooms.state`."""
        return self._room(room_id).board.state

    def watch(self, room_id: str) -> AsyncGenerator[RoomState | RoomChange]:
        """See `Rooms.watch`."""
        return self._room(room_id).board.watch()

    async def command(self, room_id: str, command: Command, by: str) -> None:
        """See `Rooms.command`."""
        room = self._room(room_id)
        _log.info("room %s: %s by %s", room_id, command.type, by)
        async with room.commanding:
            await obey(room, command)

    async def hear(self, room_id: str, events: Sequence[ViewerEvent]) -> list[Receipt]:
        """See `Rooms.hear`."""
        room = self._room(room_id)
        if len(events) > MOST_EVENTS:
            raise ConfigurationError(
                f"{len(events)} events come at once; accepted: at most {MOST_EVENTS}"
            )
        return await room.reception.hear(events)

    async def history(
        self, room_id: str, kind: HistoryKind, before: str | None = None, limit: int = 100
    ) -> Sequence[Mapping[str, Any]]:
        """See `Rooms.history`."""
        self._room(room_id)
        if not 1 <= limit <= MOST_HISTORY:
            raise ConfigurationError(f"limit is {limit}; accepted: 1 to {MOST_HISTORY}")
        journal = _JOURNALS[kind]
        return await self._store.read(
            partial(journal.newest, room=room_id, limit=limit, before=before)
        )

    async def preview(self, room_id: str) -> bytes:
        """See `Rooms.preview`."""
        room = self._room(room_id)
        options, changes = room.next_look()
        return await self._still(options, changes)

    async def secret(self, room_id: str) -> str:
        """See `Rooms.secret`."""
        return self._room(room_id).secret

    async def renew_secret(self, room_id: str) -> str:
        """See `Rooms.renew_secret`."""
        room, secret = self._room(room_id), new_secret()
        await self._store.write(partial(rooms.set_secret, room=room_id, secret=secret))
        room.secret = secret
        return secret

    async def record(self, room_id: str, on: bool) -> str | None:
        """See `Rooms.record`."""
        room = self._room(room_id)
        async with room.commanding:
            return await room.record(on)

    async def policies(self) -> list[Policy]:
        """See `Rooms.policies`. What a room has learnt is called by the room and the version."""
        rules = Policy("rules", "rules", live=True, passed=True)
        learnt = (
            _policy(room_id, report)
            for room_id, room in sorted(self._rooms.items())
            for report in room.brain.book.reports()
            if report.kind == "learnt"
        )
        return [rules, *learnt]

    async def set_policy(self, name: str, live: bool) -> None:
        """See `Rooms.set_policy`."""
        room_id, _, version = name.partition(":")
        if name == "rules":
            raise CommandRefusedError("rules decide wherever no learnt policy does; accepted: them")
        room = self._rooms.get(room_id)
        reports = room.brain.book.reports() if room is not None else []
        if room is None or all(report.name != version for report in reports):
            raise RecordNotFoundError("policy", name)
        try:
            room.brain.book.let(version, live, self._parts.clock.now())
        except AgentValueError as error:
            raise CommandRefusedError(str(error)) from error
        await room.save_brain()

    async def _resume(self, room: Room) -> None:
        async with room.commanding:
            await room.resume()

    def _room(self, room_id: str) -> Room:
        if room_id not in self._rooms:
            raise RecordNotFoundError("room", room_id)
        return self._rooms[room_id]

    def _using_shop(self, shop_id: str) -> list[str]:
        return sorted(room.id for room in self._rooms.values() if room.spec.shop == shop_id)

    def _using_rundown(self, rundown_id: str) -> list[str]:
        return sorted(room.id for room in self._rooms.values() if room.spec.rundown == rundown_id)

    def _restocked(self, shop: Shop) -> None:
        self._cataloguing.take(shop)
        for room in self._rooms.values():
            if room.spec.shop == shop.id:
                room.restocked(shop)

    def _rewritten(self, rundown: Rundown) -> None:
        for room in self._rooms.values():
            if room.spec.rundown == rundown.id:
                room.rewritten(rundown)

    async def _sweep(self) -> None:
        """Delete what is too old or too much, a little at a time."""
        clock = self._parts.clock
        while True:
            await clock.sleep(SWEEP_S)
            oldest = clock.now() - self._keep_s
            for room_id in tuple(self._rooms):
                for journal in (*_JOURNALS.values(), ALERTS):
                    sweep = partial(
                        journal.sweep, room=room_id, oldest=oldest, most=self._keep_rows
                    )
                    try:
                        await self._store.write(sweep)
                    except StoreError:
                        break  # the rooms' alerts tell of it


def _forget(connection: Connection, room: str) -> None:
    rooms.remove(connection, room)
    POLICIES.remove(connection, room)


def _policy(room_id: str, report: Report) -> Policy:
    return Policy(
        f"{room_id}:{report.name}",
        report.kind,
        live=report.live,
        passed=report.passed,
        decisions=report.decisions,
        estimate=report.estimate,
        low=report.low,
        high=report.high,
        rules=report.rules,
        at=report.at,
    )


def new_secret() -> str:
    """Return a secret as Standard Webhooks have them."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
