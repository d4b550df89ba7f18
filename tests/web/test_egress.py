"""Streams that are sent on, over HTTP: to an ingest, a playlist, a recording."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import httpx
import pytest

from tests.fakes.engine import FakeEngine, FakeScript
from tests.web.fakes import StubCalls, StubEngine, client_of
from transport.outlets import MOST_OUTLETS, Outlets
from transport.streams import Streams
from transport.whep import Viewers
from transport.whip import Publishers
from web.app import create_app
from web.streams import Broadcasting

PATH = "/v1/streams/lobby/egress"


@dataclass
class House:
    """An application with the stream "lobby", and its outlets."""

    client: httpx.AsyncClient
    outlets: Outlets
    engine: FakeEngine

    async def open(self, **wish: Any) -> httpx.Response:
        return await self.client.post(PATH, json=wish)

    async def state(self, egress: str, state: str) -> dict[str, Any]:
        """Wait until an egress is in a state."""
        async with asyncio.timeout(20):
            while True:
                told: dict[str, Any] = (await self.client.get(f"{PATH}/{egress}")).json()
                if told["state"] == state:
                    return told
                await asyncio.sleep(0.05)

    async def served(self, path: str) -> httpx.Response:
        """Wait until there is a file."""
        async with asyncio.timeout(30):
            while True:
                response = await self.client.get(path)
                if response.status_code == 200:
                    return response
                await asyncio.sleep(0.1)


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    engine = FakeEngine([FakeScript(always=True)])
    streams = Streams(engine)
    outlets = Outlets(folder, allow_private=True)
    broadcasting = Broadcasting(streams, Viewers(streams), Publishers(streams), outlets)
    app = create_app(engine, StubCalls(StubEngine()), streams=broadcasting)
    async with client_of(app) as client:
        opened = await client.post("/v1/streams", json={"name": "lobby", "size": "128x224"})
        assert opened.status_code == 201
        try:
            yield House(client, outlets, engine)
        finally:
            await broadcasting.close()
    assert engine.sessions == 0


async def test_a_recording_is_made_and_finished(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        made = await stage.open(type="recording", name="monday")
        assert made.status_code == 201
        told = made.json()
        assert made.headers["Location"] == f"{PATH}/{told['id']}"
        assert told["file"] == "recordings/monday.mp4"
        await stage.state(told["id"], "running")
        await asyncio.sleep(1.5)
        listed = (await stage.client.get(PATH)).json()["data"]
        assert [each["type"] for each in listed] == ["recording"]
        ended = await stage.client.delete(f"{PATH}/{told['id']}")
        assert ended.json()["state"] == "ended"
        assert (await stage.client.get(f"{PATH}/{told['id']}")).status_code == 404
        with av.open(str(stage.outlets.recordings / "monday.mp4")) as film:
            kinds = {stream.type for stream in film.streams}
            pictures = sum(1 for _ in film.decode(video=0))
        assert kinds == {"audio", "video"}
        assert pictures > 20
        again = await stage.open(type="recording", name="monday")
        assert again.status_code == 400
        assert "monday" in again.json()["error"]["message"]


async def test_a_playlist_is_served_while_it_is_written(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        made = (await stage.open(type="hls")).json()
        assert made["playlist"] == "/v1/hls/lobby/index.m3u8"
        playlist = await stage.served(made["playlist"])
        assert playlist.headers["content-type"] == "application/vnd.apple.mpegurl"
        names = [line for line in playlist.text.splitlines() if line.endswith(".m4s")]
        assert names
        begin = (await stage.client.get("/v1/hls/lobby/init.mp4")).content
        segment = await stage.client.get(f"/v1/hls/lobby/{names[0]}")
        assert segment.headers["content-type"] == "video/iso.segment"
        path = tmp_path / "seen.mp4"
        path.write_bytes(begin + segment.content)
        with av.open(str(path)) as film:
            assert next(film.decode(video=0)).width == 128
        for bad in ("secret.txt", "..%2f..%2fkeys", "index.m3u8%00", "segment_x.m4s"):
            assert (await stage.client.get(f"/v1/hls/lobby/{bad}")).status_code == 404


async def test_a_refused_ingest_leaves_the_stream_alone_and_its_key_untold(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        made = await stage.open(type="rtmp", url="rtmp://127.0.0.1:9/live/secret-key")
        told = made.json()
        assert told["target"] == "rtmp://127.0.0.1:9/live/***"
        told = await stage.state(told["id"], "reconnecting")
        assert "secret-key" not in str(told)
        position = stage.engine.opened[0].position
        await asyncio.sleep(0.5)
        assert stage.engine.opened[0].position > position


@pytest.mark.parametrize(
    ("wish", "param"),
    [
        ({}, "type"),
        ({"type": "srt"}, "type"),
        ({"type": "rtmp"}, "url"),
        ({"type": "rtmp", "url": 5}, "url"),
        ({"type": "rtmp", "url": "rtmp://a.example/live/k", "verify": 1}, "verify"),
        ({"type": "hls", "segments": "six"}, "segments"),
        ({"type": "hls", "url": "rtmp://a.example/live/k"}, "url"),
        ({"type": "recording", "name": 3}, "name"),
    ],
)
async def test_what_is_wrong_is_named(tmp_path: Path, wish: dict[str, Any], param: str) -> None:
    async with house(tmp_path) as stage:
        refused = await stage.open(**wish)
        assert refused.status_code == 400
        assert refused.json()["error"]["param"] == param


async def test_outlets_are_bounded_and_end_with_their_stream(tmp_path: Path) -> None:
    async with house(tmp_path) as stage:
        assert (await stage.open(type="hls")).status_code == 201
        twice = await stage.open(type="hls")
        assert (twice.status_code, twice.json()["error"]["code"]) == (409, "conflict")
        for index in range(MOST_OUTLETS - 1):
            assert (await stage.open(type="recording", name=f"r{index}")).status_code == 201
        assert (await stage.open(type="recording", name="more")).status_code == 409
        gone = await stage.client.get("/v1/streams/other/egress")
        assert gone.status_code == 404
        async with asyncio.timeout(40):
            await stage.client.delete("/v1/streams/lobby")
        assert all(one.closing for one in stage.outlets._outlets.values())
