"""What an egress tells whoever opened it."""

from dataclasses import dataclass
from typing import Literal

EgressState = Literal["starting", "running", "reconnecting", "failed", "ended"]


@dataclass(frozen=True, slots=True)
class EgressStatistics:
    """How an egress is doing.

    Attributes:
        state: "starting" until the output first takes something; "running"; "reconnecting" from a
            break until it takes something again; "failed" when no more is tried; "ended" after
            `close`.
        sent: pictures and sound frames (20 ms) written.
        dropped: those left out because the output was away or too slow, or lost with its process.
        queued: those that wait.
        reconnects: how often the output was opened again.
        error: what went wrong last, "" if nothing. Holds no stream key.
    """

    state: EgressState
    sent: int
    dropped: int
    queued: int
    reconnects: int
    error: str


@dataclass(frozen=True, slots=True)
class EgressEvent:
    """Something happened: the state changed, or packets were dropped while it was running.

    Attributes:
        message: what, for a person to read. Holds no stream key.
    """

    message: str
    statistics: EgressStatistics


@dataclass(frozen=True, slots=True)
class EgressTimes:
    """How long an egress waits, in seconds of real time.

    Attributes:
        answer: for an ingest, until it accepts the stream and whenever it does not read.
        starting: for a process, until its output is open.
        hanging: for a process, to write what it was given; then it is ended.
        first_retry: after a break; each further one waits twice as long.
        last_retry: the longest wait between tries.
        settled: after so long running, the next break waits `first_retry` again.
        patience: without success since the last break; then the egress has failed.
        close: to finish the output; then it is ended unfinished.
    """

    answer: float = 10.0
    starting: float = 60.0
    hanging: float = 20.0
    first_retry: float = 0.5
    last_retry: float = 30.0
    settled: float = 10.0
    patience: float = 600.0
    close: float = 10.0
