"""How finished a phrase reads, from its words alone."""

from enum import Enum


class Finish(Enum):
    """CLOSED: nothing is missing. DOUBTFUL: such phrases end and go on about equally often.

    COUNTING: a number is being read out in groups. UNFINISHED: a part of the sentence is missing.
    OPEN: the last words demand more at once.
    """

    CLOSED = "closed"
    DOUBTFUL = "doubtful"
    COUNTING = "counting"
    UNFINISHED = "unfinished"
    OPEN = "open"
