"""Hair on bare bodies, for tests: built without a renderer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from avatar.body.ears import flatten_ears
from avatar.body.landmarks import Landmarks
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.hair import covers_ears
from avatar.hair.styles import hair_surfaces
from avatar.spec import AvatarSpec, ready
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.rotations import axis_degrees, multiply
from motion.skeleton import JOINT_INDEX, JOINT_NAMES

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Worn:
    """Hair of one style on one body."""

    body: Body
    marks: Landmarks
    surfaces: list[Surface]

    def part(self, name: str) -> Surface:
        """Return the surface called `name`."""
        return next(surface for surface in self.surfaces if surface.name == name)


def identity(style: str, seed: int = 0, length: float = 1.0) -> AvatarSpec:
    """Return "mia" with another hair style."""
    who = ready("mia")
    hair = who.hair.model_copy(update={"style": style, "length": length})
    return who.model_copy(update={"hair": hair, "seed": seed})


def wear(body: Body, who: AvatarSpec) -> Worn:
    """Put the hair of `who` on `body`."""
    shown = flatten_ears(body) if covers_ears(who.hair.style) else body
    marks = Landmarks.of(shown)
    return Worn(shown, marks, hair_surfaces(shown, marks, who, []))


def silhouette(worn: Worn, yaw: float) -> NDArray[np.bool_]:
    """Return which of 200 x 200 cells of 3 mm closed hair covers, turned by `yaw` degrees."""
    hair = worn.part("hair")
    angle = np.radians(yaw)
    away = hair.positions - worn.marks.eye * np.array([0.0, 1.0, 1.0])
    x = np.cos(angle) * away[:, 0] - np.sin(angle) * away[:, 1]
    places = np.stack([100.0 + x / 0.003, 70.0 - away[:, 2] / 0.003], -1)
    image = Image.new("1", (200, 200))
    brush = ImageDraw.Draw(image)
    for corners in places[hair.triangles]:
        brush.polygon([tuple(corner) for corner in corners.tolist()], fill=1)
    return np.asarray(image)


def turned(worn: Worn, yaw: float, pitch: float, roll: float) -> tuple[Floats, Floats]:
    """Return closed hair [n, 3] and skin [v, 3] with the head turned, degrees."""
    rotations = np.zeros((len(JOINT_NAMES), 4), np.float32)
    rotations[:, 0] = 1.0
    sideways = multiply(axis_degrees("z", yaw), axis_degrees("x", pitch))
    rotations[JOINT_INDEX["head"]] = multiply(sideways, axis_degrees("y", roll))
    body, hair = worn.body, worn.part("hair")
    moves = skinning_transforms(joint_transforms(rotations, rest_offsets(body.joints)), body.joints)
    return _moved(hair.weights, moves, hair.positions), _moved(body.weights, moves, body.vertices)


def _moved(weights: Floats, moves: Floats, points: Floats) -> Floats:
    blend = np.einsum("nj,jab->nab", weights, moves)
    return np.asarray(np.einsum("nab,nb->na", blend[:, :3, :3], points) + blend[:, :3, 3])
