"""Which questions cannot be answered aloud in time, and are better answered in writing at once."""

from typing import Final

from agents.show.pace import Pace, seconds_of
from agents.show.waiting import ASKING, Entry, Waiting

_LIMIT_S: Final = 5.0  # of the 6 s an answer may take to begin: planned is not spoken yet
_CALM_LIMIT_S: Final = 12.0
MANY: Final = 4  # questions waiting from which on it is not calm
_MAKING_S: Final = 0.8  # an answer that is still being made
_ANSWER_S: Final = 6.0  # how long one is said to take, that is not made yet
_LEAST_S: Final = 1.0  # what has only just come may still be joined by others


def overdue(
    waiting: Waiting, now: float, free_at: float, pace: Pace, running_till: float | None = None
) -> list[Entry]:
    """Return the questions whose answers could not begin in time.

    Args:
        now: seconds since the epoch.
        free_at: when the lines given so far will have been said.
        pace: how fast answers are said.
        running_till: when the running line will have been said: what begins then is in time,
            whatever the line's length. None is `free_at`.
    """
    asked = [one for one in waiting if one.kind in ASKING and one.state != "given"]
    limit = _LIMIT_S if len(asked) >= MANY else _CALM_LIMIT_S
    soon = free_at if running_till is None else running_till
    at, late = free_at, []
    for entry in sorted(asked, key=worth):
        begins = max(at, now + (0.0 if entry.state == "ready" else _MAKING_S))
        # Where many wait, nobody's time is spent on saying that something is not known.
        idle = entry.state == "ready" and not entry.citations and len(asked) >= MANY
        in_time = not idle and begins <= max(entry.at + limit, soon + _MAKING_S)
        keeps = in_time or entry.kind == "voice" or entry.preferred
        if keeps or now - entry.at < _LEAST_S:
            at = begins + (seconds_of(entry.clauses, pace) or _ANSWER_S)
        else:
            late.append(entry)
    return late


def worth(entry: Entry) -> tuple[bool, bool, int, float]:
    """Return what sorts questions, those first that most should be answered aloud."""
    return (not entry.preferred, entry.kind != "voice", -len(entry.names), -entry.at)
