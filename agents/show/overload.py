"""Which questions cannot be answered aloud in time, and are better answered in writing at once."""

from dataclasses import dataclass
from typing import Final

from agents.show.pace import Pace, seconds_of
from agents.show.waiting import ASKING, Entry, Waiting

MOST_RUNNING: Final = 4  # interjections before the script has its turn

_LIMIT_S: Final = 5.0  # of the 6 s an answer may take to begin: planned is not spoken yet
_CALM_LIMIT_S: Final = 12.0
_MAKING_S: Final = 0.8  # an answer that is still being made
_ANSWER_S: Final = 6.0  # how long one is said to take, that is not made yet
_LEAST_S: Final = 1.0  # what has only just come may still be joined by others


@dataclass(frozen=True, slots=True)
class Air:
    """What is being said, in seconds since the epoch.

    Attributes:
        since, till: when the running line began, and about when it will have been said; where there
            is none, minus infinity and the present.
        free_at: about when the first answer can begin: all lines given so far will have been said,
            and what comes before any answer.
        left: how many answers there can be before the script has its turn.
        turn_s: how long that turn takes, in seconds.
    """

    since: float
    till: float
    free_at: float
    left: int
    turn_s: float


def overdue(waiting: Waiting, now: float, air: Air, pace: Pace) -> list[Entry]:
    """Return the questions whose answers could not begin in time: within 6 s of being asked, 12 s
    while few ask, or with the end of the line that was running when they were asked.

    Args:
        now: seconds since the epoch.
        pace: how fast answers are said.
    """
    asked = [one for one in waiting if one.kind in ASKING and one.state != "given"]
    crowded = waiting.is_crowded(now)
    limit = _LIMIT_S if crowded else _CALM_LIMIT_S
    at, left, late = air.free_at, air.left, []
    for entry in sorted(asked, key=worth):
        if left <= 0:
            at, left = at + air.turn_s, MOST_RUNNING
        begins = max(at, now + (0.0 if entry.state == "ready" else _MAKING_S))
        # Where many wait, nobody's time is spent on saying that something is not known.
        idle = entry.state == "ready" and not entry.citations and crowded
        soon = air.till + _MAKING_S if air.since <= entry.at else 0.0
        in_time = not idle and begins <= max(entry.at + limit, soon)
        keeps = in_time or entry.kind == "voice" or entry.preferred
        if keeps or now - entry.at < _LEAST_S:
            at, left = begins + (seconds_of(entry.clauses, pace) or _ANSWER_S), left - 1
        else:
            late.append(entry)
    return late


def is_late(entry: Entry, since: float, till: float) -> bool:
    """Say whether an answer begins late, where many ask, that begins after the running line, which
    has been heard since a moment and will be till another.
    """
    return since > entry.at and till - entry.at > _LIMIT_S


def worth(entry: Entry) -> tuple[bool, bool, int, float]:
    """Return what sorts questions, those first that most should be answered aloud."""
    return (not entry.preferred, entry.kind != "voice", -len(entry.names), -entry.at)
