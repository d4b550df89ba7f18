"""Folds: where cloth creases, as a height over the form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.noise import smoothstep
from avatar.wardrobe.mannequin import Mannequin

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Folds:
    """How deep a garment's folds are, metres.

    Attributes:
        sleeve: of the creases at elbow, armpit and wrist.
        drape: of the soft folds that fall from chest to hem.
        waist: of the creases across the waist, where cloth is held in.
    """

    sleeve: float = 0.0028
    drape: float = 0.0030
    waist: float = 0.0

    def over(self, form: Mannequin, seed: int, hem: float, waist: float) -> Floats:
        """Return the height [n] of the folds over the form, metres."""
        rng = np.random.default_rng(seed)
        points = form.cloth.base
        total = np.zeros(len(points))
        for side in (-1.0, 1.0):
            mine = points * [side, 1.0, 1.0]
            near = mine[:, 0] > 0.0
            total[near] = self._sleeve(form, mine[near], rng)
        total += self._falling(form, points, rng, hem, waist)
        return np.asarray(total, np.float32)

    def _sleeve(self, form: Mannequin, points: Floats, rng: np.random.Generator) -> Floats:
        upper, fore = form.elbow - form.shoulder, form.wrist - form.elbow
        pit = form.shoulder + np.array([-0.02, -0.03, -0.07])
        total = np.zeros(len(points))
        for centre, way, lean, reach, length, height in (
            (form.elbow + 0.06 * fore, fore, 0.7, 0.052, 0.040, 1.0),
            (form.elbow - 0.28 * upper, upper, -1.1, 0.055, 0.058, 0.8),
            (pit, upper + np.array([0.0, -0.1, 0.12]), 0.5, 0.075, 0.050, 0.8),
            (form.shoulder + 0.40 * upper, upper, 1.6, 0.070, 0.080, 0.6),
            (form.elbow + 0.45 * fore, fore, 1.4, 0.055, 0.062, 0.7),
            (form.elbow + 0.82 * fore, fore, -0.9, 0.040, 0.038, 0.7),
        ):
            along = (points - centre) @ (way / np.linalg.norm(way))
            away = np.linalg.norm(points - centre, axis=1)
            across = np.cross(way / np.linalg.norm(way), [0.0, 1.0, 0.0])
            turn = lean * ((points - centre) @ across) + 0.4 * lean * (points - centre)[:, 1]
            bend = 1.6 * np.sin(31.0 * points[:, 1] + 6.3 * rng.random())
            bend = bend + 1.3 * np.sin(
                47.0 * points[:, 0] + 23.0 * points[:, 2] + 6.3 * rng.random()
            )
            phase = 2.0 * np.pi * (along + turn) / length + bend + 6.3 * rng.random()
            total += height * np.exp(-((away / reach) ** 2)) * _ridge(phase)
        return self.sleeve * total

    def _falling(
        self, form: Mannequin, points: Floats, rng: np.random.Generator, hem: float, waist: float
    ) -> Floats:
        top = form.shoulder[2] - 0.13
        torso = smoothstep(0.01, -0.03, form.arm(points))
        depth = smoothstep(top, hem, points[:, 2]) * torso
        angle = np.arctan2(points[:, 0], -points[:, 1])
        total = np.zeros(len(points))
        for count in (5.0, 8.0, 13.0):
            sway = 2.2 * np.sin(7.0 * points[:, 2] + 6.3 * rng.random())
            total += _ridge(count * angle + sway + 6.3 * rng.random()) / count**0.5
        out = self.drape * 0.9 * depth * total
        side = smoothstep(0.45, 1.1, np.abs(angle)) * torso
        for offset, length in ((0.03, 0.030), (-0.03, 0.036)):
            near = np.exp(-(((points[:, 2] - waist - offset) / 0.045) ** 2))
            tilt = 0.35 * points[:, 1] + 0.01 * np.sin(6.0 * angle + 6.3 * rng.random())
            phase = 2.0 * np.pi * (points[:, 2] + tilt) / length
            out = out + self.waist * 0.6 * side * near * _ridge(phase)
        return np.asarray(out)


def _ridge(phase: Floats) -> Floats:
    """Return rounded ridges between wider valleys, mean about zero, -0.5 to 1."""
    rise = 0.5 + 0.5 * np.cos(phase)
    return np.asarray(1.5 * rise * rise - 0.5)
