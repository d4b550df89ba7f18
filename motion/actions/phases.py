"""The phases of an action (Kendon, 1980; McNeill, 1992) and how long they last."""

from dataclasses import dataclass
from typing import Final

LEAD: Final = 0.37
"""Seconds by which the stroke of an action starts before the word it goes with."""


@dataclass(frozen=True, slots=True)
class Phases:
    """Seconds of an action's phases, in order.

    Attributes:
        prepare: from where the hands were to where the stroke starts.
        stroke: the movement that has the meaning.
        hold: its end, kept for the eye.
        retract: back to where the hands would be without it.
    """

    prepare: float = 0.45
    stroke: float = LEAD
    hold: float = 0.6
    retract: float = 0.65

    def seconds(self, share: float) -> float:
        """Return the time from the stroke's start of a share: 1 ends the stroke, 2 the hold."""
        return self.stroke * min(share, 1.0) + self.hold * max(share - 1.0, 0.0)

    @property
    def whole(self) -> float:
        """Seconds of all phases."""
        return self.prepare + self.stroke + self.hold + self.retract
