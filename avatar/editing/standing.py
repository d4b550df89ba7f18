"""What already stands: wishes that an identity and a scene fulfil before anything is done."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from avatar.editing.atoms import Atom
from avatar.editing.draft import Draft
from avatar.editing.measure import colour_lab
from avatar.editing.targets import TARGETS
from avatar.spec import OrnamentSpec, PieceSpec
from avatar.spec.scene import Plain, Stage

# Two colours nearer than this are one to people who see them apart, Delta E 1976: twice what is
# noticed side by side (Mahy et al. 1994).
_ALIKE: Final = 4.6
# Grey strands below this share do not change a hair's colour.
_FEW: Final = 0.05


def stands(atom: Atom, draft: Draft) -> bool:
    """Return whether a draft is as the atom asks. A step ("darker", "more") never stands."""
    kind = TARGETS[atom.target].kind
    if atom.op == "remove":
        return False
    if kind == "scene":
        return _scene(atom, draft)
    if atom.target == "framing":
        return draft.scene.framing == atom.value
    if kind == "text":
        return atom.target == "caption" and draft.scene.caption == atom.value
    if atom.attribute == "style":
        return draft.who.hair.style == atom.value
    if kind in ("garment", "ornament"):
        name = atom.value if atom.attribute == "kind" else atom.target
        found: list[PieceSpec | OrnamentSpec] = list(_pieces(draft, name))
        found += [thing for thing in draft.who.ornaments if thing.kind == name]
        return bool(found) and all(_worn(atom, thing) for thing in found)
    return atom.attribute == "colour" and alike([atom.value], _painted(atom.target, draft))


def untouched(target: str, before: Draft, after: Draft) -> bool:
    """Return whether a target has all its values still, so that it can only be hidden or shaded.

    Of scenes and texts it is not told: they are pictures of their own.
    """
    kind, (part, _) = TARGETS[target].kind, TARGETS[target].field
    if kind in ("garment", "ornament"):
        return _at_place(target, before) == _at_place(target, after)
    if target == "smile":
        return before.who.body.face == after.who.body.face
    return bool(part) and getattr(before.who, part) == getattr(after.who, part)


def _at_place(target: str, draft: Draft) -> list[PieceSpec | OrnamentSpec]:
    """Return what is worn in the region of a garment or ornament."""
    region = TARGETS[target].region
    worn: list[PieceSpec | OrnamentSpec] = [p for p in draft.who.outfit if p.place in region]
    return [*worn, *(o for o in draft.who.ornaments if TARGETS[o.kind].region[0] in region)]


def alike(wanted: Iterable[str], found: Iterable[str]) -> bool:
    """Return whether all pairs of colours can hardly be told apart; words are no colours."""
    pairs = [(one, other) for one in wanted for other in found]
    return bool(pairs) and all(
        one.startswith("#")
        and other.startswith("#")
        and float(np.linalg.norm(colour_lab(one) - colour_lab(other))) < _ALIKE
        for one, other in pairs
    )


def _scene(atom: Atom, draft: Draft) -> bool:
    ground = draft.scene.background
    if atom.attribute == "place":
        return isinstance(ground, Stage) and ground.room == atom.value
    return isinstance(ground, Plain) and alike([atom.value], [ground.colour])


def _pieces(draft: Draft, garment: str) -> list[PieceSpec]:
    return [piece for piece in draft.who.outfit if garment in (piece.garment, "outfit")]


def _worn(atom: Atom, thing: PieceSpec | OrnamentSpec) -> bool:
    """Whether something worn has everything that was said of it."""
    said = dict(atom.extras)
    if atom.attribute != "kind":
        said[atom.attribute] = atom.value
    for name, wanted in said.items():
        now = str(getattr(thing, name, ""))
        if now != wanted and not alike([wanted], [now]):
            return False
    return True


def _painted(target: str, draft: Draft) -> list[str]:
    """Return the colours that a part of the body shows."""
    hair = draft.who.hair
    if target == "hair":
        grey = ["#a9a9a9"] if hair.grey > _FEW else []
        return [hair.colour, *([hair.tip] if hair.tip else []), *grey]
    if target == "eyes":
        return [draft.who.eyes.inner]
    part, field = TARGETS[target].field
    return [str(getattr(getattr(draft.who, part), field))] if part else []
