"""What a hair style means for the skin: where the hairline runs and whether ears are covered."""

from typing import Final

Line = tuple[tuple[float, float], ...]

# Height of the hairline above the eye by azimuth in degrees, metres on the reference head.
_FULL: Final[Line] = (
    (0.0, 0.0785), (12.0, 0.0770), (25.0, 0.0720), (36.0, 0.0655), (46.0, 0.0570), (55.0, 0.0450),
    (62.0, 0.0310), (68.0, 0.0150), (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0110),
    (100.0, 0.0120),
    (106.0, 0.0040), (112.0, -0.0220), (120.0, -0.0400), (135.0, -0.0570), (180.0, -0.0750),
)  # fmt: skip
_RECEDING: Final[Line] = (
    (0.0, 0.0710), (14.0, 0.0725), (30.0, 0.0740), (42.0, 0.0670), (52.0, 0.0540), (60.0, 0.0385),
    (68.0, 0.0170), (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0110), (100.0, 0.0120),
    (106.0, 0.0040), (112.0, -0.0200), (120.0, -0.0360), (135.0, -0.0510), (180.0, -0.0620),
)  # fmt: skip

# Where a faded crop begins to close; below it, down to `_OUTLINE`, the scalp shows through.
_CROP: Final[Line] = (
    (0.0, 0.0740), (14.0, 0.0755), (26.0, 0.0790), (36.0, 0.0815), (44.0, 0.0785), (52.0, 0.0700),
    (60.0, 0.0600), (68.0, 0.0450), (76.0, 0.0330), (82.0, 0.0300), (88.0, 0.0340), (100.0, 0.0330),
    (106.0, 0.0260), (112.0, 0.0040), (120.0, -0.0140), (135.0, -0.0310), (180.0, -0.0480),
)  # fmt: skip
_OUTLINE: Final[Line] = (
    (0.0, 0.0725), (14.0, 0.0740), (26.0, 0.0770), (36.0, 0.0790), (44.0, 0.0740), (52.0, 0.0620),
    (60.0, 0.0440), (68.0, 0.0180), (76.0, -0.0090), (82.0, -0.0210), (88.0, 0.0070),
    (100.0, 0.0080), (106.0, 0.0000), (112.0, -0.0250), (120.0, -0.0420), (135.0, -0.0570),
    (180.0, -0.0700),
)  # fmt: skip

_COVERING: Final = frozenset(("long", "waves", "bob", "curls"))


def hairline(style: str) -> Line:
    """Return (azimuth in degrees from the front, height above the eye in metres) of `style`.

    Hair is closed above it.
    """
    if style == "crop":
        return _CROP
    return _RECEDING if style == "side_part" else _FULL


def outline(style: str) -> Line:
    """Return where hair of `style` begins at all, as `hairline`; below it where sides are faded."""
    return _OUTLINE if style == "crop" else hairline(style)


def covers_ears(style: str) -> bool:
    """Return whether hair of `style` falls over the ears, so that they must lie flat."""
    return style in _COVERING
