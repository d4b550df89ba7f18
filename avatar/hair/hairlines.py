"""What a hair style means for the skin: where the hairline runs and whether ears are covered."""

from typing import Final

Line = tuple[tuple[float, float], ...]

# Height of the hairline above the eye by azimuth in degrees, metres on the reference head.
_FULL: Final[Line] = (
    (0.0, 0.0725), (12.0, 0.0722), (25.0, 0.0695), (38.0, 0.0630), (48.0, 0.0545), (58.0, 0.0400),
    (68.0, 0.0150), (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0110), (100.0, 0.0120),
    (106.0, 0.0040), (112.0, -0.0220), (120.0, -0.0400), (135.0, -0.0570), (180.0, -0.0750),
)  # fmt: skip
_RECEDING: Final[Line] = (
    (0.0, 0.0710), (14.0, 0.0725), (30.0, 0.0740), (42.0, 0.0670), (52.0, 0.0540), (60.0, 0.0385),
    (68.0, 0.0170), (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0110), (100.0, 0.0120),
    (106.0, 0.0040), (112.0, -0.0200), (120.0, -0.0360), (135.0, -0.0510), (180.0, -0.0620),
)  # fmt: skip

_COVERING: Final = frozenset(("long", "waves", "bob", "curls"))


def hairline(style: str) -> Line:
    """Return (azimuth in degrees from the front, height above the eye in metres) of `style`."""
    return _RECEDING if style in ("side_part", "crop") else _FULL


def covers_ears(style: str) -> bool:
    """Return whether hair of `style` falls over the ears, so that they must lie flat."""
    return style in _COVERING
