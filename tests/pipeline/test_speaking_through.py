"""Somebody's own voice with the host's mouth."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.contract import FRAME_SAMPLES
from pipeline.events import SpokenThrough, UserSpeechStarted
from pipeline.levelling import TARGET_DB, Leveller, level_db
from pipeline.options import SessionOptions, TurnSettings
from pipeline.speaking_through import GONE, NEVER_CAME
from tests.fakes.programme import FakeProgramme
from tests.fakes.room import Room

ALONE = SessionOptions(turn=TurnSettings(create_response=False, interrupt_response=False))


async def on_air() -> tuple[Room, FakeProgramme]:
    room, programme = Room(options=ALONE), FakeProgramme([], endless=True)
    await room.open()
    room.session.perform(programme)
    await room.clock.run(0.6)
    return room, programme


def tone(seconds: float, level: float) -> NDArray[np.float32]:
    times = np.arange(round(seconds * 24_000)) / 24_000
    return (level * np.sin(2 * np.pi * 300 * times)).astype(np.float32)


async def test_it_is_heard_from_the_end_of_the_running_line_without_gaps() -> None:
    room, programme = await on_air()
    room.session.speak_through(True)
    await room.speak(4.0)
    assert len(programme.said("ended")) == 1
    assert programme.said("dropped")
    sounding = room.sink.sounding()
    heard = np.flatnonzero(sounding)
    assert sounding[heard[-1] - 100 : heard[-1]].all(), "two seconds in one piece"
    assert room.sink.of(SpokenThrough) == [SpokenThrough(on=True)]
    assert not room.sink.of(UserSpeechStarted)
    await room.close()


async def test_it_comes_less_than_0_8_s_later() -> None:
    room, _ = await on_air()
    room.session.perform(None)
    await room.silence(3.0)
    room.session.speak_through(True)
    await room.silence(1.0)
    before = len(room.sink.frames)
    await room.speak(2.0)
    delay = float(np.flatnonzero(room.sink.sounding()[before:])[0]) * 0.02
    assert 0.3 <= delay < 0.8
    await room.close()


async def test_the_programme_goes_on_when_it_is_over() -> None:
    room, programme = await on_air()
    room.session.speak_through(True)
    await room.speak(3.0)
    line = programme.said("dropped")[0]
    told = len(programme.told)
    room.session.speak_through(False)
    await room.silence(3.0)
    assert room.sink.of(SpokenThrough)[-1] == SpokenThrough(on=False, reason="asked")
    assert ("began", line) in programme.told[told:]
    await room.close()


async def test_now_cuts_the_running_line() -> None:
    room, programme = await on_air()
    room.session.speak_through(True, now=True)
    assert len(programme.said("cut")) == 1
    await room.close()


async def test_it_ends_by_itself_when_no_sound_comes() -> None:
    room, programme = await on_air()
    room.session.speak_through(True)
    await room.speak(2.0)
    await room.clock.run(GONE + 0.5)
    assert room.sink.of(SpokenThrough)[-1] == SpokenThrough(on=False, reason="silent")
    told = len(programme.told)
    await room.clock.run(2.0)
    assert [kind for kind, _ in programme.told[told:]].count("began") >= 1
    await room.close()


async def test_who_never_speaks_is_waited_for_a_while() -> None:
    room, _ = await on_air()
    room.session.speak_through(True)
    await room.clock.run(NEVER_CAME - 1.0)
    assert room.sink.of(SpokenThrough) == [SpokenThrough(on=True)]
    await room.clock.run(2.0)
    assert room.sink.of(SpokenThrough)[-1].reason == "silent"
    await room.close()


async def test_sound_that_comes_too_fast_does_not_pile_up() -> None:
    room, _ = await on_air()
    room.session.perform(None)
    room.session.speak_through(True, now=True)
    for _ in range(200):
        for _ in range(3):
            room.session.hear(room._sound(0.2))
        await room.clock.run(0.02)
        assert room.session._move.timeline.ahead < 1.2
    await room.close()


async def test_gaps_of_a_network_leave_gaps_and_no_more() -> None:
    room, _ = await on_air()
    room.session.perform(None)
    room.session.speak_through(True, now=True)
    await room.speak(1.0)
    await room.clock.run(0.6)
    await room.speak(2.0)
    assert room.sink.sounding()[-40:].all()
    assert room.session.position == FRAME_SAMPLES * len(room.sink.frames)
    await room.close()


@pytest.mark.parametrize("level", [0.01, 0.1, 0.9])
def test_voices_of_any_loudness_come_to_one_level(level: float) -> None:
    leveller, sound = Leveller(), tone(8.0, level)
    pieces = [leveller(piece) for piece in np.array_split(sound, 40)]
    assert level_db(pieces[-1]) == pytest.approx(TARGET_DB, abs=1.0)
    assert np.abs(np.concatenate(pieces)).max() <= 1.0
    steps = np.abs(np.diff(np.concatenate(pieces)))
    assert steps.max() < 1.1 * np.abs(np.diff(pieces[-1])).max() * max(1.0, level * 20), "no click"


def test_silence_is_not_brought_up() -> None:
    leveller = Leveller()
    noise = (0.0005 * np.random.default_rng(1).standard_normal(24_000)).astype(np.float32)
    for _ in range(10):
        out = leveller(noise)
    assert level_db(out) == pytest.approx(level_db(noise), abs=0.5)
