"""How much of a known avatar is recovered from its picture, taken for a photo."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from avatar.creation.photo.contours import EYES, LIPS, NOSE, OVAL
from avatar.creation.photo.fit import ANYONE
from avatar.creation.photo.identity import PhotoIdentity
from avatar.creation.photo.shape import ACTIONS, CHANGES, HeadShape
from avatar.editing.measure import colour_lab
from avatar.spec import AvatarSpec
from avatar.spec.identity import BodySpec

Floats = NDArray[np.floating[Any]]

_MEASURED: Final = sorted({*OVAL, *EYES[0], *EYES[1], *LIPS, *NOSE})


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a picture of a known avatar gave, beside the truth.

    Attributes:
        shape_mm: mean distance of the landmarks of both heads at rest, brought over each other.
        average_mm: the same of the average head.
        before, after: error of the landmarks in the picture, percent of the distance between the
            pupils, of the average head in the best pose and of the fitted one.
        sliders: true and found values of `CHANGES`.
        skin, hair, eyes, lips, cloth: distances of the colours, CIELAB (Delta E 1976); `cloth` is
            None where none was seen.
        style, found_style: of the hair.
        seconds: that it took.
    """

    name: str
    shape_mm: float
    average_mm: float
    before: float
    after: float
    sliders: tuple[tuple[float, float], ...]
    skin: float
    hair: float
    eyes: float
    lips: float
    cloth: float | None
    style: str
    found_style: str
    seconds: float


def compare(true: AvatarSpec, made: PhotoIdentity, shape: HeadShape, seconds: float) -> Recovery:
    """Compare what a picture gave with the avatar it shows."""
    head, found = (resting_landmarks(shape, spec.body) for spec in (true, made.spec))
    values = [dict(spec.body.changes) for spec in (true, made.spec)]
    worn = true.piece("outer") or true.piece("upper")
    cloth = made.colours.cloth and worn and apart(worn.colour, made.colours.cloth)
    return Recovery(
        name=true.name,
        shape_mm=round(gap(found, head), 2),
        average_mm=round(gap(resting_landmarks(shape, ANYONE), head), 2),
        before=round(made.fit.error_before, 2),
        after=round(made.fit.error_after, 2),
        sliders=tuple((values[0].get(n, 0.0), values[1].get(n, 0.0)) for n in CHANGES),
        skin=apart(true.skin.colour, made.spec.skin.colour),
        hair=apart(true.hair.colour, made.spec.hair.colour),
        eyes=apart(true.eyes.inner, made.spec.eyes.inner),
        lips=apart(true.lips.colour, made.spec.lips.colour),
        cloth=cloth or None,
        style=true.hair.style,
        found_style=made.spec.hair.style,
        seconds=round(seconds, 2),
    )


def summary(rows: Sequence[Recovery]) -> dict[str, Any]:
    """Return means over avatars, `beats_average` the share whose shape is nearer than the average
    head's, `slider_correlation` and `slider_error` over all sliders, and the rows themselves.
    """
    sliders = np.array([pair for row in rows for pair in row.sliders])
    out: dict[str, Any] = {
        "count": len(rows),
        "beats_average": float(np.mean([row.shape_mm < row.average_mm for row in rows])),
        "styles": float(np.mean([row.style == row.found_style for row in rows])),
        "slider_correlation": _correlation(sliders),
        "slider_error": float(np.abs(sliders[:, 0] - sliders[:, 1]).mean()),
    }
    for name in ("shape_mm", "average_mm", "before", "after", "skin", "hair", "eyes", "lips",
                 "cloth", "seconds"):  # fmt: skip
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        out[name] = float(np.mean(values)) if values else None
    rounded = {k: round(v, 3) if isinstance(v, float) else v for k, v in out.items()}
    return rounded | {"rows": [_without_sliders(row) for row in rows]}


def resting_landmarks(shape: HeadShape, body: BodySpec) -> Floats:
    """Return the landmarks [n, 3] that are measured, metres, of a head that does nothing."""
    changes = dict(body.changes)
    with torch.no_grad():
        points = shape.landmarks(
            shape.values(body.phenotypes),
            torch.tensor([changes.get(name, 0.0) for name in CHANGES]),
            torch.zeros(len(ACTIONS)),
        )
    return np.asarray(points.numpy()[_MEASURED])


def gap(points: Floats, wanted: Floats) -> float:
    """Return the mean distance in millimetres after the best turn, shift and size (Umeyama 1991).

    Size is left out, for a photo does not show it.
    """
    mine, theirs = points - points.mean(0), wanted - wanted.mean(0)
    u, strength, v = np.linalg.svd(mine.T @ theirs)
    flip = np.array([1.0, 1.0, np.sign(np.linalg.det(u @ v))])
    size = float((strength * flip).sum() / (mine**2).sum())
    turned = size * mine @ (u * flip) @ v
    return 1000.0 * float(np.mean(np.linalg.norm(turned - theirs, axis=1)))


def apart(first: str, second: str) -> float:
    """Return the distance of two colours "#rrggbb", Delta E 1976."""
    return round(float(np.linalg.norm(colour_lab(first) - colour_lab(second))), 2)


def _correlation(pairs: Floats) -> float | None:
    if not np.asarray(pairs.std(0)).all():
        return None
    return float(np.asarray(np.corrcoef(pairs.T))[0, 1])


def _without_sliders(row: Recovery) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "sliders"}
