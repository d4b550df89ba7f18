"""Beats: the small strokes of the hands, and of the head and brows, that keep time with speech.

Strokes land on stressed syllables, but not on every one: hands move once a second or so, in runs
of the same hand, with sizes that vary. Each is prepared, struck, held a moment and let go along
minimum-jerk curves (phases after Kendon, "Gesture", 2004).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from motion.controls import CONTROLS, LEFT_ARM, RIGHT_ARM, arm_vector, control_vector
from motion.easing import plateau, rise
from motion.noise import draw
from motion.phones import is_vowel
from motion.speech import SpokenPassage

Vector = NDArray[np.float64]
Hand = Literal["left", "right", "both"]

PREPARE: Final = 0.44  # seconds before the stroke lands at which the hand starts to lift
_STRIKE: Final = 0.15
_HOLD: Final = 0.1
_RETRACT: Final = 0.52
REACH: Final = _HOLD + _RETRACT  # seconds after which nothing of a beat is left
_NEAREST: Final = 0.7  # seconds between two beats, at least
_FARTHEST: Final = 1.25
_POSES_PER_SECOND: Final = 25.0

# What a hand does, as changes of its arm's controls: lifted, and struck.
_SHAPES: Final[tuple[tuple[Mapping[str, float], Mapping[str, float]], ...]] = (
    (
        {"flex": 12, "forward": 3, "wrist_flex": -12},
        {"flex": -4, "forward": 2, "wrist_flex": 9},
    ),
    (
        {"flex": 8, "supinate": -8, "wrist_flex": 4, "curl": 6},
        {"flex": 2, "forward": 3, "supinate": 22, "inward": -6, "wrist_flex": -12, "curl": -10},
    ),
    (
        {"flex": 12, "wrist_flex": -4, "curl": 4},
        {"forward": 8, "flex": -6, "wrist_flex": -12, "curl": -9, "spread": 3},
    ),
)
_ARMS: Final = tuple((arm_vector(lifted), arm_vector(struck)) for lifted, struck in _SHAPES)
_HEAD: Final = control_vector({"head_pitch": 4.2, "torso_pitch": 1.0})
_TILT: Final = control_vector({"head_tilt": 2.4, "head_turn": 3.6, "torso_turn": 1.2})


@dataclass(frozen=True, slots=True)
class Accent:
    """A stressed syllable: the time of its vowel's start (seconds) and its strength, 0 to 1."""

    at: float
    strength: float


@dataclass(frozen=True, slots=True)
class Beat:
    """A stroke that lands at `at` (seconds). `shape` chooses among the ways a hand may strike."""

    at: float
    hand: Hand
    size: float
    shape: int


def accents(passage: SpokenPassage) -> list[Accent]:
    """Return the accents of a passage in order of time.

    Where nothing is marked as stressed (Mandarin, for one), the longer vowels are taken; where
    there are no phones, the peaks of loudness.
    """
    vowels = [phone for phone in passage.phones if is_vowel(phone.ipa)]
    stressed = [phone for phone in vowels if phone.stress]
    if stressed:
        return [Accent(p.start, 1.0 if p.stress == 1 else 0.6) for p in stressed]
    if vowels:
        usual = median(phone.end - phone.start for phone in vowels)
        return [Accent(p.start, 0.8) for p in vowels if p.end - p.start >= usual]
    return [Accent(passage.start + i / _POSES_PER_SECOND, 0.8) for i in _peaks(passage.loudness)]


def _peaks(values: Sequence[float]) -> Iterable[int]:
    for i in range(1, len(values) - 1):
        if values[i] > 0.05 and values[i - 1] < values[i] >= values[i + 1]:
            yield i


def plan_beats(
    found: Sequence[Accent], seed: int, earliest: float, busy: Sequence[tuple[float, float]]
) -> list[Beat]:
    """Choose which accents the hands mark.

    Args:
        found: accents in order of time.
        seed: of the choices made.
        earliest: no hand starts to move before it (seconds).
        busy: stretches (start, end) in which an action has the hands.
    """
    beats: list[Beat] = []
    free = earliest + PREPARE
    hand: Hand = "right"
    for accent in found:
        key = round(accent.at * 1000.0)
        taken = any(a - REACH < accent.at < b + PREPARE for a, b in busy)
        if accent.at < free or taken or draw(seed, 51, key) > 0.55 + 0.4 * accent.strength:
            continue
        if not beats or draw(seed, 52, key) < 0.45:
            hand = _hand(draw(seed, 53, key))
        size = accent.strength * (0.65 + 0.7 * draw(seed, 54, key))
        beats.append(Beat(accent.at, hand, size, int(draw(seed, 55, key) * len(_ARMS))))
        free = accent.at + _NEAREST + (_FARTHEST - _NEAREST) * draw(seed, 56, key)
    return beats


def _hand(choice: float) -> Hand:
    if choice < 0.33:
        return "right"
    return "left" if choice < 0.58 else "both"


def plan_brows(found: Sequence[Accent], seed: int, earliest: float) -> list[tuple[float, float]]:
    """Choose which accents the brows mark: (time, size in [0, 1]), 1.2 s apart at least."""
    raises: list[tuple[float, float]] = []
    free = earliest + 0.2
    for accent in found:
        key = round(accent.at * 1000.0)
        if accent.at < free or draw(seed, 61, key) > 0.5 * accent.strength:
            continue
        raises.append((accent.at, 0.12 + 0.26 * draw(seed, 62, key)))
        free = accent.at + 1.2 + draw(seed, 63, key)
    return raises


def plan_nods(found: Sequence[Accent], seed: int, earliest: float) -> list[tuple[float, float]]:
    """Choose which accents the head marks: (time, size in [-1, 1]; the sign is the tilt's)."""
    nods: list[tuple[float, float]] = []
    free = earliest + PREPARE
    for accent in found:
        key = round(accent.at * 1000.0)
        if accent.at < free or draw(seed, 71, key) > 0.75:
            continue
        side = 1.0 if draw(seed, 72, key) < 0.5 else -1.0
        nods.append((accent.at, side * accent.strength * (0.4 + 0.6 * draw(seed, 73, key))))
        free = accent.at + 0.5 + 0.4 * draw(seed, 74, key)
    return nods


class Strokes:
    """The planned strokes of hands and head of one passage, as controls. A function of time."""

    def __init__(self, beats: Sequence[Beat], nods: Sequence[tuple[float, float]]) -> None:
        self.beats, self.nods = tuple(beats), tuple(nods)
        self._beat_times = [beat.at for beat in beats]
        self._nod_times = [at for at, _ in nods]

    def __call__(self, at: float) -> Vector:
        """Return controls float64 [CONTROLS] to be added to a posture."""
        out = np.zeros(CONTROLS)
        for i in _near(self._beat_times, at):
            _add_beat(out, self.beats[i], at)
        for i in _near(self._nod_times, at):
            time, size = self.nods[i]
            weight = plateau(at, time - 0.28, time + 0.06, time + 0.08, time + 0.55)
            out += weight * (abs(size) * _HEAD + size * _TILT)
        return out


def _near(times: Sequence[float], at: float) -> range:
    return range(bisect_left(times, at - REACH), bisect_right(times, at + PREPARE))


def _add_beat(controls: Vector, beat: Beat, at: float) -> None:
    lift, land = beat.at - _STRIKE, beat.at + 0.02
    struck = rise(at, lift, land)
    lifted = rise(at, beat.at - PREPARE, lift) * (1.0 - struck)
    held = struck * (1.0 - rise(at, beat.at + _HOLD, beat.at + REACH))
    up, down = _ARMS[beat.shape]
    change = beat.size * (lifted * up + held * down)
    if beat.hand != "right":
        controls[LEFT_ARM] += change
    if beat.hand != "left":
        controls[RIGHT_ARM] += change
