"""Expressions: emotions and brows as face coefficients, and how they meet the talking mouth."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.easing import plateau, rise
from motion.lips.visemes import PART, to_face
from motion.skeleton import FACE_NAMES, face_index
from motion.speech import Emotion

Vector = NDArray[np.float64]

EASE: Final = 0.3  # seconds in which an emotion comes
_LINGER: Final = 0.7  # seconds it stays after its words
_FADE: Final = 0.8  # seconds in which it goes


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


# On top of the face an identity rests in, which smiles a little by itself.
EMOTIONS: Final[dict[Emotion, Vector]] = {
    "neutral": face_vector({"mouthSmile": 0.15, "cheekSquint": 0.08}),
    "happy": face_vector(
        {"mouthSmile": 0.4, "cheekSquint": 0.34, "eyeSquint": 0.16, "browInnerUp": 0.12}
    ),
    "excited": face_vector(
        {
            "mouthSmile": 0.4,
            "cheekSquint": 0.22,
            "browInnerUp": 0.4,
            "browOuterUp": 0.5,
            "eyeWide": 0.3,
        }
    ),
    "caring": face_vector(
        {"mouthSmile": 0.14, "cheekSquint": 0.1, "browInnerUp": 0.75, "eyeSquint": 0.08}
    ),
    "serious": face_vector({"browDown": 0.7, "eyeSquint": 0.25, "mouthFrown": 0.32}),
    "surprised": face_vector({"browInnerUp": 0.85, "browOuterUp": 0.8, "eyeWide": 0.65}),
}
for _vector in EMOTIONS.values():
    _vector.setflags(write=False)

_SMILE: Final = [face_index("mouthSmileLeft"), face_index("mouthSmileRight")]
_PRESS: Final = [face_index("mouthPressLeft"), face_index("mouthPressRight")]
BROW_RAISE: Final = face_vector({"browInnerUp": 1.0, "browOuterUp": 0.7, "eyeWide": 0.15})


def emotion_at(
    at: float,
    spoken: Sequence[tuple[Emotion, float, float]],
    smile: float = 1.0,
    strength: float = 1.0,
) -> Vector:
    """Return the face, float64 [52], of the emotions of passages (emotion, start, end) in order.

    Each eases in over 0.3 s as its words begin, stays a little and gives way to neutral. `smile`
    scales the neutral face, which smiles a little; `strength` how far emotions lead away from it.
    """
    rest = smile * EMOTIONS["neutral"]
    face = rest
    for emotion, start, end in spoken:
        weight = plateau(at, start - 0.1, start - 0.1 + EASE, end + _LINGER, end + _LINGER + _FADE)
        if weight > 0.0:
            led = 0.0 if emotion == "neutral" else strength
            face = face + weight * (rest + led * (EMOTIONS[emotion] - rest) - face)
    return face


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
