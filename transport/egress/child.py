"""The process that writes one output, for as long as one connection or one file lasts.

It has the interpreter to itself: PyAV holds the lock in much of what it does. It imports little,
so that it starts at once.
"""

import contextlib
import os
import signal
import socket
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from transport.egress.errors import OutputError
from transport.egress.outputs import Job, Output, open_output
from transport.egress.packets import Packet

REPORT_SECONDS: Final = 0.5  # how long written packets may go unreported
REPORT_PACKETS: Final = 50


@dataclass(frozen=True, slots=True)
class Opened:
    """The output takes packets from now on."""


@dataclass(frozen=True, slots=True)
class Written:
    """So many more packets were written."""

    packets: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The output is complete; the process ends."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The output cannot be opened or has broken; the process ends. No secret is in `message`."""

    message: str
    retryable: bool


Reply = Opened | Written | Finished | Broken


@dataclass(frozen=True, slots=True)
class Finish:
    """Finish the output and end."""


def egress_process(connection: Connection, job: Job) -> None:
    """Write what comes through `connection` until `Finish`.

    When the other side is gone, or at SIGTERM, what there is gets finished all the same.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to end
    signal.signal(signal.SIGTERM, lambda *_: _hear_no_more(connection))
    try:
        output = open_output(job)
        _tell(connection, Opened())
        _copy(connection, output)
        output.close()
    except OutputError as error:
        _tell(connection, Broken(job.target.masked(str(error)), error.retryable))
    else:
        _tell(connection, Finished())


def _copy(connection: Connection, output: Output) -> None:
    untold = 0
    while True:
        if untold >= REPORT_PACKETS or (untold and not connection.poll(REPORT_SECONDS)):
            _tell(connection, Written(untold))
            untold = 0
        try:
            order: Packet | Finish = connection.recv()
        except (EOFError, ConnectionError):
            return
        if isinstance(order, Finish):
            _tell(connection, Written(untold))
            return
        output.add(order)
        untold += 1


def _hear_no_more(connection: Connection) -> None:
    """Let `recv` find the end after what has already come."""
    with socket.socket(fileno=os.dup(connection.fileno())) as pipe:
        pipe.shutdown(socket.SHUT_RD)


def _tell(connection: Connection, reply: Reply) -> None:
    with contextlib.suppress(ConnectionError):  # nobody is left to hear it
        connection.send(reply)
