"""Changes of an identity by named values, as sliders and forms send them."""

from collections.abc import Mapping
from typing import Any, Final, get_args, get_origin

from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec, OrnamentSpec, PieceSpec
from avatar.spec.base import Spec, one_of, shorten
from avatar.spec.changes import CHANGES
from avatar.spec.identity import PLACES, ProvenanceSpec
from motion.skeleton import FACE_NAMES

Value = str | float

# Names people use, for the fields they mean.
FRIENDLY: Final[Mapping[str, str]] = {
    "gender": "body.gender", "age": "body.age", "height": "body.height", "weight": "body.weight",
    "muscle": "body.muscle", "skin": "skin.colour", "freckles": "skin.freckles",
    "lines": "skin.lines", "stubble": "skin.stubble", "makeup": "skin.makeup",
    "hair": "hair.style", "hair_colour": "hair.colour", "hair_color": "hair.colour",
    "hair_length": "hair.length", "grey": "hair.grey", "eyes": "eyes.inner",
    "eye_colour": "eyes.inner", "brows": "brows.colour", "lips": "lips.colour",
    "nails": "skin.nails", "smile": "body.face.smile", "face_width": "body.changes.head-fat-incr",
    "eye_size": "body.changes.eye-scale-incr", "nose_width": "body.changes.nose-scale-horiz-incr",
    "nose_length": "body.changes.nose-scale-vert-incr",
    "mouth_width": "body.changes.mouth-scale-horiz-incr",
    "lip_fullness": "body.changes.mouth-lowerlip-volume-incr",
    "chin_width": "body.changes.chin-width-incr", "jaw": "body.changes.chin-bones-incr",
    "cheekbones": "body.changes.cheek-bones-incr", "ears": "body.changes.ear-scale-incr",
    "shoulders": "body.changes.measure-shoulder-dist-incr",
    "top": "outfit.upper.garment", "top_colour": "outfit.upper.colour",
    "trousers_colour": "outfit.lower.colour", "shoes_colour": "outfit.feet.colour",
    "voice": "voice.name", "speed": "voice.speed", "pitch": "voice.pitch",
}  # fmt: skip

# What a garment is made in when a form names only the garment.
_CLOTH: Final = "#8a8d94"
_SMILE: Final = ("mouthSmileLeft", "mouthSmileRight")


def from_sliders(base: AvatarSpec, changes: Mapping[str, Value]) -> AvatarSpec:
    """Return `base` with changed values.

    Args:
        changes: by field: dotted names as in the JSON document ("body.age", "hair.style",
            "skin.colour"), places of the outfit ("outfit.upper.colour", "outfit.over" with a
            garment's name or "none"), ornaments ("ornaments.eyes"), local changes of the shape
            ("body.changes.eye-scale-incr"), resting face ("body.face.mouthSmileLeft"), or one of
            `FRIENDLY`. Numbers may be written as text.

    Raises:
        AvatarValueError: a field is unknown, or a value is of the wrong kind or out of range; the
            message names field, value and what is accepted.
    """
    spec = base
    outfit = {piece.place: piece for piece in base.outfit}
    worn = {ornament.place: ornament for ornament in base.ornaments}
    for name, value in changes.items():
        steps = FRIENDLY.get(name, name).split(".")
        if steps[0] == "outfit":
            _dress(outfit, steps[1:], value, name)
        elif steps[0] == "ornaments":
            _adorn(worn, steps[1:], value, name)
        else:
            spec = _set(spec, steps, value, name)
    if "dress" in [piece.garment for piece in outfit.values()]:
        outfit.pop("lower", None)
    return spec.changed(
        outfit=tuple(outfit.values()),
        ornaments=tuple(worn.values()),
        provenance=ProvenanceSpec(source="sliders")
        if spec.provenance.source == "ready"
        else spec.provenance,
    )


def _set(spec: AvatarSpec, steps: list[str], value: Value, name: str) -> AvatarSpec:
    if len(steps) == 1:
        return spec.changed(**{_known(AvatarSpec, steps[0], name): value})
    part = getattr(spec, _known(AvatarSpec, steps[0], name))
    if not isinstance(part, Spec):
        raise AvatarValueError(f"{name}: {shorten(value)}; there is no such field")
    if steps[:2] in (["body", "changes"], ["body", "face"]) and len(steps) == 3:
        return spec.changed(body=_pairs(spec, steps[1], steps[2], value, name))
    if len(steps) != 2:
        raise AvatarValueError(f"{name}: {shorten(value)}; there is no such field")
    field = _known(type(part), steps[1], name)
    return spec.changed(**{steps[0]: part.changed(**{field: _typed(type(part), field, value)})})


def _pairs(spec: AvatarSpec, which: str, entry: str, value: Value, name: str) -> Any:
    accepted = CHANGES if which == "changes" else FACE_NAMES
    number = _number(value, name)
    names = _SMILE if entry == "smile" else (entry,)
    content = dict(getattr(spec.body, which))
    for each in names:
        content[_choice(each, accepted, name)] = number
    return spec.body.changed(**{which: tuple(content.items())})


def _dress(outfit: dict[str, PieceSpec], steps: list[str], value: Value, name: str) -> None:
    place = _choice(steps[0] if steps else "", set(PLACES.values()), name)
    field = steps[1] if len(steps) > 1 else "garment"
    piece = outfit.get(place)
    if field == "garment":
        if value == "none":
            outfit.pop(place, None)
            return
        garment = _choice(value, [g for g, where in PLACES.items() if where == place], name)
        changed = piece.changed(garment=garment) if piece else None
        outfit[place] = changed or PieceSpec(garment=garment, colour=_CLOTH)  # type: ignore[arg-type]
    elif piece is None:
        raise AvatarValueError(f"{name}: {shorten(value)}; accepted once {place!r} is worn")
    else:
        outfit[place] = piece.changed(**{_known(PieceSpec, field, name): value})


def _adorn(worn: dict[str, OrnamentSpec], steps: list[str], value: Value, name: str) -> None:
    place = _choice(steps[0] if steps else "", ("eyes", "ears", "wrist", "neck"), name)
    if len(steps) > 1 and place in worn:
        worn[place] = worn[place].changed(**{_known(OrnamentSpec, steps[1], name): value})
    elif value == "none":
        worn.pop(place, None)
    else:
        made = OrnamentSpec(kind=value)  # type: ignore[arg-type]
        if made.place != place:
            raise AvatarValueError(f"{name}: {value!r}; it is worn at {made.place!r}")
        worn[place] = made


def _known(owner: type[Spec], field: str, name: str) -> str:
    return _choice(field, owner.model_fields, name)


def _choice(value: Value, accepted: Any, name: str) -> str:
    try:
        return one_of(str(value), accepted)
    except ValueError as error:
        raise AvatarValueError(f"{name}: {shorten(value)}; {error}") from error


def _typed(owner: type[Spec], field: str, value: Value) -> Value:
    """Turn a number written as text into one where the field wants one."""
    wanted = owner.model_fields[field].annotation
    if wanted is float or (get_origin(wanted) is not None and float in get_args(wanted)):
        return _number(value, f"{owner.__name__}.{field}")
    return value


def _number(value: Value, name: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise AvatarValueError(f"{name}: {shorten(value)}; accepted: a number") from error
