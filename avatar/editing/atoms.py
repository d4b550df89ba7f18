"""Atomic edits: what an instruction asks for, one change at a time."""

from dataclasses import dataclass, field
from typing import Final, Literal

Op = Literal["add", "remove", "replace", "recolor", "text", "background", "pose"]

# What a pixel of a drawn picture can show. A picture's map of parts holds indices into this.
PARTS: Final = (
    "background", "head", "limbs", "eyes", "mouth", "lips", "brows", "cheeks", "lids", "nails",
    "hair", "upper", "outer", "over", "lower", "feet", "glasses", "ears", "wrist", "neck",
    "overlay",
)  # fmt: skip
FACE: Final = ("head", "eyes", "mouth", "lips", "brows", "cheeks", "lids")
PART_INDEX: Final = {name: index for index, name in enumerate(PARTS)}


@dataclass(frozen=True, slots=True)
class Atom:
    """One change.

    Attributes:
        op: what is done.
        target: what it is done to, a name of `avatar.editing.targets.TARGETS`.
        attribute: which of its properties: "colour", "pattern", "fabric", "style", "length",
            "amount", "kind", "text", "place" or "framing".
        value: "#rrggbb", a name, a text, or for relative changes a word such as "darker"; with
            `degree` "little" or "much" where one was said.
        region: the parts (`PARTS`) in which the change must show.
        preserve: targets that must stay as they are and stay visible.
        extras: further values of a thing that is added, by attribute.
    """

    op: Op
    target: str
    attribute: str
    value: str
    region: tuple[str, ...]
    preserve: tuple[str, ...] = ()
    degree: str = ""
    extras: tuple[tuple[str, str], ...] = field(default=())

    def extra(self, attribute: str) -> str:
        """Return a further value, "" where none was said."""
        return dict(self.extras).get(attribute, "")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an instruction means: atoms, or why it cannot be done (`refusal`, for people).

    `nearest`: what cannot be shown as it was said, and as what it is shown.
    """

    atoms: tuple[Atom, ...]
    refusal: str = ""
    nearest: tuple[str, ...] = ()
