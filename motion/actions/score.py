"""Scores: actions written as keys of where hands are and how they are turned.

A score is written for a main hand and, where there is one, the other, each seen from its own
side: `out` from the middle of the body, `ahead` to the front, `up`, in metres from the root (the
hips) of the body at rest, whose shoulders stand at (0.15, 0.02, 0.46) and whose chin at (0, 0.17,
0.59). Turns and tilts of the body are positive to the main hand's side. So one score serves both
hands, and the left one mirrors the right.

Times of keys are shares: 0 starts the stroke, 1 ends it, 2 ends the hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from motion.actions.hands import RELAXED, Shape
from motion.controls import Arm

Hand = Literal["left", "right"]
Frame = Literal["chest", "world", "head"]
Direction = tuple[float, float, float]

UP: Final[Direction] = (0.0, 0.0, 1.0)
DOWN: Final[Direction] = (0.0, 0.0, -1.0)
IN: Final[Direction] = (-1.0, 0.0, 0.0)
OUT: Final[Direction] = (1.0, 0.0, 0.0)
AHEAD: Final[Direction] = (0.0, 1.0, 0.0)
BACK: Final[Direction] = (0.0, -1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand is, how it is turned and shaped.

    Attributes:
        place: (out, ahead, up) in metres.
        shape: finger controls.
        fingers: where `axis` of the hand points; None leaves it to the arm.
        palm: where the palm faces, as far as `fingers` leaves it open; None leaves it to the arm.
        point: which point of the hand is at `place`, as in `hands.point_of`.
        axis: which direction of the hand `fingers` is about, as in `hands.axis_of`.
        frame: what place and directions move with: the chest, the head, or nothing.
        near: controls of the arm that are preferred, of those that place the hand.
        slack: metres the hand may be off its place for the sake of its direction.
        palm_matters: weight of where the palm faces beside where the fingers point.
    """

    place: Direction
    shape: Shape
    fingers: Direction | None = None
    palm: Direction | None = None
    point: str = "palm"
    axis: str = "fingers"
    frame: Frame = "chest"
    near: Arm = field(default_factory=dict)
    slack: float = 0.0
    palm_matters: float = 1.0


@dataclass(frozen=True, slots=True)
class Key:
    """Where hands and body are at a share of the action's time.

    `flow`: the body passes through without stopping.
    """

    at: float
    main: Reach | None = None
    other: Reach | None = None
    body: Mapping[str, float] = field(default_factory=dict)
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Where the eyes go: degrees to the main hand's side and down, from one share to another."""

    turn: float
    pitch: float
    start: float = 0.0
    end: float = 1.4


@dataclass(frozen=True, slots=True)
class Score:
    """An action written out; the hands of its first key are the hands it uses.

    `face`: coefficients added while the action lasts.
    """

    keys: tuple[Key, ...]
    look: Look | None = None
    face: Mapping[str, float] = field(default_factory=dict)


def reach(
    out: float,
    ahead: float,
    up: float,
    shape: Shape,
    fingers: Direction | None = None,
    palm: Direction | None = None,
    *,
    point: str = "palm",
    axis: str = "fingers",
    frame: Frame = "chest",
    **near: float,
) -> Reach:
    """Return a `Reach`; further names are controls of the arm that are preferred."""
    return Reach((out, ahead, up), shape, fingers, palm, point, axis, frame, near)


def moved(
    base: Reach,
    out: float = 0.0,
    ahead: float = 0.0,
    up: float = 0.0,
    *,
    shape: Shape | None = None,
    fingers: Direction | None = None,
    palm: Direction | None = None,
) -> Reach:
    """Return a reach carried on by metres, and with what else is given instead."""
    x, y, z = base.place
    return replace(
        base,
        place=(x + out, y + ahead, z + up),
        shape=base.shape if shape is None else shape,
        fingers=base.fingers if fingers is None else fingers,
        palm=base.palm if palm is None else palm,
    )


def loosened(base: Reach, *, out: float = 0.0, ahead: float = -0.05, up: float = -0.04) -> Reach:
    """Return a hand on its way to a reach: a little short of it, the fingers not yet shaped."""
    names = {*base.shape, *RELAXED} - {"curl"}
    full = {n: base.shape.get(n, base.shape.get("curl", 0.0)) for n in names if n in _CURLED}
    full |= {n: base.shape.get(n, 0.0) for n in names if n not in _CURLED}
    shape = {n: 0.45 * value + 0.55 * RELAXED.get(n, 0.0) for n, value in full.items()}
    return moved(base, out, ahead, up, shape=shape)


_CURLED: Final = ("index", "middle", "ring", "pinky")


def one(at: float, main: Reach, **body: float) -> Key:
    """Return a key of the main hand alone."""
    return Key(at, main, None, body)


def two(at: float, main: Reach, other: Reach, **body: float) -> Key:
    """Return a key of both hands."""
    return Key(at, main, other, body)


def both(at: float, hands: Reach, **body: float) -> Key:
    """Return a key of both hands, which mirror each other."""
    return Key(at, hands, hands, body)


def through(key: Key) -> Key:
    """Return a key that the body passes without stopping."""
    return replace(key, flow=True)
