"""The soft hairline: short hairs that thin out over the skin beyond closed hair."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avatar.body.mesh import unit
from avatar.hair.parts import Wearer
from avatar.hair.ribbons import strip

Floats = NDArray[np.floating[Any]]
Triangles = NDArray[np.int32]


def hairline_strip(
    wearer: Wearer, inner: Floats, edge: Floats, reach: float, lean: float
) -> tuple[Floats, Triangles]:
    """Return rows and triangles of a strip from closed hair to the skin beyond its edge.

    Args:
        inner: points [n, 3] on the hair where the strip begins. edge: where the hair ends, [n, 3].
        reach: how far it goes beyond the edge, metres.
        lean: how far its hairs lean along the edge, metres.
    """
    skull = wearer.skull
    ways = unit(edge + reach * unit(edge - inner) - skull.centre)
    outer = skull.centre + ways * (skull.radius(ways) + 0.0010)[:, None]
    raised = inner + 0.0005 * unit(inner - skull.centre)
    return strip(raised, outer, skull.centre, lean)
