"""Emotions: continuous in time, monotone in intensity, unlike one another."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion.errors import MotionValueError
from motion.expressions import EASE, EMOTIONS, TAIL, Feeling, bearing_at, emotion_at
from motion.procedural import ProceduralMover
from motion.skeleton import FACE_INDEX, face_index
from motion.speech import Emotion, SpokenPassage
from motion.style import NATURAL, RANGES
from tests.motion.samples import passage

EVERY = get_args(Emotion)
_LIPS = [i for name, i in FACE_INDEX.items() if name.startswith(("mouth", "jaw", "tongue"))]
_FEELING = st.tuples(
    st.sampled_from(EVERY), st.floats(0.0, 1.0), st.floats(0.1, 3.0), st.floats(-0.3, 1.0)
)


def faces(mover: ProceduralMover, start: float, end: float) -> NDArray[np.float64]:
    return np.array([mover.controls(float(at))[1] for at in np.arange(start, end, 0.04)])


@pytest.mark.parametrize("emotion", EVERY)
def test_an_emotion_comes_and_goes(emotion: Emotion) -> None:
    felt = [Feeling(emotion, 1.0, 1.0, 3.0)]
    neutral = EMOTIONS["neutral"]
    np.testing.assert_array_equal(emotion_at(1.0, felt), neutral)
    np.testing.assert_allclose(emotion_at(1.0 + EASE, felt), EMOTIONS[emotion], atol=1e-9)
    np.testing.assert_array_equal(emotion_at(3.0 + TAIL, felt), neutral)
    assert not bearing_at(3.0 + TAIL, felt).any()


@given(st.lists(_FEELING, min_size=1, max_size=5))
def test_emotions_pass_into_one_another_without_a_pop(
    drawn: list[tuple[Emotion, float, float, float]],
) -> None:
    felt, at = [], 0.0
    for emotion, intensity, seconds, gap in drawn:
        felt.append(Feeling(emotion, intensity, at, at + seconds))
        at += max(0.05, seconds + gap)
    times = np.arange(-0.2, at + 2.0, 0.04)
    shown = np.array([emotion_at(float(t), felt) for t in times])
    held = np.array([bearing_at(float(t), felt) for t in times])
    # The steepest of a minimum-jerk step, and of two that overlap where words come fast.
    assert np.abs(np.diff(shown, axis=0)).max() < 2.0 * 1.875 * 0.04 / EASE
    assert np.abs(np.diff(held, axis=0)).max() < 8.0 * 2.0 * 1.875 * 0.04 / EASE


@pytest.mark.parametrize("emotion", EVERY)
def test_intensity_leads_monotonously_from_neutral_to_the_whole_emotion(emotion: Emotion) -> None:
    steps = np.linspace(0.0, 1.0, 11)
    shown = [emotion_at(2.0, [Feeling(emotion, float(s), 1.0, 3.0)]) for s in steps]
    np.testing.assert_array_equal(shown[0], EMOTIONS["neutral"])
    np.testing.assert_allclose(shown[-1], EMOTIONS[emotion], atol=1e-12)
    toward = np.sign(EMOTIONS[emotion] - EMOTIONS["neutral"])
    for weaker, stronger in pairwise(shown):
        assert np.all((stronger - weaker) * toward >= 0.0)
        assert emotion == "neutral" or np.abs(stronger - weaker).max() > 0.05


@pytest.mark.parametrize("intensity", [0.33, 1.0])
def test_emotions_look_different_at_every_intensity(intensity: float) -> None:
    shown = [emotion_at(2.0, [Feeling(each, intensity, 1.0, 3.0)]) for each in EVERY]
    for i, one in enumerate(shown):
        for other in shown[:i]:
            assert np.abs(one - other).max() > 0.3 * intensity
    smile = face_index("mouthSmileLeft")
    assert EMOTIONS["happy"][smile] > EMOTIONS["neutral"][smile] > EMOTIONS["serious"][smile]


def test_no_emotion_opens_the_jaw_or_shuts_the_eyes() -> None:
    for face in EMOTIONS.values():
        assert face[face_index("jawOpen")] == 0.0
        assert face[face_index("eyeBlinkLeft")] == 0.0
        assert face[face_index("eyeSquintLeft")] < 0.5
        # Corners that go up and down at once are a grimace.
        assert min(face[face_index("mouthSmileLeft")], face[face_index("mouthFrownLeft")]) == 0.0
        assert face.min() >= 0.0
        assert face.max() <= 1.0


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_a_face_changes_emotion_in_the_middle_of_a_sentence_without_a_jump(seed: int) -> None:
    mover = ProceduralMover(seed)
    first = replace(passage(0.5), emotion="serious", intensity=0.9)
    mover.passage(first)
    before = faces(mover, 0.0, first.end - 0.1)
    # It comes late: its words are heard in less than the time in which a face changes.
    mover.passage(replace(passage(first.end), emotion="surprised", intensity=1.0))
    after = faces(mover, first.end - 0.1, first.end + 1.5)
    both = np.concatenate([before, after])
    calm = np.setdiff1d(np.arange(both.shape[1]), [*_LIPS, *_eyes()])
    assert np.abs(np.diff(both[:, calm], axis=0)).max() < 0.2
    brow = face_index("browInnerUp")
    assert before[-1, brow] < 0.4 < 0.8 < after[-1, brow]


@pytest.mark.parametrize("intensity", [-0.1, 1.1, float("nan")])
def test_an_intensity_outside_its_range_is_refused(intensity: float) -> None:
    with pytest.raises(MotionValueError, match="accepted: 0 to 1"):
        ProceduralMover(1).passage(SpokenPassage(0.0, 1.0, (), "en", "happy", intensity=intensity))


def test_the_body_follows_what_is_felt_a_little() -> None:
    excited, caring = NATURAL.felt("excited", 1.0), NATURAL.felt("caring", 1.0)
    assert excited.tempo > NATURAL.tempo > caring.tempo
    assert excited.amplitude > NATURAL.felt("excited", 0.4).amplitude > NATURAL.amplitude
    assert caring.amplitude < NATURAL.amplitude
    assert NATURAL.felt("excited", 0.0) == NATURAL.felt("neutral", 1.0) == NATURAL
    wild = NATURAL.changed(**{name: high for name, (_, high) in RANGES.items()})
    for emotion in EVERY:
        assert wild.felt(emotion, 1.0).tempo <= RANGES["tempo"][1]


def test_hands_beat_larger_when_excited_than_when_caring() -> None:
    def swing(emotion: Emotion) -> float:
        mover = ProceduralMover(5)
        told = passage(0.5, " ".join(["h ə l ˈoʊ w ˈɛ l k ə m"] * 16), seconds=0.09)
        mover.passage(replace(told, emotion=emotion))
        strokes = mover._passages[0].strokes.beats
        return sum(beat.size for beat in strokes)

    assert swing("excited") > 1.2 * swing("neutral") > 1.2 * swing("caring")


def _eyes() -> list[int]:
    return [i for name, i in FACE_INDEX.items() if name.startswith(("eyeBlink", "eyeLook", "eyeW"))]
