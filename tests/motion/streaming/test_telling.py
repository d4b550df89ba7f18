import numpy as np
import pytest

from motion.actions import ACTION_INDEX, gesture
from motion.audio import AUDIO_RATE, log_mel, per_pose, silence
from motion.errors import MotionValueError
from motion.speech import SpokenAction
from motion.streaming.conditions import LONGEST_LEAD
from motion.streaming.telling import SoundTrack, action_labels, speaking_poses

TIMES = np.arange(250) / 25.0


def noise(seconds: float, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    random = np.random.default_rng(seed)
    return (0.1 * random.standard_normal(round(seconds * AUDIO_RATE))).astype(np.float32)


def test_sound_on_the_clock_gives_the_frames_of_the_whole() -> None:
    whole = noise(4.0)
    track = SoundTrack()
    track.add(1.0, whole[: AUDIO_RATE * 2])
    track.add(3.0, whole[AUDIO_RATE * 2 :])
    expected = per_pose(log_mel(np.concatenate([np.zeros(AUDIO_RATE, np.float32), whole])), 125)
    np.testing.assert_allclose(track.frames(2.0, 50), expected[50:100], atol=1e-4)
    np.testing.assert_allclose(track.frames(0.0, 25), np.tile(silence(), (25, 4)), atol=1e-6)
    assert track.end == 5.0


def test_what_was_cut_is_silent_and_what_ended_is_forgotten() -> None:
    track = SoundTrack()
    track.add(0.0, noise(2.0))
    track.add(2.5, noise(1.0))
    track.cut(1.0)
    assert track.end == 1.0
    np.testing.assert_allclose(track.frames(1.2, 5), np.tile(silence(), (5, 4)), atol=1e-6)
    track.forget(1.5)
    assert track.end == -np.inf
    with pytest.raises(MotionValueError, match=r"samples are \[2, 3\]; accepted: \[n\]"):
        track.add(0.0, np.zeros((2, 3)))


def test_an_action_is_told_around_its_stroke() -> None:
    spoken = SpokenAction("show_size", 5.0, (("size", 0.4),))
    made = gesture(spoken, -np.inf)
    assert made is not None
    action, since, parameters = action_labels([(spoken, made)], TIMES, "right")
    told = np.flatnonzero(action)
    assert set(action[told]) == {ACTION_INDEX["show_size"]}
    assert TIMES[told[0]] == pytest.approx(made.stroke - LONGEST_LEAD, abs=0.05)
    assert TIMES[told[-1]] == pytest.approx(made.end, abs=0.05)
    np.testing.assert_allclose(since[told], TIMES[told] - made.stroke)
    assert parameters[told].any()
    assert not parameters[action == 0].any()


def test_of_two_actions_the_earlier_is_told_to_its_end() -> None:
    first, second = SpokenAction("wave", 3.0), SpokenAction("thumbs_up", 5.2)
    one = gesture(first, -np.inf)
    assert one is not None
    two = gesture(second, one.end - 0.4)
    assert two is not None
    action, _, _ = action_labels([(second, two), (first, one)], TIMES, "right")
    changes = np.flatnonzero(np.diff(action))
    assert list(action[changes + 1]) == [
        ACTION_INDEX["wave"], ACTION_INDEX["thumbs_up"], 0
    ]  # fmt: skip


def test_a_speaker_is_one_a_little_before_and_after() -> None:
    told = speaking_poses([(2.0, 3.0)], TIMES)
    assert told[50]
    assert told[round(1.7 * 25)]
    assert not told[round(1.5 * 25)]
    assert told[round(3.6 * 25)]
    assert not told[round(3.8 * 25)]
