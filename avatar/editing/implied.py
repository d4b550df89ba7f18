"""What a clause names without saying so: the hair by a style, the picture by "closer"."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from avatar.editing.clauses import Clause

# Where a part or a kind of a thing is named beside the thing, the part is meant.
_NARROWER: Final[Mapping[str, tuple[str, ...]]] = {
    "glasses": ("round_glasses",),
    "earrings": ("studs", "hoops"),
    "hair": ("tips", "grey_hair"),
    "lips": ("gloss",),
    "face": ("lips", "eyes", "brows", "blush", "freckles", "lines", "makeup", "smile", "stubble"),
}
# Colours that only hair is said to have.
_OF_HAIR: Final = ("blonde", "platinum", "ash")
_DYES: Final = ("dye", "染", "染成")
_CUTS: Final = ("cut", "trim", "剪", "剪短", "修短")
_FRAMES: Final = ("closer", "farther")


def complete(clause: "Clause") -> None:
    """Add the targets that a clause implies, and leave out those that it only helps itself with."""
    _shape(clause)
    _size(clause)
    for kind, target in (("style", "hair"), ("place", "background")):
        if clause.words.get(kind) and target not in clause.targets:
            clause.targets.append(target)
    _light(clause)
    _hair(clause)
    if clause.verb == "" and clause.arrow is not None:
        clause.verb = "change"
    _framing(clause)
    _narrow(clause)


def _shape(clause: "Clause") -> None:
    """Let "round" and "square" say which glasses; nothing else takes a shape."""
    shape = clause.first("shape")
    places = [i for i, name in enumerate(clause.targets) if name in ("glasses", "round_glasses")]
    if shape and not places:
        said = [token.written for token in clause.tokens if token.kind == "shape"]
        clause.words.setdefault("unknown", []).extend(said)
    elif shape and clause.arrow == len(clause.targets):
        clause.targets.append(shape)
    elif shape:
        clause.targets[places[-1]] = shape


def _size(clause: "Clause") -> None:
    """Thin stripes are pinstripes; nothing else has a size."""
    if clause.words.get("size") and clause.first("pattern") == "stripes":
        clause.words["pattern"][0] = "pinstripes"
    elif clause.words.get("size") and clause.first("pattern") != "pinstripes":
        said = [token.written for token in clause.tokens if token.kind == "size"]
        clause.words.setdefault("unknown", []).extend(said)


def _light(clause: "Clause") -> None:
    if not clause.targets and "light" in clause.words.get("shade", ()) and clause.first("relative"):
        clause.targets.append("light")
        clause.words["shade"].remove("light")


def _hair(clause: "Clause") -> None:
    """A hair colour, dyeing or cutting names the hair; only hair can be tied or fall."""
    dyed = any(token.written in _DYES for token in clause.tokens)
    cut = clause.first("relative") in ("shorter", "longer") and any(
        token.written in _CUTS for token in clause.tokens
    )
    coloured = clause.first("colour") in _OF_HAIR or (dyed and clause.first("colour"))
    if not clause.targets and (cut or coloured):
        clause.targets.append("hair")
    if clause.words.get("fall") and "hair" not in clause.targets:
        said = [token.written for token in clause.tokens if token.kind == "fall"]
        clause.words.setdefault("unknown", []).extend(said)


def _framing(clause: "Clause") -> None:
    """How much is shown is of the picture, and a face then only says where to look."""
    steps = clause.first("relative") in _FRAMES and set(clause.targets) <= {"face"}
    if not clause.words.get("framing") and not steps:
        return
    clause.targets = [name for name in clause.targets if name != "face"]
    if "framing" not in clause.targets:
        clause.targets.append("framing")


def _narrow(clause: "Clause") -> None:
    """Leave out a whole where its part is named on the same side of what it becomes."""
    marks = {0, clause.arrow or 0, clause.rather or 0, len(clause.targets)}
    ends = sorted(min(mark, len(clause.targets)) for mark in marks)
    out: list[str] = []
    moved = {0: 0}
    for start, end in pairwise(ends):
        side = clause.targets[start:end]
        out += [n for n in side if not any(part in side for part in _NARROWER.get(n, ()))]
        moved[end] = len(out)
    clause.targets = out
    clause.arrow = None if clause.arrow is None else moved.get(clause.arrow, len(out))
    clause.rather = None if clause.rather is None else moved.get(clause.rather, len(out))
