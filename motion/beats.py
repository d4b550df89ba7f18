"""Beats: the small strokes of the hands, and of the head and brows, that keep time with speech.

Strokes land on stressed syllables, but not on every one: hands move once a second or so, in runs
of the same hand, with sizes that vary. Each is prepared, struck, held a moment and let go along
minimum-jerk curves (phases after Kendon, "Gesture", 2004).
"""

import math
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
from motion.style import NATURAL, StyleSpec

Vector = NDArray[np.float64]
Hand = Literal["left", "right", "both"]

# Seconds of a natural stroke. A larger one takes longer, so that no hand is thrown.
_LIFT: Final = 0.29
_STRIKE: Final = 0.15
_HOLD: Final = 0.1
_RETRACT: Final = 0.52
_QUICKEST: Final = 0.11  # of a stroke of size 1
NOD_LEAD: Final = 0.44  # a nod is planned at least so long before it lands
_NOD_REACH: Final = 0.62
BROW_LEAD: Final = 0.2
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
class Timing:
    """The phases of a stroke in seconds around the moment it lands.

    Attributes:
        prepare: before it, the hand starts to lift.
        strike: before it, the hand starts to strike.
        hold: after it, the hand starts to let go.
        reach: after it, nothing of the stroke is left.
    """

    prepare: float
    strike: float
    hold: float
    reach: float

    @classmethod
    def of(cls, style: StyleSpec, size: float) -> "Timing":
        """Return the phases of a stroke of a size."""
        soft = 2.0 ** (2.0 * style.smoothness - 1.0)
        strike = max(_STRIKE * soft / style.tempo, _QUICKEST * size)
        hold = _HOLD * soft / style.tempo
        retract = _RETRACT * math.sqrt(soft) / style.tempo
        return cls(_LIFT / style.tempo + strike, strike, hold, hold + retract)


@dataclass(frozen=True, slots=True)
class Beat:
    """A stroke that lands at `at` (seconds). `shape` chooses among the ways a hand may strike."""

    at: float
    hand: Hand
    size: float
    shape: int
    timing: Timing

    @property
    def start(self) -> float:
        """When the hand starts to lift (seconds)."""
        return self.at - self.timing.prepare


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
    found: Sequence[Accent],
    seed: int,
    earliest: float,
    busy: Sequence[tuple[float, float]],
    *,
    last: float = -math.inf,
    style: StyleSpec = NATURAL,
) -> list[Beat]:
    """Choose which accents the hands mark.

    Args:
        found: accents in order of time.
        seed: of the choices made.
        earliest: no hand starts to move before it (seconds).
        busy: stretches (start, end) in which an action has the hands.
        last: when the beat before these landed (seconds).
        style: how often, how large, how fast, and with which hand.
    """
    beats: list[Beat] = []
    free = last + _NEAREST / style.gestures
    hand: Hand = "right"
    for accent in found:
        key = round(accent.at * 1000.0)
        size = style.amplitude * accent.strength * (0.65 + 0.7 * draw(seed, 54, key))
        timing = Timing.of(style, size)
        wish = style.gestures * (0.55 + 0.4 * accent.strength)
        late = accent.at < max(free, earliest + timing.prepare)
        taken = any(a - timing.reach < accent.at < b + timing.prepare for a, b in busy)
        if late or taken or draw(seed, 51, key) > wish:
            continue
        if not beats or draw(seed, 52, key) < 0.45:
            hand = _hand(draw(seed, 53, key), style)
        shape = int(draw(seed, 55, key) * len(_ARMS))
        beats.append(Beat(accent.at, hand, size, shape, timing))
        rest = _NEAREST + (_FARTHEST - _NEAREST) * draw(seed, 56, key)
        free = accent.at + rest / style.gestures
    return beats


def _hand(choice: float, style: StyleSpec) -> Hand:
    single = 1.0 - style.both_hands
    if choice < single * style.right_hand:
        return "right"
    return "left" if choice < single else "both"


def plan_brows(
    found: Sequence[Accent], seed: int, earliest: float, strength: float = 1.0
) -> list[tuple[float, float]]:
    """Choose which accents the brows mark: (time, size in [0, 1]), 1.2 s apart at least.

    `strength` (0.2 to 1.5) makes them more frequent and larger.
    """
    raises: list[tuple[float, float]] = []
    free = earliest + BROW_LEAD
    for accent in found:
        key = round(accent.at * 1000.0)
        if accent.at < free or draw(seed, 61, key) > 0.5 * strength * accent.strength:
            continue
        raises.append((accent.at, strength * (0.12 + 0.26 * draw(seed, 62, key))))
        free = accent.at + 1.2 + draw(seed, 63, key)
    return raises


def plan_nods(
    found: Sequence[Accent], seed: int, earliest: float, strength: float = 1.0
) -> list[tuple[float, float]]:
    """Choose which accents the head marks: (time, size; the sign is the tilt's).

    Sizes lie within `strength` on either side of 0.
    """
    nods: list[tuple[float, float]] = []
    free = earliest + NOD_LEAD
    for accent in found:
        key = round(accent.at * 1000.0)
        if accent.at < free or draw(seed, 71, key) > 0.75:
            continue
        side = 1.0 if draw(seed, 72, key) < 0.5 else -1.0
        size = strength * accent.strength * (0.4 + 0.6 * draw(seed, 73, key))
        nods.append((accent.at, side * size))
        free = accent.at + 0.5 + 0.4 * draw(seed, 74, key)
    return nods


class Strokes:
    """The planned strokes of hands and head of one passage, as controls. A function of time."""

    def __init__(self, beats: Sequence[Beat], nods: Sequence[tuple[float, float]]) -> None:
        self.beats, self.nods = tuple(beats), tuple(nods)
        self._beat_times = [beat.at for beat in beats]
        self._nod_times = [at for at, _ in nods]
        self._lead = max((beat.timing.prepare for beat in beats), default=0.0)
        self._reach = max((beat.timing.reach for beat in beats), default=0.0)

    def __call__(self, at: float) -> Vector:
        """Return controls float64 [CONTROLS] to be added to a posture."""
        out = np.zeros(CONTROLS)
        for i in _near(self._beat_times, at, self._lead, self._reach):
            _add_beat(out, self.beats[i], at)
        for i in _near(self._nod_times, at, NOD_LEAD, _NOD_REACH):
            time, size = self.nods[i]
            weight = plateau(at, time - 0.28, time + 0.06, time + 0.08, time + 0.55)
            out += weight * (abs(size) * _HEAD + size * _TILT)
        return out


def _near(times: Sequence[float], at: float, lead: float, reach: float) -> range:
    return range(bisect_left(times, at - reach), bisect_right(times, at + lead))


def _add_beat(controls: Vector, beat: Beat, at: float) -> None:
    timing = beat.timing
    lift, land = beat.at - timing.strike, beat.at + 0.02
    struck = rise(at, lift, land)
    lifted = rise(at, beat.start, lift) * (1.0 - struck)
    held = struck * (1.0 - rise(at, beat.at + timing.hold, beat.at + timing.reach))
    up, down = _ARMS[beat.shape]
    change = beat.size * (lifted * up + held * down)
    if beat.hand != "right":
        controls[LEFT_ARM] += change
    if beat.hand != "left":
        controls[RIGHT_ARM] += change
