"""Colours by their names: on cloth, in hair, in eyes, on lips and of skin."""

from collections.abc import Mapping
from typing import Final

from avatar.spec.colour import linear, mixed, written

CLOTH: Final[Mapping[str, str]] = {
    "black": "#232326", "white": "#e8e6e1", "grey": "#8c8f94", "charcoal": "#3c3f45",
    "red": "#b3262b", "burgundy": "#6e2031", "orange": "#d9772b", "coral": "#e07a66",
    "yellow": "#e3bf3a", "mustard": "#b98a2c", "gold": "#c49a45", "green": "#2f7d4f",
    "olive": "#6b6b3a", "mint": "#9fd3bb", "teal": "#1f7f83", "blue": "#2d5fa8",
    "navy": "#252f4d", "sky": "#8fb8dc", "purple": "#6b3f8c", "lilac": "#b7a2d0",
    "pink": "#dc92a6", "fuchsia": "#c03a7d", "brown": "#6b4a33", "chestnut": "#6d3d28",
    "beige": "#d9c9ae", "khaki": "#b09a72", "blonde": "#c9ab72", "ginger": "#b0622f",
    "hazel": "#8a6a3c", "cream": "#efe6d3", "emerald": "#146350", "silver": "#c4c7cc",
    "platinum": "#dcd6c8", "ash": "#b3a994", "honey": "#b5813f", "taupe": "#85786a",
    "rosewood": "#a9656a", "rust": "#a24e2c",
}  # fmt: skip
HAIR: Final[Mapping[str, str]] = {
    "black": "#17120f", "brown": "#4a3122", "chestnut": "#5a3120", "blonde": "#b18d55",
    "gold": "#b18d55", "yellow": "#bd9a56", "ginger": "#8c431d", "red": "#7c2c18",
    "grey": "#8d8b88", "white": "#cfccc6", "beige": "#bfa47a", "khaki": "#8a6d45",
    "blue": "#2f5fae", "pink": "#d884a8", "purple": "#6f3f9a", "green": "#2f8a5b",
    "burgundy": "#571826", "hazel": "#6b4a2c", "silver": "#8d8b88", "platinum": "#cdbf9f",
    "ash": "#a6957f", "honey": "#9a6c38", "taupe": "#665848", "rust": "#7e3d1f",
}  # fmt: skip
# At the rim, and inside.
EYES: Final[Mapping[str, tuple[str, str]]] = {
    "brown": ("#3d2616", "#7a5232"), "black": ("#1d130d", "#3a2619"),
    "blue": ("#2c4a6b", "#7fa3c4"),
    "sky": ("#456788", "#9fc0d8"), "green": ("#3a5236", "#86a06a"), "hazel": ("#4d4527", "#94793f"),
    "grey": ("#4a545c", "#98a3a8"), "gold": ("#6a4a1c", "#b08a40"), "teal": ("#2a5c5c", "#7fb0aa"),
    "navy": ("#1f3352", "#5f84ac"), "purple": ("#4b3866", "#8f7cb0"),
}  # fmt: skip
LIPS: Final[Mapping[str, str]] = {
    "red": "#b0272e", "pink": "#cf7482", "burgundy": "#7a2735", "coral": "#d2695a",
    "brown": "#8f5546", "orange": "#cb6340", "purple": "#7d4270", "fuchsia": "#bd3c72",
    "black": "#3a2a2c", "beige": "#b98371", "rosewood": "#b1636a", "rust": "#a04a35",
    "honey": "#b57450", "taupe": "#8f6259",
}  # fmt: skip
SKIN: Final[Mapping[str, str]] = {
    "white": "#ecd2c2", "beige": "#dcb79d", "brown": "#8a5a40", "black": "#5a3729",
    "chestnut": "#85563d", "gold": "#c08f66", "yellow": "#d8b48f", "pink": "#e6bfb0",
    "khaki": "#b98d68", "hazel": "#a87850",
}  # fmt: skip

_SHADES: Final = {"light": ("#f4f1ec", 0.42), "dark": ("#111113", 0.55)}


def cloth(name: str, shade: str = "") -> str:
    """Return a colour of cloth, "#rrggbb"; `shade` is "", "light", "dark" or "bright"."""
    return shaded(CLOTH[name], shade)


def hair(name: str, shade: str = "") -> str:
    """Return a colour of hair; what hair does not grow in is dyed."""
    natural = HAIR.get(name, CLOTH[name])
    if shade == "bright":
        natural = CLOTH[name]
    return shaded(natural, "light" if shade == "light" else shade)


def shaded(colour: str, shade: str) -> str:
    """Return a colour lighter, darker or stronger."""
    if shade in _SHADES:
        end, share = _SHADES[shade]
        return mixed(colour, end, share)
    if shade == "bright":
        values = linear(colour)
        middle = sum(values) / 3.0
        return written([min(max(1.1 * (middle + 1.35 * (v - middle)), 0.0), 0.95) for v in values])
    return colour


def worn_on(part: str, name: str, shade: str = "") -> str:
    """Return the colour `name` as it is on a part: "hair", "brows", "eyes" (inside the iris),
    "lips", "skin", or any other for cloth.
    """
    if part in ("hair", "brows"):
        return hair(name, shade)
    if part == "eyes" and name in EYES:
        return shaded(EYES[name][1], shade)
    table = {"lips": LIPS, "skin": SKIN}.get(part, CLOTH)
    return shaded(table.get(name) or CLOTH[name], shade)


def rim(inner: str) -> str:
    """Return the colour of the rim of an iris that is `inner` inside."""
    known = [outer for outer, own in EYES.values() if own == inner]
    return known[0] if known else mixed(inner, "#000000", 0.4)
