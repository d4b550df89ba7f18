"""Lips from phones: a mouth shape at any time, each phone coloured by its neighbours.

Dominance functions (Cohen and Massaro, "Modeling coarticulation in synthetic visual speech",
1993): every phone pulls each part of the mouth towards its own target with a weight that falls
with distance in time, and the shape is the weighted mean. Two changes. The weight is a triweight
kernel, (1 - d^2)^3, instead of an exponential: it ends at a known distance, so lips never move
more than `ANTICIPATION` ahead of a phone and rest `RELEASE` after the last one; and it is smooth
at its centre. Contacts (lips for p, b, m; lip and teeth for f, v) are laid over the mean, since a
mean only ever comes near a closure, and an open mouth on an m is what people notice first.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.easing import plateau
from motion.lips.visemes import PART, PARTS, Viseme, silence, viseme
from motion.noise import Drift
from motion.phones import segments
from motion.speech import SpokenPassage, SpokenPhone

Vector = NDArray[np.float64]

ANTICIPATION: Final = 0.145  # seconds before a phone starts at which it first shows
RELEASE: Final = 0.14  # seconds after its end at which it is forgotten
_SMOOTH: Final = 0.025  # the mean is taken at three times this far apart, which bounds its speed
# A mouth is in place before its sound is at its best; seen early is natural, seen late is not.
_EARLY: Final = 0.025
_FLANK: Final = 0.07  # a phone longer than two flanks holds its shape between them
_HOLD: Final = 0.03  # a contact lasts at least this long on either side of its centre
_APPROACH: Final = 0.08  # seconds in which lips meet or part
_GAP: Final = 0.02  # a shorter hole between phones is rounding, not silence
_LOUD: Final = 0.1  # RMS at which a voice without phones opens the mouth half way
_CONTACT_REACH: Final = 0.3
_HEARD_EVERY: Final = 0.04  # seconds from row to row of a heard mouth

_TAPS: Final = np.array([-_SMOOTH, 0.0, _SMOOTH])
_SHARES: Final = np.array([0.25, 0.5, 0.25])
_NOTHING: Final = np.zeros((len(_TAPS), len(PARTS)))
_OPENING: Final = [PART[p] for p in ("funnel", "upper_up", "lower_down", "tongue", "shrug_upper")]
_ROUNDING: Final = [PART["funnel"], PART["pucker"]]


class LipTrack:
    """The lips of one passage, a function of time. Costs the same however long the passage is."""

    def __init__(self, passage: SpokenPassage, seed: int = 0) -> None:
        self.start = passage.start
        self.end = passage.end
        loudness = passage.loudness if not passage.phones else ()
        self._openness = [max(rms, 0.0) / (max(rms, 0.0) + _LOUD) for rms in loudness]
        heard = passage.mouth if passage.mouth is not None and len(passage.mouth) else None
        self._heard = heard if not passage.phones else None
        self._drift = Drift(seed, (0.31, 0.43))
        timed = list(_timed(passage))
        spans = np.array([(start, end) for _, start, end in timed]).reshape(-1, 2)
        early = np.array([0.0 if shape is silence() else _EARLY for shape, _, _ in timed])
        self._centres = spans.mean(1) - early
        self._holds = np.maximum((spans[:, 1] - spans[:, 0]) / 2.0 - _FLANK, 0.0)
        half = np.minimum((spans[:, 1] - spans[:, 0]) / 2.0, _FLANK)
        self._leads = half + ANTICIPATION - _SMOOTH - early
        self._trails = half + RELEASE - _SMOOTH + early
        shapes = [shape for shape, _, _ in timed]
        self._targets = np.array([s.target for s in shapes]).reshape(-1, len(PARTS))
        self._dominance = np.array([s.dominance for s in shapes]).reshape(-1, len(PARTS))
        self._starts, self._ends = spans[:, 0], spans[:, 1]
        self._contacts = _Contacts(timed)

    def mean(self, at: float) -> tuple[Vector, Vector]:
        """Return sums of weighted targets and of weights around `at`, float64 [taps, parts]."""
        first = int(np.searchsorted(self._ends, at - RELEASE))
        last = int(np.searchsorted(self._starts, at + ANTICIPATION, side="right"))
        if last <= first:
            return self._as_heard(at) if self._heard is not None else self._aloud(at)
        near = slice(first, last)
        offset = at + _TAPS[:, None] - self._centres[near]
        distance = np.maximum(np.abs(offset) - self._holds[near], 0.0)
        reach = np.where(offset < 0.0, self._leads[near], self._trails[near])
        kernel = np.maximum(1.0 - (distance / reach) ** 2, 0.0) ** 3
        dominance = self._dominance[near]
        return kernel @ (dominance * self._targets[near]), kernel @ dominance

    def contacts(self, at: float) -> tuple[float, float]:
        """Return how firmly lips meet, and lower lip meets teeth: 0 apart to 1 touching."""
        if self._heard is None:
            return self._contacts(at)
        # The nearest row, half a pose early or late: wherever poses fall, each row shows at one of
        # them, so no contact is lost. What lies between two rows, but for rounding, is the first's.
        row = math.floor((at - self.start) / _HEARD_EVERY + 0.5 - 1e-6)
        if not 0 <= row < min(len(self._heard), round((self.end - self.start) / _HEARD_EVERY)):
            return 0.0, 0.0
        return float(self._heard[row, -2]), float(self._heard[row, -1])

    def _as_heard(self, at: float) -> tuple[Vector, Vector]:
        """Shape the mouth as it was heard; passages that follow at once pass it on in a pose."""
        assert self._heard is not None
        last = len(self._heard) - 1
        place = min(max((at - self.start) / _HEARD_EVERY, 0.0), float(last))
        below = min(int(place), max(last - 1, 0))
        low, high = self._heard[[below, min(below + 1, last)], : len(PARTS)].astype(np.float64)
        eased = plateau(at, self.start - 0.1, self.start, self.end, self.end + 0.1)
        own = plateau(at, self.start - _HEARD_EVERY, self.start, self.end - _HEARD_EVERY, self.end)
        target = eased * np.clip(low + (place - below) * (high - low), 0.0, 1.0)
        weight = max(own, 0.01 * eased)
        return np.broadcast_to(weight * target, _NOTHING.shape), np.full(_NOTHING.shape, weight)

    def _aloud(self, at: float) -> tuple[Vector, Vector]:
        """Open the mouth by loudness, the shape wandering between spread and round."""
        values = self._openness
        if not values or not self.start - 0.1 <= at <= self.end + 0.1:
            return _NOTHING, _NOTHING
        fade = plateau(at, self.start - 0.1, self.start, self.end, self.end + 0.1)
        size = fade * _smoothed(values, (at - self.start) * 25.0 - 0.5)
        spread, narrow = self._drift(at) * 0.5 + 0.5
        target = np.zeros(len(PARTS))
        target[PART["jaw"]] = 0.5 * size
        target[PART["stretch"]] = 0.4 * size * spread
        target[PART["lower_down"]] = 0.3 * size
        target[PART["upper_up"]] = 0.15 * size
        target[PART["pucker"]] = 0.5 * size * narrow
        target[PART["funnel"]] = 0.3 * size * narrow
        # The weight fades too, so that other passages are not pushed aside from one moment on.
        return np.broadcast_to(fade * target, _NOTHING.shape), np.full(_NOTHING.shape, fade)


class _Contacts:
    """The closures of a passage, as two curves between 0 and 1."""

    def __init__(self, timed: Sequence[tuple[Viseme, float, float]]) -> None:
        touching = [(s.contact, a, b) for s, a, b in timed if s.contact != "none"]
        self._kinds = [kind for kind, _, _ in touching]
        self._centres = np.array([(a + b) / 2.0 for _, a, b in touching])
        self._holds = [max((b - a) / 2.0 - 0.02, _HOLD) for _, a, b in touching]

    def __call__(self, at: float) -> tuple[float, float]:
        apart = {"lips": 1.0, "teeth": 1.0}
        first, last = np.searchsorted(self._centres, (at - _CONTACT_REACH, at + _CONTACT_REACH))
        for index in range(int(first), int(last)):
            centre, hold = float(self._centres[index]), self._holds[index]
            begin, end = centre - hold, centre + hold
            touch = plateau(at, begin - _APPROACH, begin, end, end + _APPROACH)
            apart[self._kinds[index]] *= 1.0 - touch
        return 1.0 - apart["lips"], 1.0 - apart["teeth"]


def mouth(tracks: Iterable[LipTrack], at: float) -> Vector:
    """Return the mouth shape, float64 [parts] in [0, 1], of all tracks together at `at` seconds.

    Passages that follow or overlap one another blend as neighbouring phones do.
    """
    return touched(*apart(tracks, at))


def apart(tracks: Iterable[LipTrack], at: float) -> tuple[Vector, float, float]:
    """Return the shape [parts] without contacts, and how firmly lips and teeth touch, 0 to 1."""
    total, weight = np.zeros(_NOTHING.shape), np.zeros(_NOTHING.shape)
    lips_apart = teeth_apart = 1.0
    for track in tracks:
        targets, weights = track.mean(at)
        total += targets
        weight += weights
        lips, teeth = track.contacts(at)
        lips_apart *= 1.0 - lips
        teeth_apart *= 1.0 - teeth
    shape = _SHARES @ np.where(weight > 1e-9, total / np.maximum(weight, 1e-9), 0.0)
    return shape, 1.0 - lips_apart, 1.0 - teeth_apart


def touched(shape: Vector, lips: float, teeth: float) -> Vector:
    """Return a shape [parts] with the contacts laid over, clipped to [0, 1]."""
    shape = shape.copy()
    _touch_teeth(shape, teeth)
    _touch_lips(shape, lips)
    return np.asarray(np.clip(shape, 0.0, 1.0), np.float64)


def _touch_lips(shape: Vector, touch: float) -> None:
    """Close the lips in place. The jaw comes up part of the way; mouthClose seals what is left.

    ARKit's mouthClose closes the lips over an open jaw: at mouthClose = jawOpen they meet.
    """
    shape[PART["jaw"]] *= 1.0 - 0.5 * touch
    shape[_OPENING] *= 1.0 - touch
    shape[PART["stretch"]] *= 1.0 - 0.4 * touch
    shape[PART["pucker"]] *= 1.0 - 0.3 * touch
    shape[PART["close"]] = touch * shape[PART["jaw"]]
    shape[PART["press"]] = 0.3 * touch
    shape[PART["roll_lower"]] = shape[PART["roll_lower"]] * (1.0 - touch) + 0.16 * touch
    shape[PART["roll_upper"]] = 0.2 * touch


def _touch_teeth(shape: Vector, touch: float) -> None:
    """Bring the lower lip under the upper teeth, in place."""
    shape[PART["jaw"]] += touch * (0.025 - shape[PART["jaw"]])
    shape[_ROUNDING] *= 1.0 - 0.6 * touch
    shape[PART["lower_down"]] *= 1.0 - touch
    shape[PART["upper_up"]] += touch * (0.38 - shape[PART["upper_up"]])
    shape[PART["roll_lower"]] = 0.55 * touch


def _timed(passage: SpokenPassage) -> Iterable[tuple[Viseme, float, float]]:
    """Yield (viseme, start, end) for every segment and for the silences between and around."""
    if not passage.phones:
        return
    at = passage.phones[0].start
    yield silence(), at - 1.0, at
    for phone in passage.phones:
        if phone.start > at + _GAP:
            yield silence(), at, phone.start
        start = max(phone.start, at) if phone.start <= at + _GAP else phone.start
        yield from _phone(phone, start, max(phone.end, start))
        at = max(phone.end, at)
    yield silence(), at, at + 1.0


def _phone(phone: SpokenPhone, start: float, end: float) -> Iterable[tuple[Viseme, float, float]]:
    length = end - start
    parts = segments(phone.ipa)
    if not parts:
        yield silence(), start, end
    for part in parts:
        yield viseme(part.features, phone.stress), start, start + part.share * length
        start += part.share * length


def _smoothed(values: Sequence[float], position: float) -> float:
    """Return the values at a fractional index, smoothed by a cubic B-spline; 0 beyond the ends."""
    cell = int(np.floor(position))
    share = position - cell
    rest = 1.0 - share
    weights = (
        rest**3 / 6.0,
        (3.0 * share**3 - 6.0 * share**2 + 4.0) / 6.0,
        (3.0 * rest**3 - 6.0 * rest**2 + 4.0) / 6.0,
        share**3 / 6.0,
    )
    near = range(cell - 1, cell + 3)
    return sum(w * values[i] for w, i in zip(weights, near, strict=True) if 0 <= i < len(values))
