"""Reads an instruction, English or Chinese, into atoms."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from avatar.editing.atoms import Atom, Op, Reading
from avatar.editing.clauses import Clause, clauses
from avatar.editing.properties import STEPS, colour, eased, values
from avatar.editing.refusals import RefusalError, only, plain
from avatar.editing.targets import TARGETS
from avatar.editing.tokens import LONGEST_INSTRUCTION, tokens
from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec

_UNCLOTHED: Final = "the host is never shown unclothed"
_WHO: Final = "that would make another person of the host; create a new avatar instead"
_FIXED: Final = {
    "face": _WHO,
    "pose": "movements belong to the motion style",
    "mark": "the mark of generated pictures is no part of the look",
    "everything": "it does not say what should be changed",
}
# Words for hair of the face, which there is not; its shadow stands for it.
_BEARDS: Final = ("beard", "胡子", "胡须")
_NEGATIONS: Final = ("don't", "do not", "shouldn't", "should not", "never", "别")


def read(instruction: str, who: AvatarSpec) -> Reading:
    """Read an instruction for a host as it is now.

    Raises:
        AvatarValueError: it is empty or longer than `LONGEST_INSTRUCTION` characters.
    """
    if not instruction.strip() or len(instruction) > LONGEST_INSTRUCTION:
        raise AvatarValueError(
            f"instruction of {len(instruction)} characters; "
            f"accepted: 1 to {LONGEST_INSTRUCTION}, not only spaces"
        )
    try:
        said = tokens(instruction)
        atoms = _atoms(_shared(clauses(said)), who)
    except RefusalError as error:
        return Reading((), str(error))
    grown = any(atom.target == "stubble" and atom.op != "remove" for atom in atoms)
    beards = [token.written for token in said if token.written in _BEARDS] if grown else []
    return Reading(atoms, nearest=tuple(f"{word} is shown as stubble" for word in beards))


def _shared(found: list[Clause]) -> list[Clause]:
    """Let clauses that name only a target share the verb or value of their neighbour."""
    found = _joined(found)
    for index, clause in enumerate(found):
        before = found[index - 1] if index else None
        bare = bool(clause.targets) and not clause.verb and not clause.has_value
        if (
            bare
            and before
            and before.verb in ("remove", "add", "keep")
            and not _later(found, index)
        ):
            clause.verb = before.verb
    for index in range(len(found) - 2, -1, -1):
        clause, after = found[index], found[index + 1]
        waits = bool(clause.targets) and not clause.has_value and clause.arrow is None
        first = not clause.targets and not index and clause.words.get("colour")
        if first and after.targets and after.verb != "keep":
            after.words["colour"] = clause.words["colour"] + after.words.get("colour", [])
            found.pop(index)
            continue
        if waits and clause.verb == "" and after.verb == "keep":
            clause.verb = "keep"
        elif waits and clause.verb in ("", "change") and after.has_value and after.targets:
            clause.words |= {k: v for k, v in after.words.items() if k not in ("unknown", "verb")}
    return found


def _joined(found: list[Clause]) -> list[Clause]:
    """Let a clause that only names a thing pass it on to the next, where that names none."""
    out: list[Clause] = []
    for clause in found:
        before = out[-1] if out else None
        waits = before is not None and bool(before.targets) and not before.has_value
        if before is None or not waits or clause.targets or clause.verb == "keep":
            out.append(clause)
        elif TARGETS[before.targets[0]].kind == "text" and clause.words.get("text"):
            before.words |= {k: v for k, v in clause.words.items() if k != "verb"}
        elif before.verb in ("", "change") and clause.has_value:
            clause.targets, clause.inherits = before.targets, True
            out[-1] = clause
        else:
            out.append(clause)
    return out


def _later(found: Sequence[Clause], index: int) -> bool:
    """Whether the next clause keeps what this one names ("the glasses and the hair stay")."""
    after = found[index + 1] if index + 1 < len(found) else None
    return after is not None and after.verb == "keep" and after.trails


def _atoms(found: Iterable[Clause], who: AvatarSpec) -> tuple[Atom, ...]:
    atoms: list[Atom] = []
    kept: list[str] = []
    last: list[str] = []
    aspects: list[str] = []
    for clause in found:
        _acceptable(clause)
        if clause.verb == "keep":
            kept += [name for name in clause.targets if name != "everything"]
            aspects += clause.words.get("aspect", ())
            continue
        if not clause.targets and not clause.words.get("plain"):
            clause.targets, clause.inherits = list(last), True
            if _trims(clause, atoms) or _prices(clause, atoms):
                continue
        made = _clause_atoms(clause, who)
        atoms += made
        last = [atom.target for atom in made] or last
    if not atoms:
        raise RefusalError("nothing to change was named")
    atoms = _once(atoms)
    if _other_aspects(atoms, aspects):
        kept = [name for name in kept if name != "hair"]
    _consistent(atoms, kept)
    return tuple(replace(atom, preserve=tuple(dict.fromkeys(kept))) for atom in atoms)


def _other_aspects(atoms: Sequence[Atom], kept: Sequence[str]) -> bool:
    """Whether hair changes in colour while its cut is kept, or the other way round."""
    shapes = ("length", "style")
    found = {
        "shape" if atom.attribute in shapes else "colour" for atom in atoms if atom.target == "hair"
    }
    return bool(found) and len(set(kept)) == 1 and not found & set(kept)


def _once(atoms: Sequence[Atom]) -> list[Atom]:
    """Leave out what was said before in the same words or, of light, in others."""
    out: dict[tuple[str, str, str], Atom] = {}
    for atom in atoms:
        value = "lighter" if atom.value == "brighter" else atom.value
        key = atom.target, atom.attribute, value
        if key not in out or out[key].extras != atom.extras:
            out[key if key not in out else (*key[:2], f"{value} {len(out)}")] = atom
    return list(out.values())


def _acceptable(clause: Clause) -> None:
    if clause.words.get("unsafe"):
        raise RefusalError(_UNCLOTHED)
    if clause.words.get("who"):
        raise RefusalError(_WHO)
    if unknown := clause.words.get("unknown"):
        words = ", ".join(repr(word) for word in unknown)
        raise RefusalError(f"{words} is nothing that can be edited here")
    negated = clause.verb == "remove" and any(t.written in _NEGATIONS for t in clause.tokens)
    only(not (negated and clause.has_value), "say how it should be, not how it should not be")


def _trims(clause: Clause, atoms: list[Atom]) -> bool:
    """Let a further colour alone ("red and white") be the second colour of what came before."""
    colours = clause.words.get("colour")
    if not (atoms and colours and atoms[-1].attribute == "colour" and not clause.verb):
        return False
    if TARGETS[atoms[-1].target].kind != "garment":
        return False
    first = atoms.pop()
    pattern = clause.first("pattern")
    second = ("second", colour(clause, first.target, 0))
    atoms.append(replace(first, extras=(*first.extras, second)))
    if pattern:
        region = TARGETS[first.target].region
        atoms.append(Atom("recolor", first.target, "pattern", pattern, region))
    return True


def _prices(clause: Clause, atoms: list[Atom]) -> bool:
    """Let a number alone ("was 39.90") be a price of the card before."""
    numbers = clause.words.get("number")
    if not (atoms and numbers and atoms[-1].op == "text"):
        return False
    card = atoms.pop()
    names = ("was",) if card.extra("price") else ("price", "was")
    atoms.append(replace(card, extras=(*card.extras, *zip(names, numbers, strict=False))))
    return True


def _clause_atoms(clause: Clause, who: AvatarSpec) -> list[Atom]:
    if clause.words.get("plain"):
        return _madeplain(clause, who)
    if not clause.targets:
        raise RefusalError("it does not say what should be changed")
    old, new = _swapped(clause)
    things = [name for name in new if TARGETS[name].kind in ("garment", "ornament")]
    worn = {piece.garment for piece in who.outfit}
    if things and clause.arrow == 0 and clause.first("pattern") and things[0] in worn:
        # "White stripes to the trousers": the colour is the stripes'.
        second = (("second", colour(clause, things[0], 0)),) if clause.first("colour") else ()
        region = TARGETS[things[0]].region
        pattern = clause.first("pattern")
        return [Atom("recolor", things[0], "pattern", pattern, region, extras=second)]
    if things:
        source = old[0] if old and TARGETS[old[0]].kind in ("garment", "ornament") else things[0]
        return [_thing(clause, "replace", source, things[0])]
    out: list[Atom] = []
    for name in dict.fromkeys(clause.targets):
        out += _target_atoms(clause, name, who)
    return out


def _madeplain(clause: Clause, who: AvatarSpec) -> list[Atom]:
    """Return the atoms that take a pattern away from what was named, or from all that has it."""
    pattern = clause.first("plain")
    named = [name for name in clause.targets if TARGETS[name].kind == "garment"]
    found = named or [piece.garment for piece in who.outfit if piece.pattern == pattern]
    only(bool(found), f"nothing with {pattern} is worn")
    return [Atom("recolor", name, "pattern", "plain", TARGETS[name].region) for name in found]


def _swapped(clause: Clause) -> tuple[list[str], list[str]]:
    """Return the targets that make way and those that come: "X to Y", "Y instead of X"."""
    if clause.arrow is not None:
        return clause.targets[: clause.arrow], clause.targets[clause.arrow :]
    if clause.rather:
        return clause.targets[clause.rather :], clause.targets[: clause.rather]
    return [], []


def _target_atoms(clause: Clause, name: str, who: AvatarSpec) -> list[Atom]:
    kind = TARGETS[name].kind
    if kind == "part":
        raise RefusalError(_FIXED[name])
    if kind == "text":
        return [_text(clause, name)]
    if kind == "scene":
        return [_background(clause, name)]
    if name == "framing":
        return [_framing(clause)]
    if clause.verb == "remove" and not eased(clause, name):
        attribute = "kind" if kind in ("garment", "ornament") else "amount"
        return [Atom("remove", name, attribute, "", TARGETS[name].region)]
    if kind in ("garment", "ornament") and _puts_on(clause, name, who):
        op: Op = "replace" if clause.verb == "become" or kind == "garment" else "add"
        return [_thing(clause, op, name, name)]
    return values(clause, name, who)


def _puts_on(clause: Clause, name: str, who: AvatarSpec) -> bool:
    worn = {piece.garment for piece in who.outfit} | {thing.kind for thing in who.ornaments}
    if name in worn and (clause.inherits or clause.words.get("relative")):
        return False
    if clause.words.get("shape"):
        return True
    turned = clause.arrow is not None and clause.arrow == len(clause.targets)
    if name == "outfit" or (
        clause.verb == "become" and turned and name in worn and clause.has_value
    ):
        return False
    if clause.verb in ("become", "add"):
        return True
    return clause.verb == "" and name not in worn and name not in ("outfit", "earrings")


def _thing(clause: Clause, op: Op, source: str, made: str) -> Atom:
    """Return the atom that puts `made` on, instead of `source` where that is another thing."""
    step = clause.first("relative")
    only(not step or bool(clause.words.get("colour")), f"{plain(made)} cannot be made {step}")
    extras = [(kind, clause.first(kind)) for kind in ("pattern", "fabric") if clause.first(kind)]
    if clause.words.get("colour"):
        extras.append(("colour", colour(clause, made, 0)))
    if len(clause.words.get("colour", ())) > 1:
        extras.append(("second", colour(clause, made, 1)))
    region = tuple(dict.fromkeys((*TARGETS[source].region, *TARGETS[made].region)))
    return Atom(op, source, "kind", made, region, extras=tuple(extras))


def _text(clause: Clause, name: str) -> Atom:
    region = TARGETS[name].region
    if clause.verb == "remove":
        return Atom("remove", name, "text", "", region)
    text = clause.first("text")
    only(bool(text or clause.words.get("number")), f"the words of the {plain(name)} are missing")
    numbers = clause.words.get("number", [])
    extras = [(kind, number) for kind, number in zip(("price", "was"), numbers, strict=False)]
    if clause.words.get("colour"):
        extras.append(("colour", colour(clause, name, 0)))
    return Atom("text", name, "text", text, region, extras=tuple(extras))


def _background(clause: Clause, name: str) -> Atom:
    region = TARGETS[name].region
    if name == "light":
        return _light(clause)
    if place := clause.first("place"):
        return Atom("background", name, "place", place, region)
    if clause.words.get("colour"):
        return Atom("background", name, "colour", colour(clause, name, 0), region)
    word = clause.first("relative")
    if shade := clause.first("shade"):
        word = STEPS[shade]
    only(word in ("darker", "lighter", "brighter", "richer", "duller"), "which background?")
    return Atom("background", name, "colour", word, region, degree=clause.first("degree"))


def _light(clause: Clause) -> Atom:
    word = clause.first("relative")
    if shade := clause.first("shade"):
        word = STEPS[shade]
    word = word or {"up": "brighter", "down": "darker"}.get(clause.first("particle"), "")
    word = {"lighter": "brighter", "more": "brighter", "less": "darker"}.get(word, word)
    only(word in ("darker", "brighter", "warmer", "cooler"), "which light?")
    degree = clause.first("degree")
    return Atom("background", "light", "light", word, TARGETS["light"].region, degree=degree)


def _framing(clause: Clause) -> Atom:
    word = clause.first("framing") or clause.first("relative")
    only(word in ("head", "half", "full", "closer", "farther"), "which framing?")
    return Atom("pose", "framing", "framing", word, ())


def _consistent(atoms: Sequence[Atom], kept: Sequence[str]) -> None:
    said: dict[tuple[str, str], str] = {}
    for atom in atoms:
        only(atom.target not in kept, f"{plain(atom.target)}: both changed and kept")
        only(
            not (
                atom.op in ("remove", "replace", "add") and _place(atom.target) in map(_place, kept)
            ),
            f"{plain(atom.target)}: both changed and kept",
        )
        earlier = said.setdefault((_place(atom.target), atom.attribute), atom.value)
        only(earlier == atom.value, f"{plain(atom.target)}: two different wishes at once")


def _place(name: str) -> str:
    region = TARGETS[name].region
    return region[0] if TARGETS[name].kind == "ornament" and region else name
