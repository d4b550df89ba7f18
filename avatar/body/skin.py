"""The skin that shows: the head in its own texture, neck and hands in the body's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.face_parts import eye_radius, skin_normals
from avatar.body.head_skin import head_triangles, head_uv
from avatar.body.landmarks import Landmarks, hairline_distance
from avatar.body.lids import lid_margins
from avatar.body.limb_skin import limb_uv
from avatar.body.masks import vertex_mask
from avatar.body.mesh import split_seams
from avatar.body.source import Body
from avatar.body.surface import Surface

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
    scalp = hairline_distance(marks, body.vertices, "crop")[triangles].min(1) > 0.02
    turned = _turned_away(body, triangles)
    shown_head = on_head & ~dressed & ~scalp & ~turned & ~_sockets(body, triangles)
    shown_body = ~on_head & ~dressed & ~turned
    head = _surface(
        body, "head", triangles[shown_head], head_uv(body, marks, triangles[shown_head])
    )
    rest = _surface(body, "limbs", triangles[shown_body], limb_uv(body)[shown_body])
    return [head, rest]


def _turned_away(body: Body, triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return triangles of the back that face away from the camera, under cloth.

    The nape is kept: between collar and hair it shows when a host turns.
    """
    normals = skin_normals(body)[triangles][..., 1].mean(1)
    limbs = ("wrist", "finger", "metacarpal", "upperarm", "lowerarm", "lowerleg", "foot", "toe")
    bare = body.weight_of("head", "neck", *limbs)[triangles].mean(1) > 0.2
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
    upper, lower = lid_margins(body)
    inside = np.maximum(mouth, 0.85 * upper)
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
        shade=np.stack([inside[source], lower[source]], 1).astype(np.float32),
    )
