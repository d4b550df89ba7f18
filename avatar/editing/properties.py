"""What a clause says of a target's properties: colours, steps, lengths, styles, amounts."""

from collections.abc import Sequence
from typing import Final

from avatar.editing.atoms import Atom
from avatar.editing.clauses import Clause
from avatar.editing.refusals import only, plain
from avatar.editing.targets import TARGETS
from avatar.spec import AvatarSpec
from avatar.words.palettes import worn_on

_HAIR: Final = ("hair", "tips", "grey_hair")
_SHADES: Final = {"darker": "dark", "lighter": "light", "brighter": "bright"}
STEPS: Final = {"light": "lighter", "dark": "darker", "bright": "brighter"}
# How much there is of what has no colour of its own to choose.
_AMOUNTS: Final = {
    "more": "more", "thicker": "more", "darker": "more", "richer": "more", "brighter": "more",
    "less": "less", "thinner": "less", "lighter": "less", "duller": "less",
}  # fmt: skip
_SMILES: Final = _AMOUNTS | {"warmer": "more", "cooler": "less"}
_TIED: Final = ("ponytail", "bun")


def values(clause: Clause, name: str, who: AvatarSpec) -> list[Atom]:
    """Return what a clause says about properties of a target."""
    region, degree = TARGETS[name].region, clause.first("degree")
    colours = clause.words.get("colour", [])
    # "A darker pink" is one colour.
    said = [w for w in clause.words.get("relative", ()) if not (colours and w in _SHADES)]
    out = [_step(name, word, degree) for word in said]
    if style := clause.first("style"):
        out.append(Atom("replace", name, "style", style, region))
    if length := clause.first("length"):
        only(name in _HAIR, f"the length of {plain(name)} cannot be chosen")
        if not style:
            out.append(Atom("replace", name, "length", length, region))
    if colours:
        index = 1 if "from" in clause.words.get("into", ()) and len(colours) > 1 else 0
        out.append(Atom("recolor", name, "colour", colour(clause, name, index), region))
    elif shade := clause.first("shade"):
        out.append(_step(name, STEPS[shade], ""))
    out += _cloth_values(clause, name)
    out = out or _hinted(clause, name, who)
    only(bool(out), f"it does not say how {plain(name)} should change")
    return out


def _hinted(clause: Clause, name: str, who: AvatarSpec) -> list[Atom]:
    """Return what is asked without a value: "tone it down", "hair up", "make her smile"."""
    target, degree = TARGETS[name], clause.first("degree")
    way = clause.first("particle")
    if name == "hair" and (clause.words.get("fall") or way):
        ways = (*clause.words.get("fall", ()), *clause.words.get("particle", ()))
        return [Atom("replace", name, "style", _fallen(who, ways), target.region)]
    if target.kind != "amount" and name != "smile":
        return []
    if eased(clause, name):
        return [Atom("recolor", name, "amount", "less", target.region)]
    if way in ("up", "down"):
        return [_step(name, "more" if way == "up" else "less", degree)]
    told = clause.verb in ("add", "become", "") or name == "smile"
    only(told, f"say how {plain(name)} should change")
    return [Atom("add", name, "amount", "more", target.region, degree=degree)]


def _fallen(who: AvatarSpec, ways: Sequence[str]) -> str:
    """Return the style of hair that is let down, put up or tied back, from what it is now."""
    now = who.hair.style
    if "up" in ways:
        return now if now in _TIED else "bun"
    if "back" in ways:
        return now if now in _TIED else "ponytail"
    return "long" if now in _TIED else now


def _step(name: str, word: str, degree: str) -> Atom:
    """Return a step from how something is now."""
    attribute, value = _relative(name, word)
    return Atom("recolor", name, attribute, value, TARGETS[name].region, degree=degree)


def _cloth_values(clause: Clause, name: str) -> list[Atom]:
    out = []
    for attribute in ("pattern", "fabric"):
        if value := clause.first(attribute):
            only(TARGETS[name].kind == "garment", f"{plain(name)} takes no {attribute}")
            second = len(clause.words.get("colour", ())) > 1 and attribute == "pattern"
            extras = (("second", colour(clause, name, 1)),) if second else ()
            region = TARGETS[name].region
            out.append(Atom("recolor", name, attribute, value, region, extras=extras))
    return out


def _relative(name: str, word: str) -> tuple[str, str]:
    """Return which property a step is of, and the step as that property takes it."""
    cannot = f"{plain(name)} cannot be made {word}"
    if word in ("shorter", "longer"):
        only(name == "hair", cannot)
        return "length", word
    steps = _SMILES if name == "smile" else _AMOUNTS
    amount = TARGETS[name].kind == "amount" or name == "smile"
    if amount or word in ("thicker", "thinner", "more", "less"):
        only(name == "brows" or (amount and word in steps), cannot)
        return "amount", word if name == "brows" else steps[word]
    only(word not in ("warmer", "cooler", "closer", "farther"), cannot)
    return "colour", word


def eased(clause: Clause, name: str) -> bool:
    """Whether only a part is to go ("don't smile so much")."""
    some = clause.first("such") or clause.first("degree") == "much"
    return bool(some) and (TARGETS[name].kind == "amount" or name == "smile")


def colour(clause: Clause, name: str, index: int) -> str:
    """Return a colour as it is on a target, "light", "dark" or "bright" where said of the first."""
    relative = [_SHADES[w] for w in clause.words.get("relative", ()) if w in _SHADES]
    shade = (clause.first("shade") or "".join(relative[:1])) if index == 0 else ""
    part = "hair" if name in _HAIR else name
    return worn_on(part, clause.words["colour"][index], shade)
