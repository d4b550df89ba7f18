"""`Chart`: the cloth around the neck seen as one sheet, on which collars are drafted flat."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator

from avatar.body.mesh import unit
from avatar.wardrobe.fitting import Fitting
from avatar.wardrobe.neck import ABOVE, flat
from avatar.wardrobe.tailor import Cloth

Floats = NDArray[np.floating[Any]]

# How far over a neckline closed at the throat the sheet goes on, metres.
_UP_NECK: Final = 0.010


@dataclass(frozen=True, slots=True)
class Chart:
    """Uncut cloth over chest and shoulders, by where its base shows from above.

    Attributes:
        sheet: inside the sheet, from [n, 2] to position, normal and skinning weights [n, 110].
        beyond: the same outside it, by the nearest point.
        middle: where the neck's axis enters, [2].
        cloth: the whole of it.
    """

    sheet: LinearNDInterpolator
    beyond: NearestNDInterpolator
    middle: Floats
    cloth: Cloth

    @classmethod
    def of(cls, fit: Fitting, cloth: Cloth) -> "Chart":
        """Chart the uncut `cloth` of a garment."""
        used = (cloth.base[:, 2] > fit.torso.armpit - 0.12) & (fit.form.arm(cloth.base) < 0.02)
        used &= (cloth.normals @ ABOVE > 0.05) & (cloth.base[:, 2] < fit.neck.base[2] + 0.10)
        behind = cloth.base[:, 1] > fit.neck.base[1]
        used &= ~behind | (cloth.base[:, 2] > fit.neck.base[2] - 0.12)
        # Up the neck cloth comes to lie over itself, seen from above.
        used &= fit.neck.closed(cloth.base, -0.006, 0.010, 0.020) > -_UP_NECK
        values = np.concatenate([cloth.positions, cloth.normals, cloth.weights], 1)[used]
        places = flat(cloth.base[used])
        return cls(
            LinearNDInterpolator(places, values),
            NearestNDInterpolator(places, values),
            flat(fit.neck.base[None])[0],
            cloth,
        )

    def at(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """Return positions [n, 3], normals [n, 3] and weights [n, 104] at places [n, 2]."""
        values = self.sheet(places)
        lost = np.isnan(values[:, 0])
        if lost.any():
            values[lost] = self.beyond(places[lost])
        return values[:, :3], unit(values[:, 3:6]), values[:, 6:]

    def outwards(self, line: Floats) -> Floats:
        """Return the unit directions [n, 2] square to a line of places, away from the neck."""
        along = unit(np.gradient(line, axis=0))
        across = np.stack([along[:, 1], -along[:, 0]], 1)
        away = ((line - self.middle) * across).sum(1, keepdims=True)
        return np.asarray(across * np.where(away.sum() < 0.0, -1.0, 1.0))
