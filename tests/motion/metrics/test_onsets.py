"""Onsets of sounds that begin at known times."""

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.metrics.onsets import HOP, audio_onsets, onset_strength

RATE = 16_000

Sound = NDArray[np.float64]


def tones(starts: list[float], seconds: float, length: float = 0.15) -> Sound:
    """Return tones of 220 Hz and its harmonics that begin at `starts` and ring away."""
    sound = np.zeros(round(seconds * RATE))
    at = np.arange(round(length * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * 220 * k * at) / k for k in range(1, 12)) * np.exp(-20 * at)
    tone *= np.cos(np.pi * at / length / 2) ** 2
    for start in starts:
        begin = round(start * RATE)
        sound[begin : begin + len(tone)] += tone[: len(sound) - begin]
    return sound


@pytest.mark.parametrize("rate", [16_000, 24_000, 44_100])
def test_clicks_are_found_where_they_are(rate: int) -> None:
    """Every onset is at a click, and every click is one, within two steps of the strength."""
    sound = np.zeros(3 * rate)
    for start in (0.5, 1.25, 2.4):
        sound[round(start * rate)] = 1.0
    found = audio_onsets(sound, rate)
    apart = np.abs(found[:, None] - np.array([0.5, 1.25, 2.4]))
    assert apart.min(0).max() <= 1.01 * HOP / rate
    assert apart.min(1).max() <= 2.01 * HOP / rate


def test_each_tone_is_found_whatever_its_loudness() -> None:
    starts = [0.3, 0.8, 1.1, 1.9, 2.35]
    sound = tones(starts, 3.0)
    found = audio_onsets(sound, RATE)
    nearest = np.abs(found[:, None] - np.array(starts)[None])
    assert nearest.min(0).max() < 0.05
    assert nearest.min(1).max() < 0.07
    np.testing.assert_array_equal(audio_onsets(0.01 * sound, RATE), found)


def test_later_sound_moves_its_onsets_along() -> None:
    sound = tones([0.4, 1.0], 2.0)
    later = np.concatenate([np.zeros(10 * HOP), sound])
    np.testing.assert_allclose(
        audio_onsets(later, RATE), audio_onsets(sound, RATE) + 10 * HOP / RATE
    )


def test_silence_and_a_steady_tone_have_no_onsets_inside() -> None:
    assert len(audio_onsets(np.zeros(RATE), RATE)) == 0
    steady = np.sin(2 * np.pi * 250 * np.arange(2 * RATE) / RATE)
    inside = audio_onsets(steady, RATE)
    assert not ((inside > 0.2) & (inside < 1.8)).any()


def test_strength_is_the_mean_rise_in_decibels() -> None:
    """Ten times the amplitude is 20 dB in every band, shown once, at the step."""
    random = np.random.default_rng(0)
    period = random.normal(size=HOP)
    sound = np.concatenate([np.tile(period, 20), np.tile(10 * period, 20)])
    strength = onset_strength(sound, RATE)
    assert len(strength) == 41
    assert strength[8:35].sum() == pytest.approx(20.0, abs=0.1)
    # The window that first reaches the step tells it, moved to where the step is.
    assert np.abs(np.average(np.arange(8, 35), weights=strength[8:35]) - 20) <= 2


# What librosa 0.11.0 says of `sweep`: the frames of its onsets and the sum of its strengths.
LIBROSA = {
    8_000: ([3, 7, 12, 16, 21, 25, 30, 35, 39, 44], 39.673267),
    16_000: (
        [
            4,
            5,
            13,
            14,
            22,
            23,
            31,
            32,
            33,
            40,
            41,
            42,
            49,
            50,
            51,
            59,
            60,
            68,
            69,
            77,
            78,
            79,
            87,
            88,
        ],
        32.358079,
    ),
}


def sweep(rate: int) -> Sound:
    """Return a tone that rises for 3 s and swells about three times a second."""
    at = np.arange(3 * rate) / rate
    return np.sin(2 * np.pi * (200 * at + 300 * at**2)) * (0.1 + np.sin(3.4 * np.pi * at) ** 8)


@pytest.mark.parametrize("rate", LIBROSA)
def test_it_agrees_with_librosa(rate: int) -> None:
    """So that constancy is measured by the onsets that published figures are measured by."""
    frames, strength = LIBROSA[rate]
    np.testing.assert_array_equal(audio_onsets(sweep(rate), rate) * rate / HOP, frames)
    assert onset_strength(sweep(rate), rate).sum() == pytest.approx(strength, rel=1e-6)


@pytest.mark.parametrize(
    ("sound", "rate"), [([], RATE), ([np.inf, 0.0], RATE), ([[0.0]], RATE), ([0.0], 10)]
)
def test_what_is_no_sound_is_refused(sound: list[float], rate: int) -> None:
    with pytest.raises(MotionValueError, match="accepted"):
        audio_onsets(sound, rate)
