"""Voices without phones: their mouths are heard as their sound comes, and nothing else changes."""

from collections.abc import Iterator
from threading import Event

import numpy as np
import pytest
import soxr

from agents.clause import Clause
from avatar.speech import SPEECH_RATE, Speech, Word
from avatar.voice import VoiceInfo
from motion.lips.stream import heard_mouth
from motion.lips.track import LipTrack, mouth
from motion.lips.visemes import PARTS
from motion.procedural import ProceduralMover
from motion.speech import SpokenPassage
from motion.trained import trained_lips
from pipeline.mouthing import Mouthed, speak_mouthed
from pipeline.stages.move import passage_of, segment_of
from pipeline.timeline import Timeline
from tests.fakes.room import Room
from tests.fakes.voice import FakeVoice

CHUNKS = (2400, 2400, 777, 2400, 12_000, 480, 24_001)


class Wordless:
    """Says vowels that swell, in chunks of a network's sizes, without phones."""

    info = VoiceInfo("wordless", "test", ("en",), "none", phones=False)

    def __init__(self) -> None:
        self.asked = 0

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        del text, language, cancelled, speed
        sound, at = babble(sum(CHUNKS)), 0
        for number, size in enumerate(CHUNKS):
            self.asked += 1
            words = (Word(f"w{number}", 0.0, size / SPEECH_RATE),)
            yield Speech(sound[at : at + size], words)
            at += size


def babble(samples: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    time = np.arange(samples) / SPEECH_RATE
    pulse = sum(np.sin(2 * np.pi * 130 * k * time) / k for k in range(1, 20))
    return np.asarray(0.2 * pulse * np.sin(2 * np.pi * 2.5 * time) ** 2, np.float32)


def spoken(voice: Wordless | FakeVoice, text: str = "so it is") -> list[Mouthed]:
    return list(speak_mouthed(voice, text, "en", cancelled=Event()))


def test_the_sound_and_its_words_stay_as_they_were() -> None:
    made = spoken(Wordless())
    np.testing.assert_array_equal(
        np.concatenate([one.speech.samples for one in made]), babble(sum(CHUNKS))
    )
    starts, at = [], 0
    for one in made:
        starts += [(w.text, at / SPEECH_RATE + w.start, w.end - w.start) for w in one.speech.words]
        at += len(one.speech.samples)
    edges = np.cumsum([0, *CHUNKS]) / SPEECH_RATE
    assert [text for text, _, _ in starts] == [f"w{n}" for n in range(len(CHUNKS))]
    np.testing.assert_allclose([start for _, start, _ in starts], edges[:-1], atol=1e-9)
    np.testing.assert_allclose([length for _, _, length in starts], np.diff(edges), atol=1e-9)


def test_every_chunk_has_the_mouth_that_is_heard_in_the_whole() -> None:
    made = spoken(Wordless())
    for one in made[:-1]:
        assert one.mouth is not None
        assert len(one.speech.samples) == 960 * len(one.mouth)
    rows = np.concatenate([one.mouth for one in made if one.mouth is not None])
    assert len(rows) == -(-sum(CHUNKS) // 960)
    assert rows.shape[1] == len(PARTS) + 2
    whole = soxr.resample(babble(sum(CHUNKS)), SPEECH_RATE, 16_000, "MQ")
    np.testing.assert_allclose(rows, heard_mouth(trained_lips(), whole)[: len(rows)], atol=2e-2)


def test_a_chunk_waits_for_the_sound_behind_it_and_no_longer() -> None:
    voice = Wordless()
    first = next(speak_mouthed(voice, "so it is", "en", cancelled=Event()))
    # 120 ms of look-ahead after the first 40 ms, and what the resampler keeps.
    assert voice.asked <= 4
    assert 0 < len(first.speech.samples) <= sum(CHUNKS[:4]) - 0.12 * SPEECH_RATE


def test_who_was_interrupted_says_no_more() -> None:
    cancelled = Event()
    speech = speak_mouthed(Wordless(), "so it is", "en", cancelled=cancelled)
    said = len(next(speech).speech.samples)
    cancelled.set()
    said += sum(len(one.speech.samples) for one in speech)
    assert said <= sum(CHUNKS) - 0.12 * SPEECH_RATE


def test_a_voice_with_phones_speaks_as_it_did() -> None:
    (one,) = spoken(FakeVoice())
    assert one.mouth is None
    assert len(one.speech.phones) == 3


def test_the_mouth_goes_with_its_speech_also_after_a_hold() -> None:
    rows = np.linspace(0.0, 1.0, 25 * (len(PARTS) + 2), dtype=np.float32).reshape(25, -1)
    sound = np.full(24_000, 0.1, np.float32)
    made = Mouthed(Speech(sound, (Word("a", 0.0, 0.5), Word("b", 0.5, 1.0))), rows)
    timeline = Timeline(lead=0)
    placed = timeline.add(segment_of(1, made, Clause("a b", "en")))
    assert placed is not None
    passage = passage_of(placed)
    assert passage.phones == ()
    assert passage.mouth is rows
    assert len(passage.loudness) == 25
    for _ in range(30):
        timeline.frame()
    timeline.hold()
    (rest,) = timeline.release()
    np.testing.assert_array_equal(rest.mouth, rows[12:])


async def test_a_session_moves_the_mouth_of_a_voice_without_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[SpokenPassage] = []
    kept = ProceduralMover.passage

    def passage(mover: ProceduralMover, one: SpokenPassage) -> None:
        told.append(one)
        kept(mover, one)

    monkeypatch.setattr(ProceduralMover, "passage", passage)
    room = Room("what is on this pizza")
    monkeypatch.setattr(room, "voice", Wordless())
    await room.open()
    await room.speak(1.0)
    await room.silence(2.0)
    await room.close()
    assert len(told) > 2
    assert all(one.mouth is not None and not one.phones for one in told)
    tracks = [LipTrack(one) for one in told]
    moved = [mouth(tracks, told[0].start + pose / 25) for pose in range(60)]
    assert np.ptp(np.array(moved), axis=0).max() > 0.05
