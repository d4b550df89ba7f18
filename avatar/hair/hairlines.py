"""What a hair style means for the skin: where the hairline runs and whether ears are covered."""

from typing import Final

Line = tuple[tuple[float, float], ...]

# Height of the hairline above the eye by azimuth in degrees, metres on the reference head.
_FULL: Final[Line] = (
    (0.0, 0.0700), (25.0, 0.0690), (45.0, 0.0580), (58.0, 0.0400), (68.0, 0.0150),
    (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0200), (108.0, 0.0200), (118.0, -0.0200),
    (135.0, -0.0550), (180.0, -0.0750),
)  # fmt: skip
_RECEDING: Final[Line] = (
    (0.0, 0.0710), (14.0, 0.0725), (32.0, 0.0770), (44.0, 0.0680), (56.0, 0.0450),
    (68.0, 0.0150), (76.0, -0.0070), (82.0, -0.0190), (88.0, 0.0200), (108.0, 0.0200),
    (118.0, -0.0200), (135.0, -0.0500), (180.0, -0.0620),
)  # fmt: skip

_COVERING: Final = frozenset(("long", "waves", "bob", "curls"))


def hairline(style: str) -> Line:
    """Return (azimuth in degrees from the front, height above the eye in metres) of `style`."""
    return _RECEDING if style in ("side_part", "crop") else _FULL


def covers_ears(style: str) -> bool:
    """Return whether hair of `style` falls over the ears, so that they must lie flat."""
    return style in _COVERING
