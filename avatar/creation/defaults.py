"""What a description leaves open, chosen by its seed: equal sentences, equal people."""

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np

from avatar.spec import PieceSpec
from avatar.spec.identity import PLACES, HairStyle

T = TypeVar("T")

# By origin: shares of the body's african, asian and caucasian shapes; skins; hair colours; eyes.
ORIGINS: Final = {
    "asian": ((0.0, 1.0, 0.0), ("#dfb99d", "#d8b091", "#e2c0a6"), ("black", "black", "brown")),
    "african": ((1.0, 0.0, 0.0), ("#6b4230", "#7a4b34", "#5a3729"), ("black",)),
    "european": (
        (0.0, 0.0, 1.0), ("#e0bba5", "#dab29b", "#e5c3b0"), ("brown", "blonde", "chestnut", "black")
    ),
    "indian": ((0.15, 0.25, 0.6), ("#a87452", "#b98862", "#9a6a4b"), ("black", "brown")),
    "": ((0.1, 0.4, 0.5), ("#d8b095", "#c99c7c", "#dcb8a0"), ("black", "brown", "chestnut")),
}  # fmt: skip
EYES: Final = {"asian": ("brown", "black"), "african": ("brown", "black"), "indian": ("brown",)}
_OTHER_EYES: Final = ("brown", "brown", "brown", "hazel", "blue", "green")

_UPPERS: Final = {True: ("blouse", "t_shirt", "sweater", "shirt"), False: ("shirt", "t_shirt")}
_UPPER_COLOURS: Final = ("#dcd9d4", "#8fa6bf", "#c9b9a3", "#7f9488", "#b98f8f", "#4a5873")
_LOWER_COLOURS: Final = ("#30343d", "#3b3a38", "#4a4f5a", "#5a5147")
_STYLES: Final[dict[bool, tuple[HairStyle, ...]]] = {
    True: ("long", "waves", "bob", "ponytail", "bun"),
    False: ("side_part", "crop"),
}

# Small differences that make one face another, each within this.
_FACE: Final = (
    "eye-scale-incr", "eye-trans-out", "nose-scale-horiz-incr", "nose-scale-vert-incr",
    "nose-point-up", "mouth-scale-horiz-incr", "mouth-lowerlip-volume-incr", "chin-width-incr",
    "chin-height-incr", "cheek-bones-incr", "head-fat-incr", "forehead-scale-vert-incr",
)  # fmt: skip
_DIFFERENCE: Final = 0.28


class Chooser:
    """Draws from a seed; every choice has a stream of its own, so that none moves another."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def one(self, what: str, options: Sequence[T]) -> T:
        """Return one of some options."""
        return options[int(self._stream(what).integers(len(options)))]

    def face(self) -> dict[str, float]:
        """Return small changes of the face's shape."""
        values = self._stream("face").uniform(-_DIFFERENCE, _DIFFERENCE, len(_FACE))
        return {name: round(float(v), 3) for name, v in zip(_FACE, values, strict=True)}

    def _stream(self, what: str) -> np.random.Generator:
        return np.random.default_rng([self._seed, *what.encode()])

    def style(self, woman: bool) -> HairStyle:
        """Return a hair style."""
        return self.one("style", _STYLES[woman])

    def eyes(self, origin: str) -> str:
        """Return the name of an eye colour."""
        return self.one("eyes", EYES.get(origin, _OTHER_EYES))

    def dressed(self, worn: dict[str, PieceSpec], woman: bool) -> tuple[PieceSpec, ...]:
        """Complete what is worn, by place, so that it covers the body."""
        pieces = dict(worn)
        if "upper" not in pieces:
            plain = ("top", "t_shirt", "shirt") if "outer" in pieces else _UPPERS[woman]
            colours = _UPPER_COLOURS[:1] if "outer" in pieces else _UPPER_COLOURS
            pieces["upper"] = PieceSpec(
                garment=self.one("upper", plain),  # type: ignore[arg-type]
                colour=self.one("upper colour", colours),
            )
        if pieces["upper"].garment == "dress":
            pieces.pop("lower", None)
        elif "lower" not in pieces:
            colour = self.one("lower colour", _LOWER_COLOURS)
            pieces["lower"] = PieceSpec(garment="trousers", colour=colour, fabric="twill")
        if "feet" not in pieces:
            pieces["feet"] = PieceSpec(garment="shoes", colour="#26211f", fabric="leather")
        order = list(dict.fromkeys(PLACES.values()))
        return tuple(pieces[place] for place in order if place in pieces)
