"""What can be edited: where it shows, and which framing shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from avatar.editing.atoms import PARTS
from avatar.spec.identity import PLACES

Kind = Literal["garment", "ornament", "hair", "paint", "amount", "scene", "text", "pose", "part"]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that can be edited.

    Attributes:
        kind: how its parameters are stored.
        region: parts of a picture (`avatar.editing.atoms.PARTS`) it shows in.
        framing: of `avatar.spec.FRAMINGS`, the one that shows it best; "" for the scene's own.
        field: where a colour or an amount lies, e.g. ("lips", "colour").
    """

    kind: Kind
    region: tuple[str, ...]
    framing: str = ""
    field: tuple[str, str] = ("", "")


_GARMENT_FRAMINGS: Final = {
    "upper": "half", "outer": "half", "over": "half", "lower": "full", "feet": "full",
}  # fmt: skip
_ORNAMENTS: Final = {
    "glasses": ("glasses", "head"), "round_glasses": ("glasses", "head"),
    "studs": ("ears", "head"), "hoops": ("ears", "head"), "earrings": ("ears", "head"),
    "watch": ("wrist", "half"), "necklace": ("neck", "head"),
}  # fmt: skip

FIGURE: Final = tuple(name for name in PARTS if name not in ("background", "overlay"))

TARGETS: Final[Mapping[str, Target]] = {
    **{
        name: Target("garment", (place,), "full" if name == "dress" else _GARMENT_FRAMINGS[place])
        for name, place in PLACES.items()
    },
    **{name: Target("ornament", (part,), shot) for name, (part, shot) in _ORNAMENTS.items()},
    "outfit": Target("garment", ("upper", "outer", "over", "lower", "feet"), "full"),
    "hair": Target("hair", ("hair",), "half", ("hair", "colour")),
    "tips": Target("hair", ("hair",), "half", ("hair", "tip")),
    "grey_hair": Target("amount", ("hair",), "head", ("hair", "grey")),
    "lips": Target("paint", ("lips",), "head", ("lips", "colour")),
    "gloss": Target("amount", ("lips",), "head", ("lips", "gloss")),
    "eyes": Target("paint", ("eyes",), "head", ("eyes", "outer")),
    "brows": Target("paint", ("brows",), "head", ("brows", "colour")),
    "skin": Target("paint", ("head", "limbs", "cheeks", "lids"), "head", ("skin", "colour")),
    "nails": Target("paint", ("nails", "limbs"), "half", ("skin", "nails")),
    "blush": Target("amount", ("cheeks", "head"), "head", ("skin", "blush")),
    "freckles": Target("amount", ("cheeks", "head"), "head", ("skin", "freckles")),
    "lines": Target("amount", ("head", "cheeks", "lids"), "head", ("skin", "lines")),
    "stubble": Target("amount", ("head", "cheeks", "lips"), "head", ("skin", "stubble")),
    "makeup": Target("amount", ("lids", "eyes", "brows", "head"), "head", ("skin", "makeup")),
    "smile": Target("pose", ("lips", "mouth", "cheeks", "head"), "head"),
    "background": Target("scene", ("background",)),
    "light": Target("scene", FIGURE),
    "mark": Target("part", ("overlay",)),
    "card": Target("text", ("overlay",)),
    "caption": Target("text", ("overlay",)),
    "lower_third": Target("text", ("overlay",)),
    "framing": Target("pose", ()),
    "pose": Target("part", ()),
    "face": Target("part", ("head", "eyes", "mouth", "lips", "brows", "cheeks", "lids"), "head"),
    "everything": Target("part", ()),
}
