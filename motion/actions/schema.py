"""`Action`: an entry of the library, its parameters, and what they may be."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from motion.actions.phases import Phases
from motion.actions.score import Hand, Score
from motion.errors import MotionValueError

ActionClass = Literal["beat", "deictic", "iconic", "metaphoric", "emblem"]
Unit = Literal["degrees", "metres", "count", "share"]
Hands = Literal["one", "two", "both"]
Given = Mapping[str, float | str]
Values = Mapping[str, float]

CLASSES: Final[tuple[ActionClass, ...]] = get_args(ActionClass)
SIDES: Final = ("left", "right", "any")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number an action takes: its name, unit, range and default."""

    name: str
    unit: Unit
    low: float
    high: float
    default: float

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise MotionValueError(
                f"{self.name} defaults to {self.default}; accepted: {self.low} to {self.high}"
            )

    def takes(self, number: float) -> bool:
        """Say whether a number is taken as it is."""
        whole = self.unit != "count" or number == round(number)
        return self.low <= number <= self.high and whole

    def read(self, value: float | str | None) -> float:
        """Return a value that may be text, brought into the range; the default if no number."""
        number = _number(self.default if value is None else value)
        if not math.isfinite(number):
            return self.default
        number = min(max(number, self.low), self.high)
        return float(round(number)) if self.unit == "count" else number


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the library.

    Attributes:
        id: a-z, 0-9 and _.
        kind: its class.
        write: makes the score of its parameters (all of them, and `side`: 1 when the main hand is
            the left one, -1 when it is the right).
        description: one line, by language.
        cues: words and phrases that ask for it, by language, in lower case.
        hands: whether one hand makes it, two with a main one, or both alike.
        parameters: the numbers it takes.
        side: the parameter whose sign chooses the hand where none is asked for, "" for none;
            positive is the host's left.
        phases: how long its phases last.
    """

    id: str
    kind: ActionClass
    write: Callable[[Values], Score]
    description: Mapping[str, str]
    cues: Mapping[str, tuple[str, ...]]
    hands: Hands = "one"
    parameters: tuple[Parameter, ...] = ()
    side: str = ""
    phases: Phases = field(default_factory=Phases)

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", self.id):
            raise MotionValueError(f"action {self.id!r}; accepted: a-z, 0-9, _, up to 40")
        if self.kind not in CLASSES:
            raise MotionValueError(f"class {self.kind!r}; accepted: {', '.join(CLASSES)}")
        for name in ("en", "zh"):
            if not self.description.get(name) or not self.cues.get(name):
                raise MotionValueError(f"{self.id} has no description or cues in {name!r}")

    @property
    def exact(self) -> bool:
        """Whether fingers or metres are shown that can be counted and compared with the words."""
        return any(one == NUMBER or one.unit == "metres" for one in self.parameters)

    def values(self, given: Given) -> dict[str, float]:
        """Return all numbers of the action, those given brought into their ranges."""
        return {one.name: one.read(given.get(one.name)) for one in self.parameters}

    def hand(self, given: Given, usual: Hand = "right") -> Hand:
        """Return the main hand: the one asked for, the nearer to where it points, the usual."""
        asked = given.get("hand")
        if asked in ("left", "right"):
            return "left" if asked == "left" else "right"
        if self.side:
            return "left" if self.values(given)[self.side] > 0.0 else "right"
        return "right" if self.hands == "both" else usual

    def check(self, given: Given) -> None:
        """Refuse parameters that would not be taken as they are.

        Raises:
            MotionValueError: a name the action has not, no number, or a number out of its range.
        """
        known = {one.name: one for one in self.parameters}
        for name, value in given.items():
            if name == "hand" and self.hands != "both":
                if value not in SIDES:
                    raise MotionValueError(f"hand {value!r}; accepted: {', '.join(SIDES)}")
            elif name not in known:
                names = [*known, *([] if self.hands == "both" else ["hand"])]
                raise MotionValueError(
                    f"{self.id} takes no {name!r}; accepted: {', '.join(names) or 'nothing'}"
                )
            elif not known[name].takes(_number(value)):
                one = known[name]
                raise MotionValueError(
                    f"{self.id}: {name} {value!r}; accepted: {one.low:g} to {one.high:g} "
                    f"{'whole' if one.unit == 'count' else one.unit}"
                )


_USUAL: Final[dict[ActionClass, Phases]] = {
    "beat": Phases(stroke=0.65, hold=0.45),
    "deictic": Phases(stroke=0.4, hold=0.75),
    "iconic": Phases(stroke=1.0, hold=0.4),
    "metaphoric": Phases(stroke=0.7, hold=0.55),
    "emblem": Phases(stroke=0.4, hold=0.75),
}


def entry(
    kind: ActionClass,
    name: str,
    write: Callable[[Values], Score],
    english: str,
    mandarin: str,
    cues: tuple[tuple[str, ...], tuple[str, ...]],
    phases: Phases | None = None,
    *,
    hands: Hands = "one",
    parameters: tuple[Parameter, ...] = (),
    side: str = "",
) -> Action:
    """Return an action, its descriptions and cues given in English and Mandarin.

    Without `phases` it takes the time that is usual in its class.
    """
    texts, words = {"en": english, "zh": mandarin}, {"en": cues[0], "zh": cues[1]}
    lasting = _USUAL[kind] if phases is None else phases
    return Action(name, kind, write, texts, words, hands, parameters, side, lasting)


def _number(value: float | str) -> float:
    try:
        return float(value)
    except ValueError:
        return math.nan


NUMBER: Final = Parameter("number", "count", 1.0, 5.0, 1.0)


def times(default: float, low: float = 1.0, high: float = 4.0) -> Parameter:
    """Return how often the stroke is repeated."""
    return Parameter("number", "count", low, high, default)


def level(default: float = 0.5) -> Parameter:
    """Return how far or how strongly, 0 to 1."""
    return Parameter("level", "share", 0.0, 1.0, default)


def size(low: float, high: float, default: float) -> Parameter:
    """Return a size in metres."""
    return Parameter("size", "metres", low, high, default)


def direction(
    azimuth: float, elevation: float, across: tuple[float, float] = (-75.0, 75.0)
) -> tuple[Parameter, Parameter]:
    """Return a direction as two angles: to the host's left, and up."""
    return (
        Parameter("azimuth", "degrees", *across, azimuth),
        Parameter("elevation", "degrees", -55.0, 50.0, elevation),
    )
