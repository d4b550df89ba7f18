"""Which triangles of an avatar a camera can ever see, and from which side."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from avatar.body.asset import AvatarAsset, Part
from avatar.body.skinning import joint_moves, skinned
from avatar.renderer.camera import Shot
from avatar.wardrobe.trial_poses import trial_poses
from motion.skeleton import JOINT_NAMES

Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]

# What may be left out where it is never seen, and what hides nothing behind it. Hair is drawn
# whole: it is what shows between the other things.
HIDEABLE: Final = ("cloth", "skin")
_THIN: Final = ("strand", "lash", "glass", "shadow")
# Metres around what was seen that are kept: poses and cameras between those that were tried.
_MARGIN: Final = 0.045
_BACK_MARGIN: Final = 0.045
# Bones whose sleeves show their inside as hands turn: one looks far into a cuff.
_SLEEVES: Final = ("lowerarm", "wrist")
_PIXELS: Final = (576, 768)
_HEIGHT: Final = 2.3  # metres of the picture
_DISTANCE: Final = 2.4
# Degrees the camera stands aside, from which every second pose is looked at: bodies turn by up to
# 50 degrees, and the camera moves.
_SIDES: Final = ((0.0, 30.0, -55.0), (0.0, -30.0, 55.0))

_VERTEX = """
#version 330
in vec3 position; uniform mat4 view;
void main() { gl_Position = view * vec4(position, 1.0); }
"""
_FRAGMENT = """
#version 330
uniform int first; out vec4 colour;
void main() {
    int number = first + gl_PrimitiveID;
    int side = gl_FrontFacing ? 0 : 255;
    colour = vec4(ivec4(number, number >> 8, number >> 16, side) & 255) / 255.0;
}
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What of a part is ever seen.

    Attributes:
        triangles: bool [t], from either side.
        backs: bool [n], vertices of triangles that are seen from behind.
    """

    triangles: Flags
    backs: Flags


def seen_triangles(context: Any, asset: AvatarAsset) -> list[Seen]:
    """Return for each part what of it is ever seen.

    Every trial pose is looked at from the front and from both sides; what the face moves is taken
    to be seen, and all of a part whose material is not one of `HIDEABLE`.
    """
    views = _Views(context, asset)
    counts = [len(part.triangles) for part in asset.parts]
    seen = np.zeros((2, sum(counts) + 1), bool)
    for number, pose in enumerate(trial_poses(asset.joints).values()):
        moves = joint_moves(asset, pose)
        views.place([skinned(part, moves) for part in asset.parts])
        for side in _SIDES[number % 2]:
            numbers = views.numbers(_from_side(asset, side))
            seen[(numbers < 0).astype(np.intp), numbers & 0xFFFFFF] = True
    views.release()
    found = np.split(seen[:, 1:], np.cumsum(counts)[:-1], axis=1)
    return [_widened(part, *flags) for part, flags in zip(asset.parts, found, strict=True)]


def _widened(part: Part, fronts: Flags, backs: Flags) -> Seen:
    seen = fronts | backs
    if part.material not in HIDEABLE or not seen.any():
        return Seen(np.ones_like(seen), np.ones(len(part.positions), bool))
    middle = part.positions[part.triangles].mean(1)
    near = _near(middle, part.positions[part.triangles[seen]].reshape(-1, 3), _MARGIN)
    # The poses were tried with a face at rest.
    face = part.morphs[part.triangles, 1].any(1)
    behind = _near(part.positions, middle[backs], _BACK_MARGIN)
    return Seen(near | face, behind | _in_sleeves(part))


def _in_sleeves(part: Part) -> Flags:
    """Return which vertices lower arms carry, most of all, bool [n]."""
    bones = [index for index, name in enumerate(JOINT_NAMES) if name.startswith(_SLEEVES)]
    carried = (part.weights * np.isin(part.joints, bones)).sum(1)
    return np.asarray(carried > 0.5)


def _near(points: Floats, others: Floats, reach: float) -> Flags:
    """Return which of `points` [n, 3] have one of `others` [m, 3] within `reach` metres."""
    if len(others) == 0:
        return np.zeros(len(points), bool)
    away, _ = cKDTree(others).query(points, distance_upper_bound=reach)
    return np.asarray(np.isfinite(away))


def _from_side(asset: AvatarAsset, degrees: float) -> Floats:
    eye = np.array([0.0, asset.values["eye"][1], asset.values["eye"][2]])
    middle = np.array([0.0, eye[1], 0.5 * eye[2]])
    turn = math.radians(degrees)
    position = eye + _DISTANCE * np.array([math.sin(turn), -math.cos(turn), 0.0])
    position[2] = 0.8 * eye[2]
    return Shot(position, middle, _HEIGHT, _DISTANCE, _PIXELS[0] / _PIXELS[1]).view


class _Views:
    """Draws the number of the foremost triangle into each pixel; 0 is none."""

    def __init__(self, context: Any, asset: AvatarAsset) -> None:
        self._context = context
        self._program = context.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
        self._target = context.texture(_PIXELS, 4)
        self._depth = context.depth_renderbuffer(_PIXELS)
        self._frame = context.framebuffer([self._target], self._depth)
        self._parts: list[tuple[int, bool, Any, Any, Any]] = []
        first = 1
        for part in asset.parts:
            vertices = context.buffer(reserve=part.positions.nbytes, dynamic=True)
            indices = context.buffer(np.ascontiguousarray(part.triangles).tobytes())
            array = context.vertex_array(self._program, [(vertices, "3f", "position")], indices)
            hides = part.material not in _THIN
            self._parts.append((first, hides, vertices, indices, array))
            first += len(part.triangles)

    def place(self, positions: Sequence[Floats]) -> None:
        """Put the vertices of each part [n, 3] where they are now."""
        for (_, _, vertices, _, _), points in zip(self._parts, positions, strict=True):
            vertices.write(np.ascontiguousarray(points, np.float32))

    def numbers(self, view: Floats) -> NDArray[np.int32]:
        """Return the number of the triangle in each pixel, from a camera's `view` [4, 4]."""
        self._program["view"].write(np.ascontiguousarray(view.T, np.float32))
        self._frame.use()
        self._frame.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST)
        for first, hides, _, _, array in self._parts:
            if hides:
                self._program["first"].value = first
                array.render()
        return np.frombuffer(self._frame.read(components=4), np.int32)

    def release(self) -> None:
        """Free what was made in the context."""
        for _, _, *things in self._parts:
            for thing in reversed(things):
                thing.release()
        for thing in (self._frame, self._target, self._depth, self._program):
            thing.release()
