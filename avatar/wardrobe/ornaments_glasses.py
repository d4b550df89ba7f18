"""Glasses: rims fitted before the face, a bridge, temples to the ears, lenses."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.masks import vertex_mask
from avatar.body.mesh import unit
from avatar.body.noise import smoothstep
from avatar.body.source import SKIN_VERTICES, Body
from avatar.wardrobe.ornaments_solids import Solid, grid, joined, mirrored, tube
from motion.skeleton import FACE_NAMES

Floats = NDArray[np.floating[Any]]

# Faces a rim must clear, as coefficients that act together.
_FACES: Final = (
    (),
    ("mouthSmile", "cheekSquint"),
    ("cheekPuff",),
    ("browInnerUp", "browOuterUp"),
    ("browDown", "eyeSquint"),
    ("noseSneer", "mouthUpperUp"),
)
_CORNERS: Final = 72


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of one rim; lengths in metres on the reference head.

    Attributes:
        half_width, half_height: of the lens.
        above: of the lens's middle over the eye's.
        power: of the superellipse: 2 is round, more is squarer.
        half: the rim's half thickness seen from in front, and in depth.
        bridge, temple: height of bridge and temples over the middle, in shares of `half_height`.
    """

    half_width: float
    half_height: float
    above: float
    power: float
    half: tuple[float, float]
    bridge: float
    temple: float


RECTANGULAR: Final = Shape(0.0275, 0.0190, -0.0035, 4.6, (0.0015, 0.0017), 0.36, 0.52)
ROUND: Final = Shape(0.0240, 0.0232, -0.0070, 2.0, (0.0008, 0.0008), 0.30, 0.30)

_BACK: Final = np.array([0.0006, 0.003, 0.0])  # of a hinge
_GAP: Final = 0.0095  # half the distance between the lenses
_CLEAR: Final = 0.0022
_TILT: Final = np.tan(np.radians(7.0))
_WRAP: Final = 1.9  # curvature of the front, 1/m


class Fit:
    """Where glasses of a `shape` sit on `body`."""

    def __init__(self, body: Body, marks: Landmarks, shape: Shape) -> None:
        self.shape, self.scale, self.eye = shape, marks.scale, marks.eye
        self.x = max(float(marks.eye[0]) + 0.002, (_GAP + shape.half_width) * marks.scale)
        self.z = float(marks.eye[2]) + shape.above * marks.scale
        self._skin = body.vertices[:SKIN_VERTICES]
        self._ears = vertex_mask(body, "mpfb_ears.jpg")[:SKIN_VERTICES] > 0.1
        self._faces = [_with(body, names) for names in _FACES]
        self.y = 0.0
        self.y = self._clearance(self._behind_rim)

    def front(self, x: Floats, z: Floats) -> Floats:
        """Return y of the frame's front, for x and z [...] in metres."""
        bow = _WRAP / self.scale * np.square(x)
        return np.asarray(self.y + bow + _TILT * (self.z - z))

    def outline(self, grow: float = 0.0) -> Floats:
        """Return the left rim's middle line [72, 3], counted from the temple upwards."""
        angle = 2.0 * np.pi * np.arange(_CORNERS) / _CORNERS
        shape, power = self.shape, 2.0 / self.shape.power
        across = np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** power
        up = np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** power
        # A lens is a little narrower below, more so towards the nose.
        narrow = 1.0 - 0.06 * np.clip(-up, 0.0, 1.0) if shape.power > 2.0 else 1.0
        x = self.x + (shape.half_width * self.scale + grow) * across * narrow
        z = self.z + (shape.half_height * self.scale + grow) * up
        return np.stack([x, self.front(x, z), z], 1)

    def _behind_rim(self, points: Floats) -> NDArray[np.bool_]:
        """Return which points lie behind lens or rim, the nose left out."""
        shape = self.shape
        u = np.abs(np.abs(points[:, 0]) - self.x) / (shape.half_width * self.scale + 0.003)
        w = np.abs(points[:, 2] - self.z) / (shape.half_height * self.scale + 0.003)
        nose = np.abs(points[:, 0]) < (_GAP - 0.001) * self.scale
        inside: NDArray[np.bool_] = (u**shape.power + w**shape.power < 1.0) & ~nose
        return inside

    def bridge_clearance(self, height: float) -> float:
        """Return y in front of the nose at `height`, for a bridge there."""
        return self._clearance(
            lambda p: (np.abs(p[:, 0]) < 0.008) & (np.abs(p[:, 2] - height) < 0.0045), flat=True
        )

    def _clearance(self, chosen: Any, *, flat: bool = False) -> float:
        depth = self.shape.half[1] * self.scale + _CLEAR
        least = np.inf
        for points in self._faces:
            near = points[chosen(points)]
            near = near[near[:, 1] < self.eye[1] + 0.01]
            bow = 0.0 if flat else self.front(near[:, 0], near[:, 2]) - self.y
            least = min(least, float((near[:, 1] - bow).min()))
        return least - depth

    def temple(self) -> Floats:
        """Return the left temple's path [n, 3], from the rim back to behind the ear."""
        shape = self.shape
        ear = self._skin[self._ears & (self._skin[:, 0] > 0.0)]
        root = ear[ear[:, 2] > ear[:, 2].max() - 0.012 * self.scale]
        top = float(root[:, 2].max()) + 0.001
        z0 = self.z + shape.temple * shape.half_height * self.scale
        x0 = self.x + shape.half_width * self.scale * (1.0 if shape.power == 2.0 else 0.99)
        x0 += 0.0035 * self.scale
        y0 = float(self.front(np.array(x0), np.array(z0)))
        y1 = float(np.median(root[:, 1]))
        share = np.linspace(0.0, 1.0, 24)
        y = y0 + share * (y1 + 0.022 * self.scale - y0)
        past = np.clip((y - y1) / (0.022 * self.scale), 0.0, 1.0)
        z = z0 + (top - z0) * np.clip((y - y0) / (y1 - y0), 0.0, 1.0) - 0.012 * past**2
        wide = np.array([self._half_width(a, b) for a, b in zip(y, z, strict=True)])
        wide = np.maximum(wide + 0.0022, x0 * (1.0 - share) + share * wide)
        x = np.maximum.accumulate(np.where(share < 0.8, wide, 0.0))
        x = np.where(share < 0.8, x, np.minimum(x, wide + 0.001))
        x[0] = x0
        for _ in range(3):
            x[1:-1] = np.maximum(0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:], wide[1:-1])
        return np.stack([x, y, z], 1)

    def _half_width(self, y: float, z: float) -> float:
        near = np.abs(self._skin[:, 1] - y) < 0.009
        near &= (np.abs(self._skin[:, 2] - z) < 0.009) & ~self._ears & (self._skin[:, 0] > 0.0)
        return float(self._skin[near, 0].max()) if near.any() else 0.0


def _with(body: Body, names: tuple[str, ...]) -> Floats:
    chosen = [i for i, name in enumerate(FACE_NAMES) if names and name.startswith(names)]
    moved = body.shapes[chosen, :SKIN_VERTICES].sum(0)
    return np.asarray(body.vertices[:SKIN_VERTICES] + moved, np.float32)


def glasses(body: Body, marks: Landmarks, shape: Shape) -> tuple[Solid, Solid]:
    """Return the frame and the two lenses."""
    fit = Fit(body, marks, shape)
    scale, outline = marks.scale, fit.outline()
    half = np.array(shape.half) * scale
    outward = unit(outline - outline.mean(0))
    thick = np.repeat(half[None], len(outline), 0)
    if shape.power > 2.0:  # a lacquered frame is heavier along the brow
        thick[:, 0] *= 1.0 + 0.45 * smoothstep(-0.2, 0.9, outward[:, 2])
    rim = tube(outline, outward, thick, closed=True, sides=10)
    parts = [rim, mirrored(rim)]
    for temple in _temples(fit, half):
        parts += [temple, mirrored(temple)]
    lens = _lens(fit)
    return joined([*parts, _bridge(fit, half)]), joined([lens, mirrored(lens)])


def _bridge(fit: Fit, half: Floats) -> Solid:
    """Arch from rim to rim, before the nose."""
    shape, scale = fit.shape, fit.scale
    z = fit.z + shape.bridge * shape.half_height * scale
    line = fit.outline()
    inner = line[line[:, 0] < fit.x]
    end = inner[np.abs(inner[:, 2] - z).argmin()]
    share = np.linspace(-1.0, 1.0, 17)
    arch = 1.0 - share**2
    rise = (0.0045 if shape.power == 2.0 else 0.0015) * scale
    before = min(fit.bridge_clearance(float(end[2]) + rise), float(end[1]))
    path = np.stack([share * end[0], end[1] + (before - end[1]) * arch, end[2] + rise * arch], 1)
    size = (1.05 * half[0], half[1]) if shape.power == 2.0 else (1.35 * half[0], 0.85 * half[1])
    return tube(path, np.array([0.0, 0.0, 1.0]), size, sides=10)


def _temples(fit: Fit, half: Floats) -> list[Solid]:
    """Return the left end piece and temple."""
    path = fit.temple()
    line = fit.outline()
    outer = line[line[:, 0] > fit.x]
    joint = outer[np.abs(outer[:, 2] - path[0, 2]).argmin()]
    corner = path[0] + np.array([0.0, 0.0004, 0.0])
    piece = np.stack([joint, 0.5 * (joint + corner), corner, corner + _BACK])
    round_wire = fit.shape.power == 2.0
    tall = 1.0 * half[0] if round_wire else 1.75 * half[0]
    wide = 0.9 * half[1] if round_wire else 0.70 * half[1]
    end = tube(piece, np.array([0.0, 0.0, 1.0]), (tall, wide), sides=8)
    arm = tube(path, np.array([0.0, 0.0, 1.0]), (tall, wide), sides=8)
    return [end, arm]


def _lens(fit: Fit) -> Solid:
    """Fill the left rim with a shallow bowl."""
    line = fit.outline()
    middle = line.mean(0)
    shares = np.array([0.995, 0.8, 0.6, 0.4, 0.2, 0.001])
    bulge = np.array([0.0, -0.0012 * fit.scale, 0.0])
    rings = [middle + s * (line - middle) + (1.0 - s * s) * bulge for s in shares]
    positions = np.concatenate(rings).astype(np.float32)
    away = (positions - middle) * np.array([11.0, 0.0, 11.0]) / fit.scale
    normals = unit(away + np.array([0.0, -1.0, -_TILT]) + [2 * _WRAP * fit.x, 0.0, 0.0])
    return Solid(
        positions, normals.astype(np.float32), grid(len(shares) - 1, len(line), len(shares))
    )
