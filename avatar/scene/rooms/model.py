"""`Model`: a room put together from plates, boxes and turned shapes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from avatar.spec.colour import linear

Floats = NDArray[np.floating[Any]]
Vector = tuple[float, float, float]
Paint = Literal["fixed", "wall", "accent"]
PAINTS: Final[tuple[Paint, ...]] = ("fixed", "wall", "accent")

_STEP: Final = 0.09  # metres between the vertices of a plate, where light may change


@dataclass(frozen=True, slots=True)
class Lamp:
    """A rectangle that shines: `corner`, two edges, and its radiance, linear RGB."""

    corner: Vector
    across: Vector
    along: Vector
    radiance: Vector


@dataclass(slots=True)
class Model:
    """A room. Metres: x to the picture's right, y away from the camera, z up from the floor.

    The figure's face is above the origin. Everything added to `front` stands between camera and
    figure, with z counted from the figure's eyes.
    """

    positions: list[Floats] = field(default_factory=list)
    normals: list[Floats] = field(default_factory=list)
    albedo: list[Floats] = field(default_factory=list)
    glow: list[Floats] = field(default_factory=list)
    paints: list[NDArray[np.uint8]] = field(default_factory=list)
    triangles: list[NDArray[np.int32]] = field(default_factory=list)
    solids: list[tuple[Vector, Vector, Vector]] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    sky: Vector = (0.5, 0.5, 0.5)
    seed: int = 7

    @property
    def count(self) -> int:
        """How many vertices there are."""
        return sum(map(len, self.positions))

    def add(
        self,
        positions: Floats,
        normals: Floats,
        triangles: NDArray[np.int32],
        colour: str | Floats,
        paint: Paint = "fixed",
        glow: Vector = (0.0, 0.0, 0.0),
    ) -> None:
        """Add a surface of one colour, or one per vertex."""
        self.triangles.append(triangles + self.count)
        self.positions.append(positions.astype(np.float32))
        self.normals.append(normals.astype(np.float32))
        shade = np.array(linear(colour) if isinstance(colour, str) else colour, np.float32)
        self.albedo.append(np.broadcast_to(shade, positions.shape).copy())
        self.glow.append(np.broadcast_to(np.array(glow, np.float32), positions.shape).copy())
        self.paints.append(np.full(len(positions), PAINTS.index(paint), np.uint8))

    def plate(
        self,
        corner: Vector,
        across: Vector,
        along: Vector,
        colour: str | Floats,
        *,
        paint: Paint = "fixed",
        glow: Vector = (0.0, 0.0, 0.0),
        step: float = _STEP,
    ) -> None:
        """Add a rectangle; it faces `across` x `along`."""
        u, v = np.array(across, np.float64), np.array(along, np.float64)
        columns = max(int(np.ceil(np.linalg.norm(u) / step)), 1) + 1
        rows = max(int(np.ceil(np.linalg.norm(v) / step)), 1) + 1
        s, t = np.meshgrid(np.linspace(0.0, 1.0, columns), np.linspace(0.0, 1.0, rows))
        points = np.array(corner) + s.reshape(-1, 1) * u + t.reshape(-1, 1) * v
        normal = np.cross(u, v)
        normal /= np.linalg.norm(normal)
        self.add(
            points, np.broadcast_to(normal, points.shape), _grid(rows, columns), colour, paint, glow
        )

    def box(
        self,
        low: Vector,
        high: Vector,
        colour: str,
        *,
        paint: Paint = "fixed",
        glow: Vector = (0.0, 0.0, 0.0),
        step: float = _STEP,
        vary: float = 0.0,
    ) -> None:
        """Add a box; `vary` makes its colour lighter or darker by chance, as wood is."""
        shade = np.array(linear(colour), np.float32) * self.chance(vary)
        (a, b, c), (d, e, f) = low, high
        x, y, z = d - a, e - b, f - c
        for corner, across, along in (
            (low, (x, 0, 0), (0, 0, z)),  # front
            ((d, b, c), (0, y, 0), (0, 0, z)),  # right
            ((a, e, c), (0, -y, 0), (0, 0, z)),  # left
            ((a, b, f), (x, 0, 0), (0, y, 0)),  # top
            ((a, e, c), (x, 0, 0), (0, -y, 0)),  # bottom
        ):
            self.plate(corner, across, along, shade, paint=paint, glow=glow, step=step)
        if not any(glow):
            self.solids.append((low, high, tuple(map(float, shade))))  # type: ignore[arg-type]

    def turned(
        self,
        foot: Vector,
        profile: Sequence[tuple[float, float]],
        colour: str,
        *,
        paint: Paint = "fixed",
        glow: Vector = (0.0, 0.0, 0.0),
        sides: int = 18,
    ) -> None:
        """Add a shape turned round the vertical: (radius, height) from `foot` upwards."""
        shape = np.array(profile, np.float64)
        angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
        ring = np.stack([np.cos(angle), np.sin(angle)], -1)
        points = np.concatenate(
            [
                np.broadcast_to(shape[:, None, :1] * ring, (len(shape), sides + 1, 2)),
                np.broadcast_to(shape[:, None, 1:], (len(shape), sides + 1, 1)),
            ],
            -1,
        )
        slope = np.gradient(shape, axis=0)
        out = np.stack([slope[:, 1], -slope[:, 0]], -1)
        out /= np.linalg.norm(out, axis=1, keepdims=True) + 1e-9
        normals = np.concatenate(
            [
                out[:, None, :1] * ring,
                np.broadcast_to(out[:, None, 1:], (len(shape), sides + 1, 1)),
            ],
            -1,
        )
        self.add(
            (points + np.array(foot)).reshape(-1, 3),
            normals.reshape(-1, 3),
            _grid(len(shape), sides + 1),
            colour,
            paint,
            glow,
        )
        if not any(glow):
            half = 0.7 * float(shape[:, 0].max())
            x, y, z = foot
            low = (x - half, y - half, z + float(shape[:, 1].min()))
            high = (x + half, y + half, z + float(shape[:, 1].max()))
            self.solids.append((low, high, linear(colour)))

    def shine(self, lamp: Lamp, *, seen: bool = True) -> None:
        """Add a lamp, and the plate one sees of it."""
        self.lamps.append(lamp)
        if seen:
            self.plate(lamp.corner, lamp.across, lamp.along, "#ffffff", glow=lamp.radiance)

    def chance(self, spread: float) -> float:
        """Return a factor near 1, another one every time, the same in every run."""
        self.seed = (self.seed * 1103515245 + 12345) % 2**31
        return 1.0 + spread * (2.0 * self.seed / 2**31 - 1.0)


def _grid(rows: int, columns: int) -> NDArray[np.int32]:
    index = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    return np.stack([a, b, d, a, d, c], -1).reshape(-1, 3)
