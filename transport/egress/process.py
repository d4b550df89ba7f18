"""One process that writes one output, and the threads that feed it and hear from it."""

import contextlib
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Event, Lock, Thread

from transport.egress.child import (
    Broken,
    Finish,
    Finished,
    Opened,
    Reply,
    Written,
    egress_process,
)
from transport.egress.outputs import Job
from transport.egress.packets import PacketQueue
from transport.egress.states import EgressTimes

_JOIN_SECONDS = 5.0

Ending = Finished | Broken


class OutputProcess:
    """Runs once, from opening the output to its end.

    Args:
        job: what to write.
        queue: where packets come from, once the output is open.
        times: how long to wait for the process.
        opened: called when the output takes packets, before the first is taken from the queue.
        wrote: called with how many more packets were written.

    Attributes:
        handed: packets taken from the queue.
        written: those of them that the process has written.
    """

    def __init__(
        self,
        job: Job,
        queue: PacketQueue,
        times: EgressTimes,
        opened: Callable[[], None],
        wrote: Callable[[int], None],
    ) -> None:
        self._job, self._queue, self._times = job, queue, times
        self._opened, self._wrote = opened, wrote
        self._process: BaseProcess | None = None
        self._feeder: Thread | None = None
        self._over = Event()
        self._killing = Lock()
        self._killed = False
        self.handed = 0
        self.written = 0

    @property
    def pid(self) -> int | None:
        """Process id, once it was started."""
        return self._process.pid if self._process is not None else None

    def run(self) -> Ending:
        """Start the process and return how it ended; by then it is gone. Blocks."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        with self._killing:
            self._process = context.Process(
                target=egress_process, args=(theirs, self._job), name="vivant egress", daemon=True
            )
            self._process.start()
        theirs.close()
        if self._killed:
            self._process.kill()
        ending = self._listen(ours)
        self._bury()
        ours.close()
        return ending

    def kill(self) -> None:
        """End the process now, or as soon as it starts. What it has written so far stays."""
        with self._killing:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def _listen(self, connection: Connection) -> Ending:
        while True:
            limit = self._times.hanging if self._feeder else self._times.starting
            try:
                if not connection.poll(limit):
                    if self._feeder and self.handed == self.written:
                        continue  # it was given nothing
                    return Broken("the process that writes it hangs", retryable=True)
                reply: Reply = connection.recv()
            except (EOFError, OSError):
                return Broken("the process that writes it has died", retryable=True)
            if isinstance(reply, Finished | Broken):
                return reply
            self._take(reply, connection)

    def _take(self, reply: Opened | Written, connection: Connection) -> None:
        if isinstance(reply, Written):
            self.written += reply.packets
            self._wrote(reply.packets)
            return
        self._opened()
        self._feeder = Thread(
            target=self._feed, args=(connection,), name="egress feeder", daemon=True
        )
        self._feeder.start()

    def _feed(self, connection: Connection) -> None:
        """Hand packets over, as fast as the process takes them."""
        with contextlib.suppress(OSError):  # the process is gone: the other thread sees it too
            while (packet := self._queue.get(self._over)) is not None:
                self.handed += 1
                connection.send(packet)
            if not self._over.is_set():
                connection.send(Finish())

    def _bury(self) -> None:
        assert self._process is not None
        self._over.set()
        self._queue.wake()
        self._process.join(0 if self._killed else _JOIN_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        if self._feeder is not None:
            self._feeder.join()
