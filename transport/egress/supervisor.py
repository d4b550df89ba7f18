"""Keeps an output written: starts its process, and again after a break, waiting ever longer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from time import monotonic

from transport.egress.child import Broken, Finished
from transport.egress.outputs import Job, salvage
from transport.egress.packets import PacketQueue
from transport.egress.process import OutputProcess
from transport.egress.states import EgressTimes
from transport.egress.targets import RtmpTarget, Target


@dataclass(frozen=True, slots=True)
class Running:
    """An output is open. `keyframe`: the position it begins at, None when it waits for one."""

    keyframe: int | None


@dataclass(frozen=True, slots=True)
class Sent:
    """So many more packets were written."""

    packets: int


@dataclass(frozen=True, slots=True)
class Lost:
    """An output has broken, and with it packets that were not yet written.

    `retry_s`: seconds until it is opened again, None when it is not.
    """

    message: str
    packets: int
    retry_s: float | None


@dataclass(frozen=True, slots=True)
class Over:
    """The last report: no process runs any more."""


Report = Running | Sent | Lost | Over


class Supervisor:
    """A thread that owns the processes of one egress, one after the other.

    Args:
        target: where to.
        size: (width, height) of the pictures; None for sound alone.
        queue: where packets come from.
        times: how long to wait for what.
        report: called on the thread; must not block.
    """

    def __init__(
        self,
        target: Target,
        size: tuple[int, int] | None,
        queue: PacketQueue,
        times: EgressTimes,
        report: Callable[[Report], None],
    ) -> None:
        self._target, self._size = target, size
        self._queue, self._times, self._report = queue, times, report
        self._closing = Event()
        self._current = Lock()
        self._process: OutputProcess | None = None
        self._killed = False
        self._part = 1
        self._opened_at: float | None = None
        self._thread = Thread(target=self._run, name="egress", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """Id of the process that writes now."""
        with self._current:
            return self._process.pid if self._process is not None else None

    def finish(self) -> None:
        """Open no output again. One that is open is finished when the queue is."""
        self._closing.set()

    def kill(self) -> None:
        """End the process now; what is written so far stays where that is of use."""
        with self._current:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def _run(self) -> None:
        times = self._times
        wait, good = times.first_retry, monotonic()
        while (lost := self._once()) is not None:
            if self._opened_at is not None and monotonic() - self._opened_at >= times.settled:
                wait, good = times.first_retry, monotonic()
            patient = monotonic() - good < times.patience
            again = lost.retry_s is not None and patient and not self._closing.is_set()
            self._report(replace(lost, retry_s=wait if again else None))
            if not again or self._closing.wait(wait):
                break
            wait = min(2 * wait, times.last_retry)
        self._report(Over())

    def _once(self) -> Lost | None:
        """Write until the output ends; return how it broke, None when it was finished."""
        job = Job(self._target, self._size, self._part, self._times.answer)
        self._opened_at = None
        process = OutputProcess(job, self._queue, self._times, self._opened, self._wrote)
        with self._current:
            self._process = process
            if self._killed:
                process.kill()
        ending = process.run()
        with self._current:
            self._process = None
        if isinstance(ending, Finished):
            if self._closing.is_set():
                return None
            ending = Broken("the process that writes it was told to end", retryable=True)
            self._part += 1
        elif salvage(self._target, self._part, process.written):
            self._part += 1
        unwritten = process.handed - process.written
        return Lost(ending.message, unwritten, 0.0 if ending.retryable else None)

    def _opened(self) -> None:
        self._opened_at = monotonic()
        live = isinstance(self._target, RtmpTarget)
        self._report(Running(self._queue.start_over(live=live)))

    def _wrote(self, packets: int) -> None:
        self._report(Sent(packets))
