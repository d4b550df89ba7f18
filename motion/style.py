"""`StyleSpec`: in which manner a body moves. Nothing about who it is or where it stands."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Final, Literal, Self

from motion.errors import MotionValueError
from motion.speech import Emotion

STYLES: Final = ("natural", "calm", "lively", "elegant", "playful")
LONGEST_DOCUMENT: Final = 16 * 1024

# How emotions colour a manner at their full intensity: factors, and what is added.
_TIMES: Final[Mapping[Emotion, Mapping[str, float]]] = {
    "happy": {"gestures": 1.08, "amplitude": 1.08, "tempo": 1.04},
    "excited": {"gestures": 1.25, "amplitude": 1.22, "tempo": 1.12, "head": 1.2},
    "caring": {"gestures": 0.85, "amplitude": 0.86, "tempo": 0.9, "head": 1.1},
    "serious": {"gestures": 0.85, "amplitude": 0.84, "tempo": 0.95, "head": 0.8},
    "surprised": {"amplitude": 1.12, "tempo": 1.08, "head": 1.15},
}
_PLUS: Final[Mapping[Emotion, Mapping[str, float]]] = {
    "excited": {"smoothness": -0.1},
    "caring": {"smoothness": 0.2},
}

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def _number(default: float, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleSpec:
    """A manner of moving, as a few bounded numbers. The defaults are the natural manner.

    Attributes:
        name: a-z, 0-9, _ and -; also the name of its file.
        gestures: how often hands beat time with speech; 1 is once a second or so.
        amplitude: how large the beats and the fidgeting of the arms are; 1 is natural.
        tempo: how fast strokes, swaying and changes of posture are; 1 is natural.
        smoothness: 0 strikes and lets go sharply, 1 lands softly and lingers.
        openness: -1 keeps the elbows close and leans in, 1 opens arms and palms and stands tall.
        right_hand: share of one-handed beats that the right hand makes; above a half it is also
            the hand of actions for which none was asked.
        both_hands: share of beats that both hands make.
        head: size of the head's movements (nods, tilts, turns); 1 is natural.
        torso: size of the weight shifts of hips and torso; 1 is natural.
        smile: strength of the resting smile; 1 is natural, 0 none.
        expression: how strongly emotions and brows show; 1 is natural.
        glances: how often the eyes leave the listener for a moment; 1 is natural, 0 never.
        blinks: a minute.
        nods: how often a listener nods; 1 is eight times a minute.

    Raises:
        MotionValueError: a value is not accepted; the message names every field at fault, its
            value and its range.
    """

    KIND: ClassVar[str] = "style"
    VERSION: ClassVar[int] = 1

    name: str = "natural"
    gestures: float = _number(1.0, 0.2, 1.6)
    amplitude: float = _number(1.0, 0.4, 1.4)
    tempo: float = _number(1.0, 0.7, 1.3)
    smoothness: float = _number(0.5, 0.0, 1.0)
    openness: float = _number(0.0, -1.0, 1.0)
    right_hand: float = _number(0.57, 0.0, 1.0)
    both_hands: float = _number(0.42, 0.0, 1.0)
    head: float = _number(1.0, 0.3, 1.8)
    torso: float = _number(1.0, 0.2, 1.5)
    smile: float = _number(1.0, 0.0, 2.5)
    expression: float = _number(1.0, 0.2, 1.5)
    glances: float = _number(1.0, 0.0, 2.0)
    blinks: float = _number(15.0, 8.0, 30.0)
    nods: float = _number(1.0, 0.0, 3.0)

    def __post_init__(self) -> None:
        faults = []
        if not (isinstance(self.name, str) and _NAME.fullmatch(self.name)):
            faults.append(_fault("name", self.name, "1 to 40 of a-z, 0-9, _ and -"))
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not (number and math.isfinite(value) and low <= value <= high):
                faults.append(_fault(name, value, f"{low:g} to {high:g}"))
            else:
                object.__setattr__(self, name, float(value))
        if faults:
            raise MotionValueError("; ".join(faults))

    def changed(self, **values: object) -> Self:
        """Return a copy with other values, checked like a new one.

        Raises:
            MotionValueError: a field is unknown, or a value is not accepted.
        """
        known = {"name": self.name} | {name: getattr(self, name) for name in RANGES}
        unknown = [
            f"StyleSpec.{name}: there is no such field; accepted: {', '.join(known)}"
            for name in values
            if name not in known
        ]
        if unknown:
            raise MotionValueError("; ".join(unknown))
        return type(self)(**(known | values))

    def felt(self, emotion: Emotion, intensity: float) -> Self:
        """Return the manner as an emotion of an intensity, 0 to 1, colours it, in its ranges."""
        if intensity == 0.0 or emotion not in _TIMES:
            return self
        values = {
            name: getattr(self, name) * (1.0 + intensity * (factor - 1.0))
            for name, factor in _TIMES[emotion].items()
        }
        for name, more in _PLUS.get(emotion, {}).items():
            values[name] = getattr(self, name) + intensity * more
        bounded = {n: min(max(v, RANGES[n][0]), RANGES[n][1]) for n, v in values.items()}
        return self.changed(**bounded)

    @property
    def usual_hand(self) -> Literal["left", "right"]:
        """The hand of actions for which none was asked."""
        return "right" if self.right_hand >= 0.5 else "left"

    def to_json(self) -> str:
        """Return it as JSON text, only what differs from the natural manner."""
        content: dict[str, object] = {"kind": self.KIND, "version": self.VERSION}
        for each in fields(self):
            if (value := getattr(self, each.name)) != each.default:
                content[each.name] = value
        return json.dumps(content, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote, or an older version of it.

        Raises:
            MotionValueError: not JSON, another kind, a version from the future, or a field that
                is not accepted.
        """
        if len(text) > LONGEST_DOCUMENT:
            raise MotionValueError(
                f"{cls.KIND}: {len(text)} bytes; accepted: up to {LONGEST_DOCUMENT}"
            )
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MotionValueError(f"{cls.KIND}: not JSON: {error}") from error
        if not isinstance(content, dict):
            raise MotionValueError(f"{cls.KIND}: {content!r:.60}; accepted: a JSON object")
        kind, version = content.pop("kind", cls.KIND), content.pop("version", cls.VERSION)
        if kind != cls.KIND:
            raise MotionValueError(f"kind: {kind!r:.60}; accepted: {cls.KIND!r}")
        if type(version) is not int or not 1 <= version <= cls.VERSION:
            raise MotionValueError(
                f"{cls.KIND}.version: {version!r:.60}; accepted: 1 to {cls.VERSION}"
            )
        return cls().changed(**cls.migrated(content, version))

    @classmethod
    def migrated(cls, content: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Return what version `version` meant in the fields of today."""
        del version
        return content


# What each number of a style may be.
RANGES: Final[Mapping[str, tuple[float, float]]] = {
    each.name: each.metadata["range"] for each in fields(StyleSpec) if "range" in each.metadata
}

NATURAL: Final = StyleSpec()


@cache
def ready_style(name: str) -> StyleSpec:
    """Return the ready style `name`.

    Raises:
        MotionValueError: there is none of that name.
    """
    if name not in STYLES:
        raise MotionValueError(f"unknown style {name!r}; accepted: {', '.join(STYLES)}")
    file = resources.files("motion.styles").joinpath(f"{name}.json")
    return StyleSpec.from_json(file.read_text("utf-8"))


def _fault(name: str, value: object, accepted: str) -> str:
    return f"StyleSpec.{name}: {value!r:.60}; accepted: {accepted}"
