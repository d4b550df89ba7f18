"""Which pictures of strands a style is drawn with."""

import numpy as np
from numpy.typing import NDArray

from avatar.hair.ringlets import closed_ringlets, loose_ringlets
from avatar.hair.texture import strands, tips

Bytes = NDArray[np.uint8]


def pictures(style: str, seed: int, grey: float) -> dict[str, Bytes]:
    """Paint hair of `style`: "strands", closed, and "tips", thinning out; uint8 [512, 512, 3].

    Args:
        style: name of a hair style.
        seed: of the strands.
        grey: share of silver strands, 0 to 1.
    """
    if style == "curls":
        return {"strands": closed_ringlets(seed, grey), "tips": loose_ringlets(seed + 1, grey)}
    # Hair of a few millimetres shows its ends, which lie every way.
    closed = (closed_ringlets if style == "crop" else strands)(seed, grey)
    return {"strands": closed, "tips": tips(closed, seed + 1)}
