"""Puts a description together into an identity."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from avatar.creation.defaults import ORIGINS, Chooser
from avatar.creation.grammar import Description, Thing
from avatar.creation.words import Concept
from avatar.spec import AvatarSpec, OrnamentSpec, PieceSpec
from avatar.spec.colour import display, mixed
from avatar.spec.identity import (
    PLACES,
    BodySpec,
    BrowsSpec,
    EyesSpec,
    HairSpec,
    HairStyle,
    LipsSpec,
    ProvenanceSpec,
    SkinSpec,
)
from avatar.words import palettes

# Years, and the body's age parameter.
_AGES: Final = ((16.0, 25.0, 40.0, 60.0, 80.0, 100.0), (0.60, 0.66, 0.74, 0.85, 0.96, 1.0))
_BUILDS: Final = {
    "slim": (0.12, 0.35), "plump": (0.75, 0.35), "muscular": (0.40, 0.85), "average": (0.35, 0.42),
}  # fmt: skip
_HEIGHTS: Final = {"tall": 0.8, "small": 0.22}
_SMILE: Final = {"cheerful": 0.33, "calm": 0.12, "serious": 0.0}
_DEFAULT_CLOTH: Final = {
    "apron": "green", "trousers": "charcoal", "jeans": "navy", "shoes": "black",
    "sneakers": "white", "blazer": "navy", "suit": "charcoal", "skirt": "charcoal",
    "dress": "teal", "qipao_top": "red", "hoodie": "grey", "shirt": "white", "t_shirt": "white",
    "blouse": "beige", "sweater": "beige", "top": "white",
}  # fmt: skip
_FABRICS: Final = {"shoes": "leather", "jeans": "denim", "trousers": "twill", "blazer": "twill",
                   "sweater": "knit", "suit": "twill", "qipao_top": "silk"}  # fmt: skip
_ORNAMENT_COLOURS: Final = {
    "glasses": "#2a2a2e", "round_glasses": "#2a2a2e", "studs": "#d9c38a", "hoops": "#d0b060",
    "watch": "#3a3a3e", "necklace": "#d0b060",
}  # fmt: skip
_STYLED: Final = {
    ("short", "curly"): "curls", ("short", "wavy"): "curls", ("long", "wavy"): "waves",
    ("long", "curly"): "waves", ("long", "straight"): "long", ("long", ""): "long",
    ("medium", "wavy"): "waves", ("medium", "curly"): "curls", ("medium", "straight"): "bob",
    ("medium", ""): "bob", ("", "curly"): "curls", ("", "wavy"): "waves",
}  # fmt: skip


class Person:
    """Collects what is said; the first of two contradicting things is taken.

    Args:
        seed: of what is left open. origin: of who is not said to be from elsewhere.

    Attributes:
        conflicts: sentences about contradictions. unused: what cannot be shown.
    """

    def __init__(self, seed: int, origin: str = "") -> None:
        self.conflicts: list[str] = []
        self.unused: list[str] = []
        self._seed, self._usual_origin = seed, origin
        self._choose = Chooser(seed)
        self._said: dict[str, str] = {}
        self._features: set[str] = set()
        self._worn: dict[str, PieceSpec] = {}
        self._ornaments: dict[str, OrnamentSpec] = {}
        self._hair: dict[str, str] = {}

    def take(self, description: Description, ages: list[int]) -> None:
        """Take in a sentence: its things, traits and ages in years."""
        for age in ages:
            self._say("age", str(age))
        for trait in description.traits:
            self._trait(trait)
        pronouns = [t.value for t in description.traits if t.kind == "pronoun"]
        if pronouns:
            self._said.setdefault("gender", pronouns[0])
        for thing in description.things:
            self._thing(thing)

    def _say(self, what: str, value: str) -> None:
        known = self._said.setdefault(what, value)
        if known != value and not (what == "age" and abs(int(known) - int(value)) < 20):
            self.conflicts.append(f"{what}: {known} or {value}; {known} was taken")

    def _trait(self, trait: Concept) -> None:
        if trait.kind == "pronoun":
            return
        if trait.kind == "feature":
            self._features.add(trait.value)
        elif trait.kind == "person_length":
            self._say("height", "small" if trait.value == "short" else "tall")
        elif trait.kind == "person_colour":
            origins = {"black": "african", "white": "european"}
            if trait.value in origins:
                self._say("origin", origins[trait.value])
        elif trait.kind == "person_shade":
            self._say("tone", "#7a4b34" if trait.value == "dark" else "#e2bfaa")
        elif trait.kind in ("length", "form"):
            self._hair.setdefault(trait.kind, trait.value)
        else:
            self._say(trait.kind, trait.value)

    def _thing(self, thing: Thing) -> None:
        assert thing.head is not None
        kind, value = thing.head.kind, thing.head.value
        if kind == "garment" and not thing.absent:
            self._garment(value, thing)
        elif kind == "ornament" and not thing.absent:
            self._ornament(value, thing)
        elif kind == "style" or (kind == "part" and value in ("hair", "tips")):
            self._of_hair(value if kind == "style" else "", thing, value == "tips")
        elif kind == "part":
            self._of_face(value, thing)

    def _of_hair(self, style: str, thing: Thing, tips: bool) -> None:
        if style == "short":
            self._hair.setdefault("length", "short")
        elif style:
            self._say("hair style", style)
        for modifier in thing.modifiers:
            if modifier.kind in ("length", "form"):
                known = self._hair.setdefault(modifier.kind, modifier.value)
                if known != modifier.value:
                    self.conflicts.append(
                        f"hair {modifier.kind}: {known} or {modifier.value}; {known} was taken"
                    )
        colours = _colours(thing.dyed) or _colours(thing.modifiers)
        for name, shade in colours:
            if tips:
                self._hair["tip"] = palettes.hair(name, shade)
            else:
                self._say("hair colour", f"{shade} {name}".strip())
                self._hair.setdefault("colour", palettes.hair(name, shade))
                if thing.dyed:
                    self._hair["dyed"] = palettes.hair(name, shade)
                if name in ("grey", "silver"):
                    self._hair.setdefault("grey", "1")

    def _of_face(self, part: str, thing: Thing) -> None:
        tables = {"eyes": palettes.EYES, "lips": palettes.LIPS, "skin": palettes.SKIN}
        colours = _colours(thing.modifiers)
        shades = [m.value for m in thing.modifiers if m.kind == "shade"]
        if part == "skin" and not colours and shades:
            self._say("tone", "#7a4b34" if shades[0] == "dark" else "#e8c9b6")
        for name, shade in colours:
            if part in tables and name not in tables[part]:
                self.unused.append(f"{name} {part}")
                continue
            said = palettes.shaded(palettes.SKIN[name], shade) if part == "skin" else ""
            what = "tone" if part == "skin" else f"{part} colour"
            self._say(what, said or f"{shade} {name}".strip())

    def _garment(self, name: str, thing: Thing) -> None:
        parts = ("blazer", "trousers") if name == "suit" else (name,)
        garments = ["trousers" if part == "jeans" else part for part in parts]
        colours = _colours(thing.modifiers) or [(_DEFAULT_CLOTH[name], "")]
        patterns = [m.value for m in thing.modifiers if m.kind == "pattern"]
        fabrics = [m.value for m in thing.modifiers if m.kind == "fabric"]
        tones = [palettes.cloth(*colour) for colour in colours]
        second = tones[1] if len(tones) > 1 else ""
        if patterns and patterns[0] != "plain" and not second:
            second = mixed(tones[0], "#f2efe9" if _is_dark(tones[0]) else "#2f3f66", 0.8)
        for garment in garments:
            piece = PieceSpec(
                garment=garment,  # type: ignore[arg-type]
                colour=tones[0],
                second=second,
                pattern=patterns[0] if patterns else "plain",  # type: ignore[arg-type]
                fabric=fabrics[0] if fabrics else _FABRICS.get(name, "cotton"),  # type: ignore[arg-type]
            )
            self._wear(piece)

    def _wear(self, piece: PieceSpec) -> None:
        place = PLACES[piece.garment]
        known = self._worn.setdefault(place, piece)
        if known != piece:
            self.conflicts.append(
                f"{place} garment: {known.garment} or {piece.garment}; {known.garment} was taken"
            )

    def _ornament(self, name: str, thing: Thing) -> None:
        colours = _colours(thing.modifiers)
        tone = palettes.cloth(*colours[0]) if colours else _ORNAMENT_COLOURS[name]
        made = OrnamentSpec(kind=name, colour=tone)  # type: ignore[arg-type]
        self._ornaments.setdefault(made.place, made)

    def spec(self, sentence: str) -> AvatarSpec:
        """Return the identity; what was not said is chosen."""
        woman = self._said.get("gender", self._choose.one("gender", ("woman", "man"))) == "woman"
        if "beard" in self._features or "stubble" in self._features:
            woman = self._said.get("gender") == "woman"
        years = float(self._said.get("age", self._choose.one("age", ("27", "33", "41"))))
        origin = self._said.get("origin", self._usual_origin)
        skin = self._said.get("tone") or self._choose.one("skin", ORIGINS[origin][1])
        hair = self._hair_spec(woman, years, origin)
        if "dress" in [piece.garment for piece in self._worn.values()] and "lower" in self._worn:
            lower = self._worn.pop("lower").garment
            self.conflicts.append(f"lower garment: dress or {lower}; dress was taken")
        return AvatarSpec(
            body=self._body_spec(woman, years, origin),
            skin=self._skin_spec(skin, years, woman),
            eyes=self._eyes_spec(origin),
            brows=self._brows_spec(hair, woman),
            lips=self._lips_spec(skin, woman),
            hair=hair,
            outfit=self._choose.dressed(self._worn, woman),
            ornaments=tuple(self._ornaments.values()),
            provenance=ProvenanceSpec(source="sentence", digest=sentence),
            seed=self._seed,
        )

    def _body_spec(self, woman: bool, years: float, origin: str) -> BodySpec:
        build = self._said.get("build", "")
        weight, muscle = _BUILDS.get(build, (0.28 if woman else 0.36, 0.40 if woman else 0.52))
        african, asian, caucasian = ORIGINS[origin][0]
        smile = _SMILE[self._said.get("mood", "calm")]
        face = {"mouthSmileLeft": smile, "mouthSmileRight": smile} if smile else {}
        if smile > 0.3:
            face |= {"cheekSquintLeft": 0.14, "cheekSquintRight": 0.14, "mouthClose": 0.15}
        if self._said.get("mood") == "serious":
            face |= {"browDownLeft": 0.2, "browDownRight": 0.2}
        return BodySpec(
            gender=1.0 if woman else 0.0,
            age=round(float(np.interp(years, *_AGES)), 3),
            weight=weight,
            muscle=muscle,
            height=_HEIGHTS.get(self._said.get("height", ""), 0.5),
            african=african,
            asian=asian,
            caucasian=caucasian,
            changes=tuple(self._changes().items()),
            face=tuple(face.items()),
        )

    def _changes(self) -> dict[str, float]:
        changes = self._choose.face()
        said = {
            "big_eyes": {"eye-scale-incr": 0.8},
            "full_lips": {"mouth-lowerlip-volume-incr": 0.6, "mouth-upperlip-volume-incr": 0.6},
            "round_face": {"head-fat-incr": 0.6, "cheek-volume-incr": 0.4, "chin-width-incr": 0.4},
        }
        for feature in sorted(self._features & said.keys()):
            changes |= said[feature]
        return changes

    def _skin_spec(self, skin: str, years: float, woman: bool) -> SkinSpec:
        stubble = 0.85 if "beard" in self._features else 0.5 if "stubble" in self._features else 0.0
        made_up = 0.9 if "makeup" in self._features else 0.5 if woman else 0.0
        lines = max((years - 35.0) / 45.0, 0.5 if "lines" in self._features else 0.0)
        nails = self._said.get("nails colour", "")
        return SkinSpec(
            colour=skin,
            freckles=0.8 if "freckles" in self._features else 0.0,
            lines=round(min(max(lines, 0.0), 1.0), 3),
            stubble=stubble,
            makeup=made_up,
            blush=0.85 if "blush" in self._features else 0.5 if woman else 0.3,
            nails=_named(nails, palettes.CLOTH) if nails else mixed(skin, "#f0a8a4", 0.5),
        )

    def _eyes_spec(self, origin: str) -> EyesSpec:
        shade, _, name = self._said.get("eyes colour", "").rpartition(" ")
        outer, inner = palettes.EYES[name or self._choose.eyes(origin)]
        return EyesSpec(outer=palettes.shaded(outer, shade), inner=palettes.shaded(inner, shade))

    def _brows_spec(self, hair: HairSpec, woman: bool) -> BrowsSpec:
        natural = self._hair.get("natural", hair.colour)
        said = self._said.get("brows colour", "")
        colour = _named(said, palettes.HAIR) if said else mixed(natural, "#2a211c", 0.45)
        thick = 1.5 if "thick_brows" in self._features else 1.0 if woman else 1.3
        return BrowsSpec(colour=colour, thickness=thick, arch=1.0 if woman else 0.5)

    def _lips_spec(self, skin: str, woman: bool) -> LipsSpec:
        said = self._said.get("lips colour", "")
        natural = mixed(skin, "#b0504f", 0.55 if woman else 0.3)
        return LipsSpec(
            colour=_named(said, palettes.LIPS) if said else natural, gloss=0.45 if woman else 0.2
        )

    def _hair_spec(self, woman: bool, years: float, origin: str) -> HairSpec:
        natural = palettes.hair(self._choose.one("hair", ORIGINS[origin][2]))
        self._hair.setdefault("natural", self._hair.get("colour", natural))
        colour = self._hair.get("dyed") or self._hair.get("colour") or natural
        grey = 0.0
        if "colour" not in self._hair:
            grey = round(float(np.clip((years - 46.0) / 32.0, 0.0, 0.95)), 3)
        return HairSpec(
            style=self._style(woman),
            colour=colour,
            tip=self._hair.get("tip", ""),
            grey=grey,
        )

    def _style(self, woman: bool) -> HairStyle:
        length, form = self._hair.get("length", ""), self._hair.get("form", "")
        said = self._said.get("hair style", "")
        if not said and length == "short" and form in ("", "straight"):
            short: tuple[HairStyle, ...] = ("bob", "pixie") if woman else ("side_part", "crop")
            return self._choose.one("short", short)
        if not said and not length and form == "straight":
            return "long" if woman else "side_part"
        if said == "long" and form in ("wavy", "curly"):
            said = "waves"
        found = said or _STYLED.get((length, form), "")
        return found or self._choose.style(woman)  # type: ignore[return-value]


def _colours(modifiers: list[Concept]) -> list[tuple[str, str]]:
    """Return (colour, shade) pairs: a shade belongs to the colour after it."""
    found, shade = [], ""
    for modifier in modifiers:
        if modifier.kind == "shade":
            shade = modifier.value
        elif modifier.kind == "colour":
            found.append((modifier.value, shade))
            shade = ""
    return found


def _named(said: str, table: Mapping[str, str]) -> str:
    shade, _, name = said.rpartition(" ")
    return palettes.shaded(table.get(name) or palettes.CLOTH[name], shade)


def _is_dark(colour: str) -> bool:
    return 255.0 * sum(display(colour)) < 330
