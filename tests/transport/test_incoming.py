"""Sound from the peer: mono, scaled, and without holes in time."""

from fractions import Fraction

import numpy as np
import pytest
from av.audio.frame import AudioFrame
from numpy.typing import NDArray

from transport.incoming import HeardSound, mono


def frame(samples: NDArray[np.int16], pts: int, layout: str = "mono") -> AudioFrame:
    made = AudioFrame.from_ndarray(samples, format="s16", layout=layout)
    made.sample_rate, made.pts, made.time_base = 48_000, pts, Fraction(1, 48_000)
    return made


def counted(pts: int) -> AudioFrame:
    return frame((np.arange(pts, pts + 960) % 30_000).astype(np.int16)[None], pts)


def heard(*frames: AudioFrame) -> NDArray[np.float32]:
    sound = HeardSound()
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
