"""Colours: as people write them (sRGB), and as light is reckoned (linear). IEC 61966-2-1."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

RGB = tuple[float, float, float]


def linear(colour: str) -> RGB:
    """Return "#rrggbb" as linear RGB reflectances, each 0 to 1."""
    r, g, b = to_linear(display(colour)).tolist()
    return r, g, b


def display(colour: str) -> RGB:
    """Return "#rrggbb" as sRGB values, each 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))  # type: ignore[return-value]


def written(rgb: Sequence[float]) -> str:
    """Return linear RGB, each 0 to 1 (clipped), as "#rrggbb"."""
    return "#" + "".join(f"{round(255.0 * value):02x}" for value in to_display(rgb).tolist())


def mixed(a: str, b: str, share: float) -> str:
    """Return the colour `share` of the way from `a` to `b`, in linear light."""
    return written([x + share * (y - x) for x, y in zip(linear(a), linear(b), strict=True)])


def to_linear(values: ArrayLike) -> NDArray[np.floating[Any]]:
    """Return sRGB values, 0 to 1, as linear ones."""
    values = np.asarray(values)
    return np.asarray(
        np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    )


def to_display(light: ArrayLike) -> NDArray[np.floating[Any]]:
    """Return linear values, clipped to 0 to 1, as sRGB ones."""
    bounded = np.clip(np.asarray(light), 0.0, 1.0)
    return np.asarray(
        np.where(bounded <= 0.0031308, bounded * 12.92, 1.055 * bounded ** (1 / 2.4) - 0.055)
    )
