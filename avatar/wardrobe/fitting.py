"""`Fitting`: one person measured for clothes, and what every garment maker gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.face_parts import skin_normals
from avatar.body.landmarks import Landmarks
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.surface import Surface
from avatar.spec.identity import AvatarSpec, PieceSpec
from avatar.wardrobe.mannequin import Mannequin
from avatar.wardrobe.neck import Neck
from avatar.wardrobe.seams import Ground
from avatar.wardrobe.torso import Torso

Floats = NDArray[np.floating[Any]]
Rule = Callable[[Floats], Floats]

# How far each layer of clothes stands off the form, metres: a later one lies over the others.
# A top that is tucked in lies under the lower layer.
LAYERS: Final = {
    "tucked": 0.0012, "lower": 0.0030, "upper": 0.0060, "outer": 0.0110, "over": 0.0170,
}  # fmt: skip
# How far over `Fitting.waist_seam` waistbands end, metres.
WAISTBAND: Final = 0.018
# How far under it what is tucked in ends, metres: farther down it would only come through.
_TAIL: Final = 0.010
# What lies deeper under cloth than this, measured along it, is not drawn: metres.
MARGIN: Final = 0.022


@dataclass(frozen=True, slots=True)
class GarmentResult:
    """A garment: its surfaces, and which body vertices [v] it covers for good."""

    surfaces: list[Surface]
    covered: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fitting:
    """One person measured for clothes.

    Attributes:
        form: what clothes are cut from, the whole body, edges of about 12 mm.
        fine: the same above the hips, edges of about 6 mm at sleeves, shoulders and neckline.
        waist_seam: height where a bodice ends and a skirt begins, and where trousers' and skirts'
            waistbands lie, metres.
        hem: height where a shirt worn outside ends.
        neck: where necklines and collars lie.
        torso: how cloth hangs from the torso.
        skin: the bare body, to keep collars clear of.
        seed: of folds.
    """

    body: Body
    marks: Landmarks
    form: Mannequin
    fine: Mannequin
    waist_seam: float
    hem: float
    neck: Neck
    torso: Torso
    skin: Ground
    seed: int

    @classmethod
    def of(cls, body: Body, marks: Landmarks, seed: int) -> "Fitting":
        """Measure `body`."""
        form = Mannequin.of(body)
        hip = float(marks.hip[2])
        return cls(
            body,
            marks,
            form,
            form.finer(body, hip - 0.16),
            waist_seam=0.35 * hip + 0.65 * float(marks.waist[2]) + 0.035,
            hem=hip - 0.020,
            neck=Neck.of(body),
            torso=Torso.of(body, form),
            skin=Ground(body.vertices[:SKIN_VERTICES], skin_normals(body)[:SKIN_VERTICES]),
            seed=seed,
        )

    def covered(self, rules: Sequence[Rule], margin: float = MARGIN) -> NDArray[np.bool_]:
        """Return the body vertices [v] that lie `margin` metres inside all `rules`."""
        inside = self.body.weight_of("head", "jaw") < 0.3
        for rule in rules:
            inside &= rule(self.body.vertices) > margin
        return inside

    def nothing(self) -> GarmentResult:
        """Return a garment that is not there."""
        return GarmentResult([], np.zeros(len(self.body.vertices), bool))


@dataclass(frozen=True, slots=True)
class Worn:
    """The whole outfit, for a maker that has to know what lies over and under its garment.

    Attributes:
        beneath: surfaces made so far that the garment lies over.
    """

    who: AvatarSpec
    beneath: tuple[Surface, ...] = ()

    def piece(self, garment: str) -> PieceSpec | None:
        """Return the worn piece of that garment or place, None when there is none."""
        return self.who.piece(garment)

    @property
    def tucked(self) -> bool:
        """Whether the upper garment is worn inside the waistband of the lower one."""
        upper, lower = self.piece("upper"), self.piece("lower")
        if upper is None or lower is None or upper.garment in ("sweater", "hoodie", "qipao_top"):
            return False
        dressed_up = lower.garment == "skirt" or self.piece("outer") is not None
        return dressed_up or upper.garment in ("blouse", "top")

    def hem(self, fit: Fitting) -> float:
        """Return the height where the upper garment ends; tucked in, behind the waistband."""
        return fit.waist_seam - _TAIL if self.tucked else fit.hem


Maker = Callable[[Fitting, PieceSpec, Worn], GarmentResult]


def above(height: float) -> Rule:
    """Everything higher than `height`."""
    return lambda points: points[:, 2] - height


def below(height: float) -> Rule:
    """Everything lower than `height`."""
    return lambda points: height - points[:, 2]
