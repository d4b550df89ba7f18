"""Motion beats of movements whose turns are known, and constancy in closed form."""

import numpy as np
import pytest
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.metrics.beats import beat_constancy, clip_constancy, motion_beats

FPS = 25.0


def along_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return positions [T, 1, 3] of one joint that moves along x."""
    return np.stack([x, np.zeros_like(x), np.zeros_like(x)], -1)[:, None]


def test_a_swinging_hand_beats_where_it_turns() -> None:
    """cos(2 pi t) turns every half second."""
    at = np.arange(101) / FPS
    (beats,) = motion_beats(along_x(0.2 * np.cos(2 * np.pi * at)), FPS)
    np.testing.assert_allclose(beats, np.arange(0.5, 4.0, 0.5), atol=0.02)


def test_a_stroke_beats_when_it_lands_and_a_hold_beats_once() -> None:
    """Up in 0.4 s, held for a second, down in 0.4 s: one beat, at the start of the hold."""
    ease = (1 - np.cos(np.pi * np.arange(11) / 10)) / 2
    x = np.concatenate([np.zeros(10), ease, np.ones(25), ease[::-1], np.zeros(10)])
    (beats,) = motion_beats(along_x(0.3 * x), FPS)
    assert len(beats) == 1
    assert beats[0] == pytest.approx(21 / FPS, abs=1.01 / FPS)


def test_breathing_and_stillness_have_no_beats_and_each_joint_has_its_own() -> None:
    at = np.arange(200) / FPS
    breath = along_x(0.005 * np.sin(2 * np.pi * at / 4))
    swing = along_x(0.2 * np.sin(2 * np.pi * at))
    still = np.zeros_like(swing)
    counts = [len(b) for b in motion_beats(np.concatenate([breath, still, swing], 1), FPS)]
    assert counts[:2] == [0, 0]
    assert counts[2] == 16  # turns at 0.25, 0.75, ... 7.75 s


def test_of_beats_too_near_the_slower_is_kept() -> None:
    """Speed falls to 0.2 and then, 0.12 s later, to 0.1 m/s."""
    speed = np.ones(40)
    speed[18:25] = [0.6, 0.2, 0.6, 0.6, 0.1, 0.6, 0.9]
    x = along_x(np.cumsum(speed) / FPS)
    (beats,) = motion_beats(x, FPS)
    assert len(beats) == 1
    assert beats[0] == pytest.approx(22 / FPS, abs=1.01 / FPS)
    assert len(motion_beats(x, FPS, apart=0.04)[0]) == 2


def test_constancy_is_the_mean_of_a_bell() -> None:
    sound = [1.0, 2.0, 5.0]
    assert beat_constancy([2.0, 1.0], sound) == 1.0
    assert beat_constancy([1.3], sound) == pytest.approx(np.exp(-0.5))
    assert beat_constancy([1.0, 2.3], sound) == pytest.approx((1 + np.exp(-0.5)) / 2)
    assert beat_constancy([4.4], sound, sigma=0.6) == pytest.approx(np.exp(-0.5))


def test_the_side_that_is_averaged_over_matters() -> None:
    """One beat on a sound is constant; three sounds with one beat are not."""
    sound = [1.0, 1.3, 1.6]
    assert beat_constancy([1.0], sound) == 1.0
    wanted = (1 + np.exp(-0.5) + np.exp(-2.0)) / 3
    assert beat_constancy([1.0], sound, over="sound") == pytest.approx(wanted)


def test_without_beats_nothing_is_constant() -> None:
    assert beat_constancy([], [1.0]) == beat_constancy([1.0], [], over="sound") == 0.0
    empty = clip_constancy([[]], [], 4.0)
    assert (empty.over_motion, empty.over_sound, empty.chance) == (0.0, 0.0, 0.0)
    assert (empty.motion_beats, empty.sound_beats) == (0, 0)


def test_a_clip_pools_beats_over_motion_and_averages_joints_over_sound() -> None:
    sound = [1.0, 2.0]
    clip = clip_constancy([[1.0, 2.0, 2.3], [1.0], []], sound, 4.0)
    assert clip.over_motion == pytest.approx((3 + np.exp(-0.5)) / 4)
    second = (1 + np.exp(-(1.0**2) / (2 * 0.09))) / 2
    assert clip.over_sound == pytest.approx((1 + second + 0) / 3)
    assert (clip.motion_beats, clip.sound_beats) == (4, 2)


def test_chance_is_what_random_beats_score() -> None:
    """One sound in S seconds: the mean of the bell over all offsets is sigma sqrt(2 pi) / S."""
    clip = clip_constancy([[5.0]], [5.0], 10.0, turns=4000)
    assert clip.over_motion == 1.0
    assert clip.chance == pytest.approx(0.3 * np.sqrt(2 * np.pi) / 10.0, rel=0.15)
    assert clip == clip_constancy([[5.0]], [5.0], 10.0, turns=4000)


def test_dense_sound_makes_chance_high() -> None:
    """The reason for telling chance: five onsets a second, beats anywhere."""
    random = np.random.default_rng(0)
    clip = clip_constancy([random.uniform(0, 20, 30)], np.arange(0.1, 20, 0.2), 20.0)
    assert clip.chance > 0.95
    assert clip.over_motion == pytest.approx(clip.chance, abs=0.02)


def test_what_is_not_accepted_is_told() -> None:
    with pytest.raises(MotionValueError, match="over"):
        beat_constancy([1.0], [1.0], over="both")  # type: ignore[arg-type]
    with pytest.raises(MotionValueError, match="sigma"):
        beat_constancy([1.0], [1.0], sigma=0.0)
    with pytest.raises(MotionValueError, match="0 joints"):
        clip_constancy([], [1.0], 4.0)
    with pytest.raises(MotionValueError, match="accepted: 0 to 4 s"):
        clip_constancy([[5.0]], [1.0], 4.0)
    with pytest.raises(MotionValueError, match="T at least 3"):
        motion_beats(np.zeros((2, 1, 3)), FPS)
