"""Where overlays stand: inside the title-safe area, clear of each other and of the face."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from avatar.renderer.base import Size
from avatar.renderer.camera import FRAMINGS

Slot = Literal["mark", "logo", "card", "lower_third", "caption"]
SLOTS: Final[tuple[Slot, ...]] = ("mark", "logo", "card", "lower_third", "caption")

# Title-safe margins, shares of width and height (SMPTE ST 2046-1: 5 % at each side). Players
# lay their controls over the foot of upright pictures, so more is kept free there.
_SIDE: Final = 0.05
_TOP: Final = 0.05
_FOOT: Final = {"upright": 0.07, "wide": 0.05}
# Of the reference head with its hair, metres from the eyes.
_FACE_UP, _FACE_DOWN, _FACE_ASIDE = 0.15, 0.125, 0.10
_MOVED: Final = 1.15  # how much larger a moving camera may show it
_UPRIGHT_BELOW: Final = 0.8  # aspect


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels, from the top left."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """First column to the right of it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """First row below it."""
        return self.top + self.height

    def meets(self, other: "Box") -> bool:
        """Whether the two share a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        """Whether `other` lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def safe_area(size: Size) -> Box:
    """Return where text may stand."""
    upright = size.width / size.height < _UPRIGHT_BELOW
    foot = _FOOT["upright" if upright else "wide"]
    left, top = -int(-size.width * _SIDE // 1), -int(-size.height * _TOP // 1)
    bottom = int(size.height * (1.0 - foot))
    return Box(left, top, size.width - 2 * left, bottom - top)


def face_area(size: Size, framing: str, *, moving: bool) -> Box:
    """Return where the head is, for a figure that stands still in the middle."""
    wanted, aspect = FRAMINGS[framing], size.width / size.height
    height = max(wanted.above + wanted.below, wanted.width / aspect)
    eyes = wanted.above + (height - wanted.above - wanted.below) / 3.0
    pixels = size.height / height
    grown = _MOVED if moving else 1.0
    left = int(0.5 * size.width - _FACE_ASIDE * grown * pixels)
    top = int((eyes - _FACE_UP * grown) * pixels)
    bottom = -int(-(eyes + _FACE_DOWN * grown) * pixels // 1)
    return Box(left, max(top, 0), size.width - 2 * left, bottom - max(top, 0))


def layout(size: Size, framing: str, shown: frozenset[Slot], *, moving: bool) -> Mapping[Slot, Box]:
    """Return the room each overlay of `shown` has; what it draws may be smaller.

    Args:
        size: of the picture.
        framing: one of `avatar.spec.scene.FRAMINGS`.
        shown: which overlays there are. Captions keep their room when nothing is said.
        moving: whether the camera moves, which may show the head larger.
    """
    safe, face = safe_area(size), face_area(size, framing, moving=moving)
    unit = min(size.width, size.height) / 720.0
    gap = max(round(14 * unit), 1)
    upright = size.width / size.height < _UPRIGHT_BELOW
    boxes = _heads(safe, face, unit, gap)
    if upright:
        boxes |= _stacked(safe, face, unit, gap, shown)
    else:
        boxes |= _beside(size, safe, face, unit, gap, boxes["mark"])
    return {slot: box for slot, box in boxes.items() if slot in shown}


def _heads(safe: Box, face: Box, unit: float, gap: int) -> dict[Slot, Box]:
    """The logo at the top left and the mark at the top right, above the face or beside it."""
    room = face.top - gap - safe.top
    tall = min(round(64 * unit), room) if room >= 40 * unit else round(64 * unit)
    wide = safe.width // 2 - gap if room >= 40 * unit else face.left - gap - safe.left
    logo = min(round(230 * unit), wide)
    mark = min(round(190 * unit), wide)
    return {
        "logo": Box(safe.left, safe.top, max(logo, 1), max(tall, 1)),
        "mark": Box(safe.right - max(mark, 1), safe.top, max(mark, 1), max(round(36 * unit), 1)),
    }


def _stacked(
    safe: Box, face: Box, unit: float, gap: int, shown: frozenset[Slot]
) -> dict[Slot, Box]:
    """Captions at the foot, the card above them, the lower third above both."""
    rows: list[tuple[Slot, float, float]] = [("caption", 122.0, 648.0)]
    if "card" in shown:
        rows.append(("card", 168.0, 520.0))
    if "lower_third" in shown:
        rows.append(("lower_third", 96.0, 440.0))
    room = safe.bottom - face.bottom - gap * len(rows)
    scale = min(unit, room / sum(tall for _, tall, _ in rows))
    boxes: dict[Slot, Box] = {}
    bottom = safe.bottom
    for slot, tall, wide in rows:
        height = max(int(tall * scale), 1)
        width = min(round(wide * unit), safe.width)
        left = safe.left + (safe.width - width) // 2 if slot == "caption" else safe.left
        boxes[slot] = Box(left, bottom - height, width, height)
        bottom -= height + gap
    return boxes


def _beside(size: Size, safe: Box, face: Box, unit: float, gap: int, mark: Box) -> dict[Slot, Box]:
    """Captions below the face, the lower third and the card to its left and right."""
    tall = min(round(104 * unit), safe.bottom - face.bottom - gap)
    wide = min(safe.width, round(820 * unit))
    caption = Box(
        safe.left + (safe.width - wide) // 2, safe.bottom - max(tall, 1), wide, max(tall, 1)
    )
    column = face.left - gap - safe.left
    low = caption.top - gap
    third = Box(safe.left, low, max(min(column, round(0.34 * size.width)), 1), round(96 * unit))
    third = Box(third.left, low - third.height, third.width, third.height)
    card_wide = max(min(column, round(236 * unit)), 1)
    card_tall = min(round(1.68 * card_wide), low - mark.bottom - gap)
    card = Box(safe.right - card_wide, low - max(card_tall, 1), card_wide, max(card_tall, 1))
    return {"caption": caption, "lower_third": third, "card": card}
