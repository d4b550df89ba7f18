"""`Programme`: what a session speaks of itself, line after line, while nobody talks to it."""

from typing import Literal, Protocol

from agents.show.line import Line

Dropped = Literal["withdrawn", "cancelled", "failed"]


class Programme(Protocol):
    """Gives a session its lines. Called on the event loop; nothing here blocks or raises.

    A session prepares one line while another is heard, so lines follow each other without a gap.
    Each line given is told of once more at least: it has begun and then ended, or was dropped.
    """

    def next_line(self) -> Line | None:
        """Return what is to be said after all lines given so far; None for nothing now, until
        `Session.wake`.
        """

    def began(self, line: Line, position: int) -> None:
        """The line's first sample is sent; `position` as `SoundFrame`."""

    def ended(self, line: Line, heard: str, *, whole: bool) -> None:
        """The line's last sample was sent (`whole`), or it was cut after the words `heard`."""

    def dropped(self, line: Line, why: Dropped, message: str = "") -> None:
        """Nothing of the line was heard, and nothing will be unless it is given again."""
