"""Two people at once, on real models over real WebRTC: each hears the answer to their question.

What is heard is the recording of the call; it says what the call's report says.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from difflib import SequenceMatcher
from pathlib import Path

import av
import numpy as np
import pytest

from pipeline.building import build_engine
from pipeline.configuration import (
    Configuration,
    PictureSettings,
    ServerSettings,
    SpeakSettings,
    ThinkSettings,
)
from pipeline.contract import WIRE_RATE
from pipeline.engine import LiveEngine
from tests.e2e.speech import Samples, listener, speaker, write_wave
from tests.transport.wire import LocalSignalling
from transport.caller import Caller
from transport.calls import Calls
from transport.microphone import Microphone
from transport.recording import write_recording
from transport.report import TalkReport
from transport.talk import converse_with


@pytest.fixture
async def engine(models: Path) -> AsyncIterator[LiveEngine]:
    configuration = Configuration(
        cache=models.parent,
        server=ServerSettings(sessions=2),
        think=ThinkSettings(model="none", embedder="none"),
        speak=SpeakSettings(voices=("light",), rehearse=False),
        draw=PictureSettings(renderer="flash", width=128, height=224),
    )
    engine = await asyncio.to_thread(build_engine, configuration)
    yield engine
    await engine.close()


async def test_each_hears_their_own_answer(
    engine: LiveEngine, models: Path, tmp_path: Path
) -> None:
    say, recognise = speaker(models), listener(models)
    calls = Calls(engine)
    opening, place = await asyncio.gather(
        _ask(calls, say, tmp_path / "opening.wav", "When do you open?"),
        _ask(calls, say, tmp_path / "place.wav", "Where is your shop?"),
    )
    await calls.close()
    assert engine.sessions == 0
    for (report, sound), wanted, foreign in (
        (opening, r"11|eleven", r"[Gg]arden"),
        (place, r"[Gg]arden", r"11|eleven"),
    ):
        (turn,) = report.turns
        assert re.search(wanted, turn.reply)
        heard = recognise(sound, WIRE_RATE, "en")
        assert _likeness(heard, turn.reply) > 0.7, (heard, turn.reply)
        assert re.search(wanted, heard), heard
        assert not re.search(foreign, heard), heard


async def _ask(
    calls: Calls, say: Callable[[str], Samples], path: Path, question: str
) -> tuple[TalkReport, Samples]:
    write_wave(path, say(question), lead=0.5, trail=0.5)
    recording = path.with_suffix(".mp4")
    async with Caller(Microphone(), keep_media=True) as caller:
        report = await converse_with(caller, LocalSignalling(calls), [path])
    await write_recording(caller, recording)
    return report, await asyncio.to_thread(_sound_of, recording)


def _sound_of(recording: Path) -> Samples:
    """Return the sound of a film, float32 [n], mono, at `WIRE_RATE`."""
    resampler = av.AudioResampler("fltp", "mono", WIRE_RATE)
    with av.open(str(recording)) as film:
        frames = [each for frame in film.decode(audio=0) for each in resampler.resample(frame)]
    return np.concatenate([frame.to_ndarray()[0] for frame in frames]).astype(np.float32)


def _likeness(heard: str, said: str) -> float:
    """Return how alike two sentences are by their words, 0 to 1; numbers may be spelt out."""
    first, second = (re.findall(r"[a-z]+", text.lower()) for text in (heard, said))
    return float(SequenceMatcher(None, first, second, autojunk=False).ratio())
