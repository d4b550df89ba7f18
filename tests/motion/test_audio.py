"""The front end: causal, the same in pieces as in one, and true to where energy lies."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion.audio import (
    AUDIO_RATE,
    FRAMES_PER_POSE,
    HOP,
    MELS,
    FrontEnd,
    log_mel,
    per_pose,
    silence,
)
from motion.errors import MotionValueError

NOISE = (0.1 * np.random.default_rng(2).standard_normal(6400)).astype(np.float32)


@settings(deadline=None)
@given(st.lists(st.integers(0, 6400), max_size=12))
def test_pieces_give_the_frames_of_the_whole_bit_for_bit(cuts: list[int]) -> None:
    front = FrontEnd()
    edges = [0, *sorted(cuts), len(NOISE)]
    pieces = [front(NOISE[a:b]) for a, b in pairwise(edges)]
    np.testing.assert_array_equal(np.concatenate(pieces), log_mel(NOISE))


def test_a_frame_does_not_know_what_follows_it() -> None:
    changed = NOISE.copy()
    changed[3200:] += 1.0
    np.testing.assert_array_equal(log_mel(changed)[: 3200 // HOP], log_mel(NOISE)[: 3200 // HOP])
    assert (log_mel(changed)[3200 // HOP] != log_mel(NOISE)[3200 // HOP]).any()


def test_a_tone_shows_in_its_band_and_louder_is_more() -> None:
    time = np.arange(AUDIO_RATE) / AUDIO_RATE
    bands = []
    for hertz in (200.0, 1000.0, 4000.0):
        frames = log_mel(0.3 * np.sin(2 * np.pi * hertz * time))
        bands.append(int(frames[50].argmax()))
        quiet = log_mel(0.03 * np.sin(2 * np.pi * hertz * time))
        # Twenty decibels are two tenfolds of power, 1.25 after scaling.
        assert frames[50].max() - quiet[50].max() == pytest.approx(1.25, abs=0.05)
    assert bands == sorted(bands)
    assert bands[-1] - bands[0] > MELS // 2


def test_frames_are_grouped_by_pose_and_filled_with_silence() -> None:
    frames = log_mel(NOISE)
    grouped = per_pose(frames, 12)
    np.testing.assert_array_equal(grouped[:10].reshape(-1, MELS), frames)
    np.testing.assert_array_equal(grouped[10], np.tile(silence(), FRAMES_PER_POSE))


def test_two_channels_are_refused() -> None:
    with pytest.raises(MotionValueError, match=r"samples are \[2, 160\]; accepted: \[n\]"):
        log_mel(np.zeros((2, 160)))
