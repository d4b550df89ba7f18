"""Shaping what a model made."""

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from avatar.voice.pieces import Piece
from avatar.voice.sound import finish, limited
from avatar.voice.utterance import SpokenWord

PIECE = Piece((SpokenWord("Ma", "mˈɑ", ",", "en"), SpokenWord("me", "mˈi", ".", "en")), last=True)
ENDS = np.array([0.3, 0.4, 0.4, 0.6, 1.0, 1.0, 1.1, 1.1, 1.5, 1.9])


def tone(seconds: float, level: float) -> NDArray[np.float32]:
    time = np.arange(round(seconds * SPEECH_RATE)) / SPEECH_RATE
    return (level * np.sin(2 * np.pi * 200 * time)).astype(np.float32)


def recording() -> NDArray[np.float32]:
    """0.3 s of silence, "ma" until 0.6 s, silence until 1.0 s, "me" until 1.5 s, silence."""
    quiet = np.zeros(SPEECH_RATE * 2 // 5, np.float32)
    return np.concatenate([quiet[:7200], tone(0.3, 0.3), quiet, tone(0.5, 0.3), quiet])


def test_silence_is_cut_at_the_start_and_made_a_pause_at_the_end() -> None:
    speech = finish(recording(), ENDS, PIECE, 1.0)
    first = int(np.flatnonzero(np.abs(speech.samples) > 0.05)[0]) / SPEECH_RATE
    last = int(np.flatnonzero(np.abs(speech.samples) > 0.05)[-1]) / SPEECH_RATE
    assert first < 0.03
    assert 0.25 < speech.seconds - last < 0.35
    assert speech.samples[0] == speech.samples[-1] == 0


def test_times_follow_the_cut() -> None:
    speech = finish(recording(), ENDS, PIECE, 1.0)
    ma, me = speech.words
    assert abs(ma.start - 0.015) < 0.01
    assert abs(ma.end - 0.315) < 0.02, "the pause is not the word's, though the model counts it so"
    assert abs(me.start - 0.715) < 0.01
    assert [phone.ipa for phone in speech.phones] == ["m", "ɑ", "", "m", "i", ""]
    assert speech.phones[-1].end == speech.seconds


def test_gain_never_leaves_the_range_and_keeps_the_wave() -> None:
    loud = finish(recording(), ENDS, PIECE, 8.0).samples
    assert 0.9 < float(np.abs(loud).max()) <= 0.95 + 1e-6
    steps = np.abs(np.diff(loud))
    assert float(steps.max()) < 1.1 * 0.95 * 2 * np.pi * 200 / SPEECH_RATE, "a sine stays a sine"


def test_quiet_sound_passes_unchanged() -> None:
    quiet = tone(0.2, 0.5)
    assert limited(quiet) is quiet
    assert len(limited(np.zeros(0, np.float32))) == 0


def test_a_silent_model_makes_silence() -> None:
    speech = finish(np.zeros(48_000, np.float32), ENDS, PIECE, 2.0)
    assert not speech.samples.any()
