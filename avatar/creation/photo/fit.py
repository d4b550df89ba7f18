"""Fits a head to a face in a photo, by gradients through its landmarks and rendered soft masks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from avatar.creation.photo.contours import (
    BROWS,
    EYES,
    LIPS,
    MOUTH,
    NOSE,
    OVAL,
    disagreement,
    grid,
    soft_mask,
)
from avatar.creation.photo.face import FaceLandmarks
from avatar.creation.photo.shape import ACTIONS, CHANGES, TO_PICTURE, HeadShape, rotation
from avatar.spec.identity import BodySpec

Floats = NDArray[np.float32]

STEPS: Final = 500
# How much a landmark counts, by the part of the face it is on; the others count a little.
_WEIGHTS: Final = (
    (OVAL, 0.7), (EYES[0], 1.5), (EYES[1], 1.5), (LIPS, 1.3), (MOUTH, 1.0), (NOSE, 1.2),
    (BROWS[0], 0.25), (BROWS[1], 0.25),
)  # fmt: skip
_OTHERS: Final = 0.15
# How far from the usual a value is thought to lie; a photo says little of age and build.
_SPREAD: Final = {"gender": 0.5, "age": 0.12, "weight": 0.25, "muscle": 0.12}
_PEOPLES: Final = ("african", "asian", "caucasian")
_CHANGE_SPREAD, _MOUTH_SPREAD, _ACTION_SPREAD = 0.35, 0.15, 0.25
# Faces smile at cameras: what widens a mouth is a smile before it is a wide mouth.
_SMILE_SPREAD: Final = 0.6
_SMILING: Final = ("mouthSmile", "mouthUpperUp", "mouthLowerDown", "jawOpen")
# What is thought of a person before the photo is seen.
ANYONE: Final = BodySpec(gender=0.5, african=0.33, asian=0.33, caucasian=0.34)
# A landmark is believed to within this share of the distance between the eyes.
_NOISE: Final = 0.025
_MASK_WEIGHT: Final = 40.0
_ROWS, _COLUMNS = 44, 36


@dataclass(frozen=True, slots=True)
class Camera:
    """Where landmarks appear: `project` them.

    Attributes:
        turn: rotation vector of the head [3]. scale: pixels a metre at the head's middle.
        place: pixels [2] of the head's middle. nearness: 1 / distance from the camera, 1/metre.
        middle: the head's middle [3] in the body's rest space.
    """

    turn: Floats
    scale: float
    place: Floats
    nearness: float
    middle: Floats

    def project(self, points: NDArray[Any]) -> Floats:
        """Return pixels and depth in metres [n, 3] of points [n, 3] in the rest space."""
        with torch.no_grad():
            seen = _project(
                torch.from_numpy(np.asarray(points, np.float32)),
                torch.from_numpy(self.middle),
                torch.from_numpy(self.turn),
                torch.tensor(self.scale),
                torch.from_numpy(self.place),
                torch.tensor(self.nearness),
            )
        return np.asarray(seen.numpy(), np.float32)

    def toward(self, points: NDArray[Any]) -> Floats:
        """Return the unit directions [n, 3], in the rest space, from points to the camera."""
        with torch.no_grad():
            turn = rotation(torch.from_numpy(self.turn)).numpy() @ TO_PICTURE.numpy()
        eye = np.array([0.0, 0.0, -1.0 / self.nearness])
        away = eye - (np.asarray(points) - self.middle) @ turn.T
        return np.asarray(away / np.linalg.norm(away, axis=1, keepdims=True) @ turn, np.float32)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted head.

    Attributes:
        body: shape as a specification; `face` is what the photo's face was doing, weakened.
        actions: all that the photo's face was doing, by name, 0 to 1.
        camera: how it was seen.
        error_before, error_after: mean distance of the landmarks that are fitted (outline, eyes,
            lips, nose), in percent of the distance between the pupils; before is the usual head
            in the best pose.
        landmarks: float32 [468, 3] of the fitted head with its expression, in the rest space.
    """

    body: BodySpec
    actions: dict[str, float]
    camera: Camera
    error_before: float
    error_after: float
    landmarks: Floats


@dataclass(slots=True)
class _Unknowns:
    """All that is searched for; logits and pre-tanh values, so that ranges hold."""

    people: Tensor
    race: Tensor
    changes: Tensor
    actions: Tensor
    turn: Tensor
    scale: Tensor
    place: Tensor
    nearness: Tensor


def fit_head(
    face: FaceLandmarks,
    shape: HeadShape,
    usual: BodySpec | None = None,
    steps: int = STEPS,
    progress: Callable[[float], None] | None = None,
) -> Fit:
    """Find the head and its pose whose landmarks lie where the photo's do.

    Args:
        face: landmarks of the photo.
        usual: what is expected before the photo is seen: its gender, age, build and resting
            changes are starting point and middle of the prior; default an average adult.
        steps: of Adam (Kingma and Ba, 2015), after a quarter as many for the pose alone and for
            the kind of person.
        progress: told the share done, 0 to 1.
    """
    with one_thread():
        return _fitted(face, shape, usual or ANYONE, steps, progress)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch to one thread: tensors as small as these only wait for each other on more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _fitted(
    face: FaceLandmarks,
    shape: HeadShape,
    start: BodySpec,
    steps: int,
    progress: Callable[[float], None] | None,
) -> Fit:
    problem = _Problem(face, shape, start)
    unknowns = problem.initial()
    pose = [unknowns.turn, unknowns.scale, unknowns.place, unknowns.nearness]
    _descend(problem, unknowns, [{"params": pose, "lr": 0.02}], steps // 4, masks=False)
    before = problem.error(unknowns)
    # Kind of person first: otherwise many small changes say what one phenotype says better.
    people = [unknowns.people, unknowns.race, unknowns.actions]
    groups = [{"params": pose, "lr": 0.006}, {"params": people, "lr": 0.05}]
    _descend(problem, unknowns, groups, steps // 4, masks=False)
    groups = [{"params": pose, "lr": 0.004}, {"params": [*people, unknowns.changes], "lr": 0.02}]
    _descend(problem, unknowns, groups, steps, masks=True, progress=progress)
    return problem.result(unknowns, before)


def _descend(
    problem: "_Problem",
    unknowns: _Unknowns,
    groups: list[dict[str, Any]],
    steps: int,
    masks: bool,
    progress: Callable[[float], None] | None = None,
) -> None:
    for group in groups:
        for value in group["params"]:
            value.requires_grad_(True)
    optimiser = torch.optim.Adam(groups)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(steps, 1), 1e-4)
    for step in range(steps):
        optimiser.zero_grad()
        # Masks are rendered once the contours lie near each other.
        loss = problem.loss(unknowns, masks and step >= steps // 3)
        torch.autograd.backward(loss)
        optimiser.step()
        slower.step()
        if progress is not None and step % 20 == 0:
            progress(step / steps)


class _Problem:
    """The photo's landmarks in units of the distance between the eyes, and what is believed."""

    def __init__(self, face: FaceLandmarks, shape: HeadShape, usual: BodySpec) -> None:
        pupils = face.irises[:, 0]
        self.unit = float(np.linalg.norm(pupils[1] - pupils[0]))
        self.origin = np.asarray(pupils.mean(0), np.float32)
        flat = (face.points[:, :2] - self.origin) / self.unit
        self.wanted = torch.from_numpy(flat.astype(np.float32))
        self.depth = torch.from_numpy((face.points[:, 2] / self.unit).astype(np.float32))
        self.shape, self.usual = shape, usual
        self.weights = torch.full((len(flat),), _OTHERS)
        for numbers, weight in _WEIGHTS:
            self.weights[list(numbers)] = weight
        self.change_spread = torch.tensor(
            [_MOUTH_SPREAD if n.startswith("mouth") else _CHANGE_SPREAD for n in CHANGES]
        )
        self.action_spread = torch.tensor(
            [_SMILE_SPREAD if n.startswith(_SMILING) else _ACTION_SPREAD for n in ACTIONS]
        )
        self.measured = sorted({*OVAL, *EYES[0], *EYES[1], *LIPS, *NOSE})
        self.contours = (OVAL, *EYES, LIPS)
        self.grids, self.masks = self._targets()
        self.fixed = shape.values(usual.phenotypes)

    def _targets(self) -> tuple[list[Tensor], list[Tensor]]:
        """Render the photo's masks, each on a grid of its own."""
        grids, masks = [], []
        for contour in self.contours:
            corners = self.wanted[list(contour)]
            edge = 0.15 * (corners.amax(0) - corners.amin(0)) + 0.03
            pixels = grid(corners.amin(0) - edge, corners.amax(0) + edge, _ROWS, _COLUMNS)
            grids.append(pixels)
            masks.append(soft_mask(corners, pixels, self._softness(corners)))
        return grids, masks

    @staticmethod
    def _softness(corners: Tensor) -> float:
        return 0.03 * float((corners.amax(0) - corners.amin(0)).max())

    def initial(self) -> _Unknowns:
        people = torch.tensor([getattr(self.usual, name) for name in _SPREAD])
        race = torch.tensor([getattr(self.usual, name) for name in _PEOPLES])
        changes = dict(self.usual.changes)
        known = torch.tensor([changes.get(name, 0.0) for name in CHANGES])
        start = _Unknowns(
            people=torch.logit(_unit_age(people).clamp(0.02, 0.98)),
            race=race.clamp_min(0.05).log(),
            changes=torch.atanh(known.clamp(-0.95, 0.95)),
            actions=torch.full((len(ACTIONS),), 0.02),
            turn=torch.zeros(3),
            scale=torch.zeros(()),
            place=torch.zeros(2),
            nearness=torch.tensor(0.9).log(),
        )
        self._believed = (people, torch.tanh(start.changes).detach().clone())
        with torch.no_grad():
            points = self._points(start)
            self.middle = points.mean(0)
            seen = (points - self.middle) @ TO_PICTURE.T
            width = (seen[33, :2] - seen[263, :2]).norm()
            apart = (self.wanted[33] - self.wanted[263]).norm()
            start.scale = (apart / width).log()
            start.place = (self.wanted - seen[:, :2] * start.scale.exp()).mean(0)
            start.turn = self._turn(seen)
        return start

    def _turn(self, seen: Tensor) -> Tensor:
        """Return the first guess of the rotation: Kabsch's, with the network's depths."""
        stable = list({*EYES[0], *EYES[1], *NOSE, *OVAL[:9], *OVAL[-9:]})
        photo = torch.cat([self.wanted, self.depth[:, None]], 1)[stable]
        mine = seen[stable]
        cross = (mine - mine.mean(0)).T @ (photo - photo.mean(0))
        u, _, v = torch.linalg.svd(cross)
        sign = torch.tensor([1.0, 1.0, float(torch.sign(torch.det(v.T @ u.T)))])
        matrix = v.T @ torch.diag(sign) @ u.T
        angle = torch.arccos(((matrix.trace() - 1.0) / 2.0).clamp(-1.0, 1.0))
        skew = torch.stack(
            [
                matrix[2, 1] - matrix[1, 2],
                matrix[0, 2] - matrix[2, 0],
                matrix[1, 0] - matrix[0, 1],
            ]
        )
        return skew / (2.0 * angle.sin()).clamp_min(1e-3) * angle

    def _phenotypes(self, unknowns: _Unknowns) -> Tensor:
        values = self.fixed.clone()
        labels = self.shape.model.phenotype_labels
        people = _true_age(torch.sigmoid(unknowns.people))
        race = torch.softmax(unknowns.race, 0)
        for name, value in zip((*_SPREAD, *_PEOPLES), (*people, *race), strict=True):
            values[labels.index(name)] = value
        return values

    def _points(self, unknowns: _Unknowns) -> Tensor:
        return self.shape.landmarks(
            self._phenotypes(unknowns),
            torch.tanh(unknowns.changes),
            unknowns.actions.clamp(0.0, 1.0),
        )

    def seen(self, unknowns: _Unknowns) -> Tensor:
        """Return where the landmarks appear [468, 2], in units."""
        return _project(
            self._points(unknowns),
            self.middle,
            unknowns.turn,
            unknowns.scale.exp(),
            unknowns.place,
            unknowns.nearness.exp(),
        )[:, :2]

    def loss(self, unknowns: _Unknowns, masks: bool) -> Tensor:
        seen = self.seen(unknowns)
        gap = (seen - self.wanted).square().sum(1) / _NOISE**2
        # Huber's: one landmark that is quite wrong does not pull the face along.
        robust = torch.where(gap < 4.0, gap, 4.0 * gap.clamp_min(1e-9).sqrt() - 4.0)
        total = (self.weights * robust).sum() + self._prior(unknowns)
        if masks:
            for contour, pixels, target in zip(self.contours, self.grids, self.masks, strict=True):
                corners = seen[list(contour)]
                mine = soft_mask(corners, pixels, self._softness(self.wanted[list(contour)]))
                total = total + _MASK_WEIGHT * disagreement(mine, target)
        return total

    def _prior(self, unknowns: _Unknowns) -> Tensor:
        people, changes = self._believed
        spread = torch.tensor(tuple(_SPREAD.values()))
        mine = _true_age(torch.sigmoid(unknowns.people))
        total = ((mine - people) / spread).square().sum()
        off = torch.tanh(unknowns.changes) - changes
        total = total + (off / self.change_spread).square().sum()
        total = total + (unknowns.actions / self.action_spread).square().sum()
        # Outside 0 to 1 an action does nothing; it is led back.
        total = total + 400.0 * (unknowns.actions - unknowns.actions.clamp(0.0, 1.0)).square().sum()
        total = total + self._lopsided(unknowns)
        total = total + ((unknowns.nearness + 0.1) / 0.4).square()
        return total + (unknowns.race - unknowns.race.mean()).square().sum() / 2.0

    @staticmethod
    def _lopsided(unknowns: _Unknowns) -> Tensor:
        """Return how unlike the two sides act: faces mostly do the same on both."""
        total = torch.zeros(())
        for i, name in enumerate(ACTIONS):
            if name.endswith("Left") and name not in ("mouthLeft", "jawLeft"):
                other = ACTIONS.index(name.removesuffix("Left") + "Right")
                total = total + ((unknowns.actions[i] - unknowns.actions[other]) / 0.1).square()
        return total

    def error(self, unknowns: _Unknowns) -> float:
        with torch.no_grad():
            gap = (self.seen(unknowns) - self.wanted)[self.measured].norm(dim=1)
        return 100.0 * float(gap.mean())

    def result(self, unknowns: _Unknowns, before: float) -> Fit:
        with torch.no_grad():
            phenotypes = self._phenotypes(unknowns)
            changes = torch.tanh(unknowns.changes)
            actions = unknowns.actions.clamp(0.0, 1.0)
            points = self._points(unknowns)
        found = {n: round(float(v), 3) for n, v in zip(ACTIONS, actions, strict=True) if v > 0.02}
        labels = list(self.shape.model.phenotype_labels)
        people = {
            name: round(float(phenotypes[labels.index(name)]), 3) for name in (*_SPREAD, *_PEOPLES)
        }
        own = dict(self.usual.changes)
        own |= {n: round(float(v), 3) for n, v in zip(CHANGES, changes, strict=True)}
        kept = tuple((name, value) for name, value in own.items() if abs(value) >= 0.01)
        camera = Camera(
            unknowns.turn.detach().numpy().astype(np.float32),
            float(unknowns.scale.detach().exp()) * self.unit,
            (unknowns.place.detach().numpy() * self.unit + self.origin).astype(np.float32),
            float(unknowns.nearness.detach().exp()),
            self.middle.numpy().astype(np.float32),
        )
        body = self.usual.changed(**people, changes=kept, face=_resting(found))
        return Fit(body, found, camera, before, self.error(unknowns), points.numpy())


def _resting(actions: dict[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the resting face: of a photo's smile a third, and never an open mouth."""
    smile = (actions.get("mouthSmileLeft", 0.0) + actions.get("mouthSmileRight", 0.0)) / 2.0
    kept = round(min(0.35, smile / 2.0), 3)
    return (("mouthSmileLeft", kept), ("mouthSmileRight", kept)) if kept >= 0.05 else ()


def _unit_age(people: Tensor) -> Tensor:
    """Bring age, 0.5 to 1, to 0 to 1 as the others."""
    out = people.clone()
    out[1] = (people[1] - 0.5) * 2.0
    return out


def _true_age(people: Tensor) -> Tensor:
    halved = 0.5 + people[1] / 2.0
    return torch.cat([people[:1], halved[None], people[2:]])


def _project(
    points: Tensor, middle: Tensor, turn: Tensor, scale: Tensor, place: Tensor, nearness: Tensor
) -> Tensor:
    seen = (points - middle) @ TO_PICTURE.T @ rotation(turn).T
    size = scale / (1.0 + nearness * seen[:, 2:])
    return torch.cat([seen[:, :2] * size + place, seen[:, 2:]], 1)
