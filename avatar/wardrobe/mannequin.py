"""The smooth form that clothes are cut from, made of the body package's tights."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.mesh import (
    averaging,
    boundary_edges,
    compact,
    smooth,
    subdivide,
    vertex_normals,
)
from avatar.body.source import SKIN_VERTICES, Body
from avatar.wardrobe.tailor import Cloth

Floats = NDArray[np.floating[Any]]

_CLEARANCE = 0.003


@dataclass(frozen=True, slots=True)
class Mannequin:
    """The form, uncut, and where its arms are.

    Attributes:
        cloth: the form as cloth.
        shoulder, elbow, wrist: left side, float32 [3]; the right side mirrors x.
    """

    cloth: Cloth
    shoulder: Floats
    elbow: Floats
    wrist: Floats

    @classmethod
    def of(cls, body: Body) -> "Mannequin":
        """Make the form for `body`: smoothed, clear of the skin."""
        used, faces = compact(body.groups["helper-tights"].triangles)
        positions = _soften(body, used, faces)
        weights = smooth(body.weights[used], averaging(len(used), faces), 0.5, 3)
        names = ("upperarm01.L", "lowerarm01.L", "wrist.L")
        joints = [body.joint(name) for name in names]
        cloth = _finer(body, positions, weights, faces)
        return cls(_laid(body, cloth), *joints)

    def finer(self, body: Body, height: float) -> "Mannequin":
        """Return the form above `height`, metres, with four times the triangles."""
        faces = self.cloth.triangles
        high = self.cloth.positions[faces][..., 2].min(1) > height
        arm = self.arm(self.cloth.positions)[faces].max(1) > 0.0
        used, faces = compact(faces[high | arm])
        cloth = _finer(body, self.cloth.positions[used], self.cloth.weights[used], faces)
        return replace(self, cloth=_laid(body, cloth))

    def arm(self, points: Floats) -> Floats:
        """Return how far points [n, 3] lie on the arms' side of the armpits, metres."""
        away = _mirror(points) - self.shoulder - np.array([-0.015, 0.0, -0.075], np.float32)
        side = 0.966 * away[:, 0] + 0.259 * away[:, 2]
        return np.asarray(np.where(away[:, 2] < 0.0, side, away[:, 0] - 0.5 * away[:, 2]))

    def along_forearm(self, points: Floats) -> Floats:
        """Return 0 at the elbow and 1 at the wrist for points [n, 3] of either side."""
        axis = self.wrist - self.elbow
        return np.asarray((_mirror(points) - self.elbow) @ axis / (axis @ axis), np.float32)

    def along_upper_arm(self, points: Floats) -> Floats:
        """Return 0 at the shoulder and 1 at the elbow for points [n, 3] of either side."""
        axis = self.elbow - self.shoulder
        return np.asarray((_mirror(points) - self.shoulder) @ axis / (axis @ axis), np.float32)

    def folds(self, seed: int) -> Floats:
        """Return creases [n] of about unit height, strongest at elbows, armpits and waist."""
        points = _mirror(self.cloth.base)
        upper, fore = self.elbow - self.shoulder, self.wrist - self.elbow
        rng = np.random.default_rng(seed)
        total = np.zeros(len(points), np.float32)
        armpit = self.shoulder + np.array([-0.02, -0.02, -0.06], np.float32)
        for centre, direction, reach, length, height in (
            (self.elbow, fore, 0.085, 0.028, 1.0),
            (armpit, upper + np.array([0.0, -0.2, 0.0]), 0.085, 0.034, 0.8),
            (self.elbow + 0.8 * fore, fore, 0.06, 0.022, 0.6),
            (self.shoulder + 0.5 * upper, upper, 0.09, 0.040, 0.45),
        ):
            total += height * _wave(points, centre, direction, reach, length, rng)
        x, y, z = points.T
        total += 0.3 * np.sin(55 * x + 2 * np.sin(30 * z)) * np.sin(42 * z + 2 * np.sin(25 * y))
        return total


def _wave(
    points: Floats,
    centre: Floats,
    direction: Floats,
    reach: float,
    length: float,
    rng: np.random.Generator,
) -> Floats:
    """Return a local train of waves along `direction`, bent a little by chance."""
    away = points - centre
    along = away @ (direction / np.linalg.norm(direction))
    near = np.exp(-((np.linalg.norm(away, axis=1) / reach) ** 2))
    bend = 1.2 * np.sin(42 * away[:, 1] + 6.0 * rng.random()) + 0.8 * np.sin(14 * away[:, 2])
    return np.asarray(near * np.sin(2 * np.pi * along / length + bend), np.float32)


def _mirror(points: Floats) -> Floats:
    out = points.copy()
    out[:, 0] = np.abs(out[:, 0])
    return out


def _finer(body: Body, positions: Floats, weights: Floats, faces: NDArray[np.int32]) -> Cloth:
    """Split every triangle in four and round the result, clear of the skin."""
    rows, faces = subdivide(np.concatenate([positions, weights], 1), faces)
    operator = averaging(len(rows), faces)
    positions = smooth(rows[:, :3], operator, 0.5, 3)
    positions = _clear_of(body, positions, faces)
    flat = np.zeros(len(rows), np.float32)
    normals = vertex_normals(positions, faces)
    uv = np.zeros((len(rows), 2), np.float32)
    return Cloth(positions, normals, rows[:, 3:].astype(np.float32), uv, positions, flat, faces)


def _laid(body: Body, cloth: Cloth) -> Cloth:
    """Lay the weave on the form, and make it its own base."""
    positions = cloth.positions.astype(np.float32)
    torso = np.stack([0.12 * np.arctan2(positions[:, 0], -positions[:, 1]), positions[:, 2]], 1)
    return replace(
        cloth,
        positions=positions,
        normals=vertex_normals(positions, cloth.triangles),
        uv=_fabric_uv(body, positions, torso),
        base=positions,
    )


def _soften(body: Body, used: NDArray[np.intp], faces: NDArray[np.int32]) -> Floats:
    """Take away what shows through only on bare skin; arms keep more of their form."""
    arm = np.clip(body.weight_of("lowerarm", "wrist", "upperarm02")[used], 0.0, 1.0)
    fixed = np.zeros(len(used), bool)
    fixed[np.unique(boundary_edges(faces))] = True
    share = 0.55 * (1.0 - 0.75 * arm) * ~fixed
    return smooth(body.vertices[used], averaging(len(used), faces), share, 14)


def _clear_of(body: Body, positions: Floats, faces: NDArray[np.int32]) -> Floats:
    """Push the form out of the skin where it sank in, by at most 2 cm a round."""
    away = body.weight_of("finger", "metacarpal", "head", "eye")[:SKIN_VERTICES]
    near = np.flatnonzero(away < 0.3)
    skin = body.vertices[near]
    normals = vertex_normals(body.vertices, body.groups["body"].triangles)[near]
    tree = cKDTree(skin)
    operator = averaging(len(positions), faces)
    out = vertex_normals(positions, faces)
    for _ in range(4):
        _, nearest = tree.query(positions, k=4)
        above = ((positions[:, None] - skin[nearest]) * normals[nearest]).sum(2).min(1)
        push = np.clip(_CLEARANCE - above, 0.0, 0.02).astype(np.float32)
        positions = smooth(positions + out * push[:, None], operator, 0.3, 2)
    return positions


def _fabric_uv(body: Body, positions: Floats, torso: Floats) -> Floats:
    """Lay the weave around the torso, and around the arms along the sleeve, in metres."""
    uv = torso.copy()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        start, end = body.joint(f"upperarm01.{side}"), body.joint(f"wrist.{side}")
        axis = (end - start) / np.linalg.norm(end - start)
        along = (positions - start) @ axis
        away = positions - start - along[:, None] * axis
        across = np.cross(axis, np.array([0.0, 1.0, 0.0]))
        angle = np.arctan2(away @ across, away[:, 1])
        chosen = (positions[:, 0] * sign > abs(start[0]) + 0.01) & (along > 0.03)
        uv[chosen] = np.stack([0.05 * angle, along], 1)[chosen]
    return uv.astype(np.float32)
