"""What every metric asks of its arrays before it computes anything."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError

Array = NDArray[np.float64]


def finite(values: ArrayLike, name: str, axes: str, least: int = 1) -> Array:
    """Return `values` as float64, or say what is wrong with them.

    Args:
        name: what they are called in the message.
        axes: the axes in words, e.g. "N, D"; a number asks for that length, e.g. "T, J, 3".
        least: how many entries the first axis must have.

    Raises:
        MotionValueError: not numbers, other axes, too short, empty, or not finite.
    """
    wanted = axes.split(", ")
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise MotionValueError(f"{name}: not numbers; accepted: [{axes}]") from error
    fixed = all(
        not want.isdigit() or int(want) == length
        for want, length in zip(wanted, array.shape, strict=False)
    )
    if array.ndim != len(wanted) or not fixed or not array.size or len(array) < least:
        raise MotionValueError(
            f"{name} are {list(array.shape)}; accepted: [{axes}] with {wanted[0]} at least {least}"
        )
    if not np.isfinite(array).all():
        raise MotionValueError(f"{name} hold values that are not finite; accepted: finite numbers")
    return array


def same_shape(left: Array, right: Array, names: str) -> None:
    """Raise MotionValueError unless two arrays have one shape."""
    if left.shape != right.shape:
        raise MotionValueError(
            f"{names} are {list(left.shape)} and {list(right.shape)}; accepted: one shape"
        )


def same_width(left: Array, right: Array, names: str) -> None:
    """Raise MotionValueError unless two arrays agree in all axes but the first."""
    if left.shape[1:] != right.shape[1:]:
        raise MotionValueError(
            f"{names} are {list(left.shape)} and {list(right.shape)}; "
            "accepted: the same but for the first axis"
        )


def positive(value: float, name: str) -> float:
    """Return a positive finite number, or raise MotionValueError."""
    if not (np.isfinite(value) and value > 0):
        raise MotionValueError(f"{name}: {value}; accepted: a positive number")
    return float(value)


def count(value: int, name: str, least: int = 1) -> int:
    """Return a whole number of at least `least`, or raise MotionValueError."""
    if value != int(value) or value < least:
        raise MotionValueError(f"{name}: {value}; accepted: a whole number, {least} or more")
    return int(value)
