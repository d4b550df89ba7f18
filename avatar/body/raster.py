"""Uses the graphics context while an avatar is built: attribute maps and depth maps."""

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Floats = NDArray[np.floating[Any]]

_MAP_VERTEX = """
#version 330
in vec2 place; in float depth; in vec4 first; in vec4 second;
out vec4 a; out vec4 b;
void main() { a = first; b = second; gl_Position = vec4(place * 2.0 - 1.0, depth, 1.0); }
"""
_MAP_FRAGMENT = """
#version 330
in vec4 a; in vec4 b;
layout(location = 0) out vec4 out_a; layout(location = 1) out vec4 out_b;
void main() { out_a = a; out_b = b; }
"""
_DEPTH_VERTEX = """
#version 330
in vec3 position; uniform mat4 view;
void main() { gl_Position = view * vec4(position, 1.0); }
"""
_DEPTH_FRAGMENT = """
#version 330
void main() {}
"""


def attribute_map(
    context: Any, uv: Floats, attributes: Floats, depth: Floats, size: tuple[int, int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Paint corner attributes into texture space.

    Args:
        uv: [t, 3, 2] of each corner; u may lie outside 0 to 1, the map repeats in u.
        attributes: [t, 3, k], k <= 7.
        depth: [t, 3] in -1 to 1; where triangles overlap the smaller wins.
        size: width and height of the map in pixels.

    Returns:
        float32 [height, width, k], empty places filled from the nearest painted one, and
        whether each place was painted.
    """
    count = attributes.shape[-1]
    corners = np.zeros((attributes.shape[0] * 3, 8), np.float32)
    corners[:, :count] = attributes.reshape(-1, count)
    corners[:, 7] = 1.0
    rows = np.concatenate([uv.reshape(-1, 2), depth.reshape(-1, 1), corners], 1)
    both = _paint(context, rows.astype(np.float32), size)
    painted = both[..., 7] > 0.5
    nearest = ndimage.distance_transform_edt(~painted, return_distances=False, return_indices=True)
    return both[nearest[0], nearest[1], :count], painted


def _paint(context: Any, rows: Floats, size: tuple[int, int]) -> Floats:
    """Draw triangles of rows (u, v, depth, eight values), repeating in u: [height, width, 8]."""
    program = context.program(vertex_shader=_MAP_VERTEX, fragment_shader=_MAP_FRAGMENT)
    targets = [context.texture(size, 4, dtype="f4") for _ in range(2)]
    depths = context.depth_renderbuffer(size)
    frame = context.framebuffer(targets, depths)
    frame.use()
    frame.clear(0.0, 0.0, 0.0, 0.0)
    context.enable_only(moderngl.DEPTH_TEST)
    for shift in (0.0, -1.0, 1.0):
        moved = rows + np.array([shift, *[0.0] * 10], np.float32)
        buffer = context.buffer(moved.tobytes())
        layout = (buffer, "2f 1f 4f 4f", "place", "depth", "first", "second")
        vertices = context.vertex_array(program, [layout])
        vertices.render()
        vertices.release()
        buffer.release()
    images = [
        np.frombuffer(frame.read(components=4, attachment=i, dtype="f4"), np.float32)
        for i in range(2)
    ]
    for thing in (frame, program, depths, *targets):
        thing.release()
    return np.concatenate([image.reshape(size[1], size[0], 4) for image in images], -1)


class DepthMaps:
    """Tells how much of a set of directions each point of a scene can see."""

    def __init__(
        self,
        context: Any,
        meshes: Sequence[tuple[Floats, NDArray[np.int32]]],
        centre: Floats,
        radius: float,
        pixels: int = 640,
    ) -> None:
        self._context = context
        self._centre = centre
        self._radius = radius
        self._pixels = pixels
        self._program = context.program(
            vertex_shader=_DEPTH_VERTEX, fragment_shader=_DEPTH_FRAGMENT
        )
        self._texture = context.depth_texture((pixels, pixels))
        self._frame = context.framebuffer([], self._texture)
        self._buffers: list[Any] = []
        self._arrays: list[Any] = []
        for positions, triangles in meshes:
            vertices = context.buffer(positions.astype("f4").tobytes())
            indices = context.buffer(triangles.astype("i4").tobytes())
            self._buffers += [vertices, indices]
            self._arrays.append(
                context.vertex_array(self._program, [(vertices, "3f", "position")], indices)
            )

    def release(self) -> None:
        """Free what was made in the context."""
        for thing in (*self._arrays, *self._buffers, self._frame, self._texture, self._program):
            thing.release()

    def seen(
        self, points: Floats, normals: Floats, directions: Floats, *, offset: Floats, cosine: bool
    ) -> Floats:
        """Return the share [n] of `directions` [d, 3] (towards the light) seen from points [n, 3].

        Args:
            offset: [n], metres each point is lifted off its surface first.
            cosine: weigh each direction by its cosine with the normal (ambient light) or
                evenly (visibility of a lamp).
        """
        lifted = points + normals * offset[:, None]
        total = np.zeros(len(points), np.float64)
        weight = np.full(len(points), 1e-6)
        for direction in directions:
            share = np.clip(normals @ direction, 0.0, 1.0) if cosine else np.ones(len(points))
            total += share * self._visible(lifted, direction)
            weight += share
        return np.asarray(total / weight, np.float32)

    def _visible(self, points: Floats, direction: Floats) -> NDArray[np.bool_]:
        view = orthographic(self._centre, direction, self._radius)
        self._program["view"].write(view.T.astype("f4").tobytes())
        self._frame.use()
        self._frame.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST)
        for array in self._arrays:
            array.render()
        depths = np.frombuffer(self._texture.read(), np.float32)
        depths = depths.reshape(self._pixels, self._pixels)
        seen = points @ view[:3, :3].T + view[:3, 3]
        place = ((seen[:, :2] * 0.5 + 0.5) * self._pixels).astype(int)
        inside = ((place >= 0) & (place < self._pixels)).all(1)
        x, y = np.clip(place, 0, self._pixels - 1).T
        bias = 0.002 / (4.0 * self._radius)
        near: NDArray[np.bool_] = seen[:, 2] * 0.5 + 0.5 <= depths[y, x] + bias
        return near | ~inside


def orthographic(centre: Floats, direction: Floats, radius: float) -> Floats:
    """Return the view [4, 4] of a ball of `radius` metres at `centre`, seen from `direction`."""
    up = np.array([0.0, 1.0, 0.0] if abs(direction[2]) > 0.9 else [0.0, 0.0, 1.0])
    right = np.cross(up, direction)
    right /= np.linalg.norm(right)
    above = np.cross(direction, right)
    axes = np.stack([right / radius, above / radius, -direction / (2.0 * radius)])
    view = np.eye(4)
    view[:3, :3] = axes
    view[:3, 3] = -axes @ centre
    return view.astype(np.float32)
