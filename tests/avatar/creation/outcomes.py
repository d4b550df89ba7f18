"""Compares identities with what a sentence was meant to give."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from avatar.creation.sentence import SentenceIdentity
from avatar.spec.colour import linear
from avatar.words import palettes

_AGES = ((16.0, 25.0, 40.0, 60.0, 80.0, 100.0), (0.60, 0.66, 0.74, 0.85, 0.96, 1.0))


def failures(result: SentenceIdentity, wanted: Mapping[str, Any]) -> list[str]:
    """Return what is not as wanted, in words; empty when all is."""
    wrong = [name for name, value in wanted.items() if not _holds(result, name, value)]
    return [f"{name}: wanted {wanted[name]}" for name in wrong]


def nearest(colour: str, table: Mapping[str, str]) -> str:
    """Return the name of the nearest colour in a table."""
    own = np.cbrt(linear(colour))
    return min(table, key=lambda name: float(((np.cbrt(linear(table[name])) - own) ** 2).sum()))


def _holds(result: SentenceIdentity, name: str, value: Any) -> bool:
    spec = result.spec
    if name in ("upper", "outer", "over", "lower", "feet"):
        return _worn(result, name, value)
    if name in _ORNAMENTS:
        kinds = {o.place: o.kind for o in spec.ornaments}
        return bool(kinds.get(_ORNAMENTS[name]) == value)
    if name == "unused":
        return set(value) <= set(result.unused)
    if name == "conflict":
        return any(line.startswith(value) for line in result.conflicts)
    return bool(_LOOKS[name](spec, value))


def _worn(result: SentenceIdentity, place: str, value: Any) -> bool:
    piece = result.spec.piece(place)
    if value is None or piece is None:
        return piece is value
    garment, colour, *pattern = value
    return (
        piece.garment == garment
        and (colour is None or nearest(piece.colour, palettes.CLOTH) == colour)
        and (not pattern or piece.pattern == pattern[0])
    )


def _years(spec: Any) -> float:
    return float(np.interp(spec.body.age, _AGES[1], _AGES[0]))


def _origin(spec: Any) -> str:
    shares = {
        "african": spec.body.african,
        "asian": spec.body.asian,
        "european": spec.body.caucasian,
    }
    return max(shares, key=lambda name: shares[name])


_ORNAMENTS = {"eyewear": "eyes", "ears": "ears", "wrist": "wrist", "neck": "neck"}
_LOOKS: dict[str, Any] = {
    "gender": lambda spec, value: spec.body.gender == value,
    "years": lambda spec, value: value[0] - 0.6 <= _years(spec) <= value[1] + 0.6,
    "style": lambda spec, value: spec.hair.style in value,
    "hair": lambda spec, value: nearest(spec.hair.colour, palettes.HAIR) == value,
    "eyes": lambda spec, value: spec.eyes.inner == palettes.EYES[value][1],
    "lips": lambda spec, value: spec.lips.colour == palettes.LIPS[value],
    "smile": lambda spec, value: (dict(spec.body.face).get("mouthSmileLeft", 0.0) > 0.25) == value,
    "freckles": lambda spec, value: (spec.skin.freckles > 0.3) == value,
    "beard": lambda spec, value: (spec.skin.stubble > 0.3) == value,
    "heavy": lambda spec, value: (
        (spec.body.weight > 0.55) == value and (value or spec.body.weight < 0.3)
    ),
    "muscular": lambda spec, value: (spec.body.muscle > 0.7) == value,
    "tall": lambda spec, value: (spec.body.height - 0.5) * value > 0.2,
    "dark": lambda spec, value: (sum(linear(spec.skin.colour)) < 0.7) == value,
    "origin": lambda spec, value: _origin(spec) == value,
}
