"""Expressions: emotions and brows as face coefficients, and how they meet the talking mouth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.controls import CONTROLS, control_vector
from motion.easing import plateau, rise
from motion.lips.visemes import PART, to_face
from motion.skeleton import FACE_NAMES, face_index
from motion.speech import Emotion

Vector = NDArray[np.float64]

EASE: Final = 0.6  # seconds in which an emotion comes
AHEAD: Final = 0.2  # seconds before its words at which it begins to: faces lead speech
_LINGER: Final = 0.7  # seconds it stays after its words
_FADE: Final = 0.9  # seconds in which it goes
TAIL: Final = _LINGER + _FADE  # seconds after its words when nothing of it is left


@dataclass(frozen=True, slots=True)
class Feeling:
    """An emotion felt over a stretch of speech.

    Attributes:
        intensity: 0 to 1, how strongly.
        start: when the face begins to show it (seconds).
        end: when its words end (seconds).
    """

    emotion: Emotion
    intensity: float
    start: float
    end: float


def face_vector(values: Mapping[str, float]) -> Vector:
    """Return face coefficients float64 [52]. A name without Left or Right sets both sides.

    Raises:
        MotionValueError: when the body has no such coefficient.
    """
    out = np.zeros(len(FACE_NAMES))
    for name, value in values.items():
        both = f"{name}Left" in FACE_NAMES
        for full in (f"{name}Left", f"{name}Right") if both else (name,):
            out[face_index(full)] = value
    return out


# On top of the face an identity rests in, which smiles a little by itself. The jaw is left to
# speech: lips must meet whatever is felt.
EMOTIONS: Final[dict[Emotion, Vector]] = {
    "neutral": face_vector({"mouthSmile": 0.15, "cheekSquint": 0.08}),
    "happy": face_vector(
        {
            "mouthSmile": 0.72,
            "mouthDimple": 0.1,
            "cheekSquint": 0.55,
            "eyeSquint": 0.24,
            "browInnerUp": 0.1,
            "browOuterUp": 0.1,
        }
    ),
    "excited": face_vector(
        {
            "mouthSmile": 0.72,
            "cheekSquint": 0.34,
            "browInnerUp": 0.5,
            "browOuterUp": 0.72,
            "eyeWide": 0.36,
        }
    ),
    "caring": face_vector(
        {
            "mouthSmile": 0.22,
            "cheekSquint": 0.14,
            "browInnerUp": 1.0,
            "browDown": 0.22,
            "eyeSquint": 0.18,
        }
    ),
    "serious": face_vector(
        {"browDown": 1.0, "eyeSquint": 0.32, "mouthFrown": 0.3, "mouthPress": 0.2}
    ),
    "surprised": face_vector({"browInnerUp": 1.0, "browOuterUp": 0.95, "eyeWide": 0.75}),
}
# How the head is held with them, degrees.
_BEARINGS: Final[Mapping[Emotion, Vector]] = {
    "excited": control_vector({"head_pitch": -1.2, "torso_pitch": 0.8}),
    "caring": control_vector({"head_tilt": 3.6, "head_pitch": 1.2, "torso_pitch": 1.2}),
    "serious": control_vector({"head_pitch": 1.8}),
    "surprised": control_vector({"head_pitch": -2.4, "torso_pitch": -1.2}),
}
_UPRIGHT: Final = np.zeros(CONTROLS)
for _vector in EMOTIONS.values():
    _vector.setflags(write=False)

_SMILE: Final = [face_index("mouthSmileLeft"), face_index("mouthSmileRight")]
_PRESS: Final = [face_index("mouthPressLeft"), face_index("mouthPressRight")]
BROW_RAISE: Final = face_vector({"browInnerUp": 1.0, "browOuterUp": 0.7, "eyeWide": 0.15})


def emotion_at(
    at: float, felt: Sequence[Feeling], smile: float = 1.0, strength: float = 1.0
) -> Vector:
    """Return the face, float64 [52], of feelings in order of time; not bounded to [0, 1].

    Each eases in over 0.6 s from whatever the face was, the one before it or neutral,
    stays a little after its words and gives way to neutral. `smile` scales the neutral face, which
    smiles a little; `strength` and a feeling's intensity how far emotions lead away from it.
    """
    rest = smile * EMOTIONS["neutral"]

    def face(one: Feeling) -> Vector:
        led = 0.0 if one.emotion == "neutral" else strength * one.intensity
        return np.asarray(rest + led * (EMOTIONS[one.emotion] - rest), np.float64)

    return _eased(at, felt, rest, face)


def bearing_at(at: float, felt: Sequence[Feeling], strength: float = 1.0) -> Vector:
    """Return how feelings hold the head, controls float64 [CONTROLS] to be added to a posture."""

    def bearing(one: Feeling) -> Vector:
        share = strength * one.intensity
        return np.asarray(share * _BEARINGS.get(one.emotion, _UPRIGHT), np.float64)

    return _eased(at, felt, _UPRIGHT, bearing)


def _eased(
    at: float, felt: Sequence[Feeling], rest: Vector, shown: Callable[[Feeling], Vector]
) -> Vector:
    """Lead from `rest` to what each feeling shows, one after the other, and back."""
    out = rest
    for one in felt:
        fade = one.end + _LINGER
        weight = plateau(at, one.start, one.start + EASE, fade, one.end + TAIL)
        if weight > 0.0:
            out = out + weight * (shown(one) - out)
    return out


def brows(at: float, raises: Sequence[tuple[float, float]]) -> float:
    """Return how far the brows are raised by (time, size) accents; each lasts half a second."""
    height = 0.0
    for time, size in raises:
        if -0.25 < at - time < 0.6:
            height += size * rise(at, time - 0.2, time) * (1.0 - rise(at, time + 0.1, time + 0.5))
    return height


def with_mouth(face: Vector, mouth: Vector) -> Vector:
    """Lay a mouth shape [parts] over an expression [52]; the result is in [0, 1].

    A smile gives way to speech, most of all where the lips round, and a pressed mouth opens.
    """
    rounded = max(mouth[PART["pucker"]], mouth[PART["funnel"]])
    moving = min(1.0, float(mouth.sum()))
    out = face + to_face(mouth)
    out[_SMILE] = face[_SMILE] * (1.0 - 0.65 * rounded) * (1.0 - 0.3 * moving)
    out[_SMILE] += mouth[PART["smile"]] * (1.0 - face[_SMILE])
    out[_PRESS] = face[_PRESS] * (1.0 - moving) + mouth[PART["press"]]
    return np.asarray(np.clip(out, 0.0, 1.0), np.float64)
