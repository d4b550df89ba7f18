"""`AvatarSpec`: who it is. Nothing about motion or scene."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, model_validator

from avatar.spec.base import Colour, Document, Name, Spec, one_of
from avatar.spec.changes import CHANGES
from motion.skeleton import FACE_NAMES

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Signed = Annotated[float, Field(ge=-1.0, le=1.0)]

ChangeName = Annotated[str, AfterValidator(lambda name: one_of(name, CHANGES))]
FaceName = Annotated[str, AfterValidator(lambda name: one_of(name, FACE_NAMES))]
HairStyle = Literal[
    "long", "waves", "bob", "ponytail", "bun", "pixie", "side_part", "curls", "crop"
]
Garment = Literal[
    "top", "t_shirt", "shirt", "blouse", "sweater", "hoodie", "qipao_top", "dress",
    "blazer", "apron", "trousers", "skirt", "shoes", "sneakers",
]  # fmt: skip
Pattern = Literal["plain", "stripes", "pinstripes", "checks", "dots", "floral", "herringbone"]
Fabric = Literal["cotton", "twill", "denim", "silk", "knit", "linen", "leather"]
Ornament = Literal["glasses", "round_glasses", "studs", "hoops", "watch", "necklace"]

# Which place of an outfit a garment takes; an outfit has at most one garment in each.
PLACES: Final[Mapping[str, str]] = {
    "top": "upper", "t_shirt": "upper", "shirt": "upper", "blouse": "upper", "sweater": "upper",
    "hoodie": "upper", "qipao_top": "upper", "dress": "upper", "blazer": "outer",
    "apron": "over", "trousers": "lower", "skirt": "lower", "shoes": "feet", "sneakers": "feet",
}  # fmt: skip
_ORNAMENT_PLACES: Final[Mapping[str, str]] = {
    "glasses": "eyes", "round_glasses": "eyes", "studs": "ears", "hoops": "ears",
    "watch": "wrist", "necklace": "neck",
}  # fmt: skip

# In JSON an object, here pairs, so that a specification can be hashed.
_PAIRS: Final = BeforeValidator(lambda v: tuple(v.items()) if isinstance(v, dict) else v)
_MAPPING: Final = PlainSerializer(dict)

_GEOMETRY: Final = ("body", "skin", "eyes", "brows", "lips", "hair", "outfit", "ornaments", "seed")


class BodySpec(Spec):
    """The body's shape: phenotypes of the `anny` package, each 0 to 1, and local changes.

    Attributes:
        gender: 0 man to 1 woman. age: 0.66 is a young adult, 1 is old.
        changes: names in `avatar.spec.changes.CHANGES`, each -1 to 1; one without a side
            changes both.
        face: resting coefficients of `motion.skeleton.FACE_NAMES`, 0 to 1 (a smile that stays).
    """

    gender: Share = 1.0
    age: Annotated[float, Field(ge=0.5, le=1.0)] = 0.66
    muscle: Share = 0.4
    weight: Share = 0.3
    height: Share = 0.5
    proportions: Share = 0.85
    cupsize: Share = 0.4
    firmness: Share = 0.6
    african: Share = 0.0
    asian: Share = 0.5
    caucasian: Share = 0.5
    changes: Annotated[tuple[tuple[ChangeName, Signed], ...], _PAIRS, _MAPPING] = ()
    face: Annotated[tuple[tuple[FaceName, Share], ...], _PAIRS, _MAPPING] = ()

    @property
    def phenotypes(self) -> dict[str, float]:
        """Return the package's phenotype parameters."""
        names = (
            "gender", "age", "muscle", "weight", "height", "proportions", "cupsize", "firmness",
            "african", "asian", "caucasian",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}


class SkinSpec(Spec):
    """Skin: its colour, and how much of each detail shows.

    Attributes:
        blush: of the cheeks. freckles, lines (of age), stubble (shade of a beard): 0 none.
        makeup: liner and lid shadow. nails: colour.
        texture: SHA-256 of a face picture projected from a photo, "" for none.
    """

    colour: Colour = "#d4ac96"
    blush: Share = 0.5
    freckles: Share = 0.0
    lines: Share = 0.0
    stubble: Share = 0.0
    makeup: Share = 0.6
    nails: Colour = "#e7b4af"
    texture: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""


class EyesSpec(Spec):
    """Iris: colour at the rim and within; the pupil's radius as a share of the iris's."""

    outer: Colour = "#49321f"
    inner: Colour = "#815b39"
    pupil: Annotated[float, Field(ge=0.25, le=0.6)] = 0.40


class BrowsSpec(Spec):
    """Painted brows. Lengths as factors of the usual: 1 is neither thick nor thin."""

    colour: Colour = "#463529"
    thickness: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    arch: Annotated[float, Field(ge=0.0, le=2.0)] = 1.0
    height: Annotated[float, Field(ge=0.8, le=1.25)] = 1.0
    density: Annotated[float, Field(ge=0.3, le=1.6)] = 1.0


class LipsSpec(Spec):
    """Lips."""

    colour: Colour = "#bc716c"
    gloss: Share = 0.4


class HairSpec(Spec):
    """Hair.

    Attributes:
        tip: colour of the ends; "" is the same, a little lighter.
        grey: share of grey strands.
        length: factor of the style's own.
    """

    style: HairStyle = "long"
    colour: Colour = "#38261b"
    tip: Colour | Literal[""] = ""
    grey: Share = 0.0
    length: Annotated[float, Field(ge=0.7, le=1.3)] = 1.0


class PieceSpec(Spec):
    """One garment. `second`: colour of the pattern and of trims; "" is made from `colour`."""

    garment: Garment
    colour: Colour
    second: Colour | Literal[""] = ""
    pattern: Pattern = "plain"
    fabric: Fabric = "cotton"

    @property
    def place(self) -> str:
        """Return "upper", "outer", "over", "lower" or "feet"."""
        return PLACES[self.garment]


class OrnamentSpec(Spec):
    """Something worn that is not cloth."""

    kind: Ornament
    colour: Colour = "#2a2a2e"

    @property
    def place(self) -> str:
        """Return "eyes", "ears", "wrist" or "neck"."""
        return _ORNAMENT_PLACES[self.kind]


class VoiceSpec(Spec):
    """How it sounds by default. `name` "" leaves the voice to the configuration."""

    name: Annotated[str, Field(max_length=64)] = ""
    speed: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    pitch: Annotated[float, Field(ge=-6.0, le=6.0)] = 0.0


class ProvenanceSpec(Spec):
    """Where an identity comes from.

    Attributes:
        source: how it was made. consent: the person shown in the photo agreed to its use.
        digest: SHA-256 of the photo, or the sentence it was made from.
        person: opaque id of the person shown in the photo, so that it goes with their data.
    """

    source: Literal["ready", "sliders", "sentence", "photo", "edit"] = "sliders"
    consent: bool = False
    digest: Annotated[str, Field(max_length=400)] = ""
    made: Annotated[str, Field(max_length=40)] = ""
    person: Annotated[str, Field(max_length=64)] = ""


_OUTFIT: Final = (
    PieceSpec(garment="t_shirt", colour="#dcd9d4"),
    PieceSpec(garment="trousers", colour="#30343d", fabric="twill"),
    PieceSpec(garment="shoes", colour="#26211f", fabric="leather"),
)


class AvatarSpec(Document):
    """An identity. `title`: its name for people.

    An outfit always covers the body: a dress, or an upper and a lower garment, and shoes.
    """

    KIND: ClassVar[str] = "avatar"
    VERSION: ClassVar[int] = 2

    name: Name = "custom"
    title: Annotated[str, Field(max_length=80)] = ""
    body: BodySpec = BodySpec()
    skin: SkinSpec = SkinSpec()
    eyes: EyesSpec = EyesSpec()
    brows: BrowsSpec = BrowsSpec()
    lips: LipsSpec = LipsSpec()
    hair: HairSpec = HairSpec()
    outfit: tuple[PieceSpec, ...] = _OUTFIT
    ornaments: tuple[OrnamentSpec, ...] = ()
    voice: VoiceSpec = VoiceSpec()
    provenance: ProvenanceSpec = ProvenanceSpec()
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1

    @model_validator(mode="after")
    def _dressed(self) -> Self:
        places = [piece.place for piece in self.outfit]
        worn = [ornament.place for ornament in self.ornaments]
        for place in {*places, *worn}:
            if places.count(place) + worn.count(place) > 1:
                raise ValueError(f"accepted: at most one piece for the place {place!r}")
        needed = {"upper", "feet"} | (set() if self.piece("dress") else {"lower"})
        if missing := needed - set(places):
            raise ValueError(
                f"accepted: an outfit that covers the body; nothing is worn as {sorted(missing)[0]}"
            )
        if self.piece("dress") and "lower" in places:
            raise ValueError("accepted: a dress without a second garment on the legs")
        if self.skin.texture and not self.provenance.consent:
            raise ValueError("accepted: a face from a photo only with provenance.consent")
        return self

    def piece(self, garment: str) -> PieceSpec | None:
        """Return the worn piece of that garment or place, None when there is none."""
        for piece in self.outfit:
            if garment in (piece.garment, piece.place):
                return piece
        return None

    def digest(self) -> str:
        """Return a short name for how it looks: equal digests, equal pictures."""
        content = self.model_dump(mode="json", include=set(_GEOMETRY))
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    @classmethod
    def migrated(cls, content: Mapping[str, Any], version: int) -> Mapping[str, Any]:
        """Version 1 was only the name of a ready avatar."""
        if version == 1:
            from avatar.spec.ready import ready  # it reads files through this class

            name = content.get("name", "mia")
            return ready(name if isinstance(name, str) else "").model_dump(mode="json")
        return content
