"""Who the ready avatars are, in numbers."""

from dataclasses import dataclass, field
from typing import Final

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Brow:
    """A painted brow. Lengths in metres, from the eye's centre."""

    strokes: int = 440
    height: float = 0.0166
    arch: float = 0.0052
    drop: float = 0.0060
    width: float = 0.0030
    length: float = 0.0062
    colour: Colour = (0.060, 0.036, 0.025)


@dataclass(frozen=True, slots=True)
class Identity:
    """One person. Colours are linear RGB reflectances.

    Attributes:
        phenotypes, local_changes, resting_face: see `avatar.body.source.load_body`.
        seed: of everything random in skin, hair and cloth.
    """

    phenotypes: dict[str, float]
    local_changes: dict[str, float]
    resting_face: dict[str, float]
    skin: Colour
    lips: Colour
    hair: Colour
    hair_tip: Colour
    iris: tuple[Colour, Colour]
    nails: Colour
    jacket: Colour
    top: Colour
    trousers: Colour
    brow: Brow = field(default_factory=Brow)
    seed: int = 1


MIA: Final = Identity(
    phenotypes={
        "gender": 1.0,
        "age": 0.66,
        "muscle": 0.38,
        "weight": 0.24,
        "height": 0.5,
        "proportions": 0.9,
        "cupsize": 0.36,
        "firmness": 0.65,
        "african": 0.0,
        "asian": 0.5,
        "caucasian": 0.5,
    },
    local_changes={
        "eye-scale-incr": 0.6,
        "eye-height2-incr": 0.25,
        "nose-scale-horiz-incr": -0.4,
        "nose-volume-incr": -0.35,
        "nose-scale-vert-incr": -0.15,
        "mouth-lowerlip-volume-incr": 0.1,
        "mouth-upperlip-volume-incr": 0.0,
        "mouth-angles-up": 0.6,
        "chin-width-incr": -0.65,
        "chin-bones-incr": -0.3,
        "chin-height-incr": -0.15,
        "head-scale-horiz-incr": -0.2,
        "head-scale-vert-incr": -0.1,
        "cheek-bones-incr": 0.2,
        "head-fat-incr": -0.25,
        "forehead-scale-vert-incr": -0.2,
        "neck-scale-horiz-incr": -0.5,
        "neck-scale-depth-incr": -0.3,
        "measure-shoulder-dist-incr": -0.7,
        "torso-scale-horiz-incr": -0.25,
        "upperarm-fat-incr": -0.5,
        "upperarm-shoulder-muscle-incr": -0.7,
        "upperarm-scale-horiz-incr": -0.6,
        "upperarm-scale-depth-incr": -0.6,
        "lowerarm-scale-horiz-incr": -0.45,
        "lowerarm-scale-depth-incr": -0.45,
        "ear-scale-incr": -0.3,
        "ear-wing-incr": -0.5,
    },
    resting_face={
        "mouthSmileLeft": 0.33,
        "mouthSmileRight": 0.33,
        "mouthClose": 0.15,
        "cheekSquintLeft": 0.14,
        "cheekSquintRight": 0.14,
    },
    skin=(0.66, 0.42, 0.315),
    lips=(0.50, 0.165, 0.15),
    hair=(0.040, 0.020, 0.0115),
    hair_tip=(0.075, 0.038, 0.021),
    iris=((0.07, 0.032, 0.014), (0.22, 0.105, 0.04)),
    nails=(0.80, 0.45, 0.42),
    jacket=(0.055, 0.065, 0.095),
    top=(0.72, 0.70, 0.665),
    trousers=(0.028, 0.032, 0.046),
)
IDENTITIES: Final = {"mia": MIA}
