"""What each pixel of a drawn host shows, from its prepared surfaces alone."""

from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, Part
from avatar.body.skinning import joint_moves, skinned
from avatar.editing.atoms import PART_INDEX
from avatar.renderer.base import Size
from avatar.renderer.camera import camera
from motion.pose import Pose

Floats = NDArray[np.float32]

_VERTEX: Final = """
#version 330
in vec3 position; in vec3 rest; in vec2 uv; uniform mat4 view;
out vec3 at; out vec2 place;
void main() { at = rest; place = uv; gl_Position = view * vec4(position, 1.0); }
"""
_FRAGMENT: Final = """
#version 330
in vec3 at; in vec2 place; out vec4 seen;
uniform float part; uniform bool strand; uniform sampler2D picture;
void main() {
    if (strand && texture(picture, place).r < 0.5) discard;
    seen = vec4(part, at);
}
"""

# The first words of surfaces' names; a surface that has none of them is a detail (a button, a
# collar) of what comes before it.
_NAMES: Final = {
    "upper": ("top", "t-shirt", "t_shirt", "shirt", "blouse", "sweater", "hoodie", "qipao",
              "dress"),
    "outer": ("lapels", "jacket", "blazer"),
    "over": ("apron",),
    "lower": ("trousers", "skirt"),
    "feet": ("shoe", "sneaker", "sole", "upper-"),
    "glasses": ("glasses", "frame", "rim", "temple", "bridge"),
    "ears": ("studs", "hoops"),
    "wrist": ("watch", "strap", "case", "dial"),
    "neck": ("necklace",),
}  # fmt: skip
_MATERIALS: Final = {"eye": "eyes", "mouth": "mouth", "hair": "hair", "strand": "hair"}
# Thin or clear surfaces: what lies behind them counts.
_UNSEEN: Final = ("lash", "lens", "glass", "shadow")

# Boxes on the face in metres on the reference head, from the middle between the eyes, right of it
# as left: (least |x|, most |x|, lowest, highest).
_FACE: Final = {
    "lips": (0.0, 0.0265, -0.0800, -0.0545),
    "brows": (0.010, 0.058, 0.0130, 0.0310),
    "lids": (0.010, 0.052, -0.0100, 0.0130),
    "cheeks": (0.020, 0.062, -0.0520, -0.0160),
}


def part_names(asset: AvatarAsset) -> list[str]:
    """Return for each surface of `asset` the name in `avatar.editing.atoms.PARTS` it counts as,
    "" for one that is not counted.
    """
    out, last = [], "upper"
    for part in asset.parts:
        name = _part_name(part, last)
        if name in _NAMES:
            last = name
        out.append(name)
    return out


def _part_name(part: Part, last: str) -> str:
    if part.name.startswith("lens") or part.material in _UNSEEN:
        return ""
    if part.material in _MATERIALS:
        return _MATERIALS[part.material]
    if part.material == "skin":
        return "head" if part.name == "head" else "limbs"
    for place, beginnings in _NAMES.items():
        if part.name.startswith(beginnings):
            return place
    return last


class PartMap:
    """Draws part maps. All calls come from the thread of `context`."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._program = context.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)

    def release(self) -> None:
        """Free the program."""
        self._program.release()

    def draw(self, asset: AvatarAsset, framing: str, pose: Pose, size: Size) -> NDArray[np.uint8]:
        """Return indices in `PARTS`, uint8 [height, width]; `pose` has no leading axes."""
        context = self._context
        target = context.texture((size.width, size.height), 4, dtype="f4")
        depth = context.depth_renderbuffer((size.width, size.height))
        frame = context.framebuffer([target], depth)
        frame.use()
        frame.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        view, _ = camera(asset, framing, size)
        self._program["view"].write(view.T.astype("f4").tobytes())
        moves = joint_moves(asset, pose)
        for part, name in zip(asset.parts, part_names(asset), strict=True):
            if name:
                self._part(asset, part, PART_INDEX[name], moves)
        raw = np.frombuffer(frame.read(components=4, dtype="f4"), np.float32)
        for thing in (frame, target, depth):
            thing.release()
        return _named(raw.reshape(size.height, size.width, 4)[::-1])

    def _part(self, asset: AvatarAsset, part: Part, index: int, moves: Floats) -> None:
        context = self._context
        rest = (part.positions - _between_eyes(asset)) / asset.values["scale"][0]
        rows = np.concatenate([skinned(part, moves), rest, part.uv], 1).astype("f4")
        buffer = context.buffer(rows.tobytes())
        indices = context.buffer(part.triangles.astype("i4").tobytes())
        content = [(buffer, "3f 3f 2f", "position", "rest", "uv")]
        array = context.vertex_array(self._program, content, indices)
        self._program["part"].value = float(index)
        strand = part.material == "strand"
        self._program["strand"].value = strand
        owned = [array, indices, buffer]
        if strand:
            owned.append(_texture(context, asset.textures[part.texture]))
            owned[-1].use(0)
        array.render()
        for thing in owned:
            thing.release()


def _texture(context: Any, image: NDArray[np.uint8]) -> Any:
    height, width, channels = image.shape
    texels = np.zeros((height, width, 4), np.uint8)
    texels[..., :channels] = image
    return context.texture((width, height), 4, texels.tobytes())


def _between_eyes(asset: AvatarAsset) -> Floats:
    return np.array([0.0, asset.values["eye"][1], asset.values["eye"][2]], np.float32)


def _named(seen: Floats) -> NDArray[np.uint8]:
    """Turn part numbers and rest positions [h, w, 4] into part numbers with places on the face."""
    parts = np.round(seen[..., 0]).astype(np.uint8)
    head = parts == PART_INDEX["head"]
    side, height = np.abs(seen[..., 1]), seen[..., 3]
    front = head & (seen[..., 2] < 0.03)
    for name, (near, far, low, high) in _FACE.items():
        inside = front & (side >= near) & (side < far) & (height >= low) & (height < high)
        parts[inside] = PART_INDEX[name]
    return parts
