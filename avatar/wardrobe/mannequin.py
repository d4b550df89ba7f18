"""The smooth form that clothes are cut from: the body package's tights above the hips."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import (
    averaging,
    boundary_edges,
    compact,
    smooth,
    subdivide,
    vertex_normals,
)
from avatar.body.noise import smoothstep
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
    def of(cls, body: Body, marks: Landmarks, *, fine: bool) -> "Mannequin":
        """Make the form for `body`: smoothed, slimmed at the upper arms, clear of the skin.

        A fine form has four times the triangles, for small pieces and clean edges.
        """
        triangles = body.groups["helper-tights"].triangles
        high = body.vertices[triangles][..., 2].min(1) > float(marks.hip[2]) - 0.22
        used, faces = compact(triangles[high])
        positions = _soften(body, used, faces)
        operator = averaging(len(used), faces)
        weights = smooth(body.weights[used], operator, 0.5, 3)
        if fine:
            rows, faces = subdivide(np.concatenate([positions, weights], 1), faces)
            positions, weights = rows[:, :3], rows[:, 3:]
        operator = averaging(len(positions), faces)
        positions = smooth(positions, operator, 0.5, 3)
        positions = _clear_of(body, marks, positions, faces)
        positions = _slim(body, positions)
        uv = np.stack([0.12 * np.arctan2(positions[:, 0], -positions[:, 1]), positions[:, 2]], 1)
        cloth = Cloth(
            positions.astype(np.float32),
            vertex_normals(positions, faces),
            weights.astype(np.float32),
            _fabric_uv(body, positions, uv),
            positions.astype(np.float32),
            np.zeros(len(positions), np.float32),
            faces,
        )
        names = ("upperarm01.L", "lowerarm01.L", "wrist.L")
        shoulder, elbow, wrist = (body.joint(name) for name in names)
        return cls(cloth, shoulder, elbow, wrist)

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


def _soften(body: Body, used: NDArray[np.intp], faces: NDArray[np.int32]) -> Floats:
    """Take away what shows through only on bare skin; arms keep more of their form."""
    arm = np.clip(body.weight_of("lowerarm", "wrist", "upperarm02")[used], 0.0, 1.0)
    fixed = np.zeros(len(used), bool)
    fixed[np.unique(boundary_edges(faces))] = True
    share = 0.55 * (1.0 - 0.75 * arm) * ~fixed
    return smooth(body.vertices[used], averaging(len(used), faces), share, 14)


def _clear_of(body: Body, marks: Landmarks, positions: Floats, faces: NDArray[np.int32]) -> Floats:
    """Push the form out of the skin where it sank in, by at most 2 cm a round."""
    away = body.weight_of("finger", "metacarpal", "head", "eye")[:SKIN_VERTICES]
    near = np.flatnonzero((away < 0.3) & (body.vertices[:SKIN_VERTICES, 2] > marks.hip[2] - 0.26))
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


def _slim(body: Body, positions: Floats) -> Floats:
    """Draw the upper arms in towards the bone; the skin under them is not drawn."""
    out = positions.copy()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        start, end = body.joint(f"upperarm01.{side}"), body.joint(f"lowerarm01.{side}")
        axis = end - start
        t = (positions - start) @ axis / (axis @ axis)
        foot = start + t[:, None] * axis
        share = smoothstep(-0.25, 0.25, t) * smoothstep(1.6, 0.9, t) * (positions[:, 0] * sign > 0)
        share = share * smoothstep(-0.03, 0.03, np.abs(positions[:, 0]) - abs(start[0]))
        share = share * smoothstep(0.15, 0.1, np.linalg.norm(positions - foot, axis=1))
        out += (foot - positions) * (0.17 * share)[:, None]
    return out


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
