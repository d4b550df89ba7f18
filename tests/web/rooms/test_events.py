"""A room's events: the state, then every change, until somebody goes or the server closes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pipeline.rooms.state import RoomSpec
from tests.fakes.rooms import MOST_WAITING, FakeRoom
from tests.web.rooms.house import House, house
from web.rooms.events import EventStream, block_of

SPEC = RoomSpec(id="demo", title="Demo", shop="demo", rundown="demo")


class Reader:
    """A client of one event stream, as an ASGI server serves it."""

    def __init__(self, room: FakeRoom, heartbeat_s: float = 30.0) -> None:
        self.room = room
        self.closing = asyncio.Event()
        self.gone = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self.came: asyncio.Queue[bytes] = asyncio.Queue()
        self.headers: dict[str, str] = {}
        stream = EventStream(room.watch(), self.closing, heartbeat_s)
        self.task = asyncio.create_task(stream({"type": "http"}, self._receive, self._send))

    async def block(self) -> dict[str, Any]:
        """Return the next event."""
        async with asyncio.timeout(5):
            text = (await self.came.get()).decode()
        lines = [line.partition(": ") for line in text.splitlines() if line]
        return {name: json.loads(v) if name == "data" else v for name, _, v in lines}

    async def raw(self) -> bytes:
        """Return the next bytes."""
        async with asyncio.timeout(5):
            return await self.came.get()

    async def ended(self) -> None:
        """Wait until nothing is sent any more."""
        async with asyncio.timeout(5):
            await self.task

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        await self.reads.wait()
        await self.came.put(message["body"])


@asynccontextmanager
async def reading(heartbeat_s: float = 30.0) -> AsyncIterator[Reader]:
    reader = Reader(FakeRoom(SPEC, "whsec_"), heartbeat_s)
    try:
        assert (await reader.raw()).startswith(b"retry:")
        yield reader
    finally:
        reader.gone.set()
        await reader.ended()
        assert reader.room.watchers == 0


async def test_the_state_comes_first_and_then_changes_with_their_numbers() -> None:
    async with reading() as reader:
        first = await reader.block()
        assert first["event"] == "state"
        assert first["data"]["room"]["id"] == "demo"
        assert "id" not in first
        reader.room.change(muted=True)
        change = await reader.block()
        assert (change["event"], change["id"]) == ("change", "1")
        assert change["data"] == {"number": 1, "field": "muted", "key": None, "value": True}
        assert reader.headers["content-type"].startswith("text/event-stream")
        assert reader.headers["cache-control"] == "no-store"
        assert "content-length" not in reader.headers


async def test_who_reads_too_slowly_is_given_the_whole_state_again() -> None:
    async with reading() as reader:
        assert (await reader.block())["event"] == "state"
        reader.reads.clear()
        for number in range(3 * MOST_WAITING):
            reader.room.change(loop=number)
            if number % MOST_WAITING == 0:
                await asyncio.sleep(0)
        reader.reads.set()
        kinds = []
        while "state" not in kinds:
            block = await reader.block()
            kinds.append(block["event"])
        assert len(kinds) < 2 * MOST_WAITING
        assert block["data"]["loop"] == 3 * MOST_WAITING - 1


async def test_a_heartbeat_tells_that_both_are_there() -> None:
    async with reading(0.02) as reader:
        await reader.block()
        assert await reader.raw() == b":\n\n"


async def test_it_ends_when_the_server_closes_and_when_the_room_is_no_more() -> None:
    async with reading() as reader:
        await reader.block()
        reader.closing.set()
        await reader.ended()
    async with reading() as reader:
        await reader.block()
        reader.room.end()
        await reader.ended()


def test_data_is_one_line_whatever_is_in_it() -> None:
    spec = SPEC.model_copy(update={"title": "a\r\nb\n\nevent: change"})
    block = block_of(FakeRoom(spec, "").state).decode()
    assert block.count("\n") == 3
    assert "\r" not in block


async def test_a_room_that_is_not_there_has_no_events(stage: House) -> None:
    await stage.get("rooms/nowhere/events", 404)


async def test_two_operators_see_the_same(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        room = stage.rooms.room("demo")
        first, second = Reader(room), Reader(room)
        for reader in (first, second):
            await reader.raw()
            await reader.block()
        await stage.send("POST", "rooms/demo/commands", {"type": "start"}, 202)
        told = [[await reader.block() for _ in range(4)] for reader in (first, second)]
        assert told[0] == told[1]
        for reader in (first, second):
            reader.gone.set()
            await reader.ended()
