"""What passes through the WebSocket and HTTP is in no log and no metric, refused or not."""

import base64
import json
from pathlib import Path

from websockets.asyncio.client import connect

from pipeline import events
from pipeline.privacy.discretion import make_discreet
from tests.fakes.engine import FakeEngine, FakeScript
from tests.fakes.marked import ANSWERED, MARK, SPOKEN, TYPED, every_record, traces
from tests.web.fakes import client_of
from tests.web.socket_server import Served, served
from tests.web.whole import whole_app


async def test_a_websocket_leaves_nothing_of_what_passes() -> None:
    make_discreet()
    sound = base64.b64encode(bytes(range(256)) * 16).decode()
    engine = FakeEngine([FakeScript(reply_seconds=0.2)])
    async with served(engine, hold_s=0.05) as server:
        with every_record() as records:  # a server sets levels of its own as it starts
            told, delta = await _talk(server, sound)
    assert all(mark in told for mark in (SPOKEN, TYPED, ANSWERED))
    assert records.with_any(MARK, sound[:40], delta[400:440]) == []
    assert records.with_any(*traces(base64.b64decode(delta))) == []


async def _talk(server: Served, sound: str) -> tuple[str, str]:
    """Say and be told what is marked; return all that was told, and the last sound."""
    told, delta = "", ""
    async with connect(server.url) as socket:
        for event in (
            {"type": "session.update", "session": {"instructions": TYPED}},
            {"type": "session.update", "session": {"audio": {"output": {"voice": TYPED}}}},
            {"type": "avatar.say", "text": TYPED},
            {"type": "input_audio_buffer.append", "audio": sound},
            {"type": "input_audio_buffer.append", "audio": TYPED},
            {"type": TYPED, TYPED: TYPED},
        ):
            await socket.send(json.dumps(event))
        await socket.send(f'["{TYPED}"')
        server.session._sink.event(events.TranscriptionCompleted("item_1", SPOKEN, "en"))
        server.session._sink.event(events.SessionFailed("response_failed", ANSWERED))
        await socket.send(json.dumps({"type": "response.create"}))
        async for message in socket:
            told += str(message)
            event = json.loads(message)
            if event["type"] == "response.output_audio.delta":
                delta = event["delta"]
            elif event["type"] == "output_audio_buffer.stopped" and delta:
                break
    return told, delta


async def test_http_leaves_nothing_of_what_passes(tmp_path: Path) -> None:
    make_discreet()
    offer = {"sdp": ("", f"v=0\r\ns={TYPED}"), "session": ("", json.dumps({TYPED: 1}))}
    with every_record() as records:
        async with client_of(whole_app(tmp_path)) as client:
            answers = [
                await client.post("/v1/realtime/calls", files=offer),
                await client.post("/v1/streams", json={"name": TYPED.upper()}),
                await client.post("/v1/streams/live/say", json={"text": TYPED}),
                await client.post("/v1/realtime/client_secrets", content=TYPED.encode()),
                await client.get("/v1/people/ann/data"),
            ]
            metrics = (await client.get("/metrics")).text
    assert answers[4].json()["transcripts"][0]["text"] == "hello"
    assert [answer.status_code for answer in answers[:4]] == [400, 400, 404, 415]
    assert records.with_any(MARK, "hello") == []
    assert MARK not in metrics
    assert "ann" not in metrics.replace("channel", "")
