"""The Realtime WebSocket over a real port: OpenAI's own client, and what is beyond it."""

import asyncio
import base64
import json
import socket as network
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from pipeline.contract import WIRE_RATE
from tests.fakes.engine import FakeEngine, FakeScript
from tests.transport.access.doors import Door
from tests.transport.server_events import validate
from tests.web.socket_server import Served, served
from transport.access.grant import Limits
from web.access import SUBPROTOCOL

TONE = 440.0


def pcm(seconds: float, loudness: float = 0.3) -> bytes:
    """Return a tone, PCM16 at 24 kHz."""
    at = np.arange(round(24_000 * seconds)) / 24_000
    return (loudness * 32767 * np.sin(2 * np.pi * 300 * at)).astype("<i2").tobytes()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def openai(server: Served, key: str = "unused") -> AsyncOpenAI:
    return AsyncOpenAI(
        api_key=key,
        base_url=f"{server.http}/v1",
        websocket_base_url=f"ws://127.0.0.1:{server.port}/v1",
    )


async def narrow(server: Served, query: str) -> ClientConnection:
    """Connect with hardly a buffer, so that not to read is noticed soon."""
    small = network.socket()
    small.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", server.port))
    return await connect(server.url + query, sock=small, max_queue=1)


async def vanish(socket: ClientConnection) -> None:
    """Go without a word."""
    socket.transport.abort()
    await socket.wait_closed()


async def until(socket: ClientConnection, kind: str, within: float = 5.0) -> dict[str, Any]:
    """Return the next event of a kind; all others are checked and dropped."""
    async with asyncio.timeout(within):
        while True:
            event: dict[str, Any] = json.loads(await socket.recv())
            validate(event)
            if event["type"] == kind:
                return event


async def told(connection: AsyncRealtimeConnection) -> AsyncIterator[Any]:
    """Yield what OpenAI's client hands out; which kind it is, is what is asked here."""
    async for event in connection:
        yield event


async def say(socket: ClientConnection, kind: str, **fields: Any) -> None:
    await socket.send(json.dumps({"type": kind, **fields}))


async def test_the_readmes_example_of_openais_client_runs_as_it_is() -> None:
    async with (
        served() as server,
        openai(server).realtime.connect(model="gpt-realtime") as connection,
    ):
        await connection.session.update(session={"type": "realtime", "output_modalities": ["text"]})
        await connection.conversation.item.create(
            item={
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Say hello!"}],
            }
        )
        await connection.response.create()
        text, done = "", None
        async for event in told(connection):
            if event.type == "response.output_text.delta":
                text += event.delta
            elif event.type == "response.output_text.done":
                done = event.text
            elif event.type == "response.done":
                break
        assert text == done == "beep"
        assert event.response.usage is not None


async def test_sound_is_heard_and_answered_with_sound_through_openais_client() -> None:
    async with (
        served() as server,
        openai(server).realtime.connect(model="gpt-realtime") as connection,
    ):
        await connection.session.update(
            session={
                "type": "realtime",
                "audio": {"input": {"turn_detection": {"type": "server_vad"}}},
            }
        )
        spoken = pcm(0.5) + bytes(2 * 24_000)
        for start in range(0, len(spoken), 4_800):
            piece = base64.b64encode(spoken[start : start + 4_800]).decode()
            await connection.input_audio_buffer.append(audio=piece)
        sound, transcript, heard = b"", "", ""
        async for event in told(connection):
            if event.type == "response.output_audio.delta":
                sound += base64.b64decode(event.delta)
            elif event.type == "response.output_audio_transcript.delta":
                transcript += event.delta
            elif event.type == "conversation.item.input_audio_transcription.completed":
                heard = event.transcript
            elif event.type == "response.done":
                break  # as programs do that know of no other end
        assert heard == "a loud sound"
        assert transcript == "beep"
        samples = np.frombuffer(sound, "<i2").astype(np.float64)
        assert len(samples) == pytest.approx(0.6 * 24_000, rel=0.1)
        spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
        pitch = np.argmax(spectrum) * 24_000 / len(samples)
        assert pitch == pytest.approx(TONE, abs=5)


async def test_a_function_is_called_through_openais_client() -> None:
    async with (
        served() as server,
        openai(server).realtime.connect(model="gpt-realtime") as connection,
    ):
        await connection.session.update(
            session={
                "type": "realtime",
                "tools": [
                    {
                        "type": "function",
                        "name": "stock",
                        "description": "How many are left.",
                        "parameters": {"type": "object", "properties": {"q": {"type": "integer"}}},
                    }
                ],
                "tool_choice": "auto",
            }
        )
        await connection.response.create()
        async for event in told(connection):
            if event.type == "response.function_call_arguments.done":
                call = event
            elif event.type == "response.done":
                break
        assert (call.name, json.loads(call.arguments)) == ("stock", {"q": 1})
        assert event.response.output[0].type == "function_call"
        await connection.conversation.item.create(
            item={"type": "function_call_output", "call_id": call.call_id, "output": "3"}
        )
        await connection.response.create()
        async for event in told(connection):
            if event.type == "response.output_audio_transcript.done":
                assert event.transcript == "beep"
                break


async def test_manual_turns_cancel_and_truncate() -> None:
    engine = FakeEngine([FakeScript(reply_seconds=5)])
    async with served(engine) as server, connect(server.url) as socket:
        turn = {"audio": {"input": {"turn_detection": None}}}
        await say(socket, "session.update", session=turn)
        updated = await until(socket, "session.updated")
        assert updated["session"]["audio"]["input"]["turn_detection"] is None
        await say(socket, "input_audio_buffer.append", audio=base64.b64encode(pcm(0.4)).decode())
        await say(socket, "input_audio_buffer.commit")
        await until(socket, "input_audio_buffer.committed")
        started = await until(socket, "output_audio_buffer.started")
        await until(socket, "response.output_audio.delta")
        await say(socket, "response.cancel", response_id=started["response_id"])
        await until(socket, "output_audio_buffer.cleared")
        truncated = await until(socket, "conversation.item.truncated")
        done = await until(socket, "response.done")
        assert done["response"]["status_details"]["reason"] == "client_cancelled"
        await say(
            socket,
            "conversation.item.truncate",
            item_id=truncated["item_id"],
            content_index=0,
            audio_end_ms=100,
        )
        assert (await until(socket, "conversation.item.truncated"))["audio_end_ms"] == 100


async def test_poses_and_pictures_come_as_events() -> None:
    async with served() as server, connect(server.url + "?motion=base64&size=128x224") as socket:
        created = await until(socket, "session.created")
        assert created["session"]["avatar"]["video"]["width"] == 128
        picture = await until(socket, "avatar.video.delta")
        assert picture["keyframe"] is True
        form = await until(socket, "avatar.motion.format")
        pose = await until(socket, "avatar.motion.delta")
        rotations = np.frombuffer(base64.b64decode(pose["rotations"]), "<f4").reshape(-1, 4)
        assert len(rotations) == len(form["joints"]) == len(form["parents"])
        assert np.allclose(np.linalg.norm(rotations, axis=1), 1, atol=1e-5)
        assert len(base64.b64decode(pose["face"])) == 4 * len(form["blendshapes"])
        off = {"avatar": {"motion": None, "video_delta": False}}
        await say(socket, "session.update", session=off)
        await until(socket, "session.updated")
        await say(socket, "response.create")
        kinds: set[str] = set()
        while "output_audio_buffer.stopped" not in kinds:
            kinds.add(json.loads(await socket.recv())["type"])
        assert not kinds & {"avatar.motion.delta", "avatar.video.delta"}


async def test_a_lost_socket_is_resumed_and_what_was_not_heard_is_told() -> None:
    engine = FakeEngine([FakeScript(reply_seconds=20)])
    async with served(engine) as server:
        socket = await connect(server.url)
        created = await until(socket, "session.created")
        token = created["session"]["avatar"]["resume_token"]
        await say(socket, "response.create")
        sound = await until(socket, "response.output_audio.delta")
        await say(socket, "avatar.heard", position_ms=sound["position_ms"])
        await asyncio.sleep(0.1)
        await vanish(socket)
        async with asyncio.timeout(5):
            await server.session.rested.wait()
        (heard,) = server.session.lost
        told = round(sound["position_ms"] * WIRE_RATE / 1000)
        assert told <= heard < told + 0.2 * WIRE_RATE
        assert server.session.playout_delays[-1] == pytest.approx(0.02, abs=0.1)
        async with connect(f"{server.url}?resume={token}") as again:
            first = await until(again, "session.created")
            assert first["session"]["id"] == created["session"]["id"]
            assert first["session"]["avatar"]["resumed"] is True
            assert not server.session.rested.is_set()
            assert (await until(again, "conversation.item.truncated"))["transcript"] == "be"
            await say(again, "response.create")
            await until(again, "response.output_audio.delta")
        async with asyncio.timeout(5):
            await server.lines.empty()
        assert engine.sessions == 0
        with pytest.raises(InvalidStatus) as refusal:
            await connect(f"{server.url}?resume={token}")
        assert refusal.value.response.status_code == 404
        assert json.loads(refusal.value.response.body)["error"]["code"] == "session_gone"


async def test_a_second_socket_takes_the_session_from_the_first() -> None:
    async with served() as server, connect(server.url) as first:
        created = await until(first, "session.created")
        token = created["session"]["avatar"]["resume_token"]
        async with connect(f"{server.url}?resume={token}") as second:
            await until(second, "session.created")
            with pytest.raises(ConnectionClosed):
                await until(first, "never")
            assert first.close_code == 4001
            assert server.engine.sessions == 1
            await say(second, "response.create")
            await until(second, "response.created")


async def test_who_stays_away_too_long_finds_nothing() -> None:
    async with served(hold_s=0.2) as server:
        socket = await connect(server.url)
        await until(socket, "session.created")
        await vanish(socket)
        async with asyncio.timeout(5):
            await server.lines.empty()
        assert server.engine.sessions == 0


@pytest.mark.parametrize(
    ("query", "status", "param"),
    [
        ("?voice=nobody", 400, "voice"),
        ("?motion=json", 400, "motion"),
        ("?size=1x1", 400, "size"),
        ("?colour=red", 400, "colour"),
        ("?resume=line_unknown", 404, "resume"),
        ("?resume=a&voice=tone", 400, "voice"),
    ],
)
async def test_what_is_wrong_is_answered_before_the_socket_opens(
    query: str, status: int, param: str
) -> None:
    async with served() as server:
        with pytest.raises(InvalidStatus) as refusal:
            await connect(server.url + query)
        assert refusal.value.response.status_code == status
        assert json.loads(refusal.value.response.body)["error"]["param"] == param
        assert server.engine.sessions == 0


@pytest.mark.parametrize("path", ["/v1/realtime/", "/v1/realtim", "/v1"])
async def test_a_wrong_path_is_told_as_one(path: str) -> None:
    async with served() as server:
        with pytest.raises(InvalidStatus) as refusal:
            await connect(f"ws://127.0.0.1:{server.port}{path}")
        assert refusal.value.response.status_code == 404
        assert "/v1/realtime" in json.loads(refusal.value.response.body)["error"]["message"]


async def test_a_full_server_says_so() -> None:
    async with served(FakeEngine(limit=1)) as server, connect(server.url):
        with pytest.raises(InvalidStatus) as refusal:
            await connect(server.url)
        assert refusal.value.response.status_code == 503
        assert refusal.value.response.headers["Retry-After"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "invalid_json"),
        (b"\xff\xff", "invalid_json"),
        ('{"type": "input_audio_buffer.append", "audio": "!"}', "invalid_value"),
        ('{"type": "input_audio_buffer.append", "audio": "AAAA"}', "invalid_value"),
        ('{"type": "dance"}', "unknown_event_type"),
    ],
)
async def test_bad_messages_are_answered_and_the_session_goes_on(
    message: str | bytes, code: str
) -> None:
    async with served() as server, connect(server.url) as socket:
        await socket.send(message)
        assert (await until(socket, "error"))["error"]["code"] == code
        await say(socket, "response.create")
        await until(socket, "response.created")


async def test_a_client_that_does_not_read_is_bounded_and_let_go() -> None:
    engine = FakeEngine([FakeScript(reply_seconds=120)])
    async with served(engine, send_buffer=8192) as server:
        socket = await narrow(server, "?motion=base64")
        await until(socket, "session.created")
        await say(socket, "response.create")
        socket.transport.pause_reading()
        async with asyncio.timeout(60):
            await server.session.rested.wait()
        assert engine.sessions == 1, "it may still come back"
        socket.transport.resume_reading()
        told = []
        with suppress(ConnectionClosed):
            async for message in socket:
                told.append(json.loads(message))  # noqa: PERF401 - the last ones raise
        assert told[-1]["error"]["code"] == "slow_reader"
        assert socket.close_code == 1013


async def test_poses_are_left_out_first_and_that_is_told() -> None:
    engine = FakeEngine([FakeScript(reply_seconds=120)])
    async with served(engine, send_buffer=8192) as server:
        socket = await narrow(server, "?motion=base64")
        await until(socket, "session.created")
        await say(socket, "response.create")
        socket.transport.pause_reading()
        await asyncio.sleep(6)  # for so long it does not read
        socket.transport.resume_reading()
        lagging = await until(socket, "avatar.lagging", 20)
        assert lagging["motion"] > 0
        assert not server.session.rested.is_set()
        await until(socket, "avatar.motion.delta")
        await vanish(socket)


async def test_keys_and_tokens_open_sockets_and_others_do_not(tmp_path: Path) -> None:
    door = Door(tmp_path)
    _, key = door.file.create("shop", ("talk",), Limits(sessions=1))
    _, other = door.file.create("other", ("talk",))
    door.clock._now += 1.0
    async with served(access=door.access) as server:
        for headers in ({}, {"Authorization": "Bearer vk_wrong"}):
            with pytest.raises(InvalidStatus) as refusal:
                await connect(server.url, additional_headers=headers)
            assert refusal.value.response.status_code == 401
        async with openai(server, key) as client:
            token = await client.realtime.client_secrets.create(
                session={"type": "realtime", "audio": {"output": {"voice": "hum"}}}
            )
        protocols = [Subprotocol("realtime"), Subprotocol(SUBPROTOCOL + token.value)]
        async with connect(server.url, subprotocols=protocols) as socket:
            assert socket.subprotocol == "realtime"
            created = await until(socket, "session.created")
            assert created["session"]["audio"]["output"]["voice"] == "hum"
            with pytest.raises(InvalidStatus) as full:
                await connect(server.url, additional_headers=bearer(key))
            assert full.value.response.status_code == 429
            resume = f"{server.url}?resume={created['session']['avatar']['resume_token']}"
            with pytest.raises(InvalidStatus) as foreign:
                await connect(resume, additional_headers=bearer(other))
            assert foreign.value.response.status_code == 403
            async with connect(resume, additional_headers=bearer(key)) as again:
                await until(again, "session.created")
                assert door.access.open == 1
        async with asyncio.timeout(5):
            await server.lines.empty()
        assert door.access.open == 0


async def test_a_revoked_key_ends_its_socket_and_says_why(tmp_path: Path) -> None:
    door = Door(tmp_path)
    made, key = door.file.create("shop", ("talk",))
    door.clock._now += 1.0
    async with (
        served(access=door.access) as server,
        connect(server.url, additional_headers=bearer(key)) as socket,
    ):
        await until(socket, "session.created")
        door.file.revoke(made.id)
        door.clock._now += 2.0
        door.access._leases.enforce()
        assert (await until(socket, "error"))["error"]["code"] == "key_ended"
        with pytest.raises(ConnectionClosed):
            await until(socket, "never")
        async with asyncio.timeout(5):
            await server.lines.empty()
        assert server.engine.sessions == 0
