"""`Overlay`: blends panels over the finished figure, and moves them in and out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import moderngl

from avatar.renderer.base import Size
from avatar.scene.panels import Panel
from avatar.scene.programs import ScenePrograms

# Seconds of coming and going.
FADE: Final = 0.3
_POP: Final = 0.3
_POP_SIZE: Final = 0.16
# Order of drawing, and from where each comes, in shares of its own size (right, down).
_COMES_FROM: Final[Mapping[str, tuple[float, float]]] = {
    "logo": (0.0, 0.0),
    "mark": (0.0, 0.0),
    "lower_third": (-0.25, 0.0),
    "card": (0.0, 0.22),
    "price": (0.0, 0.0),
    "caption": (0.0, 0.25),
}


@dataclass(slots=True)
class _Shown:
    """A panel on the graphics card. `since` and `until` are None before they are known."""

    panel: Panel
    texture: Any
    enters: bool
    since: float | None = None
    until: float | None = None
    leaves: bool = False
    settled: bool = False

    def moves(self, at: float) -> bool:
        """Whether it is not at rest, or came to rest only now."""
        before = self.settled
        self.settled = (
            not self.leaves and self.since is not None and (at >= self.since + FADE + _POP)
        )
        return not (before and self.settled)


class Overlay:
    """Panels of one session. All calls come from the context's thread."""

    def __init__(self, programs: ScenePrograms, size: Size) -> None:
        self._programs = programs
        self._context = programs.context
        self._size = size
        self._touched = True
        self._shown: dict[str, list[_Shown]] = {name: [] for name in _COMES_FROM}

    def put(self, name: str, panel: Panel, *, moves: bool) -> None:
        """Show a panel in place of the one of that name; `moves` says whether it comes slowly."""
        self.take(name, moves=moves)
        self._touched = True
        height, width, _ = panel.texels.shape
        texture = self._context.texture((width, height), 4, panel.texels)
        texture.repeat_x = texture.repeat_y = False
        self._shown[name].append(_Shown(panel, texture, moves))

    def take(self, name: str, *, moves: bool) -> None:
        """Let a panel go, if it is there."""
        self._touched = True
        for shown in self._shown[name]:
            shown.leaves = True
            if not moves:
                shown.until = -1.0

    def paint(self, at: float) -> bool:
        """Blend what is shown into the bound framebuffer.

        Args:
            at: seconds; what was put or taken since the call before begins to move now.

        Returns:
            Whether anything looks otherwise than at the call before.
        """
        changed, self._touched = self._touched, False
        context = self._context
        context.enable_only(moderngl.BLEND)
        # Premultiplied; the frame's alpha, the figure's coverage, stays as it is.
        context.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ZERO, moderngl.ONE
        for name, panels in self._shown.items():
            for shown in list(panels):
                changed = changed or shown.moves(at)
                if not self._paint(name, shown, at):
                    panels.remove(shown)
                    shown.texture.release()
        return changed

    def release(self) -> None:
        """Free the panels."""
        for panels in self._shown.values():
            for shown in panels:
                shown.texture.release()
            panels.clear()

    def _paint(self, name: str, shown: _Shown, at: float) -> bool:
        """Draw one panel; return whether it is still there."""
        if shown.since is None or at < shown.since - 20.0 * FADE:
            shown.since = at if shown.enters else at - 10.0 * FADE
        if shown.leaves and shown.until is None:
            shown.until = at + FADE
        if shown.until is not None and at >= shown.until:
            return False
        come = _eased((at - shown.since) / FADE)
        gone = 0.0 if shown.until is None else _eased(1.0 - (shown.until - at) / FADE)
        strength = come * (1.0 - gone)
        size = 1.0
        if name == "price":
            # It pops once the card has come.
            pop = (at - shown.since - FADE) / _POP
            size += _POP_SIZE * 4.0 * pop * (1.0 - pop) if 0.0 < pop < 1.0 else 0.0
        self._draw(name, shown, strength, size, 1.0 - come + gone)
        return True

    def _draw(self, name: str, shown: _Shown, strength: float, size: float, away: float) -> None:
        box, width, height = shown.panel.box, self._size.width, self._size.height
        right, down = _COMES_FROM["card" if name == "price" else name]
        if name == "price":
            card = self._shown["card"]
            tall = card[-1].panel.box.height if card else box.height
            shift_x, shift_y = 0.0, down * tall * away
        else:
            shift_x, shift_y = right * box.width * away, down * box.height * away
        grown_x, grown_y = box.width * (size - 1.0) / 2.0, box.height * (size - 1.0) / 2.0
        left, top = box.left + shift_x - grown_x, box.top + shift_y - grown_y
        right_edge = box.right + shift_x + grown_x
        bottom = box.bottom + shift_y + grown_y
        shown.texture.use(0)
        self._programs.quad(
            "overlay",
            panel=0,
            strength=strength,
            part=(0.0, 0.0, 1.0, 1.0),
            box=(
                2.0 * left / width - 1.0,
                1.0 - 2.0 * bottom / height,
                2.0 * right_edge / width - 1.0,
                1.0 - 2.0 * top / height,
            ),
        )


def _eased(share: float) -> float:
    t = min(max(share, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)
