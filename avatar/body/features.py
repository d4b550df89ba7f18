"""`Features`: where mouth, nose and eyes of a face are, for what is painted round them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.lids import LidEdge, lid_edge
from avatar.body.mesh import averaging, smooth, vertex_normals
from avatar.body.source import SKIN_VERTICES, Body

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Features:
    """Places of the left half of a face in metres; the right half mirrors x.

    Attributes:
        upper, lower: edges of the left eye's lids.
        nose: x of the wing of the nose and z of its base.
        mouth: x and z of the corner of the mouth.
        chin: z of the chin's underside.
    """

    upper: LidEdge
    lower: LidEdge
    nose: tuple[float, float]
    mouth: tuple[float, float]
    chin: float

    @classmethod
    def of(cls, body: Body, lips: NDArray[np.float32]) -> "Features":
        """Find the features of a body, whose lips are vertices with `lips` [v] over a half."""
        red = body.vertices[lips > 0.5]
        corner = red[red[:, 0] > red[:, 0].max() - 0.003].mean(0)
        eye = body.joint("eye.L")
        on_head = body.weight_of("head")[:SKIN_VERTICES] > 0.5
        skin = body.vertices[:SKIN_VERTICES][on_head]
        middle = skin[(np.abs(skin[:, 0]) < 0.004) & (skin[:, 1] < eye[1])]
        between = middle[(middle[:, 2] < eye[2] - 0.01) & (middle[:, 2] > corner[2] + 0.008)]
        tip = between[np.argmin(between[:, 1])] if len(between) else eye
        base = float(tip[2]) - 0.35 * float(tip[2] - corner[2])
        front = skin[
            (np.abs(skin[:, 2] - base - 0.004) < 0.005)
            & (skin[:, 1] < tip[1] + 0.024)
            & (np.abs(skin[:, 0]) < 0.7 * eye[0])
        ]
        wing = float(front[:, 0].max()) if len(front) else 0.5 * float(eye[0])
        under = middle[(middle[:, 2] < corner[2] - 0.01) & (middle[:, 1] < eye[1] + 0.025)]
        chin = float(under[:, 2].min()) if len(under) else float(corner[2]) - 0.045
        return cls(
            lid_edge(body, "l", 2),
            lid_edge(body, "l", 1),
            (wing, base),
            (float(corner[0]), float(corner[2])),
            chin,
        )


def hollows(body: Body) -> NDArray[np.float32]:
    """Return how hollow the skin is at each vertex [v], about -1 (a ridge) to 1 (a fold)."""
    triangles = body.groups["body"].triangles
    operator = averaging(len(body.vertices), triangles)
    normals = vertex_normals(body.vertices, triangles)
    fine = smooth(body.vertices, operator, 1.0, 2) - body.vertices
    broad = smooth(body.vertices, operator, 1.0, 10) - body.vertices
    depth = (fine * normals).sum(1) / 0.0011 + 0.7 * (broad * normals).sum(1) / 0.004
    return np.asarray(np.clip(smooth(depth, operator, 0.5, 1), -1.0, 1.0), np.float32)
