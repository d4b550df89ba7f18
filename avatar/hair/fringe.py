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
    wearer: Wearer, inner: Floats, edge: Floats, reach: float, lean: float | None
) -> tuple[Floats, Triangles]:
    """Return rows and triangles of a strip from closed hair to the skin beyond its edge.

    Args:
        inner: rows [n, 13] of the hair where the strip begins. edge: points [n, 3] where it ends.
        reach: how far it goes beyond the edge, metres.
        lean: as in `ribbons.strip`.
    """
    skull = wearer.skull
    ways = unit(edge + reach * unit(edge - inner[:, :3]) - skull.centre)
    outer = skull.centre + ways * (skull.radius(ways) + 0.0010)[:, None]
    raised = inner.copy()
    raised[:, :3] += 0.0005 * unit(inner[:, :3] - skull.centre)
    return strip(raised, outer, skull.centre, lean)


def ended(
    wearer: Wearer, rows: Floats, steps: int, reach: float
) -> tuple[Floats, tuple[Floats, Triangles]]:
    """Return `rows` of strands of `steps` points that end on a hairline, and their soft edge.

    The picture of strands runs on from the rows into the edge.
    """
    strands = rows.reshape(-1, steps, ROW).copy()
    strands[..., 10] += CLOSED - strands[:, -3:-2, 10]
    edge = hairline_strip(wearer, strands[:, -3], strands[:, -1, :3], reach, None)
    return strands.reshape(-1, ROW), edge
