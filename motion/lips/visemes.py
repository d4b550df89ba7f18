"""Visemes: the mouth shape a phone asks for, and how strongly it insists on each part of it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from motion.phones import Consonant, Place, Vowel
from motion.skeleton import FACE_NAMES, face_index

Vector = NDArray[np.float64]
Contact = Literal["none", "lips", "teeth"]  # "teeth": the lower lip under the upper teeth

# The parts of a mouth shape; each is one ARKit coefficient, or a left and right pair of them.
MOUTH: Final[dict[str, tuple[str, ...]]] = {
    "jaw": ("jawOpen",),
    "close": ("mouthClose",),
    "funnel": ("mouthFunnel",),
    "pucker": ("mouthPucker",),
    "stretch": ("mouthStretchLeft", "mouthStretchRight"),
    "smile": ("mouthSmileLeft", "mouthSmileRight"),
    "press": ("mouthPressLeft", "mouthPressRight"),
    "roll_lower": ("mouthRollLower",),
    "roll_upper": ("mouthRollUpper",),
    "upper_up": ("mouthUpperUpLeft", "mouthUpperUpRight"),
    "lower_down": ("mouthLowerDownLeft", "mouthLowerDownRight"),
    "shrug_upper": ("mouthShrugUpper",),
    "tongue": ("tongueOut",),
}
PARTS: Final[tuple[str, ...]] = tuple(MOUTH)
PART: Final[dict[str, int]] = {name: index for index, name in enumerate(PARTS)}

_NEUTRAL_JAW: Final = 0.1
_ROUNDING: Final = [PART["funnel"], PART["pucker"]]
_ROUNDING_REACH: Final = 2.0
_REST: Final = 0.3  # dominance of silence: lips start and stop moving gently


@dataclass(frozen=True, slots=True)
class Viseme:
    """A mouth shape.

    Attributes:
        target: float64 [parts], coefficients in [0, 1], 0 where nothing is asked.
        dominance: float64 [parts], how strongly it holds against its neighbours, 1 for an
            ordinary vowel (Cohen and Massaro, 1993).
        contact: what must touch at the phone's centre, whatever the neighbours.
    """

    target: Vector
    dominance: Vector
    contact: Contact = "none"


def to_face(parts: Vector) -> Vector:
    """Spread a mouth shape [parts] over the face coefficients, float64 [52]."""
    return np.asarray(parts @ _SPREAD, np.float64)


@lru_cache(maxsize=512)
def viseme(features: Vowel | Consonant, stress: int = 0) -> Viseme:
    """Return the viseme of a vowel or consonant; a stressed vowel opens wider."""
    if isinstance(features, Vowel):
        return _vowel(features, stress)
    return _consonant(features)


@lru_cache(maxsize=1)
def silence() -> Viseme:
    """Return the mouth at rest, which yields to the phones beside it."""
    dominance = np.full(len(PARTS), _REST)
    dominance[_ROUNDING] *= 1.0 + _ROUNDING_REACH
    return Viseme(np.zeros(len(PARTS)), dominance)


def _shape(**parts: float) -> Vector:
    out = np.zeros(len(PARTS))
    for name, value in parts.items():
        out[PART[name]] = value
    return out


def _vowel(vowel: Vowel, stress: int) -> Viseme:
    h, b, r = vowel.height, vowel.backness, vowel.rounding
    spread = (1.0 - r) * (1.0 - b)
    size = (0.9, 1.1, 1.0)[stress] if 0 <= stress <= 2 else 1.0
    target = _shape(
        jaw=(0.12 + 0.38 * h - 0.03 * r) * size,
        funnel=r * (0.28 + 0.3 * h),
        pucker=r * (0.95 - 0.45 * h),
        stretch=spread * (0.5 - 0.3 * h) + 0.1 * (1.0 - r) * h,
        smile=spread * (0.2 - 0.15 * h),
        upper_up=(1.0 - r) * (0.12 + 0.12 * h),
        lower_down=(1.0 - r) * (0.3 - 0.1 * h) + 0.08 * r,
    )
    dominance = np.ones(len(PARTS))
    # Rounding spreads over the consonants around it; spreading gives way sooner.
    dominance[_ROUNDING] = 1.0 + _ROUNDING_REACH * r
    return Viseme(target, dominance)


_ASKS: Final[dict[Place, dict[str, tuple[float, float]]]] = {
    # part: (target, dominance); parts not named keep to their neighbours.
    "bilabial": {"jaw": (0.08, 0.6), "funnel": (0.0, 0.6), "stretch": (0.0, 0.4)},
    "labiodental": {"jaw": (0.08, 1.5), "funnel": (0.0, 1.0), "pucker": (0.0, 0.6)},
    "dental": {
        "jaw": (0.12, 1.5),
        "tongue": (0.45, 3.0),
        "upper_up": (0.2, 1.0),
        "lower_down": (0.3, 1.0),
    },
    "alveolar": {"jaw": (0.11, 0.6), "lower_down": (0.3, 0.5), "upper_up": (0.12, 0.4)},
    "postalveolar": {
        "jaw": (0.06, 2.0),
        "funnel": (0.55, 1.6),
        "pucker": (0.4, 1.2),
        "lower_down": (0.2, 0.8),
        "upper_up": (0.15, 0.8),
    },
    "retroflex": {
        "jaw": (0.07, 1.5),
        "funnel": (0.3, 0.8),
        "pucker": (0.12, 0.5),
        "lower_down": (0.3, 0.8),
        "upper_up": (0.15, 0.6),
    },
    "palatal": {
        "jaw": (0.07, 1.5),
        "stretch": (0.45, 0.9),
        "smile": (0.15, 0.7),
        "lower_down": (0.3, 0.7),
        "upper_up": (0.12, 0.5),
    },
    "velar": {"jaw": (0.15, 0.4)},
    "glottal": {"jaw": (0.2, 0.1)},
    "labialvelar": {"jaw": (0.06, 1.5), "pucker": (0.95, 3.0), "funnel": (0.3, 3.0)},
    "labiopalatal": {"jaw": (0.06, 1.5), "pucker": (0.9, 3.0), "funnel": (0.25, 3.0)},
}
_SIBILANT: Final = {"jaw": (0.05, 2.5), "lower_down": (0.35, 1.2), "stretch": (0.2, 0.5)}
_RHOTIC: Final = {"jaw": (0.1, 0.8), "pucker": (0.4, 0.9), "funnel": (0.3, 0.9)}
_INDIFFERENT: Final = 0.12
_CONTACTS: Final[dict[Place, Contact]] = {"bilabial": "lips", "labiodental": "teeth"}


def _consonant(consonant: Consonant) -> Viseme:
    asks = dict(_ASKS[consonant.place])
    if consonant.sibilant and consonant.place == "alveolar":
        asks |= _SIBILANT
    if consonant.rhotic:
        asks |= _RHOTIC
    target = _shape(jaw=_NEUTRAL_JAW)
    dominance = np.full(len(PARTS), _INDIFFERENT)
    for part, (value, strength) in asks.items():
        target[PART[part]], dominance[PART[part]] = value, strength
    return Viseme(target, dominance, _CONTACTS.get(consonant.place, "none"))


def _spread() -> Vector:
    out = np.zeros((len(PARTS), len(FACE_NAMES)))
    for index, names in enumerate(MOUTH.values()):
        for name in names:
            out[index, face_index(name)] = 1.0
    return out


_SPREAD: Final = _spread()
