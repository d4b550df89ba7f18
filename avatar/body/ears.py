"""Ears under hair."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from avatar.body.masks import vertex_mask
from avatar.body.mesh import averaging, smooth
from avatar.body.source import Body


def flatten_ears(body: Body, rounds: int = 60) -> Body:
    """Return `body` with its ears smoothed flat, for hair that falls over them."""
    ears = vertex_mask(body, "mpfb_ears.jpg")
    operator = averaging(len(body.vertices), body.groups["body"].triangles)
    vertices: NDArray[np.float32] = smooth(body.vertices, operator, 0.8 * (ears > 0.3), rounds)
    return replace(body, vertices=vertices)
