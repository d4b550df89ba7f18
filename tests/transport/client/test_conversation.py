"""Conversations: opening, asking, saying, updating, hearing, seeing, closing."""

import asyncio
import json
from typing import Any

import numpy as np
import pytest

import vivant
from tests.transport.client.server import FakeServer, Message, metadata


def _answer(text: str) -> Any:
    count = iter(range(1, 100))

    def answer(server: FakeServer, event: Message) -> None:
        server.answer(f"resp_{next(count)}", text, metadata=metadata(event))

    return answer


async def test_a_session_is_opened_as_it_was_wished_for(server: FakeServer) -> None:
    async with vivant.connect(
        server.url,
        api_key="secret",
        voice="light",
        scene={"caption": "Today"},
        avatar="lin",
        speed=1.25,
        motion=True,
        instructions="Be brief.",
        turn_detection="off",
    ) as conversation:
        assert conversation.id == "sess_1"
        assert conversation.session["instructions"] == "Be brief."
    assert server.authorizations == ["Bearer secret"]
    assert server.queries == [
        {
            "model": "vivant",
            "voice": "light",
            "avatar": "lin",
            "speed": "1.25",
            "size": "none",
            "motion": "base64",
        }
    ]
    (update,) = server.received
    assert update["session"] == {
        "type": "realtime",
        "instructions": "Be brief.",
        "audio": {"input": {"turn_detection": None}},
        "avatar": {"scene": {"caption": "Today"}},
    }


async def test_nothing_is_sent_where_nothing_is_wished_for(server: FakeServer) -> None:
    async with vivant.connect(server.url, token="short") as conversation:
        await conversation.interrupt()
        await server.until("output_audio_buffer.clear")
    assert [event["type"] for event in server.received] == ["output_audio_buffer.clear"]
    assert server.authorizations == ["Bearer short"]


async def test_the_environment_names_server_and_key(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIVANT_URL", server.url)
    monkeypatch.setenv("VIVANT_API_KEY", "from the environment")
    async with vivant.connect():
        pass
    async with vivant.connect(token="given"):
        pass
    assert server.authorizations == ["Bearer from the environment", "Bearer given"]


async def test_a_question_is_answered_in_text_and_sound(server: FakeServer) -> None:
    server.on["response.create"] = _answer("We open at nine.")
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.ask("When do you open?")
        assert reply.id == "resp_1"
        assert await reply.text() == "We open at nine."
        sound = await reply.sound()
        assert (str(sound.dtype), len(sound)) == ("int16", 960)
        assert sound[:480].tolist() == sound[480:].tolist() == list(range(480))
        assert (reply.status, reply.interrupted, reply.over) == ("completed", False, True)
    item = server.received[0]["item"]
    assert item["content"] == [{"type": "input_text", "text": "When do you open?"}]


async def test_a_reply_comes_piece_by_piece(server: FakeServer) -> None:
    server.on["response.create"] = _answer("Yes.")
    async with vivant.connect(server.url) as conversation:
        parts = [part async for part in await conversation.ask("Really?")]
    text, first, second = parts
    assert isinstance(text, vivant.TextChunk)
    assert (text.text, text.audio_start_ms) == ("Yes.", 0)
    assert isinstance(first, vivant.AudioChunk)
    assert isinstance(second, vivant.AudioChunk)
    assert (first.position_ms, second.position_ms, second.seconds) == (0, 20, 0.02)
    assert first.pcm == np.arange(480, dtype="<i2").tobytes()


async def test_answers_find_who_asked(server: FakeServer) -> None:
    asked: list[Message] = []

    def answer_backwards(_: FakeServer, event: Message) -> None:
        asked.append(event)
        if len(asked) == 2:
            server.answer("resp_spoken", "somebody else's")
            for name, one in (("second", asked[1]), ("first", asked[0])):
                server.answer(f"resp_{name}", name, metadata=metadata(one))

    server.on["response.create"] = answer_backwards
    async with vivant.connect(server.url) as conversation:
        replies = await asyncio.gather(conversation.ask("1"), conversation.ask("2"))
        assert [await reply.text() for reply in replies] == ["first", "second"]


async def test_what_is_refused_raises_where_it_was_asked(server: FakeServer) -> None:
    server.on["conversation.item.create"] = lambda server, event: server.refuse(event, "too_long")
    server.on["session.update"] = lambda server, event: server.refuse(event)
    async with vivant.connect(server.url) as conversation:
        with pytest.raises(vivant.RequestRefusedError, match="not accepted") as refused:
            await conversation.ask("?")
        assert (refused.value.code, refused.value.retryable) == ("too_long", False)
        with pytest.raises(vivant.RequestRefusedError):
            await conversation.update(voice="loud")
        kinds = [type(await anext(aiter(conversation))).__name__ for _ in range(2)]
    assert kinds == ["ErrorEvent", "ErrorEvent"]


async def test_a_conversation_whose_wishes_are_refused_does_not_open(server: FakeServer) -> None:
    server.on["session.update"] = lambda server, event: server.refuse(event)
    with pytest.raises(vivant.RequestRefusedError):
        async with vivant.connect(server.url, instructions="?"):
            pytest.fail("the conversation is open")


async def test_a_failed_answer_raises(server: FakeServer) -> None:
    def fail(server: FakeServer, event: Message) -> None:
        server.begin("resp_1", metadata(event))
        error = {"type": "server_error", "code": "response_failed", "message": "no model"}
        server.done("resp_1", status="failed", status_details={"type": "failed", "error": error})

    server.on["response.create"] = fail
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.ask("?")
        with pytest.raises(vivant.RequestRefusedError, match="no model") as failed:
            await reply.text()
        assert failed.value.retryable
        with pytest.raises(vivant.RequestRefusedError, match="no model"):
            await reply.sound()


async def test_what_is_interrupted_ends(server: FakeServer) -> None:
    def begin(server: FakeServer, event: Message) -> None:
        server.begin("resp_1", metadata(event))
        server.send("output_audio_buffer.started", response_id="resp_1")
        server.text("resp_1", "We open ")
        server.sound("resp_1", 20)

    def cancel(server: FakeServer, event: Message) -> None:
        assert event["response_id"] == "resp_1"
        server.send("output_audio_buffer.cleared", response_id="resp_1")
        server.done("resp_1", "We open", status="cancelled")

    server.on |= {"response.create": begin, "response.cancel": cancel}
    async with vivant.connect(server.url) as conversation:
        heard = conversation.audio()
        reply = await conversation.ask("?")
        await conversation.send({"type": "avatar.notes"})
        await server.until("avatar.notes")
        await reply.cancel()
        assert await reply.text() == "We open"
        assert (reply.status, reply.interrupted) == ("cancelled", True)
        assert len(await reply.sound()) == 0, "what is cut off is not to be played any more"
        assert len(heard) == 0
        await reply.cancel()
    assert server.counts["response.cancel"] == 1


async def test_texts_are_said_word_for_word(server: FakeServer) -> None:
    server.on["avatar.say"] = lambda server, event: server.answer(
        "resp_1", event["text"], metadata=metadata(event)
    )
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.say("欢迎！", language="zh", interrupt=False)
        assert await (await reply.finished()).text() == "欢迎！"
    (said,) = server.received
    assert (said["language"], said["interrupt"]) == ("zh", False)


async def test_the_session_changes_and_the_rest_stays(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        session = await conversation.update(voice="light", framing="head", language="zh")
        assert session == conversation.session
        assert await conversation.update() == session
    (update,) = server.received
    assert update["session"] == {
        "type": "realtime",
        "audio": {"input": {"transcription": {"language": "zh"}}, "output": {"voice": "light"}},
        "avatar": {"framing": "head"},
    }


async def test_gestures_truncation_and_notes(server: FakeServer) -> None:
    server.on["avatar.notes"] = lambda server, _: server.send(
        "avatar.notes", seeing=True, notes=[{"text": "a cup"}]
    )
    async with vivant.connect(server.url) as conversation:
        await conversation.action("point", where="left", amount=0.5)
        await conversation.truncate("item_1", 900)
        assert await conversation.notes() == [{"text": "a cup"}]
    action, truncation, _ = server.received
    assert (action["action"], action["parameters"]) == ("point", {"where": "left", "amount": 0.5})
    assert (truncation["item_id"], truncation["audio_end_ms"]) == ("item_1", 900)


async def test_sound_of_any_length_and_rate_is_heard(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        await conversation.send_audio(np.full(24_000 * 2, 0.25, np.float32))
        await conversation.send_audio(bytes(960))
        await conversation.send_audio(np.zeros((4_800, 2), np.int16), 48_000)
        await server.heard_bytes((48_000 + 480 + 2_380) * 2)
        assert conversation.dropped.spoken_s == 0
    heard = np.frombuffer(server.heard, "<i2")
    assert (heard[:48_000] == 8_192).all()
    assert server.counts["input_audio_buffer.append"] == 6, "no event is longer than 0.5 s"


async def test_a_spoken_question_is_answered(server: FakeServer) -> None:
    def commit(server: FakeServer, _: Message) -> None:
        server.send("input_audio_buffer.committed", item_id="item_1", previous_item_id=None)
        server.answer("resp_1", "at nine")

    server.on["input_audio_buffer.commit"] = commit
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.ask_sound(np.zeros(4_800, np.int16), 16_000)
        assert await reply.text() == "at nine"
    assert server.counts["response.create"] == 0, "the server answers what it hears"


async def test_an_answer_to_half_a_question_is_not_the_answer(server: FakeServer) -> None:
    """The server takes a pause for the end, begins to answer, and hears that there is more."""

    def hear(server: FakeServer, _: Message) -> None:
        server.counts["heard"] += 1
        if server.counts["heard"] == 1:
            server.send("input_audio_buffer.committed", item_id="item_1", previous_item_id=None)
            server.begin("resp_early")
            server.send("input_audio_buffer.speech_started", item_id="item_2", audio_start_ms=90)
            server.done("resp_early", status="cancelled")
        elif server.counts["heard"] == 3:
            server.send("input_audio_buffer.committed", item_id="item_2", previous_item_id=None)
            server.answer("resp_late", "at nine")

    server.on["input_audio_buffer.append"] = hear
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.ask_sound(np.zeros(16_800, np.int16))
        assert (reply.id, await reply.text()) == ("resp_late", "at nine")
    assert server.counts["input_audio_buffer.commit"] == 0, "its end was found already"


async def test_a_spoken_question_without_turn_detection(server: FakeServer) -> None:
    server.on["input_audio_buffer.commit"] = lambda server, _: server.send(
        "input_audio_buffer.committed", item_id="item_1", previous_item_id=None
    )
    server.on["response.create"] = _answer("at nine")
    async with vivant.connect(server.url, turn_detection="off") as conversation:
        reply = await conversation.ask_sound(np.zeros(2_400, np.int16))
        assert await reply.text() == "at nine"


async def test_a_spoken_question_that_is_not_heard(server: FakeServer) -> None:
    server.on["input_audio_buffer.commit"] = lambda server, event: server.refuse(event)
    async with vivant.connect(server.url) as conversation:
        with pytest.raises(vivant.RequestRefusedError):
            await conversation.ask_sound(np.zeros(240, np.int16))


@pytest.mark.parametrize("answer", ["cleared", "none"])
async def test_a_spoken_question_without_words(
    server: FakeServer, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit(server: FakeServer, _: Message) -> None:
        if answer == "cleared":
            server.send("input_audio_buffer.speech_started", item_id="item_1", audio_start_ms=0)
            server.send("input_audio_buffer.cleared")

    monkeypatch.setattr("transport.client.question.NOTICED_S", 0.2)
    server.on["input_audio_buffer.commit"] = commit
    async with vivant.connect(server.url) as conversation:
        with pytest.raises(vivant.RequestRefusedError, match="nothing was heard") as refused:
            await conversation.ask_sound(np.zeros(240, np.int16))
        assert refused.value.code == "nothing_heard"


async def test_poses_carry_their_names_and_keep_step_with_sound(server: FakeServer) -> None:
    async with vivant.connect(server.url, motion=True) as conversation:
        server.pose(0)  # before its format: cannot be read
        server.motion_format()
        for position in (40, 80, 120, 160):
            server.pose(position, jaw=position / 1000)
        first = await anext(conversation.motion())
        assert (first.position_ms, first.translation.tolist()) == (40, [0, 0, 0.25])
        assert first.rotations.tolist() == [[1, 0, 0, 0]] * 3
        assert first.format.joints == ("joint_0", "joint_1", "joint_2")
        assert first.format.parents == (-1, 0, 1)
        assert first.format.blendshapes == ("jawOpen", "eyeBlinkLeft")
        server.send("output_audio_buffer.stopped", response_id="resp_0")
        await anext(aiter(conversation))  # the format
        await anext(aiter(conversation))
        frame = conversation.motion().at(130)
        assert frame is not None
        assert frame.face.tolist() == [np.float32(0.12), 0]
        assert conversation.motion().at(150) is None
        with pytest.raises(vivant.ClientValueError, match="video=True"):
            conversation.video()


async def test_pictures(server: FakeServer) -> None:
    async with vivant.connect(server.url, video=True, size=(540, 960)) as conversation:
        server.send("avatar.video.delta", position_ms=40, keyframe=True, codec="h264", data="AAAB")
        picture = await anext(conversation.video())
        assert picture == vivant.VideoPacket(b"\0\0\1", "h264", True, 40)
        with pytest.raises(vivant.ClientValueError, match="motion=True"):
            conversation.motion()
    assert server.queries[0]["size"] == "540x960"


async def test_all_the_host_says_is_heard_whoever_asked(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        heard = conversation.audio()
        server.answer("resp_1", "hello")
        chunks = [await anext(heard), await anext(heard)]
    assert [chunk.position_ms for chunk in chunks] == [0, 20]
    assert [chunk async for chunk in heard] == []


async def test_the_server_is_told_how_far_the_sound_has_come(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        server.begin("resp_1")
        for position in range(0, 1_200, 100):
            server.sound("resp_1", 100, position)
        server.send("output_audio_buffer.stopped", response_id="resp_1")
        told = await server.until("avatar.heard", 3)
        assert told["position_ms"] == 1_200
        await conversation.heard(900)
        server.sound("resp_1", 1_000, 1_200)
        server.send("output_audio_buffer.stopped", response_id="resp_1")
        await conversation.send({"type": "avatar.notes"})
        await server.until("avatar.notes")
    positions = [e["position_ms"] for e in server.received if e["type"] == "avatar.heard"]
    assert positions == [500, 1_000, 1_200, 900], "who plays it knows better"


async def test_events_of_every_kind_come_typed_and_media_do_not(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        server.send_raw('{"type": "avatar.from_the_future", "value": 1}')
        server.send_raw("no JSON")
        server.send_raw('{"type": "response.done"}')
        server.answer("resp_1", "hello")
        seen = [await anext(aiter(conversation)) for _ in range(7)]
    unknown, broken, created, started, text, done, stopped = seen
    assert unknown == vivant.UnknownEvent(
        "avatar.from_the_future", {"type": "avatar.from_the_future", "value": 1}
    )
    assert isinstance(broken, vivant.UnknownEvent)
    assert isinstance(created, vivant.events.ResponseCreated)
    assert created.response.id == "resp_1"
    assert isinstance(started, vivant.events.OutputStarted)
    assert isinstance(text, vivant.events.TranscriptDelta)
    assert text.delta == "hello"
    assert isinstance(done, vivant.events.ResponseDone)
    assert isinstance(stopped, vivant.events.OutputStopped)


async def test_whoever_reads_nothing_keeps_nothing(server: FakeServer) -> None:
    """Two minutes and a half of everything, unread: the newest is there, the rest is counted."""
    async with vivant.connect(server.url, motion=True, video=True) as conversation:
        heard = conversation.audio()
        server.motion_format()
        server.begin("resp_1")
        for second in range(150):
            server.sound("resp_1", 1_000, 1_000 * second)
            for _ in range(8):
                server.send("input_audio_buffer.cleared")
            for index in range(3):
                server.pose(1_000 * second + 40 * index)
                server.send(
                    "avatar.video.delta",
                    position_ms=1_000 * second + 40 * index,
                    keyframe=index == 0,
                    codec="h264",
                    data="AAAB",
                )
            await asyncio.sleep(0)
        await conversation.send({"type": "avatar.notes"})
        await server.until("avatar.heard", 150)
        dropped = conversation.dropped
        assert (dropped.motion, dropped.audio) == (200, 30)
        assert dropped.events == 150 * 8 + 2 - 1_024
        assert len(conversation.video()) <= 250
        assert (await anext(conversation.video())).keyframe
        with pytest.raises(vivant.SlowConsumerError, match=r"30\.00 s"):
            await anext(heard)
        assert (await anext(heard)).position_ms == 30_000
        assert (await anext(conversation.motion())).position_ms == 66_080


async def test_closing_ends_everything_that_waits(server: FakeServer) -> None:
    server.on["response.create"] = lambda server, event: server.begin("resp_1", metadata(event))
    async with vivant.connect(server.url, motion=True) as conversation:
        reply = await conversation.ask("?")
        waiting = [
            asyncio.create_task(_all(stream))
            for stream in (conversation, conversation.motion(), conversation.audio())
        ]
        asking = asyncio.create_task(conversation.notes())
        await server.until("avatar.notes")
    lengths = [len(await task) for task in waiting]
    assert lengths == [1, 0, 0]
    with pytest.raises(vivant.ConversationClosedError):
        await asking
    with pytest.raises(vivant.ConversationClosedError):
        await reply.text()
    with pytest.raises(vivant.ConversationClosedError):
        await conversation.ask("still there?")
    with pytest.raises(vivant.ConversationClosedError):
        await conversation.send_audio(bytes(2))
    with pytest.raises(vivant.ConversationClosedError):
        await conversation.__aenter__()
    await conversation.close()


async def test_cancelling_one_question_leaves_the_others(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await conversation.ask("?")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await conversation.say("?")
        server.on["avatar.say"] = lambda server, event: server.answer(
            "resp_1", event["text"], metadata=metadata(event)
        )
        assert await (await conversation.say("hello")).text() == "hello"


async def test_cancelling_the_block_closes(server: FakeServer) -> None:
    async def hold() -> None:
        async with vivant.connect(server.url):
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await server.connected(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(15):
        await server.socket.wait_closed()


async def test_the_server_may_end_the_conversation(server: FakeServer) -> None:
    async with vivant.connect(server.url) as conversation:
        await server.socket.close(1000)
        assert [event async for event in conversation] == []
        with pytest.raises(vivant.ConversationClosedError):
            await conversation.ask("?")


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"url": "ftp://host"}, "ws, wss, http or https"),
        ({"url": "ws://"}, "accepted"),
        ({"api_key": "a", "token": "b"}, "accepted: one"),
        ({"api_key": "ключ"}, "ASCII"),
        ({"size": (540, 960)}, "video=True"),
        ({"video": True, "size": 540}, "540x960"),
        ({"tools": [lambda: 1]}, "no name of a tool"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(wish: dict[str, Any], message: str) -> None:
    with pytest.raises(vivant.ClientValueError, match=message):
        vivant.connect(**wish)


def test_keys_are_not_shown() -> None:
    conversation = vivant.connect(api_key="secret")
    assert "secret" not in json.dumps(str(vars(conversation._link)))


async def _all(stream: Any) -> list[object]:
    return [item async for item in stream]


def test_ways_of_taking_turns_are_checked_before_they_are_sent() -> None:
    with pytest.raises(vivant.ClientValueError, match="accepted: 'off'"):
        vivant.connect(turn_detection="never")  # type: ignore[arg-type]
