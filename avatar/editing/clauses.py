"""Clauses: the stretches of an instruction that each ask for one thing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from avatar.editing.implied import complete
from avatar.editing.tokens import Token

# When a clause says several things, the first of these decides what is done.
_VERBS = ("keep", "remove", "become", "add", "change")
_OPENING = ("keep", "without")
_BESIDE = ("with", "配", "搭", "搭配", "配上")


@dataclass(slots=True)
class Clause:
    """Tokens of one clause by what they are.

    Attributes:
        verb: "keep", "remove", "become", "add", "change", or "" where none was said.
        targets: in the order they were said; a hair style stands for the hair.
        arrow: index in `targets` from which on they are what it becomes; None without "to".
        rather: index in `targets` from which on they are what it replaces; None without "instead
            of".
        words: tokens of each kind, in order; "plain" holds patterns that are to go.
        inherits: whether its targets were named by a clause before.
    """

    tokens: tuple[Token, ...]
    verb: str = ""
    targets: list[str] = field(default_factory=list)
    arrow: int | None = None
    rather: int | None = None
    words: dict[str, list[str]] = field(default_factory=dict)
    inherits: bool = False

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
    """Split at punctuation, conjunctions, before "keep" and "without" in English, and before
    "with" where another thing follows that is no part of a swap. Clauses that only say why
    something is asked are left out.
    """
    groups: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        opens = token.kind == "verb" and token.value in ("keep", "remove")
        opens = opens and token.written.split()[0] in (*_OPENING, "keeping", "don't", "do")
        if token.kind in ("stop", "join"):
            groups.append([])
        elif (opens and any(t.kind != "filler" for t in groups[-1])) or (
            token.written in _BESIDE and _beside(groups[-1], tokens[place:])
        ):
            groups.append([token])
        else:
            groups[-1].append(token)
    found = [_clause(group) for group in groups if any(t.kind != "filler" for t in group)]
    return [clause for clause in found if not _aside(clause)]


def _beside(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether both sides of a "with" name a thing, the one before with a property of its own."""
    kinds = {token.kind for token in before}
    ends = next((i for i, token in enumerate(after) if token.kind in ("stop", "join")), len(after))
    return (
        bool(kinds & {"target", "style"})
        and bool(kinds & {"colour", "pattern", "fabric", "style", "length", "relative"})
        and not any(t.value in ("become", "remove") or t.kind == "into" for t in before)
        and any(token.kind == "target" for token in after[:ends])
    )


def _aside(clause: Clause) -> bool:
    """Whether a clause only tells what is sold ("we're selling jeans") or which place is left."""
    refused = clause.words.get("unsafe") or clause.words.get("who")
    sold = bool(clause.words.get("aside")) and not clause.verb
    left = bool(clause.words.get("leaving")) and not clause.targets
    return (sold or left) and not refused


def _clause(group: Sequence[Token]) -> Clause:
    group = _without_landmarks(group)
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
    if not out.verb and out.targets and group[-1].written == "on":
        out.verb = "add"
    _patterns_off(out)
    complete(out)
    return out


def _without_landmarks(group: Sequence[Token]) -> list[Token]:
    """Leave out what only tells where something is: "under the blazer", "西装里面", "out of the
    shop".
    """
    out: list[Token] = []
    for token in group:
        names = any(other.kind in ("target", "style") for other in out)
        before = next((other for other in reversed(out) if other.kind != "filler"), None)
        led = before is not None and (
            (token.kind == "target" and before.value == "after" and before.kind == "beside")
            or (token.kind == "place" and before.kind == "leaving")
        )
        if token.kind == "beside" and token.value == "before":
            if before is not None and before.kind == "target":
                out.remove(before)
        elif not led or (token.kind == "target" and not names):
            out.append(token)
    return out


def _patterns_off(clause: Clause) -> None:
    """Tell "without the stripes" from "without the striped shirt"."""
    if clause.verb != "remove" or not clause.words.get("pattern"):
        return
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    if not any(one.kind == "pattern" and two.kind == "target" for one, two in pairs):
        clause.words["plain"] = clause.words.pop("pattern")
