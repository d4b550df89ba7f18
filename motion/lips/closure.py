"""Whether lips meet when they must: on every p, b and m, and when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.lips.visemes import PART, viseme
from motion.phones import segments
from motion.speech import SpokenPhone

Vector = NDArray[np.float64]

CLOSED: Final = 0.06  # a gap this small shows no dark between the lips
OPEN: Final = 0.15  # a mouth this open is plainly so
_TOLERANCE: Final = 0.04  # seconds, one pose, before and after the phone
_EARLIEST: Final = 0.16  # seconds before the phone in which a closure may begin
_POSES_PER_SECOND: Final = 25.0


@dataclass(frozen=True, slots=True)
class Closures:
    """How a mouth kept its closures.

    Attributes:
        phones: number of p, b, m.
        hit: share of them at which the lips met.
        onset: median of |time the lips met - time they should have met|, seconds; of those hit.
    """

    phones: int
    hit: float
    onset: float


def gap(mouth: ArrayLike) -> Vector:
    """Return how far lips are apart, [...], of mouth shapes [..., parts], about 0 to 1.

    The jaw opens them and `close` seals them over it; lips also part by themselves.
    """
    shape = np.asarray(mouth, np.float64)
    jaw = shape[..., PART["jaw"]] - shape[..., PART["close"]]
    lips = sum(shape[..., PART[name]] for name in ("upper_up", "lower_down", "funnel"))
    return np.asarray(np.maximum(jaw, 0.0) + 0.5 * lips, np.float64)


def closures(
    phones: Sequence[SpokenPhone], mouth: ArrayLike, reference: ArrayLike, start: float = 0.0
) -> Closures:
    """Measure mouth shapes [T, parts], 25 a second from `start` on, against phones in time.

    Args:
        phones: with their times in seconds.
        mouth: the shapes to be judged.
        reference: the shapes that the phones themselves ask for; says when lips should meet.
    """
    made, wanted = gap(mouth), gap(reference)
    hits, errors = [], []
    for begin, end in _bilabials(phones):
        first = round((begin - _TOLERANCE - start) * _POSES_PER_SECOND)
        last = round((end + _TOLERANCE - start) * _POSES_PER_SECOND) + 1
        if first < 0 or last > len(made):
            continue
        hits.append(bool((made[first:last] <= CLOSED).any()))
        should = _onset(wanted, begin - start, end - start)
        did = _onset(made, begin - start, end - start)
        if should is not None and did is not None:
            errors.append(abs(did - should))
    return Closures(
        len(hits),
        float(np.mean(hits)) if hits else float("nan"),
        float(np.median(errors)) if errors else float("nan"),
    )


def false_closures(mouth: ArrayLike, reference: ArrayLike) -> tuple[int, int]:
    """Return at how many plainly open poses [T, parts] lips are closed, and how many there are."""
    plainly = plainly_open(reference)
    return int((gap(mouth)[plainly] <= CLOSED).sum()), int(plainly.sum())


def plainly_open(reference: ArrayLike) -> NDArray[np.bool_]:
    """Return at which poses [T] the phones ask for a mouth that everybody would call open.

    A pose beside a closure is none: lips that meet a pose early or late have met (`closures`), and
    what keeps a closure cannot break another rule by it.
    """
    gaps = gap(reference)
    closed = np.pad(gaps <= CLOSED, 1)
    beside = closed[:-2] | closed[1:-1] | closed[2:]
    return np.asarray((gaps > OPEN) & ~beside)


def _bilabials(phones: Iterable[SpokenPhone]) -> Iterable[tuple[float, float]]:
    for phone in phones:
        at, length = phone.start, phone.end - phone.start
        for part in segments(phone.ipa):
            if viseme(part.features, phone.stress).contact == "lips":
                yield at, at + part.share * length
            at += part.share * length


def _onset(gaps: Vector, begin: float, end: float) -> float | None:
    """Return when lips first meet around a phone, in seconds between poses; None if never."""
    first = max(round((begin - _EARLIEST) * _POSES_PER_SECOND), 0)
    last = round((end + _TOLERANCE) * _POSES_PER_SECOND) + 1
    below = np.flatnonzero(gaps[first:last] <= CLOSED)
    if not len(below):
        return None
    at = first + int(below[0])
    if at == 0 or gaps[at - 1] <= CLOSED:
        return at / _POSES_PER_SECOND
    share = (gaps[at - 1] - CLOSED) / (gaps[at - 1] - gaps[at])
    return float((at - 1 + share) / _POSES_PER_SECOND)
