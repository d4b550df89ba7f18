"""The head's landmarks as a differentiable function of who someone is and what the face does."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from avatar.body.source import load_model
from avatar.creation.photo.correspond import places
from motion.skeleton import FACE_NAMES

# What of a face a photo from the front can tell; both sides change alike.
CHANGES: Final = (
    "head-scale-horiz-incr", "head-scale-vert-incr", "head-fat-incr", "forehead-scale-vert-incr",
    "forehead-temple-incr", "eye-scale-incr", "eye-height1-incr", "eye-height2-incr",
    "eye-height3-incr", "eye-trans-out", "eye-trans-up", "eye-corner1-up", "eye-corner2-up",
    "nose-scale-horiz-incr", "nose-scale-vert-incr", "nose-trans-up", "nose-point-up",
    "nose-point-width-incr", "nose-base-up", "nose-flaring-incr", "nose-nostrils-width-incr",
    "nose-volume-incr", "nose-width1-incr", "nose-width2-incr", "nose-width3-incr",
    "mouth-scale-horiz-incr", "mouth-scale-vert-incr", "mouth-trans-up", "mouth-cupidsbow-incr",
    "mouth-upperlip-height-incr", "mouth-lowerlip-height-incr", "mouth-upperlip-volume-incr",
    "mouth-lowerlip-volume-incr", "chin-width-incr", "chin-height-incr",
    "chin-bones-incr", "chin-jaw-drop-incr", "cheek-bones-incr", "cheek-volume-incr",
    "cheek-inner-incr",
)  # fmt: skip
# What a face may be doing in a photo, so that it is not taken for its shape.
ACTIONS: Final = (
    "jawOpen", "mouthClose", "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft",
    "mouthFrownRight", "mouthPucker", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft",
    "mouthUpperUpRight", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthLeft", "mouthRight",
    "jawLeft", "jawRight", "eyeBlinkLeft", "eyeBlinkRight", "eyeSquintLeft", "eyeSquintRight",
    "eyeWideLeft", "eyeWideRight", "cheekSquintLeft", "cheekSquintRight", "browInnerUp",
    "browDownLeft", "browDownRight", "browOuterUpLeft", "browOuterUpRight",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeadShape:
    """The body package's shapes at the 468 landmarks, metres, x left, y back, z up.

    Attributes:
        model: of the package, for how phenotypes weigh its shapes.
        mean: float32 [468, 3]. people: [k, 468, 3]. more, less: [c, 468, 3], of `CHANGES` at 1
            and at -1. actions: [a, 468, 3], of `ACTIONS`.
    """

    model: Any
    mean: Tensor
    people: Tensor
    more: Tensor
    less: Tensor
    actions: Tensor

    def landmarks(self, phenotypes: Tensor, changes: Tensor, actions: Tensor) -> Tensor:
        """Return landmarks [468, 3] for phenotypes [11], changes [c] and actions [a]."""
        weights = self._weights(phenotypes)
        out = self.mean + torch.tensordot(weights, self.people, 1)
        out = out + torch.tensordot(changes.clamp_min(0.0), self.more, 1)
        out = out + torch.tensordot((-changes).clamp_min(0.0), self.less, 1)
        moved: Tensor = out + torch.tensordot(actions, self.actions, 1)
        return moved

    def values(self, named: Mapping[str, float]) -> Tensor:
        """Return phenotypes by name as the tensor [11] `landmarks` takes."""
        return torch.tensor([named[name] for name in self.model.phenotype_labels])

    def _weights(self, phenotypes: Tensor) -> Tensor:
        from anny.models.phenotype import phenotype_blendshape_weights

        weights: Tensor = phenotype_blendshape_weights(
            phenotypes[None],
            self.model.phenotype_labels,
            self.model.anchors,
            self.model.stacked_phenotype_blend_shapes_mask,
            extrapolate=False,
        )
        projection = self.model.phenotype_blendshape_projection
        return (weights if projection is None else weights @ projection)[0]


def load_shape(anny_cache: Path) -> HeadShape:
    """Read the shapes of the landmarks from the body package.

    Args:
        anny_cache: folder of the package's prebuilt tensors.
    """
    model, table = load_model(anny_cache), places()
    corners = torch.from_numpy(table.vertices)
    shares = torch.from_numpy(table.shares)
    shapes = torch.einsum("slka,lk->sla", model.blendshapes[:, corners], shares)
    mean = torch.einsum("lka,lk->la", model.template_vertices[corners], shares)
    faces, labels = len(FACE_NAMES), list(model.local_change_labels)
    people = shapes.shape[0] - faces - 2 * len(labels)
    first = people + faces
    sides = [_sides(name, labels) for name in CHANGES]
    more = [torch.stack([shapes[first + 2 * i] for i in each]).sum(0) for each in sides]
    less = [torch.stack([shapes[first + 2 * i + 1] for i in each]).sum(0) for each in sides]
    chosen = [people + FACE_NAMES.index(name) for name in ACTIONS]
    return HeadShape(
        model, mean, shapes[:people], torch.stack(more), torch.stack(less), shapes[chosen]
    )


def _sides(name: str, labels: list[str]) -> list[int]:
    names = [name] if name in labels else [f"l-{name}", f"r-{name}"]
    return [labels.index(each) for each in names]


def rotation(turn: Tensor) -> Tensor:
    """Return the matrix [3, 3] of a rotation vector [3], radians (Rodrigues' formula)."""
    angle = turn.norm() + 1e-8
    axis = turn / angle
    zero = torch.zeros(())
    cross = torch.stack(
        [
            torch.stack([zero, -axis[2], axis[1]]),
            torch.stack([axis[2], zero, -axis[0]]),
            torch.stack([-axis[1], axis[0], zero]),
        ]
    )
    matrix: Tensor = torch.eye(3) + angle.sin() * cross + (1.0 - angle.cos()) * (cross @ cross)
    return matrix


# Of a head that looks into the camera: picture x is the body's left, y is down, depth its back.
TO_PICTURE: Final = torch.tensor(np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32))
