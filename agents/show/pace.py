"""How fast a host speaks, and how long what it says will take."""

from collections.abc import Iterable
from typing import Final, Literal

from agents.clause import Clause
from agents.rundown.timing import speech_seconds

Pace = Literal["calm", "usual", "quick"]
PACES: Final[dict[Pace, float]] = {"calm": 0.9, "usual": 1.0, "quick": 1.12}


def seconds_of(clauses: Iterable[Clause], pace: Pace) -> float:
    """Return about how long clauses take to say, in seconds."""
    said = list(clauses)
    if not said:
        return 0.0
    return speech_seconds("".join(c.text for c in said), said[0].language, PACES[pace])
