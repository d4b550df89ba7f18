"""Blazers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.noise import smoothstep
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.buttons import button
from avatar.wardrobe.fitting import LAYERS, Fitting, GarmentResult, Worn, above
from avatar.wardrobe.mannequin import Mannequin
from avatar.wardrobe.sewing import sewn, trimmed
from avatar.wardrobe.tailor import offset
from avatar.wardrobe.shell import long_sleeve

Floats = NDArray[np.floating[Any]]


class Pattern:
    """The rules of the outfit: each maps points [n, 3] to metres, positive where cloth stays."""

    def __init__(self, form: Mannequin, marks: Landmarks) -> None:
        self._form = form
        self._marks = marks
        self.button = float(marks.waist[2]) + 0.060
        self.collar = float(marks.neck[2]) + 0.012

    def opening(self, points: Floats) -> Floats:
        """Front of the jacket: open above the button and, rounded, below it."""
        x, y, z = points.T
        return np.where(y < self._marks.neck[1] + 0.01, np.abs(x) - self.half_opening(z), 1.0)

    def half_opening(self, z: Floats) -> Floats:
        """Half the width of the opening at height `z`."""
        above = np.clip((z - self.button) / (self.collar + 0.014 - self.button), 0.0, 1.2)
        below = np.clip(self.button - 0.11 - z, 0.0, 0.3)
        return np.asarray(np.where(z > self.button, 0.066 * above**0.80, 1.4 * below**2) - 0.002)

    def neck(self, points: Floats) -> Floats:
        """Edge of the jacket around the neck."""
        x, y, z = points.T
        lower = 0.012 * np.clip((self._marks.neck[1] - y) / 0.05, 0.0, 1.0)
        return np.where(np.abs(x) < 0.14, self.collar - lower - z, 1.0)

    def lapel(self, points: Floats) -> Floats:
        """Outer edge of lapel and collar, with a notch between them."""
        x, y, z = points.T
        t = np.clip((z - self.button) / (self.collar - 0.016 - self.button), -0.2, 1.3)
        width = np.interp(
            t,
            [-0.05, 0.0, 0.30, 0.64, 0.68, 0.73, 0.80, 1.05],
            [0.0, 0.003, 0.034, 0.060, 0.061, 0.030, 0.036, 0.024],
        )
        front = self.half_opening(z) + width - np.abs(x)
        behind = smoothstep(-0.02, 0.02, y - self._marks.neck[1])
        back = np.minimum(z - self.collar + 0.036, 0.088 - np.abs(x))
        return np.asarray(front * (1.0 - behind) + back * behind)

    def placket(self, points: Floats) -> Floats:
        """The strip of the right front that lies over the left one."""
        x, y, z = points.T
        strip = np.minimum(0.024 - x, x + 0.004)
        front = np.minimum(strip, self.button + 0.004 - z)
        return np.where(y < self._marks.neck[1], front, -1.0)

    def pockets(self, points: Floats) -> Floats:
        """Two pocket flaps, a little aslant."""
        x, y, z = points.T
        height = z - float(self._marks.hip[2]) - 0.085 + 0.12 * (np.abs(x) - 0.10)
        flap = np.minimum(0.0065 - np.abs(height), 0.050 - np.abs(np.abs(x) - 0.105))
        return np.where(y < self._marks.neck[1], flap, -1.0)


def blazer(fit: Fitting, piece: PieceSpec, _worn: Worn) -> GarmentResult:
    """Make a blazer with one button."""
    cut = Pattern(fit.form, fit.marks)
    form = fit.fine
    hem = above(float(fit.marks.hip[2]) - 0.030)
    folds = 0.0
    jacket = offset(form.cloth, LAYERS["outer"] + 0.0020 * folds)
    raised = offset(form.cloth, LAYERS["outer"] + 0.0030 + 0.0020 * folds)
    lapels = offset(form.cloth, LAYERS["outer"] + 0.0060 + 0.0008 * folds)
    rules = (cut.opening, cut.neck, long_sleeve(fit, 0.93), hem)
    lapel_rules = (cut.opening, cut.lapel, cut.neck, above(cut.button))
    surfaces = [
        sewn("lapels", trimmed(lapels, lapel_rules, 0.0055), piece, tint=1.2),
        sewn("jacket", trimmed(jacket, rules, 0.0060), piece),
        sewn("front", trimmed(raised, (cut.opening, cut.placket, hem), 0.0024), piece, edge=0.85),
        sewn("pockets", trimmed(raised, (cut.pockets,), 0.0024), piece, tint=0.72, edge=0.85),
    ]
    surfaces.append(button(surfaces[2], 0.010, cut.button - 0.012))
    return GarmentResult(surfaces, fit.covered(rules))
