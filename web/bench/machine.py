"""Whose time the machine's processors spend during a measurement."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
# Of the first line of /proc/stat: user, nice, system, irq, softirq, steal. Idle time is no work,
# and guests' is in user's (proc(5)).
_BUSY: Final = (0, 1, 2, 5, 6, 7)


@dataclass(frozen=True, slots=True)
class Shares:
    """Processor seconds a second: this process, those it has started, and everybody else's."""

    clients: float
    server: float
    others: float


class Meter:
    """Measures from its making on. A process that has ended in between is not counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._start = _spent()

    def read(self) -> Shares:
        """Return the shares since the beginning."""
        seconds = max(1e-3, time.monotonic() - self._began)
        clients, server, all_ = (
            (now - before) / seconds for now, before in zip(_spent(), self._start, strict=True)
        )
        return Shares(
            round(clients, 3), round(server, 3), round(max(0.0, all_ - clients - server), 3)
        )


def _spent() -> tuple[float, float, float]:
    """Return processor seconds of this process, of its descendants, and of the whole machine."""
    own = os.getpid()
    return _of(own), sum(map(_of, _descendants(own))), _machine()


def _descendants(process: int) -> list[int]:
    """Return who was started by `process` and runs, and whom those started."""
    found = []
    for task in _folders(Path(f"/proc/{process}/task")):
        for child in _read(task / "children").split():
            found += [int(child), *_descendants(int(child))]
    return found


def _of(process: int) -> float:
    text = _read(Path(f"/proc/{process}/stat"))
    # The name is in parentheses and may hold anything; user and system time are fields 14 and 15.
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else 0.0


def _machine() -> float:
    fields = _read(Path("/proc/stat")).partition("\n")[0].split()[1:]
    return sum(int(fields[index]) for index in _BUSY) / _TICKS if fields else 0.0


def _folders(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # it has ended, or the system has no such folder
        return []


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace")
    except OSError:
        return ""
