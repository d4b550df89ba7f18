"""What has been recorded: films in the folder that `transport.outlets` writes."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import av
from av.error import FFmpegError

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[0-9]{1,4})?")
MOST: Final = 1000  # that are listed, the newest


@dataclass(frozen=True, slots=True)
class Recording:
    """A film. One whose writing was interrupted goes on as "name.2", and so on.

    Attributes:
        size: in bytes.
        made: when it was finished, seconds since 1970 UTC.
        seconds: how long it lasts; None where it cannot be read.
    """

    name: str
    size: int
    made: float
    seconds: float | None


class Recordings:
    """The films of a folder. What is being written is not among them. Calls block for as long as
    it takes to look into files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Recording]:
        """Return the newest recordings, the newest first."""
        files = self._folder.glob("*.mp4") if self._folder.is_dir() else ()
        known = [path for path in files if NAME.fullmatch(path.stem) and not path.is_symlink()]
        known.sort(key=lambda path: (-path.stat().st_mtime, path.name))
        return [_recording(path) for path in known[:MOST]]

    def path(self, name: str) -> Path | None:
        """Return the file of a recording; None where there is none."""
        path = self._folder / f"{name}.mp4"
        there = bool(NAME.fullmatch(name)) and path.is_file() and not path.is_symlink()
        return path if there else None

    def delete(self, name: str) -> bool:
        """Delete a recording; return whether there was one."""
        path = self.path(name)
        if path is not None:
            path.unlink(missing_ok=True)
        return path is not None


def _recording(path: Path) -> Recording:
    found = path.stat()
    seconds = _seconds(path, found.st_mtime_ns, found.st_size)
    return Recording(path.stem, found.st_size, found.st_mtime, seconds)


@lru_cache(maxsize=2 * MOST)
def _seconds(path: Path, changed: int, size: int) -> float | None:
    """Return how long a film lasts; the last two tell whether it is still the same film."""
    del changed, size
    try:
        with av.open(str(path)) as film:
            return None if film.duration is None else round(film.duration / av.time_base, 2)
    except (FFmpegError, OSError):
        return None
