"""Sound from the peer: mono, scaled, and without holes in time."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from av.audio.frame import AudioFrame
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from transport.incoming import ALLOWANCE_S, HeardSound, mono


def frame(samples: NDArray[np.int16], pts: int, layout: str = "mono") -> AudioFrame:
    made = AudioFrame.from_ndarray(samples, format="s16", layout=layout)
    made.sample_rate, made.pts, made.time_base = 48_000, pts, Fraction(1, 48_000)
    return made


def counted(pts: int) -> AudioFrame:
    return frame((np.arange(pts, pts + 960) % 30_000).astype(np.int16)[None], pts)


class Arrivals:
    """A clock that shows, each time it is asked, the next of the moments given to it."""

    def __init__(self, moments: Iterable[float]) -> None:
        self._moments = iter(moments)

    def __call__(self) -> float:
        return next(self._moments)


def heard(*frames: AudioFrame, at: Iterable[float] | None = None) -> NDArray[np.float32]:
    """Return what is heard of frames that arrive at the moments `at`, by default when due."""
    start = frames[0].pts or 0
    due = [((frame.pts or 0) - start) / 48_000 for frame in frames]
    sound = HeardSound(Arrivals(due if at is None else at))
    return np.concatenate([part for one in frames for part in sound.take(one)])


def test_two_channels_become_their_mean() -> None:
    interleaved = np.array([[1000, 3000, -2000, 0]], np.int16)
    assert mono(frame(interleaved, 0, "stereo")) == pytest.approx([2000 / 32768, -1000 / 32768])


def test_planar_floats_pass_as_they_are() -> None:
    planar = AudioFrame.from_ndarray(
        np.array([[0.5, 0.25], [0.0, 0.25]], np.float32), format="fltp", layout="stereo"
    )
    assert mono(planar) == pytest.approx([0.25, 0.25])


def test_lost_frames_become_silence_of_their_length() -> None:
    sound = heard(counted(0), counted(960), counted(3_840))
    assert sound.dtype == np.float32
    assert len(sound) == 4_800
    assert not sound[1_920:3_840].any()
    assert sound[3_840] == pytest.approx(3_840 / 32_768)


def test_a_new_stream_is_no_gap() -> None:
    assert len(heard(counted(0), counted(9_600_000))) == 1_920
    assert len(heard(counted(9_600), counted(0))) == 1_920


def test_frames_held_back_with_the_hole_keep_their_place() -> None:
    # 2 is lost, and its followers come together with the one that made it overdue.
    sound = heard(
        *(counted(960 * n) for n in (0, 1, 3, 4, 5, 6)), at=[0, 0.02, 0.1, 0.1, 0.1, 0.12]
    )
    assert len(sound) == 7 * 960
    assert sound[3 * 960] == pytest.approx(3 * 960 / 32_768)


def test_no_more_silence_than_time_has_passed() -> None:
    # One second of packets, each of which claims to be nearly a second later than the last.
    frames = [counted(47_000 * n) for n in range(50)]
    sound = heard(*frames, at=[0.02 * n for n in range(50)])
    assert len(sound) / 48_000 <= 1 + ALLOWANCE_S


def test_a_long_silence_that_really_passed_is_kept() -> None:
    frames = [counted(48_000 * n // 2) for n in range(20)]
    assert len(heard(*frames)) == 24_000 * 19 + 960


@given(st.lists(st.tuples(st.integers(-100, 60_000), st.floats(0, 0.5)), min_size=1, max_size=40))
def test_silence_never_exceeds_the_time_that_passed(steps: list[tuple[int, float]]) -> None:
    pts, now, frames, moments = 0, 0.0, [], []
    for later, passed in steps:
        pts, now = pts + later, now + passed
        frames.append(counted(pts))
        moments.append(now)
    silence = len(heard(*frames, at=moments)) - 960 * len(frames)
    assert silence / 48_000 <= now - moments[0] + ALLOWANCE_S + 1e-6
