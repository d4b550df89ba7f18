"""Fabrics, the run of patterns over the body, necklines, seams and finer cloth."""

import numpy as np
import pytest

from avatar.body.mesh import Floats, Triangles, boundary_edges
from avatar.wardrobe.chart import Chart
from avatar.wardrobe.collars import band, collar, neckline, outline
from avatar.wardrobe.fabrics import tile
from avatar.wardrobe.seams import edge_seam, strip
from avatar.wardrobe.sewing import trimmed
from avatar.wardrobe.shell import Drape, closed_neck, draped, panelled, round_neck
from avatar.wardrobe.tailor import refined
from tests.avatar.wardrobe.conftest import Model

FABRICS = ("cotton", "twill", "denim", "silk", "knit", "linen", "leather", "rib")
PATTERNS = ("stripes", "pinstripes", "checks", "dots", "floral", "herringbone")


@pytest.mark.parametrize("fabric", FABRICS)
def test_a_weave_is_of_middle_brightness_and_tiles(fabric: str) -> None:
    weave = tile(fabric, "plain", 5)[..., 0].astype(np.float64)
    assert weave.mean() == pytest.approx(127.5, abs=3.0)
    for axis in (0, 1):
        inner = np.abs(np.diff(weave, axis=axis)).mean()
        joint = np.abs(weave.take(0, axis) - weave.take(-1, axis)).mean()
        assert joint < 2.0 * inner + 2.0


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_has_both_colours_and_tiles(pattern: str) -> None:
    share = tile("cotton", pattern, 5)[..., 1].astype(np.float64)
    assert (share < 20).mean() > 0.15
    assert (share > 100).mean() > 0.04
    for axis in (0, 1):
        inner = np.abs(np.diff(share, axis=axis)).mean(1 - axis).max()
        joint = np.abs(share.take(0, axis) - share.take(-1, axis)).mean()
        assert joint < 1.2 * inner + 4.0


def test_patterns_are_not_stretched(man: Model) -> None:
    fit = man.fit
    cloth = panelled(fit, draped(fit, Drape()))
    seen = cloth.normals[cloth.triangles][..., 1].max(1) < -0.3
    a, b = cloth.triangles[seen][:, 0], cloth.triangles[seen][:, 1]
    real = np.linalg.norm(cloth.positions[a] - cloth.positions[b], axis=1)
    woven = np.linalg.norm(cloth.uv[a] - cloth.uv[b], axis=1)
    stretch = woven[real > 0.002] / real[real > 0.002]
    assert 0.85 < np.median(stretch) < 1.15
    assert (np.abs(np.log(stretch)) < np.log(1.7)).mean() > 0.93


def test_a_collar_stands_clear_of_the_neck_and_lies_on_the_garment(man: Model) -> None:
    fit = man.fit
    shell = draped(fit, Drape())
    chart = Chart.of(fit, shell)
    seam = neckline(fit, shell, (closed_neck(fit),), 48)
    edge = outline(fit, chart, seam, 0.03, [], 0.0)
    made = collar(fit, chart, seam, edge, stand=0.03)
    on_neck = fit.neck.along(made.positions) > 0.01
    assert fit.neck.away(made.positions[on_neck]).min() > 0.001
    assert fit.neck.away(made.positions[on_neck]).max() < 0.12
    ground, out, _ = chart.at(edge)
    end = made.positions[11 * 48 : 12 * 48]
    assert ((end - ground) * out).sum(1) == pytest.approx(np.full(48, 0.003), abs=1e-4)


def test_a_standing_collar_closes_around_the_neck_where_it_is_to(man: Model) -> None:
    fit = man.fit
    shell = draped(fit, Drape())
    chart = Chart.of(fit, shell)
    seam = neckline(fit, shell, (closed_neck(fit),), 48)
    _, loose = band(fit, chart, seam, 0.03, thickness=0.002, lean=0.0)
    _, close = band(fit, chart, seam, 0.03, thickness=0.002, lean=0.0, snug=1.0)
    assert fit.neck.away(close).mean() < 0.8 * fit.neck.away(loose).mean()
    assert fit.neck.away(close).min() > 0.002


def test_an_outline_goes_by_its_corners(man: Model) -> None:
    fit = man.fit
    shell = draped(fit, Drape())
    chart = Chart.of(fit, shell)
    seam = neckline(fit, shell, (closed_neck(fit),), 48)
    corner = (0.05, float(chart.middle[1]) - 0.13)
    edge = outline(fit, chart, seam, 0.03, [corner], 1.3)
    assert edge[0] == pytest.approx(np.array(corner))
    assert edge[-1] == pytest.approx(np.array([-corner[0], corner[1]]))


def test_a_strip_is_sewn_to_its_edge(woman: Model) -> None:
    fit = woman.fit
    cut = trimmed(draped(fit, Drape()), (round_neck(fit, 0.02, 0.02, 0.02),))
    seam = edge_seam(cut, fit.neck.base, 60)
    assert fit.neck.away(seam.points).max() < 0.04
    tangent = np.roll(seam.points, -1, 0) - np.roll(seam.points, 1, 0)
    assert np.abs((tangent * seam.away).sum(1)).max() < 1e-3
    assert (seam.away[seam.points[:, 1] < fit.neck.base[1]][:, 2] > 0.0).all()
    band = strip(seam, [seam.points, seam.points + 0.02 * seam.away], cut)
    assert np.allclose(band.weights.sum(1), 1.0, atol=1e-4)
    assert band.uv[:, 1].max() == pytest.approx(0.02, abs=1e-3)
    # A ring: two edges, at the seam and at the end, each as long as the seam; and where it joins.
    assert len(boundary_edges(band.triangles)) == 2 * 60 + 2


def test_finer_cloth_has_no_gaps(woman: Model) -> None:
    cloth = woman.fit.form.cloth
    chosen = cloth.positions[cloth.triangles][..., 2].mean(1) > woman.fit.waist_seam
    rows, faces = refined(cloth.positions, cloth.triangles, chosen)
    assert chosen.any()
    assert not chosen.all()
    assert _area(rows, faces) == pytest.approx(_area(cloth.positions, cloth.triangles), rel=1e-5)
    open_before = _length(cloth.positions, cloth.triangles)
    assert _length(rows, faces) == pytest.approx(open_before, rel=1e-4)
    assert len(faces) > len(cloth.triangles) + 3 * chosen.sum()


def test_hanging_cloth_never_sinks_into_the_body(woman: Model) -> None:
    fit = woman.fit
    cloth = fit.form.cloth
    trunk = (fit.form.arm(cloth.positions) < -0.02) & (cloth.positions[:, 2] > fit.waist_seam)
    points, normals = cloth.positions[trunk], cloth.normals[trunk]
    for slack in (0.0, 0.5, 1.0):
        step = fit.torso.hanging(points, slack)
        assert (step * normals).sum(1).min() > -0.003
    loose, close = (
        np.linalg.norm(fit.torso.hanging(points, slack), axis=1).sum() for slack in (1.0, 0.2)
    )
    assert loose > 1.5 * close


def _area(points: Floats, faces: Triangles) -> float:
    a, b, c = (points[faces[:, i]].astype(np.float64) for i in range(3))
    return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def _length(points: Floats, faces: Triangles) -> float:
    a, b = boundary_edges(faces).T
    return float(np.linalg.norm(points[a].astype(np.float64) - points[b], axis=1).sum())
