"""The hidden kinds of viewers, and what each is like.

A policy never sees a kind; it sees how many watch, ask, click, order, give and leave.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ViewerKind:
    """One kind of viewer.

    Attributes:
        stay_s: mean seconds it stays with something of middling interest.
        buys: how readily it buys what it likes, 1 is usual.
        thrift: weight of prices: how much dearer or reduced goods change what it wants.
        asks, gives: questions and gifts an hour.
        quick, calm: factors on how fast it takes in what is said at that pace, and inversely on
            how fast it leaves.
        moved: how far thanks keep it (1: leaves half as fast for three minutes).
        tired: how much it minds hearing a selling point again, 1 is usual.
    """

    name: str
    stay_s: float
    buys: float
    thrift: float
    asks: float
    gives: float
    quick: float
    calm: float
    moved: float
    tired: float


KINDS: Final = (
    ViewerKind("browser", 120.0, 0.5, 0.8, 1.0, 0.2, 1.2, 0.85, 0.0, 1.5),
    ViewerKind("bargain hunter", 300.0, 1.0, 2.2, 2.0, 0.1, 1.1, 0.9, 0.0, 0.8),
    ViewerKind("fan", 600.0, 0.9, 0.4, 2.0, 3.0, 0.95, 1.0, 1.0, 0.6),
    ViewerKind("gift seeker", 240.0, 1.3, 0.5, 3.0, 0.5, 1.0, 1.05, 0.2, 1.0),
    ViewerKind("asker", 360.0, 1.1, 0.9, 12.0, 0.3, 0.8, 1.15, 0.2, 1.0),
)


def alike(kinds: tuple[ViewerKind, ...] = KINDS) -> tuple[ViewerKind, ...]:
    """Return as many kinds, all of them the mean of these: a room without types."""
    numbers = [entry.name for entry in fields(ViewerKind) if entry.name != "name"]
    means: dict[str, Any] = {
        name: float(np.mean([getattr(kind, name) for kind in kinds])) for name in numbers
    }
    return tuple(replace(kind, **means) for kind in kinds)


def column(kinds: tuple[ViewerKind, ...], name: str) -> NDArray[np.float64]:
    """Return one attribute of all kinds [k]."""
    return np.array([getattr(kind, name) for kind in kinds], dtype=np.float64)
