"""Logs played into rooms by the server."""

import asyncio

from tests.web.rooms.house import House
from transport.chat.log import read_log
from web.bench.chatter import Chatter, make_log
from web.shipped_logs import LOGS, shipped_log

LOG = (
    '{"at": 0, "id": "a", "kind": "join", "viewer": "v"}\n'
    '{"at": 0.05, "id": "b", "kind": "chat", "text": "hi?"}\n'
    '{"at": 40, "id": "c", "kind": "leave", "viewer": "v"}\n'
)


async def test_a_log_is_played_shown_and_stopped(stage: House) -> None:
    told = await stage.send("POST", "rooms/demo/replay", {"log": LOG, "speed": 1}, 202)
    assert (told["total"], told["running"]) == (3, True)
    await stage.send("POST", "rooms/demo/replay", {"log": LOG}, 409)
    for _ in range(20):
        await asyncio.sleep(0)
    told = await stage.get("rooms/demo/replay")
    assert (told["sent"], told["taken"], told["refused"]) == (2, 2, 0)
    events = stage.rooms.room("demo").events
    assert [event.kind for event in events] == ["join", "chat"]
    assert all(event.id.startswith("r") for event in events)  # under ids of this run
    await stage.send("DELETE", "rooms/demo/replay", None)
    await stage.send("DELETE", "rooms/demo/replay", None, 404)
    await stage.send("POST", "rooms/demo/replay", {"log": LOG, "speed": 1000}, 202)


async def test_what_is_no_log(stage: House) -> None:
    for body, param in (
        ({"log": 3}, "log"),
        ({"log": " "}, "log"),
        ({"speed": "fast"}, "speed"),
        ({"log": LOG, "speed": 0}, None),
        ({"log": LOG, "loop": True}, "loop"),
        ({"log": "no json"}, None),
        ({"log": LOG + '{"at": -1, "id": "d", "kind": "join"}'}, None),
    ):
        error = (await stage.send("POST", "rooms/demo/replay", body, 400))["error"]
        assert error["param"] == param, body
    assert "line 4" in error["message"]
    await stage.get("rooms/demo/replay", 404)
    await stage.send("POST", "rooms/nowhere/replay", {"log": LOG}, 404)


def test_the_log_that_ships_is_what_the_sample_shop_is_asked() -> None:
    text = shipped_log("sample")
    assert len(text.encode()) < 200_000
    entries = read_log(text)
    assert 590 < entries[-1].at <= 600
    assert {entry.event.kind for entry in entries} >= {"chat", "join", "leave", "gift", "order"}
    assert len({entry.event.id for entry in entries}) == len(entries)
    assert list(LOGS) == ["sample"]


def test_a_log_is_the_same_for_the_same_seed() -> None:
    from tests.fakes.rooms import small_shop

    first = make_log(small_shop(), Chatter(minutes=5, rate=2, seed=3))
    assert first == make_log(small_shop(), Chatter(minutes=5, rate=2, seed=3))
    assert first != make_log(small_shop(), Chatter(minutes=5, rate=2, seed=4))
    questions = sum(entry.event.id.startswith("q") for entry in first)
    assert 500 < questions < 700
    floods = [entry for entry in first if entry.event.id.startswith("f")]
    assert len({entry.event.viewer for entry in floods}) == 2
