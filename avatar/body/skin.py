"""The skin that shows: the head in its own texture, neck and hands in the body's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.face_parts import eye_radius, skin_normals
from avatar.body.head_skin import head_triangles, head_uv
from avatar.body.landmarks import Landmarks, hairline_distance
from avatar.body.masks import vertex_mask
from avatar.body.mesh import split_seams
from avatar.body.noise import smoothstep
from avatar.body.source import Body
from avatar.body.surface import Surface
from motion.skeleton import FACE_NAMES

Floats = NDArray[np.floating[Any]]


def skin_surfaces(body: Body, marks: Landmarks, covered: NDArray[np.bool_]) -> list[Surface]:
    """Build head and limbs without what hair and clothes cover.

    Args:
        covered: bool [v], body vertices that lie well under clothes.
    """
    group = body.groups["body"]
    triangles = group.triangles
    dressed = covered[triangles].all(1)
    on_head = head_triangles(body, marks)
    scalp = hairline_distance(marks, body.vertices)[triangles].min(1) > 0.03
    turned = _turned_away(body, triangles)
    shown_head = on_head & ~dressed & ~scalp & ~turned & ~_sockets(body, triangles)
    shown_body = ~on_head & ~dressed & ~turned
    head = _surface(
        body, "head", triangles[shown_head], head_uv(body, marks, triangles[shown_head])
    )
    rest = _surface(body, "limbs", triangles[shown_body], group.uv[shown_body])
    return [head, rest]


def _turned_away(body: Body, triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return triangles of neck and back that face away from the camera, under hair and cloth."""
    normals = skin_normals(body)[triangles][..., 1].mean(1)
    limbs = ("wrist", "finger", "metacarpal", "upperarm", "lowerarm", "lowerleg", "foot", "toe")
    bare = body.weight_of(*limbs)[triangles].mean(1) > 0.2
    return np.asarray((normals > 0.55) & ~bare)


def _sockets(body: Body, triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return triangles of the eye sockets, which lie behind the eyeballs."""
    corners = body.vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    forward = normals[:, 1] / (np.linalg.norm(normals, axis=1) + 1e-12)
    centres = corners.mean(1)
    hidden = np.zeros(len(triangles), bool)
    radius = eye_radius(body)
    for side in ("L", "R"):
        away = centres - body.joint(f"eye.{side}")
        distance = np.linalg.norm(away, axis=1)
        hidden |= (distance < 1.5 * radius) & (away[:, 1] > 0.3 * radius) & (forward < 0.2)
    return hidden


def _surface(body: Body, name: str, triangles: NDArray[np.int32], uv: Floats) -> Surface:
    source, coordinates, faces = split_seams(triangles, uv)
    mouth = (vertex_mask(body, "mpfb_inside-mouth.jpg") > 0.5).astype(np.float32)
    inside = np.maximum(mouth, 0.8 * _lid_margins(body))
    return Surface(
        name=name,
        material="skin",
        texture=name,
        positions=body.vertices[source],
        normals=skin_normals(body)[source],
        uv=coordinates,
        weights=body.weights[source],
        triangles=faces,
        source=source,
        shade=np.stack([inside[source], np.zeros(len(source))], 1).astype(np.float32),
    )


def _lid_margins(body: Body) -> Floats:
    """Return 1 for vertices [v] of the edges of the upper lids.

    They face down at rest; a closed eye shows them as the dark line of the lashes.
    """
    radius = eye_radius(body)
    down = smoothstep(-0.3, -0.7, skin_normals(body)[:, 2])
    margin = np.zeros(len(body.vertices), np.float32)
    for side, name in (("L", "eyeBlinkLeft"), ("R", "eyeBlinkRight")):
        away = body.vertices - body.joint(f"eye.{side}")
        moves = np.linalg.norm(body.shapes[FACE_NAMES.index(name)], axis=1) > 0.25 * radius
        near = np.linalg.norm(away, axis=1) < 1.29 * radius
        margin = np.maximum(margin, down * (moves & near & (away[:, 1] < 0.0)))
    return margin
