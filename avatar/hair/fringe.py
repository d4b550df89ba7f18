"""The soft hairline: short hairs that thin out over the skin beyond closed hair."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import ROW, strip
from avatar.hair.texture import CLOSED

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]


def hairline_strip(
    wearer: Wearer,
    inner: Floats,
    middle: Floats,
    edge: Floats,
    reach: Floats | float,
    lean: float | None,
) -> tuple[Floats, Triangles]:
    """Return rows and triangles of a strip from closed hair to the skin beyond its edge.

    Args:
        inner: rows [n, 13] of the hair where the strip begins.
        middle: points [n, 3] of the hair that it passes. edge: where the hair ends, [n, 3].
        reach: how far it goes beyond the edge, [n] or one for all, metres.
        lean: as in `ribbons.strip`.
    """
    skull = wearer.skull
    beyond = np.reshape(reach, (-1, 1)) * unit(edge - inner[:, :3])
    ways = unit(edge + beyond - skull.centre)
    outer = skull.centre + ways * (skull.radius(ways) + 0.0010)[:, None]
    begin = inner[:, :3] + 0.0004 * unit(inner[:, :3] - skull.centre)
    raised = middle + 0.0008 * unit(middle - skull.centre)
    return strip(inner, np.stack([begin, raised, outer], 1), skull.centre, lean)


def ended(
    wearer: Wearer, rows: Floats, steps: int, reach: Floats | float
) -> tuple[Floats, tuple[Floats, Triangles]]:
    """Return `rows` of strands of `steps` points that end on a hairline, and their soft edge.

    The picture of strands runs on from the rows into the edge.
    """
    strands = rows.reshape(-1, steps, ROW).copy()
    strands[..., 10] += CLOSED - strands[:, -3:-2, 10]
    begin, middle, end = (strands[:, step] for step in (-3, -2, -1))
    edge = hairline_strip(wearer, begin, middle[:, :3], end[:, :3], reach, None)
    return strands.reshape(-1, ROW), edge
