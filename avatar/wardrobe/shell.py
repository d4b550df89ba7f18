"""The shell of an upper garment: body and sleeves hung on the form, cut, and laid in panels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import averaging, smooth, vertex_normals
from avatar.body.noise import smoothstep
from avatar.body.surface import Surface
from avatar.wardrobe.fitting import LAYERS, WAISTBAND, Fitting, Rule
from avatar.wardrobe.folds import Folds
from avatar.wardrobe.seams import Ground
from avatar.wardrobe.tailor import Cloth, cut, joined, select

Floats = NDArray[np.floating[Any]]


_FOLDS = Folds()


@dataclass(frozen=True, slots=True)
class Drape:
    """How a garment sits.

    Attributes:
        layer: how far it stands off the form, metres.
        slack: 0 close to the body, 1 hanging straight; see `Torso.hanging`.
        sleeve: how far sleeves stand off beyond `layer`, at the shoulder, the elbow and the
            wrist, metres.
        folds: see `Folds`.
        pad: thickness of shoulder pads, metres.
        tucked: whether it ends under a waistband, close to the body.
    """

    layer: float = LAYERS["upper"]
    slack: float = 0.5
    sleeve: tuple[float, float, float] = (0.001, 0.003, 0.003)
    folds: Folds = _FOLDS
    tucked: bool = False
    pad: float = 0.0


def draped(fit: Fitting, drape: Drape, beneath: Sequence[Surface] = ()) -> Cloth:
    """Return the uncut shell of a garment that sits like that, from the fine form.

    It keeps clear of the surfaces `beneath`.
    """
    form = fit.fine
    base = form.cloth
    height = drape.layer + drape.folds.over(form, fit.seed, fit.hem, fit.waist_seam)
    height = height + sleeve_ease(fit, base.base, drape.sleeve)
    tip = fit.form.shoulder + np.array([0.004, 0.0, 0.035], np.float32)
    beside = base.base * np.sign(base.base[:, :1]) ** [1, 0, 0]
    height = height + drape.pad * np.exp(-((np.linalg.norm(beside - tip, axis=1) / 0.054) ** 2))
    torso = smoothstep(0.015, -0.03, form.arm(base.base))
    free = torso
    if drape.tucked:
        # The waistband lies on it: it is flat up to there, and falls over it farther up.
        top = fit.waist_seam + WAISTBAND
        held = smoothstep(top, top + 0.06, base.base[:, 2])
        flat = np.minimum(height, LAYERS["tucked"])
        arm = form.arm(base.base) > 0.0
        height = np.where(arm, height, flat + held * (height - flat))
        free = free * held
    hung = fit.torso.hanging(base.base, drape.slack) * free[:, None]
    height = height + _evened(fit, base) * free
    positions = (base.positions + base.normals * height[:, None] + hung).astype(np.float32)
    made = creased(replace(base, positions=positions))
    return made if drape.tucked or not beneath else over(made, beneath)


def _evened(fit: Fitting, base: Cloth) -> Floats:
    """Return the distance [n] from the form to a much smoother one: cloth spans small hollows.

    It comes closer to the skin by at most 4 mm, which leaves the clearance of the form.
    """
    operator = averaging(len(base.positions), base.triangles)
    z = base.base[:, 2]
    chest = smoothstep(fit.waist_seam, fit.waist_seam + 0.06, z)
    chest = chest * smoothstep(0.0, -0.03, fit.form.arm(base.base))
    even = smooth(base.positions, operator, 0.6 * chest, 120)
    step = ((even - base.positions) * base.normals).sum(1)
    for _ in range(3):
        # Where it would sink in, the cloth around is raised with it, so that no tip shows.
        lack = np.maximum(-0.0045 - step, 0.0)
        wide = smooth(lack, operator, 0.6 * chest, 60)
        step = step + wide * float(lack.max() / max(float(wide.max()), 1e-6))
    return np.asarray(np.clip(step, -0.0045, 0.03))


def over(cloth: Cloth, beneath: Sequence[Surface], least: float = 0.004) -> Cloth:
    """Lift cloth where it lies less than `least` metres over surfaces beneath it."""
    points = np.concatenate([surface.positions for surface in beneath])
    normals = np.concatenate([surface.normals for surface in beneath])
    under = Ground(points, normals)
    near = np.flatnonzero(cloth.positions[:, 2] < points[:, 2].max() + 0.03)
    operator = averaging(len(cloth.positions), cloth.triangles)
    positions = cloth.positions
    for _ in range(3):
        need = np.zeros(len(positions))
        need[near] = under.lack(positions[near], least, 0.045)
        need = np.maximum(need, smooth(need, operator, 0.7, 4))
        positions = positions + cloth.normals * need[:, None].astype(np.float32)
    return creased(replace(cloth, positions=positions))


def sleeve_ease(fit: Fitting, points: Floats, ends: tuple[float, float, float]) -> Floats:
    """Return the additional distance [n] of sleeves given at shoulder, elbow and wrist."""
    form = fit.form
    share = smoothstep(-0.02, 0.05, form.arm(points))
    upper = np.clip(form.along_upper_arm(points), 0.0, 1.0)
    fore = np.clip(form.along_forearm(points), 0.0, 1.05)
    place = np.where(fore > 0.0, 1.0 + fore, upper)
    return np.asarray(share * np.interp(place, [0.0, 1.0, 2.0], ends))


def creased(cloth: Cloth) -> Cloth:
    """Return moved cloth with its normals, and hollows marked as dark edges are."""
    normals = vertex_normals(cloth.positions, cloth.triangles)
    operator = averaging(len(normals), cloth.triangles)
    around = smooth(cloth.positions, operator, 1.0, 2)
    hollow = ((around - cloth.positions) * normals).sum(1)
    # The body's own hollows are left to the light; folds are finer than they.
    dark = np.clip(900.0 * (hollow - smooth(hollow, operator, 1.0, 6)), 0.0, 0.7)
    return replace(cloth, normals=normals, edge=smooth(dark, operator, 0.5, 1))


def panelled(fit: Fitting, cloth: Cloth) -> Cloth:
    """Cut a shell into its panels, each with its own run of the fabric, and join them again.

    The fabric runs round the torso, and round and along each sleeve from a seam on its underside.
    """
    form = fit.form
    arm = form.arm(cloth.base).astype(np.float32)
    body, sleeves = cut(cloth, -arm), cut(cloth, arm)
    body = select(body, ~_behind(body, float(fit.neck.base[2]) - 0.02))
    panels = [replace(body, uv=fit.torso.unrolled(body.base), edge=_stitched(fit, body))]
    front = form.underside(sleeves.base).astype(np.float32)
    for sign in (1.0, -1.0):
        half = cut(sleeves, sign * front)
        if len(half.triangles):
            uv = form.around_sleeve(half.base)
            uv[:, 0] = sign * np.abs(uv[:, 0])
            panels.append(replace(half, uv=uv, edge=_stitched(fit, half)))
    return joined(panels)


def _behind(cloth: Cloth, height: float) -> NDArray[np.bool_]:
    """Return triangles [t] of the back that no camera in front can see, below `height`.

    Above it the inside shows beside the neck.
    """
    facing = cloth.normals[cloth.triangles][..., 1]
    low = cloth.base[cloth.triangles][..., 2].max(1) < height
    plain = cloth.edge[cloth.triangles].max(1) < 0.95
    return np.asarray((facing.min(1) > 0.52) & plain & low)


def _stitched(fit: Fitting, cloth: Cloth) -> Floats:
    """Return the dark edges [n] of a panel with the seam of the sleeve among them."""
    seam = np.exp(-((fit.form.arm(cloth.base) / 0.0025) ** 2))
    return np.asarray(np.maximum(cloth.edge, 0.55 * seam), np.float32)


def long_sleeve(fit: Fitting, end: float = 0.95) -> Rule:
    """Sleeves that end at a share of the forearm."""
    return _sleeve(fit, end, fit.form.along_forearm, fit.form.wrist - fit.form.elbow)


def short_sleeve(fit: Fitting, end: float = 0.62) -> Rule:
    """Sleeves that end at a share of the upper arm."""
    return _sleeve(fit, end, fit.form.along_upper_arm, fit.form.elbow - fit.form.shoulder)


def _sleeve(fit: Fitting, end: float, share: Rule, bone: Floats) -> Rule:
    length = float(np.linalg.norm(bone))

    def rule(points: Floats) -> Floats:
        return np.where(fit.form.arm(points) > 0.0, (end - share(points)) * length, 1.0)

    return rule


def round_neck(fit: Fitting, front: float, side: float, back: float) -> Rule:
    """Neckline around the neck, that far from its skin, metres; see `Neck.open`."""
    return lambda points: fit.neck.open(points, front, side, back)


def closed_neck(fit: Fitting) -> Rule:
    """Neckline that collars closed at the throat are sewn to."""
    return lambda points: fit.neck.closed(points, -0.006, 0.010, 0.020)
