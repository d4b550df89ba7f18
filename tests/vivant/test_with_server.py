"""The SDK and the server together, over a real port."""

import asyncio
import wave
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

import vivant
from tests.fakes.engine import FakeEngine, FakeScript
from tests.web.socket_server import served


def _socket_of(conversation: vivant.Conversation) -> asyncio.Transport:
    socket = conversation._link._socket
    assert socket is not None
    return socket.transport


def _tone(rate: int, seconds: float) -> bytes:
    times = np.arange(round(rate * seconds)) / rate
    return (10_000 * np.sin(2 * np.pi * 300 * times)).astype("<i2").tobytes()


async def test_a_question_in_writing() -> None:
    async with served() as server, vivant.connect(server.http) as conversation:
        reply = await conversation.ask("When do you open?")
        sound = await reply.sound()
        assert await reply.text() == "beep"
        assert len(sound) / 24_000 == pytest.approx(0.6, abs=0.1)
        assert np.abs(sound).max() > 5_000
        assert (reply.status, reply.interrupted) == ("completed", False)
        assert server.session.texts == ["When do you open?"]


async def test_a_reply_without_sound() -> None:
    async with served() as server, vivant.connect(server.url, modality="text") as conversation:
        reply = await conversation.ask("When do you open?")
        assert await (await reply.finished()).text() == "beep"
        parts = [part async for part in reply]
        assert [type(part) for part in parts] == [vivant.TextChunk]


async def test_a_question_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "question.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(_tone(16_000, 0.6))
    async with served() as server, vivant.connect(server.url) as conversation:
        reply = await conversation.ask_file(path)
        assert await reply.text() == "beep"
        async for event in _until(conversation, vivant.events.TranscriptionCompleted):
            last = event
        assert isinstance(last, vivant.events.TranscriptionCompleted)
        assert last.transcript == "a loud sound"


async def test_a_question_aloud_where_the_client_ends_turns() -> None:
    async with (
        served() as server,
        vivant.connect(server.url, turn_detection="off") as conversation,
    ):
        reply = await conversation.ask_sound(_tone(24_000, 0.5))
        assert await reply.text() == "beep"
        assert server.session.options.turn is None


async def test_poses_and_pictures_have_the_clock_of_the_sound() -> None:
    async with (
        served() as server,
        vivant.connect(server.url, motion=True, video=True, size=(128, 224)) as conversation,
    ):
        reply = await conversation.ask("?")
        chunk = await anext(reply.audio)
        while (frame := await anext(conversation.motion())).position_ms < chunk.position_ms:
            pass
        assert frame.position_ms - chunk.position_ms < 40
        assert (frame.rotations.shape, frame.face.shape) == ((104, 4), (52,))
        assert len(frame.format.joints) == len(frame.format.parents) == 104
        picture = await anext(conversation.video())
        assert picture.keyframe
        assert picture.position_ms % 40 == 0


async def test_no_picture_is_made_where_none_is_wanted() -> None:
    async with served() as server, vivant.connect(server.url, motion=True):
        assert server.session.options.video is None
        assert server.session.options.motion


async def test_the_host_calls_a_function() -> None:
    async def stock(q: int) -> dict[str, int]:
        """How many are left."""
        return {"left": 3 + q}

    async with served() as server, vivant.connect(server.url, tools=[stock]) as conversation:
        reply = await conversation.ask("How many are left?")
        assert await (await reply.finished()).text() == "beep"
        outputs = [item.text for item in server.session.history if item.role == "output"]
        assert outputs == ['{"left":4}']


async def test_a_lost_connection_is_taken_up_again() -> None:
    patient = vivant.Reconnect(first_s=0.01, longest_s=0.02)
    engine = FakeEngine([FakeScript(reply_seconds=5.0)])
    async with (
        served(engine) as server,
        vivant.connect(server.url, motion=True, reconnect=patient) as conversation,
    ):
        name = conversation.id
        reply = await conversation.ask("?")
        await anext(reply.audio)
        _socket_of(conversation).abort()
        with pytest.raises(vivant.ReplyLostError):
            await reply.finished()
        seen = [event async for event in _until(conversation, vivant.Resumed)]
        assert isinstance(seen[-1], vivant.Resumed)
        assert (conversation.id, len(engine.opened)) == (name, 1)
        assert conversation.session["avatar"]["resumed"]
        assert len(server.session.lost) == 1, "what was not heard is not in the history"
        again = await conversation.ask("Once more?")
        await anext(again.audio)
        conversation.motion().clear()
        await anext(conversation.motion())


async def test_who_comes_back_too_late_has_lost_the_session() -> None:
    slow = vivant.Reconnect(first_s=0.4, longest_s=0.4, chance=lambda: 1.0)
    async with (
        served(hold_s=0.1) as server,
        vivant.connect(server.url, reconnect=slow) as conversation,
    ):
        _socket_of(conversation).abort()
        with pytest.raises(vivant.SessionLostError, match="404"):
            async for _ in _until(conversation, vivant.Resumed):
                pass


async def test_what_the_server_does_not_accept() -> None:
    async with served(FakeEngine(limit=1)) as server:
        with pytest.raises(vivant.ConnectionRefusedByServerError, match="voice") as refused:
            async with vivant.connect(server.url, voice="loud"):
                pytest.fail("the conversation is open")
        assert (refused.value.status, refused.value.retryable) == (400, False)
        async with vivant.connect(server.url) as conversation:
            with pytest.raises(vivant.ConnectionRefusedByServerError) as full:
                async with vivant.connect(server.url):
                    pytest.fail("the conversation is open")
            assert full.value.retryable
            assert full.value.retry_after_s
            with pytest.raises(vivant.RequestRefusedError) as update:
                await conversation.update(voice="loud")
            assert not update.value.retryable


async def test_everything_else_one_may_do() -> None:
    async with served() as server, vivant.connect(server.url) as conversation:
        assert await (await conversation.say("Welcome!")).text() == "Welcome!"
        await conversation.action("wave", side="left")
        assert await conversation.notes() == []
        await conversation.update(speed=1.5, scene="shop")
        assert (server.session.options.speed, server.session.options.scene) == (1.5, "shop")
        assert server.session.acts == [("wave", {"side": "left"})]
        reply = await conversation.ask("?")
        await anext(reply.audio)
        await conversation.heard(0.0)
        await conversation.interrupt()
        await reply.finished()
        assert reply.interrupted


async def _until(conversation: vivant.Conversation, kind: type) -> AsyncIterator[vivant.Event]:
    async with asyncio.timeout(15):
        async for event in conversation:
            yield event
            if isinstance(event, kind):
                return
