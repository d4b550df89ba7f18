"""A voice that fails is stood in for, rests, is tried aside, and speaks again when it can."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from threading import Event

import numpy as np

from agents.clause import Clause
from avatar.errors import AvatarError
from avatar.speech import Speech, Word
from avatar.voice import VoiceInfo
from avatar.voice.endpoint import Endpoint, EndpointVoice
from pipeline.channel import Channel, Envelope
from pipeline.events import ResponseDone, SessionFailed
from pipeline.stages.speak import SpeakStage, Spoken
from pipeline.stages.think import End
from pipeline.voice_health import FIRST_REST, PATIENCE, Speaker, VoiceHealth
from pipeline.voices import choose_spare
from pipeline.worker import Worker
from tests.fakes.clock import VirtualClock
from tests.fakes.programme import FakeProgramme
from tests.fakes.room import Room
from tests.fakes.voice import FakeVoice


class Remote:
    """A voice elsewhere: says `good` words of a clause, then fails, or stalls until cancelled."""

    info = VoiceInfo("remote", "endpoint", ("en", "zh"), "of the endpoint")

    def __init__(self) -> None:
        self.good: int | None = 0
        self.stalls = False
        self.asked: list[str] = []

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        del language, speed
        self.asked.append(text)
        for index, word in enumerate(text.split()):
            if self.good is not None and index == self.good:
                if self.stalls:
                    cancelled.wait(20)
                    return
                raise AvatarError("the endpoint answered 503, trying again may help")
            yield Speech(np.ones(2400, np.float32), (Word(word, 0.0, 0.1),))


class Stage:
    """A speak stage between channels, and what it told."""

    def __init__(self, voice: Remote | EndpointVoice) -> None:
        self.clock = VirtualClock()
        self.health = VoiceHealth(self.clock)
        self.spare = FakeVoice("spare")
        self.workers = Worker("remote"), Worker("spare")
        spare = Speaker(self.spare, self.workers[1])
        self.out: Channel[object] = Channel(64)
        self.told: list[tuple[str, str, str]] = []
        self.failures: list[Exception] = []
        self.stage = SpeakStage(
            lambda _turn, _language: Speaker(voice, self.workers[0], 1.0, spare, self.health),
            self.out,  # type: ignore[arg-type]
            lambda _stage, _turn, error: self.failures.append(error),
            lambda *told: self.told.append(told),
        )
        self.task = asyncio.create_task(self.stage.run())

    async def say(self, text: str) -> list[Spoken]:
        """Have a clause said; virtual time stands still meanwhile."""
        await self.stage.inbox.put(Envelope(1, Clause(text, "en")))
        await self.stage.inbox.put(Envelope(1, End()))
        spoken: list[Spoken] = []
        while True:
            payload = (await self.out.get()).payload
            if isinstance(payload, End):
                return spoken
            assert isinstance(payload, Spoken)
            spoken.append(payload)

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.wait({self.task})
        await self.health.close()
        for worker in self.workers:
            worker.close()


async def until(true: Callable[[], bool]) -> None:
    """Wait for what threads do."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def test_another_voice_speaks_the_clause_and_it_is_told_once() -> None:
    stage = Stage(Remote())
    spoken = await stage.say("hello there friends")
    assert stage.spare.spoken == ["hello there friends"]
    assert [one.first for one in spoken] == [True]
    await stage.say("how are you")
    assert stage.spare.spoken[1:] == ["how are you"]
    assert len(stage.told) == 1
    assert stage.told[0][:2] == ("remote", "spare")
    assert "503" in stage.told[0][2]
    assert not stage.failures
    await stage.close()


async def test_what_was_said_already_is_not_said_again() -> None:
    remote = Remote()
    remote.good = 2
    stage = Stage(remote)
    spoken = await stage.say("it costs nine dollars today")
    assert stage.spare.spoken == [" nine dollars today"]
    assert [one.first for one in spoken] == [True, False, False]
    await stage.close()


async def test_a_voice_that_stalls_is_given_up() -> None:
    remote = Remote()
    remote.stalls = True
    stage = Stage(remote)
    saying = asyncio.create_task(stage.say("hello there"))
    await until(lambda: bool(remote.asked))
    await stage.clock.run(PATIENCE + 0.1)
    await saying
    assert stage.spare.spoken == ["hello there"]
    assert str(PATIENCE) in stage.told[0][2]
    await stage.close()


async def test_a_voice_is_tried_aside_and_speaks_again() -> None:
    remote = Remote()
    stage = Stage(remote)
    await stage.say("hello there")
    await stage.clock.run(FIRST_REST + 0.1)
    remote.good = None
    await stage.say("are you there")
    assert stage.spare.spoken == ["hello there", "are you there"], "nobody waits for the trial"
    await until(lambda: stage.health.outage("remote") is None)
    spoken = await stage.say("now again")
    assert len(spoken) == 2
    assert remote.asked[-1] == "now again"
    assert stage.told[-1] == ("remote", "spare", "")
    await stage.close()


async def test_a_voice_that_goes_on_failing_is_tried_ever_more_rarely() -> None:
    remote = Remote()
    stage = Stage(remote)
    for _ in range(60):
        await stage.say("hello")
        await stage.clock.run(FIRST_REST)
        await until(lambda: not (out := stage.health.outage("remote")) or not out.trying)
    assert 4 <= len(remote.asked) <= 9
    assert len(stage.told) == 1
    await stage.close()


async def test_a_dead_endpoint_is_stood_in_for() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    stage = Stage(EndpointVoice(Endpoint(f"http://127.0.0.1:{port}/v1")))
    await stage.say("hello there")
    assert stage.spare.spoken == ["hello there"]
    assert "ConnectError" in stage.told[0][2]
    await stage.close()


async def test_sessions_tell_it_and_go_on() -> None:
    room = Room()
    health, spare = VoiceHealth(room.clock), FakeVoice("spare")
    workers = [Worker("remote"), Worker("spare")]
    room.session._parts = room.session._parts.__class__(
        **{
            **{name: getattr(room.session._parts, name) for name in room.session._parts.__slots__},
            "speaker": lambda *_: Speaker(
                Remote(), workers[0], 1.0, Speaker(spare, workers[1]), health
            ),
        }
    )
    await room.open()
    programme = FakeProgramme(["one two.", "three four."])
    room.session.perform(programme)
    for _ in range(200):
        await room.clock.run(0.02)
        await asyncio.sleep(0.002)
    assert programme.said("ended") == ["one two.", "three four."]
    codes = [event.code for event in room.sink.of(SessionFailed)]
    assert codes == ["voice_fallback"]
    assert [done.status for done in room.sink.of(ResponseDone)] == ["completed", "completed"]
    await room.close()
    await health.close()
    for worker in workers:
        worker.close()


def test_the_spare_speaks_here_and_has_the_language() -> None:
    voices = {
        "far": VoiceInfo("far", "endpoint", ("en", "zh"), ""),
        "light": VoiceInfo("light", "piper", ("en",), ""),
        "lily": VoiceInfo("lily", "kokoro", ("en", "zh"), ""),
    }
    assert choose_spare(voices, "en") == "light"
    assert choose_spare(voices, "zh") == "lily"
    assert choose_spare({"far": voices["far"]}, "en") is None
