"""Contact: do the feet stay where they stand?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motion.errors import MotionValueError
from motion.metrics.checks import finite, positive


@dataclass(frozen=True, slots=True)
class FootSkate:
    """How feet slide over the ground.

    Attributes:
        contact: share of foot-frames in which a foot is on the ground.
        share: share of those in which it slides; 0 when no foot ever stands.
        speed: mean speed along the ground of feet that stand, metres a second.
    """

    contact: float
    share: float
    speed: float


def foot_skate(
    feet: ArrayLike,
    fps: float,
    *,
    up: int = 1,
    ground: float | None = None,
    height: float = 0.05,
    slide: float = 0.5,
) -> FootSkate:
    """Return how feet slide while they stand.

    A foot stands between two frames if it is low in both, and slides if it moves along the ground
    faster than `slide` (Karunratanakul et al., GMD, 2023: below 5 cm and 2.5 cm a frame at 20 fps,
    which is 0.5 m/s). For a host who should never step, `speed` is the sharper figure.

    Args:
        feet: joints of the feet [T, F, 3], metres; T at least 2.
        fps: frames a second.
        up: the axis that points up, 0 to 2.
        ground: height of the ground on that axis; the lowest of all feet when omitted.
        height: metres above the ground below which a joint counts as standing.
        slide: metres a second.

    Raises:
        MotionValueError: other shapes, too few frames, or a value that is not accepted.
    """
    points = finite(feet, "feet", "T, F, 3", 2)
    if up not in (0, 1, 2):
        raise MotionValueError(f"up: {up}; accepted: 0, 1 or 2")
    level = points[..., up].min() if ground is None else ground
    low = points[..., up] - level < positive(height, "height")
    stands = low[1:] & low[:-1]
    along = np.delete(np.diff(points, axis=0), up, -1)
    speed = np.linalg.norm(along, axis=-1)[stands] * positive(fps, "fps")
    if not len(speed):
        return FootSkate(0.0, 0.0, 0.0)
    return FootSkate(
        contact=float(stands.mean()),
        share=float((speed > positive(slide, "slide")).mean()),
        speed=float(speed.mean()),
    )
