"""What a style is made with, and how its rows become surfaces that follow the head."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.landmarks import Landmarks
from avatar.body.mesh import compact
from avatar.body.noise import smoothstep
from avatar.body.source import Body
from avatar.body.surface import Surface
from avatar.hair.drape import Shoulders
from avatar.hair.skull import Skull
from avatar.spec import AvatarSpec
from avatar.spec.colour import linear
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Wearer:
    """Whose hair: `shoulders` is what it may lie on, `rng` is seeded by the identity."""

    body: Body
    marks: Landmarks
    who: AvatarSpec
    skull: Skull
    shoulders: Shoulders
    rng: np.random.Generator

    @classmethod
    def of(
        cls, body: Body, marks: Landmarks, who: AvatarSpec, clothes: Sequence[Surface]
    ) -> "Wearer":
        """Measure `body` and its `clothes`."""
        skull, shoulders = Skull.of(body, marks), Shoulders.of(body, marks, clothes)
        return cls(body, marks, who, skull, shoulders, np.random.default_rng(who.seed + 20))

    @property
    def length(self) -> float:
        """The factor of the style's own length, 0.7 to 1.3."""
        return self.who.hair.length

    def closed(self, rows: Floats, triangles: Triangles) -> Surface:
        """Return the opaque surface "hair", which casts shadow."""
        return self._surface("hair", "hair", "strands", rows, triangles)

    def frayed(self, rows: Floats, triangles: Triangles) -> Surface:
        """Return "tips", where closed hair ends in single strands."""
        return self._surface("tips", "strand", "tips", rows, triangles)

    def loose(self, rows: Floats, triangles: Triangles) -> Surface:
        """Return "locks", which low quality leaves out."""
        return self._surface("locks", "strand", "tips", rows, triangles)

    def _surface(
        self, name: str, material: str, texture: str, rows: Floats, triangles: Triangles
    ) -> Surface:
        used, triangles = compact(triangles)
        rows = rows[used]
        return Surface(
            name=name,
            material=material,
            texture=texture,
            positions=rows[:, :3],
            normals=rows[:, 3:6],
            tangents=rows[:, 6:9],
            uv=rows[:, 9:11],
            weights=_follow(self.marks, rows[:, :3], self.body.weights.shape[1]),
            triangles=triangles,
            shade=rows[:, 11:13],
            occludes=name == "hair",
            floor=0.35,
            values=_colours(self.who),
        )


def _colours(who: AvatarSpec) -> dict[str, list[float]]:
    colour = np.array(linear(who.hair.colour))
    tip = np.array(linear(who.hair.tip)) if who.hair.tip else 1.35 * colour
    return {"colour": _absorbed(colour), "tip": _absorbed(tip)}


def _absorbed(colour: Floats) -> list[float]:
    """Return `colour` as a single strand has it: even white hair takes much of the light."""
    bright = float(colour @ np.array([0.2126, 0.7152, 0.0722]))
    return list((colour / (1.0 + 1.2 * bright)).tolist())


def _follow(marks: Landmarks, points: Floats, joints: int) -> Floats:
    """Let hair follow the head, and below the chin more and more the neck and chest."""
    # At the nape hair meets the neck sooner than it meets the shoulders at the sides.
    nape = smoothstep(1.9, 2.6, np.abs(marks.azimuth(points)))
    loose = smoothstep(-0.09, -0.20, marks.above_eye(points[:, 2]) - 0.045 * nape)
    weights = np.zeros((len(points), joints), np.float32)
    weights[:, JOINT_NAMES.index("head")] = 1.0 - 0.95 * loose
    weights[:, JOINT_NAMES.index("neck01")] = 0.15 * loose
    weights[:, JOINT_NAMES.index("spine01")] = 0.80 * loose
    return weights
