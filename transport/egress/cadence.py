"""When a source is asked for a keyframe: every two seconds of media."""

from typing import Final

from transport.egress.outputs import KEYFRAME_SECONDS
from transport.egress.packets import WIRE_RATE

INTERVAL: Final = KEYFRAME_SECONDS * WIRE_RATE
ASK_AGAIN: Final = WIRE_RATE // 2


class KeyframeCadence:
    """Keeps keyframes on a grid of two seconds, whoever else asks for more.

    A keyframe that was asked for comes some pictures later, and never before the point of the
    grid: an HLS segment ends at the first keyframe from there on. One that comes between two
    points, for a viewer that joined, moves neither.
    """

    def __init__(self) -> None:
        self._origin: int | None = None
        self._due = 0
        self._asked: int | None = None

    def start_over(self, keyframe: int | None) -> None:
        """Begin another grid, at the position of a keyframe; at the next one when None."""
        if self._origin is not None and keyframe is not None:
            self._due += (keyframe - self._due) % INTERVAL
        self._origin = keyframe
        self._asked = None

    def wants(self, position: int, *, keyframe: bool) -> bool:
        """Take note of a picture; return whether to ask the source for a keyframe now.

        Args:
            position: media time of the picture in samples at 48 kHz.
            keyframe: whether it is one.
        """
        if keyframe and (self._origin is None or position >= self._due):
            if self._origin is None:
                self._origin = position
            self._due = position + INTERVAL - (position - self._origin) % INTERVAL
            self._asked = None
            return False
        if position < self._due:
            return False
        if self._asked is not None and position - self._asked < ASK_AGAIN:
            return False
        self._asked = position
        return True
