"""Clauses: the stretches of an instruction that each ask for one thing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from avatar.editing.tokens import Token

# When a clause says several things, the first of these decides what is done.
_VERBS = ("keep", "remove", "become", "add", "change")
_OPENING = ("keep", "without")


@dataclass(slots=True)
class Clause:
    """Tokens of one clause by what they are.

    Attributes:
        verb: "keep", "remove", "become", "add", "change", or "" where none was said.
        targets: in the order they were said; a hair style stands for the hair.
        arrow: index in `targets` from which on they are what it becomes; None without "to".
        rather: index in `targets` from which on they are what it replaces; None without "instead
            of".
        words: tokens of each kind, in order.
    """

    tokens: tuple[Token, ...]
    verb: str = ""
    targets: list[str] = field(default_factory=list)
    arrow: int | None = None
    rather: int | None = None
    words: dict[str, list[str]] = field(default_factory=dict)

    @property
    def trails(self) -> bool:
        """Whether it names what is kept before it says so ("the glasses stay")."""
        kinds = [token.kind for token in self.tokens if token.kind in ("target", "verb")]
        return (self.verb == "keep" and kinds[:1] != ["verb"]) or kinds == ["verb"]

    def first(self, kind: str) -> str:
        """Return the first value of a kind, "" for none."""
        return (self.words.get(kind) or [""])[0]

    @property
    def has_value(self) -> bool:
        """Whether it says what something should be."""
        kinds = (
            "style", "length", "pattern", "fabric", "relative", "shade", "place", "framing",
            "colour", "text", "number",
        )  # fmt: skip
        return any(self.words.get(kind) for kind in kinds)


def clauses(tokens: Sequence[Token]) -> list[Clause]:
    """Split at punctuation, conjunctions, and before "keep" and "without" in English."""
    groups: list[list[Token]] = [[]]
    for token in tokens:
        opens = token.kind == "verb" and token.value in ("keep", "remove")
        opens = opens and token.written.split()[0] in (*_OPENING, "keeping", "don't", "do")
        if token.kind in ("stop", "join"):
            groups.append([])
        elif opens and any(t.kind != "filler" for t in groups[-1]):
            groups.append([token])
        else:
            groups[-1].append(token)
    return [_clause(group) for group in groups if any(t.kind != "filler" for t in group)]


def _clause(group: Sequence[Token]) -> Clause:
    out = Clause(tuple(group))
    verbs = [token.value for token in group if token.kind == "verb"]
    out.verb = next((verb for verb in _VERBS if verb in verbs), "")
    swaps = "become" in verbs
    for token in group:
        turns = token.kind == "into" and token.value not in ("from", "rather")
        turns |= swaps and token.written in ("with", "换成", "换为", "替换成", "替换为", "换上")
        if turns and out.arrow is None:
            out.arrow = len(out.targets)
        if token.kind == "into" and token.value == "rather" and out.rather is None:
            out.rather = len(out.targets)
        if token.kind == "target":
            out.targets.append(token.value)
        else:
            out.words.setdefault(token.kind, []).append(token.value)
    # A style is of the hair, a place is a background, whether or not they are named.
    for kind, target in (("style", "hair"), ("place", "background")):
        if out.words.get(kind) and target not in out.targets:
            out.targets.append(target)
    if not out.targets and "light" in out.words.get("shade", ()) and out.words.get("relative"):
        out.targets.append("light")
        out.words["shade"].remove("light")
    if out.verb == "" and out.arrow is not None:
        out.verb = "change"
    if out.words.get("framing") and "framing" not in out.targets:
        out.targets.append("framing")
    return out
