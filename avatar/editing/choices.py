"""The ways an atom can be carried out, most literal first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from avatar.editing import choices_scene
from avatar.editing.atoms import Atom
from avatar.editing.draft import (
    Draft,
    adorned,
    dressed,
    new_piece,
    opposite,
    ornament_of,
    toned,
    worn_piece,
)
from avatar.editing.refusals import RefusalError
from avatar.editing.targets import TARGETS
from avatar.hair import covers_ears
from avatar.spec import OrnamentSpec
from avatar.spec.colour import mixed
from avatar.spec.identity import PLACES
from avatar.words.palettes import rim

_LADDER: Final = ("crop", "pixie", "side_part", "bob", "curls", "waves", "long")
_SHARES: Final = {"little": (0.18, 0.3, 0.1, 0.45), "": (0.35, 0.55, 0.22, 0.75),
                  "much": (0.6, 0.8, 0.45, 0.95)}  # fmt: skip
_AT_EARS: Final = ("earrings", "studs", "hoops")
_RING: Final = OrnamentSpec(kind="studs")
_SMILE: Final = ("mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight")


def choices(atom: Atom, draft: Draft) -> list[Draft]:
    """Return drafts with the atom carried out; the first does what the words say and no more.

    Raises:
        RefusalError: it cannot be carried out at all.
        AvatarValueError: a value is not accepted.
    """
    kind = TARGETS[atom.target].kind
    makers: dict[str, Callable[[Atom, Draft], Iterator[Draft]]] = {
        "garment": _garment, "ornament": _ornament, "hair": _hair, "paint": _paint,
        "amount": _amount, "scene": choices_scene.backgrounds, "text": choices_scene.texts,
    }  # fmt: skip
    if kind == "pose":
        makers["pose"] = _smile if atom.target == "smile" else choices_scene.framings
    return list(dict.fromkeys(makers[kind](atom, draft)))


def _garment(atom: Atom, draft: Draft) -> Iterator[Draft]:
    if atom.attribute == "kind":
        yield from _undress(atom, draft) if atom.op == "remove" else _dress(atom, draft)
        return
    piece = worn_piece(draft.who, atom.target)
    if atom.attribute == "fabric":
        yield draft.with_piece(atom.target, fabric=atom.value)
    elif atom.attribute == "pattern":
        yield from _patterns(atom, draft)
    elif atom.value.startswith("#"):
        second = {"second": atom.extra("second")} if atom.extra("second") else {}
        yield draft.with_piece(atom.target, colour=atom.value, **second)
        yield draft.with_piece(atom.target, colour=atom.value, second=second.get("second", ""))
        for share, other in ((0.25, "#000000"), (0.12, "#ffffff")):
            shade = mixed(atom.value, other, share)
            yield draft.with_piece(atom.target, colour=shade, second=second.get("second", ""))
        yield draft.with_piece(atom.target, colour=mixed(piece.colour, atom.value, 0.5))
    else:
        yield from _toned_pieces(atom, draft)


def _toned_pieces(atom: Atom, draft: Draft) -> Iterator[Draft]:
    for share in _SHARES[atom.degree]:
        pieces = [
            piece.changed(
                colour=toned(piece.colour, atom.value, share),
                second=piece.second and toned(piece.second, atom.value, share),
            )
            if atom.target in (piece.garment, "outfit")
            else piece
            for piece in draft.who.outfit
        ]
        yield draft.with_who(outfit=tuple(pieces))


def _patterns(atom: Atom, draft: Draft) -> Iterator[Draft]:
    piece = worn_piece(draft.who, atom.target)
    said = {"second": atom.extra("second")} if atom.extra("second") else {}
    yield draft.with_piece(atom.target, pattern=atom.value, **said)
    if not said:
        for second in ("", opposite(piece.colour), mixed(opposite(piece.colour), "#b8202e", 0.3)):
            yield draft.with_piece(atom.target, pattern=atom.value, second=second)


def _dress(atom: Atom, draft: Draft) -> Iterator[Draft]:
    source = atom.target
    if source != atom.value and source in PLACES:
        worn_piece(draft.who, source)
    leaving = {PLACES[source]} if source in PLACES and source != atom.value else set()
    piece = new_piece(draft.who, atom.value, atom.extra("colour"))
    named = {name: atom.extra(name) for name in ("pattern", "fabric", "second") if atom.extra(name)}
    piece = piece.changed(**named)
    yield draft.with_who(outfit=dressed(draft.who, piece, leaving).outfit)
    outer = {"upper": {"outer", "over"}, "over": {"outer"}}.get(piece.place, set())
    if outer & {other.place for other in draft.who.outfit}:
        yield draft.with_who(outfit=dressed(draft.who, piece, leaving | outer).outfit)
    if not atom.extra("colour"):
        for colour in (opposite(piece.colour), "#2f6b52"):
            other = piece.changed(colour=colour)
            yield draft.with_who(outfit=dressed(draft.who, other, leaving | outer).outfit)
    elif piece.pattern != "plain" and not piece.second:
        other = piece.changed(second=opposite(piece.colour))
        yield draft.with_who(outfit=dressed(draft.who, other, leaving).outfit)


def _undress(atom: Atom, draft: Draft) -> Iterator[Draft]:
    piece = worn_piece(draft.who, atom.target)
    if atom.target == "outfit" or piece.place not in ("outer", "over"):
        raise RefusalError("the host is never shown unclothed; say what should be worn instead")
    yield draft.with_who(outfit=tuple(p for p in draft.who.outfit if p is not piece))


def _ornament(atom: Atom, draft: Draft) -> Iterator[Draft]:
    worn = ornament_of(draft.who, atom.target)
    exact = worn is not None and atom.target in (worn.kind, "earrings", "glasses")
    if atom.op == "remove" or atom.attribute != "kind":
        if worn is None or not exact:
            raise RefusalError(f"no {atom.target.replace('_', ' ')} is worn")
        if atom.op == "remove":
            yield draft.with_who(ornaments=adorned(draft.who, None, atom.target).ornaments)
            return
        shades = (
            [toned(worn.colour, atom.value, s) for s in _SHARES[atom.degree]]
            if not (atom.value.startswith("#"))
            else [atom.value, mixed(atom.value, "#000000", 0.3), mixed(atom.value, "#ffffff", 0.15)]
        )
        for shade in shades:
            changed = adorned(draft.who, worn.changed(colour=shade), atom.target)
            yield draft.with_who(ornaments=changed.ornaments)
        return
    kinds = ("studs", "hoops") if atom.value == "earrings" else (atom.value,)
    if kinds[0] in _AT_EARS and covers_ears(draft.who.hair.style):
        raise RefusalError(f"{atom.target}: it cannot be seen, for the hair covers the ears")
    if atom.op == "replace" and ornament_of(draft.who, atom.target) is None:
        raise RefusalError(f"no {atom.target.replace('_', ' ')} is worn")
    default = "#2a2a2e" if TARGETS[kinds[0]].region[0] in ("glasses", "wrist") else "#c9a24a"
    for colour in (atom.extra("colour") or default, "#c9a24a", "#e4e6ea", "#1d1d20"):
        for kind in kinds:
            made = _RING.changed(kind=kind, colour=atom.extra("colour") or colour)
            yield draft.with_who(ornaments=adorned(draft.who, made, kind).ornaments)


def _hair(atom: Atom, draft: Draft) -> Iterator[Draft]:
    if atom.op == "remove" and atom.target == "tips":
        if not draft.who.hair.tip:
            raise RefusalError("the tips are not dyed")
        yield draft.with_part("hair", tip="")
        return
    if atom.op == "remove":
        raise RefusalError("hair can be cut short, not removed")
    if atom.attribute == "style":
        for length in (draft.who.hair.length, 1.0, 1.15, 0.85):
            yield draft.with_part("hair", style=atom.value, length=length)
    elif atom.attribute == "length":
        yield from _lengths(atom, draft)
    else:
        yield from _dyed(atom, draft)


def _lengths(atom: Atom, draft: Draft) -> Iterator[Draft]:
    hair = draft.who.hair
    bare = any(name in _AT_EARS for name in atom.preserve)
    if atom.value in ("short", "long"):
        yield draft.with_part("hair", length=0.7 if atom.value == "short" else 1.3)
        styles = (
            ("bob", "pixie", "crop") if atom.value == "short" else ("long", "waves", "ponytail")
        )
        yield from _styles(styles, draft, bare)
        return
    up = atom.value == "longer"
    step = {"little": 0.1, "": 0.2, "much": 0.35}[atom.degree] * (1.0 if up else -1.0)
    for factor in (1.0, 2.0):
        length = min(max(round(hair.length + factor * step, 3), 0.7), 1.3)
        yield draft.with_part("hair", length=length)
    at = _LADDER.index(hair.style) if hair.style in _LADDER else (2 if up else len(_LADDER) - 1)
    rungs = _LADDER[at + 1 : at + 4] if up else _LADDER[max(at - 3, 0) : at][::-1]
    yield from _styles((*rungs, *(["ponytail"] if up else [])), draft, bare)


def _styles(styles: Sequence[str], draft: Draft, bare: bool) -> Iterator[Draft]:
    """Yield styles; with `bare` ears only those that leave them free, the longer the better."""
    for style in styles:
        if not (bare and covers_ears(style)):
            yield draft.with_part("hair", style=style, length=1.0)
    if bare and "ponytail" in styles:
        for length in (1.3, 1.15):
            yield draft.with_part("hair", style="ponytail", length=length)


def _dyed(atom: Atom, draft: Draft) -> Iterator[Draft]:
    hair = draft.who.hair
    field = "tip" if atom.target == "tips" else "colour"
    now = (hair.tip or hair.colour) if field == "tip" else hair.colour
    wanted = (
        [atom.value, mixed(atom.value, "#000000", 0.3), mixed(atom.value, "#ffffff", 0.12)]
        if atom.value.startswith("#")
        else [toned(now, atom.value, share) for share in _SHARES[atom.degree]]
    )
    yield draft.with_part("hair", **{field: wanted[0]})
    if field == "colour":
        # Ends that keep their old colour, or grey strands, would hide the new one.
        yield draft.with_part("hair", colour=wanted[0], tip="", grey=0.0)
    for colour in wanted[1:]:
        rest = {"tip": "", "grey": 0.0} if field == "colour" else {}
        yield draft.with_part("hair", **{field: colour}, **rest)


def _paint(atom: Atom, draft: Draft) -> Iterator[Draft]:
    part, field = TARGETS[atom.target].field
    now = getattr(getattr(draft.who, part), field)
    if atom.op == "remove":
        if atom.target not in ("lips", "nails"):
            raise RefusalError(f"{atom.target} cannot be removed")
        natural = mixed(draft.who.skin.colour, "#b0605a", 0.45)
        yield draft.with_part(part, **{field: natural})
        return
    if atom.attribute == "amount" and atom.target == "brows":
        yield from _brows(atom, draft)
        return
    wanted = (
        [atom.value, mixed(atom.value, "#000000", 0.3), toned(atom.value, "richer", 0.5),
         mixed(now, atom.value, 0.5)]
        if atom.value.startswith("#")
        else [toned(now, atom.value, share) for share in _SHARES[atom.degree]]
    )  # fmt: skip
    for index, colour in enumerate(wanted):
        yield draft.with_part(part, **{field: colour})
        if atom.target == "eyes" and index < 2:
            # The rim alone tints little of the iris.
            yield draft.with_part("eyes", outer=rim(colour), inner=colour)


def _brows(atom: Atom, draft: Draft) -> Iterator[Draft]:
    brows, sign = draft.who.brows, 1.0 if atom.value in ("thicker", "more") else -1.0
    for step in (0.25, 0.5, 0.8):
        thickness = min(max(brows.thickness + sign * step, 0.5), 2.0)
        yield draft.with_part("brows", thickness=thickness)
        density = min(max(brows.density + sign * step, 0.3), 1.6)
        yield draft.with_part("brows", thickness=thickness, density=density)


def _amount(atom: Atom, draft: Draft) -> Iterator[Draft]:
    part, field = TARGETS[atom.target].field
    now = getattr(getattr(draft.who, part), field)
    if atom.op == "remove":
        if now <= 0.0:
            raise RefusalError(f"there is no {atom.target.replace('_', ' ')} to remove")
        yield draft.with_part(part, **{field: 0.0})
        return
    up = atom.value in ("more", "thicker", "darker")
    if (now >= 1.0 and up) or (now <= 0.0 and not up):
        raise RefusalError(f"{atom.target.replace('_', ' ')}: already at the limit")
    for step in {"little": (0.25, 0.45, 0.7), "": (0.4, 0.7, 1.0), "much": (0.7, 1.0)}[atom.degree]:
        value = min(max(now + (step if up else -step), 0.0), 1.0)
        yield draft.with_part(part, **{field: round(value, 3)})


def _smile(atom: Atom, draft: Draft) -> Iterator[Draft]:
    face = dict(draft.who.body.face)
    more = atom.op != "remove" and atom.value != "less"
    steps = {"little": (0.2, 0.3, 0.15), "": (0.3, 0.45, 0.2), "much": (0.5, 0.7)}[atom.degree]
    for step in steps if atom.op != "remove" else (0.3, 0.6, 1.0):
        changed = dict(face)
        for name in _SMILE:
            weight = 1.0 if name.startswith("mouth") else 0.45
            value = face.get(name, 0.0) + (step if more else -step) * weight
            changed[name] = round(min(max(value, 0.0), 0.8), 3)
        yield draft.with_part("body", face=tuple(changed.items()))
