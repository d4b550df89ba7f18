"""A draft: an identity and a scene under change, and small steps that change them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from avatar.editing.refusals import RefusalError
from avatar.editing.targets import TARGETS
from avatar.spec import AvatarSpec, OrnamentSpec, PieceSpec, SceneSpec
from avatar.spec.colour import linear, mixed, written
from avatar.spec.identity import PLACES


@dataclass(frozen=True, slots=True)
class Draft:
    """Who and where."""

    who: AvatarSpec
    scene: SceneSpec

    def with_who(self, **values: object) -> "Draft":
        """Return it with other values of the identity."""
        return replace(self, who=self.who.changed(**values))

    def with_scene(self, **values: object) -> "Draft":
        """Return it with other values of the scene."""
        return replace(self, scene=self.scene.changed(**values))

    def with_part(self, part: str, **values: object) -> "Draft":
        """Return it with other values of a part of the identity: "hair", "lips", ..."""
        return self.with_who(**{part: getattr(self.who, part).changed(**values)})

    def with_piece(self, garment: str, **values: object) -> "Draft":
        """Return it with a worn garment changed ("outfit": all of them)."""
        pieces = [
            piece.changed(**values) if garment in (piece.garment, "outfit") else piece
            for piece in self.who.outfit
        ]
        return self.with_who(outfit=tuple(pieces))


_LOWER: Final = PieceSpec(garment="trousers", colour="#30343d", fabric="twill")
_FABRICS: Final = {
    "blazer": "twill", "trousers": "twill", "sweater": "knit", "blouse": "silk", "shoes": "leather",
    "qipao_top": "silk", "apron": "linen", "skirt": "twill",
}  # fmt: skip


def worn_piece(who: AvatarSpec, garment: str) -> PieceSpec:
    """Return the garment as it is worn ("outfit": the outermost).

    Raises:
        RefusalError: it is not worn.
    """
    place = "outer" if who.piece("outer") else "upper"
    piece = who.piece(place if garment == "outfit" else garment)
    if piece is None:
        raise RefusalError(f"no {garment.replace('_', ' ')} is worn")
    return piece


def dressed(who: AvatarSpec, piece: PieceSpec, leaving: Iterable[str] = ()) -> AvatarSpec:
    """Return `who` with `piece` put on at its place and the places `leaving` emptied.

    What the body then needs to be covered is added; a dress takes the lower garment's place.
    """
    gone = {piece.place, *leaving} | ({"lower"} if piece.garment == "dress" else set())
    left = [other for other in who.outfit if other.place not in gone]
    places = {other.place for other in left} | {piece.place}
    was_dress = any(other.garment == "dress" for other in left)
    if piece.place == "lower" and was_dress:
        left = [other for other in left if other.garment != "dress"]
        left.insert(0, PieceSpec(garment="t_shirt", colour="#e4e1dc"))
    elif "lower" not in places and piece.garment != "dress" and not was_dress:
        left.append(_LOWER)
    order = {place: i for i, place in enumerate(dict.fromkeys(PLACES.values()))}
    return who.changed(outfit=tuple(sorted([*left, piece], key=lambda p: order[p.place])))


def new_piece(who: AvatarSpec, garment: str, colour: str) -> PieceSpec:
    """Return a garment to put on, by default in the colour of what it replaces."""
    old = who.piece(PLACES[garment])
    colour = colour or (old.colour if old else "#4f6f5c")
    fabric = _FABRICS.get(garment, "cotton")
    return _LOWER.changed(garment=garment, colour=colour, fabric=fabric)


def ornament_of(who: AvatarSpec, target: str) -> OrnamentSpec | None:
    """Return the ornament worn at the place of `target`, None for none."""
    part = TARGETS[target].region[0]
    for ornament in who.ornaments:
        if TARGETS[ornament.kind].region[0] == part:
            return ornament
    return None


def adorned(who: AvatarSpec, ornament: OrnamentSpec | None, target: str) -> AvatarSpec:
    """Return `who` with what is worn at the place of `target` replaced (None: taken off)."""
    part = TARGETS[target].region[0]
    left = [o for o in who.ornaments if TARGETS[o.kind].region[0] != part]
    return who.changed(ornaments=(*left, *([ornament] if ornament else [])))


def toned(colour: str, word: str, share: float) -> str:
    """Return a colour made darker, lighter, brighter, richer or duller by a share, 0 to 1."""
    if word == "darker":
        return mixed(colour, "#000000", share)
    if word in ("lighter", "brighter"):
        # Even steps of the eye are small steps of light.
        return mixed(colour, "#ffffff", share**1.6)
    rgb = linear(colour)
    grey = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    gain = 1.0 + 1.6 * share if word == "richer" else 1.0 - share
    return written([grey + gain * (value - grey) for value in rgb])


def opposite(colour: str) -> str:
    """Return a colour that stands out against `colour`: light on dark, dark on light."""
    rgb = linear(colour)
    light = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    return mixed(colour, "#ffffff" if light < 0.18 else "#000000", 0.7)
