"""Tops in the manner of a qipao."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.surface import Surface
from avatar.spec.identity import PieceSpec
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.collars import band, neckline, open_seam
from avatar.wardrobe.cords import cord, knot, on_cloth
from avatar.wardrobe.fitting import Fitting, GarmentResult, Worn, above
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.neck import flat
from avatar.wardrobe.seams import edge_seam
from avatar.wardrobe.sewing import sewn, strip_of, trimmed
from avatar.wardrobe.shell import Drape, closed_neck, draped, panelled, short_sleeve
from avatar.wardrobe.tailor import Cloth, joined

Floats = NDArray[np.floating[Any]]


def qipao_top(fit: Fitting, piece: PieceSpec, worn: Worn) -> GarmentResult:
    """Make a close top: mandarin collar, slanted closing with knots, piping, short sleeves."""
    man = 1.0 - worn.who.body.gender
    drape = Drape(
        slack=0.70 + 0.1 * man, sleeve=(0.0, 0.003, 0.004), folds=Folds(0.0018, 0.0018, 0.0022)
    )
    shell = draped(fit, drape, worn.beneath)
    rules = (closed_neck(fit), short_sleeve(fit, 0.50), above(fit.hem))
    cut = trimmed(shell, rules)
    cloth = joined([trimmed(shell, rules, 0.002), strip_of(shell, rules, rules[2], 0.014)])
    chart = Chart.of(fit, shell)
    whole = neckline(fit, shell, rules[:1], 64)
    seam = open_seam(whole, np.abs(fit.neck.angle(whole.points)) > 0.05, 60)
    ends = np.abs(np.linspace(-1.0, 1.0, len(seam.points)))
    high = 0.040 - 0.014 * ends**14
    stand, top = band(fit, chart, seam, high, thickness=0.0026, snug=1.0)
    foot, out, _ = chart.at(flat(seam.points))
    foot = foot + 0.0016 * out
    lines = [("collar", np.concatenate([foot[:1], top, foot[-1:]])), ("neckline", foot)]
    for name, at in (("left", 1.0), ("right", -1.0)):
        elbow = fit.form.elbow * [at, 1.0, 1.0]
        hem = edge_seam(cut, elbow, 90)
        lines.append((f"sleeve-{name}", np.concatenate([hem.points, hem.points[:1]])))
    closing = _closing(fit, shell)
    lines.append(("closing", closing))
    surfaces = [
        sewn("qipao-top", panelled(fit, cloth), piece, floor=0.32),
        sewn("collar", stand, piece, plain=True, floor=0.36),
        *(
            sewn(
                f"piping-{name}",
                cord(stand if name == "collar" else shell, line, 0.0021),
                piece,
                trim=True,
            )
            for name, line in lines
        ),
        *_knots(shell, closing, piece),
    ]
    return GarmentResult(surfaces, fit.covered(rules, 0.012))


def _closing(fit: Fitting, shell: Cloth) -> Floats:
    """The edge from the collar's middle over the wearer's right breast to the armpit."""
    t = np.linspace(0.0, 1.0, 60)
    start = np.array([0.0, float(fit.neck.base[2]) - 0.030 * fit.neck.scale])
    end = np.array([-0.92 * float(fit.form.shoulder[0]), float(fit.torso.armpit) - 0.020])
    way = end - start
    sag = np.sin(np.pi * t) * -0.030 + 0.012 * np.sin(2.0 * np.pi * t)
    line = start + t[:, None] * way + sag[:, None] * np.array([0.25, 1.0])
    return on_cloth(shell, line, 0.0016)


def _knots(shell: Cloth, closing: Floats, piece: PieceSpec) -> list[Surface]:
    """Knots with their loops across the closing: at the collar, on the breast, at the side."""
    surfaces = []
    for number, share in enumerate((0.04, 0.42, 0.80)):
        at = closing[int(share * (len(closing) - 1))]
        reach = 0.019
        t = np.linspace(-1.0, 1.0, 24)
        line = np.stack([at[0] + 0.25 * reach * t, at[2] + reach * t], 1)
        loop = on_cloth(shell, line, 0.0030)
        parts = [cord(shell, loop, 0.0026)]
        if number == 0:
            parts = [cord(shell, loop[6:18], 0.0026)]
        parts.append(knot(shell, loop[12] + [0.0, -0.0028, 0.0], 0.0052))
        surfaces.append(sewn(f"knot-{number}", joined(parts), piece, trim=True, floor=0.4))
    return surfaces
