"""Trousers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.surface import Surface
from avatar.spec.colour import linear, mixed
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn, above, below
from avatar.wardrobe.leg import DRAWN_COLUMNS, FRONT, OUTER, Cut, Leg, clipped
from avatar.wardrobe.ornaments_solids import turned
from avatar.wardrobe.sewing import sewn
from avatar.wardrobe.sheet import Sheet, joined_cloth, mirrored_cloth, mirrored_joints
from avatar.wardrobe.tailor import Cloth, select

Floats = NDArray[np.floating[Any]]

_BAND: Final = 0.036  # height of the waistband, metres
# How far back cloth must face to be left out: no camera comes round behind.
_BEHIND: Final = 0.60

_CUTS: Final = {
    "denim": Cut(0.006, 0.70, 0.054, 0.0),
    "cotton": Cut(0.008, 0.75, 0.056, 0.0),
    "knit": Cut(0.010, 0.55, 0.050, 0.0),
    "leather": Cut(0.005, 0.40, 0.052, 0.0),
}
_TAILORED: Final = Cut(0.008, 0.85, 0.056, 0.0055)


def trousers(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make trousers: waistband with loops and button, fly, pockets, seams; a crease or denim."""
    shoes = [surface.positions for surface in worn.beneath if surface.name in ("shoes", "sneakers")]
    feet = np.concatenate([np.zeros((0, 3)), *shoes])
    leg = Leg(fit, _CUTS.get(piece.fabric, _TAILORED), feet, over=worn.tucked)
    row = leg.row(fit.waist_seam - _BAND / 2.0)
    # Under a top that hangs over them trousers end a little above its hem: coarser levels of
    # detail bring layers nearer to one another than they are.
    start = row - 0.2 if worn.tucked else leg.row(fit.hem + 0.024)
    rows = np.array([start, *range(int(start) + 1, len(leg.levels))])
    main = _flattened(leg.sheet.patch(rows, np.arange(DRAWN_COLUMNS + 1.0)).cloth(0.0022))
    halves = joined_cloth([_in_front(main), _lining(leg)])
    surfaces = [sewn("trousers", _both(halves), piece)]
    # Under a top that hangs over it the waistband is left out, and all that is sewn on up there.
    shown = leg.row(fit.hem + 0.012) if not worn.tucked else row
    surfaces += _sewn_on(leg, piece, row, shown)
    if worn.tucked:
        surfaces += _waistband(leg, piece, row)
    ankle = float(fit.body.joint("foot.L")[2])
    rules = (below(fit.waist_seam + 0.02), above(ankle - 0.05), lambda p: -fit.form.arm(p))
    return GarmentResult(surfaces, fit.covered(rules))


def _flattened(cloth: Cloth) -> Cloth:
    """Make normals level with the front where the halves meet; drop the wall between them."""
    middle = np.abs(cloth.positions[:, 0]) < 1e-4
    cloth.normals[middle, 0] = 0.0
    length = np.linalg.norm(cloth.normals, axis=1, keepdims=True)
    level = np.where(length > 1e-3, cloth.normals / np.maximum(length, 1e-3), [0.0, -1.0, 0.0])
    cloth.normals[:] = np.where(middle[:, None], level, cloth.normals)
    return select(cloth, ~np.asarray(middle[cloth.triangles].all(1)))


def _in_front(cloth: Cloth) -> Cloth:
    """Leave out the backs of the legs, but what shows at the sides as a figure turns."""
    behind = cloth.normals[cloth.triangles][..., 1].min(1) > _BEHIND
    return select(cloth, ~np.asarray(behind & (cloth.edge[cloth.triangles].max(1) < 0.5)))


def _lining(leg: Leg) -> Cloth:
    """Return the inside of the hem's back, which is seen under its raised front."""
    last = len(leg.levels) - 1.0
    columns = np.arange(OUTER - 2.0, DRAWN_COLUMNS + 1.0, 2.0)
    cloth = leg.sheet.patch(np.array([last - 4.0, last]), columns).lifted(-0.001).cloth()
    dark = np.ones_like(cloth.edge)
    turned_in = np.ascontiguousarray(cloth.triangles[:, ::-1])
    return replace(cloth, normals=-cloth.normals, edge=dark, triangles=turned_in)


def _both(cloth: Cloth) -> Cloth:
    return joined_cloth([cloth, mirrored_cloth(cloth, mirrored_joints())])


def _sewn_on(leg: Leg, piece: PieceSpec, row: float, shown: float) -> list[Surface]:
    """Return fly, pockets and seams, from the waistband's `row` down, where they are `shown`."""
    denim = piece.fabric == "denim"
    sheet, last = leg.sheet, len(leg.levels) - 1.0
    meet = _meeting(sheet, row)
    top = float(np.interp(row, np.arange(len(leg.levels)), leg.levels))

    def under(*places: tuple[float, float]) -> list[tuple[float, float]]:
        """Return (metres under the waistband, column) as places of the sheet."""
        return [(leg.row(top - down), column) for down, column in places]

    # Slant pocket: from the waistband down to the outer seam.
    pocket = under((0.0, OUTER - 4.7), (0.075, OUTER - 3.2), (0.15, OUTER - 0.5))
    # The fly: stitched on the left, in the shape of a J.
    fly = under((0.0, meet + 2.8), (0.09, meet + 2.5), (0.125, meet + 1.5), (0.14, meet + 0.2))
    centre = under((0.0, meet), (0.15, meet))
    marks = [[(r, c - 0.45) for r, c in pocket]]
    marks.append([(last - 1.6, 0.0), (last - 1.6, float(DRAWN_COLUMNS))])

    def lines(*paths: tuple[Sequence[tuple[float, float]], float]) -> list[Cloth]:
        cut = [(clipped(path, shown), half) for path, half in paths]
        return [sheet.ribbon(path, half, 0.0010) for path, half in cut if len(path) > 1]

    seams = [_both(part) for part in lines((pocket, 0.0016))]
    # Under a top that hangs over it nothing but the end of the fly would show.
    whole = shown <= row
    dark = joined_cloth([*seams, *(lines((centre, 0.0014)) if whole else [])])
    stitched = lines((fly, 0.0009)) if whole else []
    if denim:
        stitched += [_both(part) for part in lines(*((mark, 0.0008) for mark in marks))]
    surfaces = [sewn("seams", dark, piece, plain=True, tint=0.62)]
    if stitched:
        gold = "#b98a4e" if denim else mixed(piece.colour, "#000000", 0.35)
        thread = piece.model_copy(update={"colour": gold})
        surfaces.append(sewn("stitches", joined_cloth(stitched), thread, plain=True))
    return surfaces


def _waistband(leg: Leg, piece: PieceSpec, row: float) -> list[Surface]:
    sheet, meet = leg.sheet, _meeting(leg.sheet, row)
    band = sheet.rows(0.0, row, 5).lifted(0.0016)
    loops = [_loop(sheet, row, column) for column in (FRONT + 2.5, OUTER + 0.5)]
    return [
        sewn("waistband", _both(_flattened(band.cloth(0.0022))), piece, plain=True),
        sewn("loops", _both(joined_cloth(loops)), piece, plain=True, tint=0.9),
        _button(sheet, row, meet, denim=piece.fabric == "denim"),
    ]


def _meeting(sheet: Sheet, row: float) -> float:
    """Return the column in front where the two halves meet, just below the waistband."""
    x = sheet.points[int(row) + 2, : FRONT + 1, 0]
    return float(np.flatnonzero(x < 2e-4).max())


def _loop(sheet: Sheet, row: float, column: float) -> Cloth:
    """Return a belt loop over the waistband."""
    patch = sheet.patch(np.linspace(0.0, row + 0.5, 6), column + np.linspace(-0.45, 0.45, 4))
    return patch.lifted(0.0042).cloth(0.003)


def _button(sheet: Sheet, row: float, meet: float, *, denim: bool) -> Surface:
    points, normals = sheet.at(np.array([row / 2.0]), np.array([meet + 0.3]))
    r = 0.0075 if denim else 0.0065
    profile = ((r, 0.0), (0.98 * r, 0.0016), (0.75 * r, 0.0022), (0.6 * r, 0.0013), (0.0, 0.0013))
    centre = points[0] + 0.0018 * normals[0]
    solid = turned(profile, centre, normals[0])
    weights = sheet.patch(np.array([row / 2.0]), np.array([meet])).weights[0, 0]
    return Surface(
        name="trouser-button",
        material="metal",
        texture="",
        positions=solid.positions,
        normals=solid.normals,
        uv=np.zeros((len(solid.positions), 2), np.float32),
        weights=np.repeat(weights[None], len(solid.positions), 0).astype(np.float32),
        triangles=solid.triangles,
        occludes=False,
        floor=0.5,
        values={
            "colour": list(linear("#b08d57" if denim else "#2b2926")),
            "metal": [1.0 if denim else 0.0],
        },
    )
