"""The mathematics of measuring, on material with known answers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.recordings import Recording
from transport.measure import (
    PictureArrival,
    SoundArrival,
    av_offset,
    began_early,
    first_sound,
    flash_click_offset,
    on_time_share,
    percentile,
    silent_from,
    sound_bounds,
    speech_bounds,
    sync_error,
    timestamp_distance,
)

RATE = 48_000


def hum(seconds: float, amplitude: float = 0.3) -> NDArray[np.float32]:
    times = np.arange(round(seconds * RATE)) / RATE
    return (amplitude * np.sin(2 * np.pi * 200 * times)).astype(np.float32)


def rest(seconds: float) -> NDArray[np.float32]:
    return np.zeros(round(seconds * RATE), np.float32)


def frames(loud: str, start: float = 0.0) -> list[SoundArrival]:
    """Return frames of 20 ms that arrive on time; '#' has sound, '.' has none."""
    return [
        SoundArrival(
            start + 0.02 * index,
            0.02 * index,
            *((0.0, 0.02) if mark == "#" else (None, None)),
        )
        for index, mark in enumerate(loud)
    ]


def pictures(lateness: list[float]) -> list[PictureArrival]:
    return [
        PictureArrival(5 + index / 25 + late, index / 25) for index, late in enumerate(lateness)
    ]


def test_sound_is_found_to_the_window() -> None:
    bounds = sound_bounds(np.concatenate([rest(0.1), hum(0.2), rest(0.1)]), RATE)
    assert bounds == pytest.approx((0.1, 0.3), abs=0.006)


@pytest.mark.parametrize("samples", [rest(0.02), hum(0.02, 0.002), np.zeros(0, np.float32)])
def test_silence_and_hiss_are_no_sound(samples: NDArray[np.float32]) -> None:
    assert sound_bounds(samples, RATE) is None


def test_speech_is_found_in_noise() -> None:
    noise = np.random.default_rng(0).normal(0, 0.004, RATE).astype(np.float32)
    noise[12_000:36_000] += hum(0.5)
    bounds = speech_bounds(noise, RATE)
    assert bounds is not None
    assert bounds == pytest.approx((12_000, 36_000), abs=600)


def test_speech_of_real_recordings_ends_where_their_index_says(
    recordings: dict[str, Recording],
) -> None:
    hard = {"noisy", "pauses", "long-silence"}
    for recording in recordings.values():
        if recording.kind != "speech" or not recording.segments or hard & set(recording.tags):
            continue
        samples, rate = recording.samples()
        bounds = speech_bounds(samples, rate)
        assert bounds is not None, recording.path.name
        assert bounds[0] / rate == pytest.approx(recording.segments[0][0], abs=0.2)
        assert bounds[1] / rate == pytest.approx(recording.segments[-1][1], abs=0.25)


def test_the_first_sound_counts_from_its_sample() -> None:
    arrivals = frames("....##")
    assert first_sound(arrivals, 0.0) == pytest.approx(0.08)
    assert first_sound(arrivals, 0.09) == pytest.approx(0.09)
    assert first_sound(arrivals, 0.2) is None
    late = [SoundArrival(1.0, 0.0, 0.015, 0.02)]
    assert first_sound(late, 0.5) == pytest.approx(1.015)


@pytest.mark.parametrize(
    ("loud", "end", "early"),
    [
        ("......####", 0.1, False),
        ("....######", 0.09, True),  # it sounds when the question ends
        ("..##...###", 0.1, True),  # and here between two of its words
        ("####" + "." * 16 + "####", 0.3, False),  # an answer of before has fallen silent
        ("####" + "." * 13 + "####", 0.3, True),
    ],
)
def test_an_answer_that_goes_on_from_before_is_early(loud: str, end: float, early: bool) -> None:
    arrivals = frames(loud)
    began = first_sound(arrivals, end)
    assert began is not None
    assert began_early(arrivals, end, began) is early


def test_silence_needs_three_tenths() -> None:
    speaking = "#" * 10
    assert silent_from(frames(speaking + "." * 14), 0.1) is None
    assert silent_from(frames(speaking + "." * 17), 0.1) == pytest.approx(0.2)
    # Ducked for 0.2 s and swelled back: that was no silence.
    assert silent_from(frames(speaking + "." * 10 + "####" + "." * 20), 0.1) == pytest.approx(0.48)


def test_silence_from_the_beginning_is_at_once() -> None:
    assert silent_from(frames("." * 40), 0.2) == pytest.approx(0.2)


def test_silence_before_later_sound() -> None:
    assert silent_from(frames("#" * 5 + "." * 20 + "#" * 5), 0.0) == pytest.approx(0.1)


def test_offset_is_positive_when_pictures_are_late() -> None:
    sounds = [SoundArrival(1 + 0.02 * n, 0.02 * n, None, None) for n in range(20)]
    late = [PictureArrival(1.03 + 0.04 * n, 0.04 * n) for n in range(10)]
    assert av_offset(sounds, late) == pytest.approx(0.03)
    assert av_offset([], late) is None
    assert av_offset(sounds, []) is None


def test_sync_error_compares_the_two_clocks() -> None:
    sound = [(100.0 + n, 1.0 * n) for n in range(5)]
    picture = [(100.012 + n, 1.0 * n) for n in range(5)]
    assert sync_error(sound, picture) == pytest.approx(0.012)
    assert sync_error(sound, []) is None


def test_pictures_within_40_ms_of_the_usual_are_on_time() -> None:
    assert on_time_share(pictures([0.0] * 98 + [0.039, -0.039])) == 1.0
    assert on_time_share(pictures([0.0] * 98 + [0.05, -0.05])) == pytest.approx(0.98)
    assert on_time_share([]) is None


def test_missing_pictures_are_not_on_time() -> None:
    assert on_time_share(pictures([0.0] * 100)[::2]) == pytest.approx(50 / 99)


def test_flash_and_click() -> None:
    clicks = [1.0, 2.0, 3.0]
    assert flash_click_offset([1.02, 2.021, 3.019], clicks) == pytest.approx(0.02)
    assert flash_click_offset([0.97, 1.97], clicks) == pytest.approx(-0.03)
    assert flash_click_offset([], clicks) is None


@pytest.mark.parametrize(
    ("timestamp", "reference", "distance"),
    [(10, 4, 6), (4, 10, -6), (3, 2**32 - 2, 5), (2**32 - 2, 3, -5)],
)
def test_timestamps_wrap(timestamp: int, reference: int, distance: int) -> None:
    assert timestamp_distance(timestamp, reference) == distance


def test_percentiles_are_values_that_occurred() -> None:
    values = [float(value) for value in range(1, 41)]
    assert percentile(values, 0.5) == 20
    assert percentile(values, 0.95) == 38
    assert percentile([], 0.5) is None
