"""How near a face comes to the true one: position and velocity of its landmarks or coefficients."""

import numpy as np
from numpy.typing import ArrayLike

from motion.metrics.checks import finite, same_shape


def face_mse(made: ArrayLike, true: ArrayLike) -> float:
    """Return the mean squared error over frames and coordinates (Xing et al., CodeTalker, 2023).

    Args:
        made, true: [T, C]: landmarks or vertices, C = 3 a point, in metres (published figures), or
            coefficients 0 to 1.

    Raises:
        MotionValueError: shapes do not agree, or a value is not finite.
    """
    first, second = finite(made, "made face", "T, C"), finite(true, "true face", "T, C")
    same_shape(first, second, "made and true face")
    return float(((first - second) ** 2).mean())


def landmark_velocity_difference(made: ArrayLike, true: ArrayLike) -> float:
    """Return LVD: mean |(made[t+1] - made[t]) - (true[t+1] - true[t])| (Yi et al., TalkSHOW, 2023).

    A face that is right but for a constant offset scores 0. Per frame, as published; the code of
    EMAGE divides by T where there are T - 1 differences, which is less by one part in T.

    Args:
        made, true: [T, C], T at least 2, as for `face_mse`, both at one frame rate.

    Raises:
        MotionValueError: shapes do not agree, too few frames, or a value is not finite.
    """
    first, second = finite(made, "made face", "T, C", 2), finite(true, "true face", "T, C", 2)
    same_shape(first, second, "made and true face")
    return float(np.abs(np.diff(first - second, axis=0)).mean())
