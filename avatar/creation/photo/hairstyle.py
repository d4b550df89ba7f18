"""Chooses among the hair styles by where hair is seen about a face."""

from dataclasses import dataclass

import numpy as np

from avatar.creation.photo.person import Mask, Portrait
from avatar.spec.identity import HairStyle


@dataclass(frozen=True, slots=True)
class HairOutline:
    """Where hair reaches, in heights of the face.

    Attributes:
        reach: of the lower side, below the eyes; 0.62 or so is the chin.
        above: over the top of the face's outline. beside: out from the cheekbones, mean of both.
        ragged: how much the width changes from row to row.
    """

    reach: float
    above: float
    beside: float
    ragged: float


def outline(portrait: Portrait, hair: Mask) -> HairOutline:
    """Measure the hair of a portrait."""
    left, right = portrait.points[234], portrait.points[454]
    eyes = float(portrait.points[[33, 263], 1].mean())
    columns = np.arange(hair.shape[1])
    rows = np.arange(hair.shape[0])
    margin = 0.03 * portrait.height
    reaches = []
    for side in (columns < left[0] + margin, columns > right[0] - margin):
        filled = (hair & side).sum(1) > 0.03 * portrait.height
        reaches.append(float(rows[filled].max() - eyes) if filled.any() else 0.0)
    top = float(rows[hair.any(1)].min()) if hair.any() else float(portrait.points[10, 1])
    level = slice(int(eyes - 0.15 * portrait.height), int(eyes + 0.15 * portrait.height))
    band = hair[level]
    width = float(band.sum(1).mean()) / 2.0 if band.size else 0.0
    edge = np.array([np.flatnonzero(row)[0] for row in hair[: level.stop] if row.any()], float)
    ragged = float(np.abs(np.diff(edge, 2)).mean()) if len(edge) > 8 else 0.0
    scale = portrait.height
    return HairOutline(
        max(reaches) / scale,
        (float(portrait.points[10, 1]) - top) / scale,
        width / scale,
        ragged / scale,
    )


def choose_style(seen: HairOutline, share: float) -> HairStyle:
    """Return the style whose outline is likest.

    Args:
        share: how much of the usual place of hair above the forehead shows hair, 0 to 1.
    """
    if share < 0.25 or seen.above < 0.06:
        return "crop"
    if seen.reach > 0.85:
        return "waves" if seen.beside > 0.30 or seen.ragged > 0.012 else "long"
    if seen.reach > 0.38:
        return "bob"
    if seen.beside > 0.24 and seen.above > 0.34:
        return "curls"
    if seen.beside > 0.10:
        return "pixie"
    return "side_part" if seen.above > 0.18 else "crop"
