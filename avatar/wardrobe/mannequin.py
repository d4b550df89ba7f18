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
    unit,
    vertex_normals,
)
from avatar.body.source import SKIN_VERTICES, Body
from avatar.wardrobe.tailor import Cloth, refined
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]

_CLEARANCE = 0.003
_ARM = [i for i, name in enumerate(JOINT_NAMES) if name.startswith(("upperarm", "lowerarm"))]


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
        cloth = _finer(body, positions, weights, faces, np.ones(len(faces), bool))
        return cls(cloth, *joints)

    def finer(self, body: Body, height: float) -> "Mannequin":
        """Return the form above `height`, finer at elbows, armpits and around the neck."""
        faces = self.cloth.triangles
        high = self.cloth.positions[faces][..., 2].min(1) > height
        arm = self.arm(self.cloth.positions)[faces].max(1) > 0.0
        used, faces = compact(faces[high | arm])
        points = self.cloth.positions[used]
        centres = _mirror(points[faces].mean(1))
        pit = self.shoulder + np.array([-0.02, -0.03, -0.07], np.float32)
        chosen = np.linalg.norm(centres - self.elbow, axis=1) < 0.075
        chosen |= np.linalg.norm(centres - pit, axis=1) < 0.060
        beside = np.hypot(centres[:, 0], centres[:, 1] - self.shoulder[1])
        chosen |= (centres[:, 2] > self.shoulder[2] + 0.02) & (beside < 0.62 * self.shoulder[0])
        cloth = _finer(body, points, self.cloth.weights[used], faces, chosen)
        return replace(self, cloth=cloth)

    def arm(self, points: Floats) -> Floats:
        """Return how far points [n, 3] lie on the arms' side of the armpits, metres."""
        away = _mirror(points) - self.shoulder - np.array([-0.015, 0.0, -0.075], np.float32)
        side = 0.966 * away[:, 0] + 0.259 * away[:, 2]
        return np.asarray(np.where(away[:, 2] < 0.0, side, away[:, 0] - 0.5 * away[:, 2]))

    def around_sleeve(self, points: Floats) -> Floats:
        """Return cloth coordinates [n, 2] on the sleeves, metres: around, and down the arm.

        They start over on the arm's underside, where `underside` is zero.
        """
        mine = _mirror(points)
        radius = 0.055 - 0.010 * np.clip(self.along_forearm(mine), 0.0, 1.0)
        upper, fore = self.elbow - self.shoulder, self.wrist - self.elbow
        first, second = (
            (mine - start) @ (way / np.linalg.norm(way))
            for start, way in ((self.shoulder, upper), (self.elbow, fore))
        )
        length = float(np.linalg.norm(upper))
        bent = np.clip(0.5 + 12.0 * second, 0.0, 1.0)
        down = (1.0 - bent) * first + bent * (length + second)
        over, front = self._across(mine)
        angle = np.arctan2(front, over)
        return np.stack([radius * angle, -down], 1).astype(np.float32)

    def underside(self, points: Floats) -> Floats:
        """Return how far points [n, 3] of the sleeves lie in front of the arm's middle, metres."""
        return self._across(_mirror(points))[1]

    def _across(self, mine: Floats) -> tuple[Floats, Floats]:
        """Return how far points lie over and in front of the arm's middle line, metres."""
        upper, fore = (unit(way) for way in (self.elbow - self.shoulder, self.wrist - self.elbow))
        share = np.clip(0.5 + 8.0 * ((mine - self.elbow) @ (upper + fore)), 0.0, 1.0)[:, None]
        axis = unit((1.0 - share) * upper + share * fore)
        away = mine - self.elbow
        away = away - (away * axis).sum(1, keepdims=True) * axis
        over = unit(np.cross(axis, [0.0, 1.0, 0.0]))
        front = np.cross(over, axis)
        outwards = np.sign((over * [1.0, 0.0, 1.0]).sum(1, keepdims=True))
        forwards = -np.sign(front[:, 1:2])
        return (away * over * outwards).sum(1), (away * front * forwards).sum(1)

    def along_forearm(self, points: Floats) -> Floats:
        """Return 0 at the elbow and 1 at the wrist for points [n, 3] of either side."""
        axis = self.wrist - self.elbow
        return np.asarray((_mirror(points) - self.elbow) @ axis / (axis @ axis), np.float32)

    def along_upper_arm(self, points: Floats) -> Floats:
        """Return 0 at the shoulder and 1 at the elbow for points [n, 3] of either side."""
        axis = self.elbow - self.shoulder
        return np.asarray((_mirror(points) - self.shoulder) @ axis / (axis @ axis), np.float32)


def _finer(
    body: Body,
    positions: Floats,
    weights: Floats,
    faces: NDArray[np.int32],
    chosen: NDArray[np.bool_],
) -> Cloth:
    """Split the `chosen` [t] triangles in four and round the result, clear of the skin."""
    rows, faces = refined(np.concatenate([positions, weights], 1), faces, chosen)
    operator = averaging(len(rows), faces)
    positions = smooth(rows[:, :3], operator, 0.5, 3)
    arm = rows[:, 3:][:, _ARM].sum(1)
    positions = _fitted(body, positions, faces, arm)
    flat = np.zeros(len(rows), np.float32)
    normals = vertex_normals(positions, faces)
    uv = np.zeros((len(rows), 2), np.float32)
    return Cloth(positions, normals, rows[:, 3:].astype(np.float32), uv, positions, flat, faces)


def _soften(body: Body, used: NDArray[np.intp], faces: NDArray[np.int32]) -> Floats:
    """Take away what shows through only on bare skin; arms keep more of their form."""
    arm = np.clip(body.weight_of("lowerarm", "wrist", "upperarm02")[used], 0.0, 1.0)
    fixed = np.zeros(len(used), bool)
    fixed[np.unique(boundary_edges(faces))] = True
    share = 0.55 * (1.0 - 0.75 * arm) * ~fixed
    return smooth(body.vertices[used], averaging(len(used), faces), share, 14)


def _fitted(body: Body, positions: Floats, faces: NDArray[np.int32], arm: Floats) -> Floats:
    """Push the form out of the skin where it sank in, and draw it in where arms are slimmer.

    By at most 2 cm a round. `arm` [n]: 1 on the arms.
    """
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
        push = np.clip(_CLEARANCE - above, 0.0, 0.02)
        push = push - 0.7 * arm * np.clip(above - _CLEARANCE - 0.002, 0.0, 0.01)
        positions = smooth(positions + out * push[:, None].astype(np.float32), operator, 0.3, 2)
    return positions


def _mirror(points: Floats) -> Floats:
    out = points.copy()
    out[:, 0] = np.abs(out[:, 0])
    return out
