"""Which adjective belongs to which thing: the grammar of descriptions, English and Chinese."""

from dataclasses import dataclass, field
from typing import Final

from avatar.creation.words import Concept, Word

# Things that are described, and what can be said of them.
HEADS: Final = frozenset({"part", "style", "garment", "ornament"})
MODIFIERS: Final = frozenset({"colour", "shade", "pattern", "fabric", "length", "form"})
# Between an adjective and its noun these may stand: "a short cheerful woman".
_PASSED: Final = frozenset({"age", "mood", "build", "origin", "height", "tone", "feature"})
_OF_HAIR: Final = frozenset({"length", "form"})


@dataclass(slots=True)
class Thing:
    """Something described.

    Attributes:
        head: what it is; a gender for the person as a whole, None for what is not known.
        modifiers: said of it, in order. dyed: those after "dyed". absent: it is not there.
    """

    head: Concept | None
    modifiers: list[Concept] = field(default_factory=list)
    dyed: list[Concept] = field(default_factory=list)
    absent: bool = False


@dataclass(slots=True)
class Description:
    """A sentence taken apart: things with what is said of them, traits of the person, words
    that are not understood, neighbours joined, and what can only be shown as something like it.
    """

    things: list[Thing]
    traits: list[Concept]
    unused: list[str]
    nearest: list[str] = field(default_factory=list)


def take_apart(words: list[Word]) -> Description:
    """Attach every modifier to what it describes."""
    description = Description([], [], [])
    owners: dict[int, Thing] = {}
    for i, word in enumerate(words):
        concept = word.concept
        if concept is None or concept.kind == "unshown":
            if not word.filler and not word.mark:
                owners[i] = Thing(None)
            continue
        if concept.kind in HEADS or concept.kind == "gender":
            owners[i] = Thing(concept, absent=_denied(words, i))
            if concept.kind in HEADS:
                description.things.append(owners[i])
        if concept.kind in _PASSED | {"gender", "pronoun"} and not _denied(words, i):
            description.traits += [concept, *(c for c in word.also if c.kind in _PASSED)]
    _attach(words, owners, description)
    description.unused = _unused(words)
    description.nearest = _nearest(words)
    return description


def _attach(words: list[Word], owners: dict[int, Thing], description: Description) -> None:
    for i, word in enumerate(words):
        if word.concept is None or word.concept.kind not in MODIFIERS:
            continue
        owner = _owner(words, i)
        thing = None if owner is None else owners[owner]
        if _of_feature(words, i):
            continue
        if thing is None:
            if word.concept.kind in _OF_HAIR:
                description.traits.append(word.concept)
            continue
        if thing.head is not None and thing.head.kind == "gender":
            description.traits.append(Concept(f"person_{word.concept.kind}", word.concept.value))
        elif _link(words, i) == "dyed":
            thing.dyed.append(word.concept)
        else:
            thing.modifiers.append(word.concept)


def _of_feature(words: list[Word], i: int) -> bool:
    """Tell whether modifier `i` belongs to a feature that has none: "a long grey beard"."""
    while i < len(words) and _is_modifier(words[i]):
        i += 1
    concept = words[i].concept if i < len(words) else None
    if concept is None or concept.kind != "feature":
        return False
    owner = _after(words, i)  # "a short bearded man" is short himself
    return owner is None or words[owner].concept is None


def _is_modifier(word: Word) -> bool:
    return word.text == "的" or (word.concept is not None and word.concept.kind in MODIFIERS)


def _nearest(words: list[Word]) -> list[str]:
    """Return what is shown as something like it, with its adjectives, and as what."""
    found: list[str] = []
    for i, word in enumerate(words):
        shown = [concept.value for concept in word.also if concept.kind == "nearest"]
        if shown and not _denied(words, i):
            first = i
            while first and _is_modifier(words[first - 1]) and _of_feature(words, first - 1):
                first -= 1
            said = _written([each.text for each in words[first : i + 1]])
            found.append(f"{said} is shown as {shown[0]}")
    return found


def _owner(words: list[Word], i: int) -> int | None:
    """Return the number of the word that modifier `i` describes."""
    after, before = _after(words, i), _before(words, i)
    if after is None:
        return before
    # "hair dyed pink", but "dyed pink hair".
    kind = words[after].concept.kind if words[after].concept else ""  # type: ignore[union-attr]
    dyed = _link(words, i) == "dyed" and kind not in ("part", "style")
    return before if dyed else after


def _after(words: list[Word], i: int) -> int | None:
    """Return the thing that follows, when only other adjectives stand between."""
    joined = comma = False
    for j in range(i + 1, len(words)):
        word = words[j]
        kind = word.concept.kind if word.concept else ""
        if kind == "gender":
            return j
        if comma and kind not in MODIFIERS | _PASSED and word.text not in ",，":
            return None
        if kind in HEADS or kind == "unshown":
            # "hair is black and eyes are blue": after "and" a thing begins anew.
            return None if joined or comma else j
        if kind == "and" or word.text == "、":
            joined = True
        elif kind in MODIFIERS:
            joined = False
        elif word.text in (",", "，"):
            # "a short, cheerful woman"
            comma = True
        elif word.mark or kind in ("break", "link", "not"):
            return None
        elif not kind and not word.filler:
            return j
    return None


def _before(words: list[Word], i: int) -> int | None:
    """Return the last thing before, in this clause or, after a comma, the one before it."""
    for j in range(i - 1, -1, -1):
        kind = words[j].concept.kind if words[j].concept else ""  # type: ignore[union-attr]
        if kind in HEADS:
            return j
        if words[j].mark and words[j].text not in ",，、":
            return None
    return None


def _link(words: list[Word], i: int) -> str:
    """Return what ties modifier `i` to what comes before it: "dyed", "is" or ""."""
    for j in range(i - 1, -1, -1):
        kind = words[j].concept.kind if words[j].concept else ""  # type: ignore[union-attr]
        if kind == "link":
            return words[j].concept.value  # type: ignore[union-attr]
        if kind not in MODIFIERS and not words[j].filler and kind != "and":
            return ""
    return ""


def _denied(words: list[Word], i: int) -> bool:
    """Tell whether word `i` is said not to be: "no glasses", "without a beard", "不戴眼镜"."""
    for j in range(i - 1, -1, -1):
        kind = words[j].concept.kind if words[j].concept else ""  # type: ignore[union-attr]
        if kind == "not":
            return True
        if words[j].mark or (kind not in MODIFIERS and kind != "break" and not words[j].filler):
            return False
    return False


def _unused(words: list[Word]) -> list[str]:
    """Return what is not understood: neighbours together, with the adjectives before them."""
    groups: list[str] = []
    run: list[str] = []
    for i, word in enumerate([*words, Word("", mark=True)]):
        if _is_strange(words, i):
            run.append(word.text)
        elif run:
            groups.append(_written(run))
            run = []
    return groups


def _is_strange(words: list[Word], i: int) -> bool:
    if i == len(words):
        return False
    word = words[i]
    if word.concept is None:
        return not word.filler and not word.mark
    if word.concept.kind in MODIFIERS:
        return _leads_to_strange(words, i)
    return word.concept.kind == "unshown"


def _leads_to_strange(words: list[Word], i: int) -> bool:
    after = _after(words, i)
    if after is None:
        return False
    concept = words[after].concept
    return concept is None or concept.kind == "unshown"


def _written(run: list[str]) -> str:
    chinese = all(ord(text[0]) > 0x2E7F for text in run)
    return ("" if chinese else " ").join(run)
