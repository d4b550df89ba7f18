"""Colours: as people write them (sRGB), and as light is reckoned (linear). IEC 61966-2-1."""

from collections.abc import Sequence

RGB = tuple[float, float, float]


def linear(colour: str) -> RGB:
    """Return "#rrggbb" as linear RGB reflectances, each 0 to 1."""
    return tuple(_linear(int(colour[i : i + 2], 16) / 255.0) for i in (1, 3, 5))  # type: ignore[return-value]


def display(colour: str) -> RGB:
    """Return "#rrggbb" as sRGB values, each 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))  # type: ignore[return-value]


def written(rgb: Sequence[float]) -> str:
    """Return linear RGB, each 0 to 1 (clipped), as "#rrggbb"."""
    return "#" + "".join(f"{round(255.0 * _encoded(min(max(v, 0.0), 1.0))):02x}" for v in rgb)


def mixed(a: str, b: str, share: float) -> str:
    """Return the colour `share` of the way from `a` to `b`, in linear light."""
    return written([x + share * (y - x) for x, y in zip(linear(a), linear(b), strict=True)])


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


def _encoded(value: float) -> float:
    return float(12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)
