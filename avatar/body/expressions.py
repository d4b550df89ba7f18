"""Corrections to the body package's face shapes."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.body.lids import close_lids
from avatar.body.masks import vertex_mask
from avatar.body.mesh import averaging, smooth
from avatar.body.source import Body
from motion.skeleton import FACE_NAMES

_SOFTENED: Final = ("mouthSmile", "cheekSquint", "noseSneer", "mouthDimple")
_ROUNDS: Final = 5


def correct_expressions(body: Body) -> Body:
    """Return `body` with lids that close and smiles that do not crease the cheeks hard."""
    shapes = close_lids(body)
    operator = averaging(len(body.vertices), body.groups["body"].triangles)
    free = 1.0 - np.clip(_near_lips(body), 0.0, 1.0)
    for number, name in enumerate(FACE_NAMES):
        if name.startswith(_SOFTENED):
            shapes[number] = smooth(shapes[number], operator, 0.7 * free, _ROUNDS)
    return replace(body, shapes=shapes)


def _near_lips(body: Body) -> NDArray[np.float32]:
    """Return 1 for vertices [v] on lips, lids and off the skin, whose shapes stay as they are."""
    lips = vertex_mask(body, "mpfb_lips.jpg") + vertex_mask(body, "mpfb_eyelids.jpg")
    lips += vertex_mask(body, "mpfb_inside-mouth.jpg")
    operator = averaging(len(body.vertices), body.groups["body"].triangles)
    wide = smooth(np.clip(lips, 0.0, 1.0), operator, 0.7, 2)
    skin = np.zeros(len(body.vertices), bool)
    skin[np.unique(body.groups["body"].triangles)] = True
    return np.where(skin, 1.5 * wide, 1.0).astype(np.float32)
