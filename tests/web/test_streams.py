"""Streams over HTTP."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.conftest import SHARED
from tests.fakes.engine import FakeSession
from tests.transport.watcher import Watcher
from tests.web.broadcasting import SDP, WHEP, Studio, studio
from web.streams import MAX_TEXT

CASES = SHARED / "cases" / "names.json"
NAMES = [
    *("../x", "", "a b", "Lobby", "x" * 41, "a\x00", "-a", "%2e"),
    *(json.loads(CASES.read_text("utf-8")) if CASES.is_file() else []),
]


@pytest.fixture
async def made() -> AsyncIterator[Studio]:
    async with studio() as made:
        yield made


async def test_a_stream_is_opened_shown_listed_and_ended(made: Studio) -> None:
    wishes = {"avatar": "mia", "style": "calm", "framing": "head", "voice": "hum"}
    response = await made.open("hall", language="zh", size="64x128", **wishes)
    assert response.status_code == 201
    assert response.headers["Location"] == "/v1/streams/hall"
    hall = response.json()
    assert hall == {
        "object": "stream",
        "name": "hall",
        "session": "sess_1",
        "scene": None,
        "language": "zh",
        "size": "64x128",
        "viewers": 0,
        "published": False,
        "whep": "/v1/whep/hall",
        "whip": "/v1/whip/hall",
        **wishes,
    }
    assert (await made.client.get("/v1/streams/hall")).json() == hall
    listed = (await made.client.get("/v1/streams")).json()
    assert listed["object"] == "list"
    assert [stream["name"] for stream in listed["data"]] == ["lobby", "hall"]
    assert made.engine.sessions == 2
    response = await made.client.delete("/v1/streams/hall")
    assert (response.status_code, response.json()["status"]) == (200, "ended")
    assert made.engine.sessions == 1
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/say")):
        response = await made.client.request(method, f"/v1/streams/hall{path}", json={"text": "a"})
        assert response.status_code == 404, method
    assert made.engine.opened[1].options.avatar == "mia"


async def test_a_name_is_taken_once(made: Studio) -> None:
    response = await made.open("lobby")
    assert response.status_code == 409
    assert response.json()["error"]["param"] == "stream"
    assert made.engine.sessions == 1


@pytest.mark.parametrize("name", [*NAMES, None, 7, ["lobby"]])
async def test_names_are_checked(made: Studio, name: object) -> None:
    response = await made.client.post("/v1/streams", json={"name": name})
    assert response.status_code == 400
    assert len(response.text) < 1000
    assert made.engine.sessions == 1


@pytest.mark.parametrize(
    ("wishes", "param"),
    [
        ({"colour": "red"}, "colour"),
        ({"voice": "nobody"}, "voice"),
        ({"voice": 3}, "voice"),
        ({"avatar": "../mia"}, "avatar"),
        ({"avatar": {"name": "mia"}}, "avatar"),
        ({"size": "541x960"}, None),
        ({"size": 540}, "size"),
        ({"language": "fr"}, "language"),
        ({"speed": True}, "speed"),
        ({"speed": 9}, None),
    ],
)
async def test_a_wish_that_cannot_be_met(
    made: Studio, wishes: dict[str, object], param: str | None
) -> None:
    response = await made.client.post("/v1/streams", json={"name": "hall", **wishes})
    assert response.status_code == 400
    error = response.json()["error"]
    assert error["param"] == param
    assert "accepted" in error["message"]
    assert made.engine.sessions == 1


async def test_speed_may_be_a_number(made: Studio) -> None:
    response = await made.client.post("/v1/streams", json={"name": "hall", "speed": 1.25})
    assert response.status_code == 201
    assert made.engine.opened[1].options.speed == 1.25


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"name": "a"}', "text/plain", 415),
        (b'{"name": "' + b"a" * 200_000 + b'"}', "application/json", 413),
    ],
)
async def test_a_body_that_cannot_be_read(
    made: Studio, body: bytes, kind: str, status: int
) -> None:
    response = await made.client.post("/v1/streams", content=body, headers={"Content-Type": kind})
    assert response.status_code == status


async def test_a_stream_counts_against_the_limit() -> None:
    async with studio(limit=1) as made:
        response = await made.open("hall")
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) > 0
        await made.client.delete("/v1/streams/lobby")
        assert (await made.open("hall")).status_code == 201


async def test_viewers_are_counted(made: Studio) -> None:
    async with Watcher() as watcher:
        posted = await made.client.post(WHEP, content=await watcher.offer(), headers=SDP)
        await watcher.take(posted.text)
        await watcher.more(3)
        assert (await made.client.get("/v1/streams/lobby")).json()["viewers"] == 1
    assert (await made.client.delete("/v1/streams/lobby")).status_code == 200
    assert (await made.client.get(posted.headers["Location"])).status_code == 404


async def test_it_says_what_it_is_told(made: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []

    def say(_: FakeSession, text: str, language: object, *, interrupt: bool) -> None:
        said.append((text, language, interrupt))

    monkeypatch.setattr(FakeSession, "say", say)
    for body in ({"text": "hello"}, {"text": "你好", "language": "zh", "interrupt": False}):
        response = await made.client.post("/v1/streams/lobby/say", json=body)
        assert response.status_code == 202
    assert said == [("hello", None, True), ("你好", "zh", False)]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": "  "}, "text"),
        ({"text": 3}, "text"),
        ({"text": "a" * (MAX_TEXT + 1)}, "text"),
        ({"text": "a", "language": "fr"}, "language"),
        ({"text": "a", "interrupt": "yes"}, "interrupt"),
        ({"text": "a", "loud": True}, "loud"),
    ],
)
async def test_what_it_does_not_say(made: Studio, body: dict[str, object], param: str) -> None:
    response = await made.client.post("/v1/streams/lobby/say", json=body)
    assert response.status_code == 400
    assert response.json()["error"]["param"] == param


async def test_addresses_have_the_prefix_it_is_served_under(made: Studio) -> None:
    made.client._transport.root_path = "/host"  # type: ignore[attr-defined]
    response = await made.open("hall")
    assert response.headers["Location"] == "/host/v1/streams/hall"
    assert response.json()["whep"] == "/host/v1/whep/hall"
