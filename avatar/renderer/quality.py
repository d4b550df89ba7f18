"""How much work a picture is worth: the levels a caller steps through when short of CPU."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Quality:
    """One level.

    Attributes:
        scale: share of the picture's width and height that is drawn; the planes are enlarged.
        edges: smooth the stairs of edges.
        locks: draw loose locks of hair over the closed sheets.
    """

    scale: float
    edges: bool
    locks: bool


# 0 is the best; every level costs less than the one before.
QUALITIES: Final = (
    Quality(scale=1.0, edges=True, locks=True),
    Quality(scale=1.0, edges=True, locks=False),
    Quality(scale=0.75, edges=False, locks=False),
    Quality(scale=0.5, edges=False, locks=False),
)
