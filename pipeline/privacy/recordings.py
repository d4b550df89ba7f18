"""Recordings somebody made on purpose: which file shows and sounds whom, and since when."""

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pipeline.privacy.files import append_line, private_folder, read_lines, replace_lines
from pipeline.privacy.person import check_person

INDEX: Final = "recordings.jsonl"


@dataclass(frozen=True, slots=True)
class Recording:
    """A file in which a person is seen or heard, noted at `at`."""

    path: Path
    at: datetime

    @property
    def size(self) -> int:
        """Its bytes now, 0 where it is gone."""
        return self.path.stat().st_size if self.path.is_file() else 0


class RecordingIndex:
    """A list of recordings in `folder`. Blocks; used by one thread at a time.

    A recording `talk.mp4` may go on in `talk.2.mp4`, `talk.3.mp4`; all of them belong to it, and
    so does what is being written. A recording may also be a folder, as playlists are.

    Args:
        folder: made with the first recording.
        retention_days: how many days a recording is kept.
        now: tells the time.
    """

    def __init__(self, folder: Path, retention_days: int, now: Callable[[], datetime]) -> None:
        self._folder = folder
        self._retention = timedelta(days=retention_days)
        self._now = now

    def note(self, person: str, path: Path) -> None:
        """Note that `person` is in the recording `path`, which may have yet to be made.

        Raises:
            ConfigurationError: `person` is no id.
            OSError: it cannot be written.
        """
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        content = {"person": check_person(person), "path": str(path.absolute()), "at": at}
        append_line(private_folder(self._folder) / INDEX, content)

    def of(self, person: str) -> list[Recording]:
        """Return the files of a person's recordings that are there, oldest first."""
        check_person(person)
        return [
            Recording(path, _at(line))
            for line in self._lines()
            if line["person"] == person
            for path in _finished(Path(line["path"]))
        ]

    def delete(self, person: str) -> int:
        """Delete the recordings of a person; return how many files there were.

        Others in the same recording lose it too. One that is still being written is cut off from
        its name, and whatever comes of it is deleted by the next sweep.
        """
        check_person(person)
        lines = self._lines()
        hers = [line for line in lines if line["person"] == person]
        count = sum(_delete(Path(line["path"])) for line in hers)
        if hers:
            for line in hers:
                line["person"] = None
            replace_lines(self._folder / INDEX, lines)
        return count

    def sweep(self) -> int:
        """Delete recordings older than the retention period; return how many files."""
        lines = self._lines()
        before = self._now() - self._retention
        over = [line for line in lines if line["person"] is None or _ended(line, before)]
        found = {line["path"]: _delete(Path(line["path"])) for line in over}
        if over:
            # What was still being written may come again.
            kept = [line for line in lines if line not in over or found[line["path"]]]
            replace_lines(self._folder / INDEX, kept)
        return sum(found.values())

    def _lines(self) -> list[dict[str, Any]]:
        """Return the newest line of each path, as a name that is free is taken again."""
        index = self._folder / INDEX
        lines = read_lines(index) if index.is_file() else []
        return list({line["path"]: line for line in lines}.values())


def _at(line: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(line["at"])


def _ended(line: dict[str, Any], before: datetime) -> bool:
    """Return whether a recording is older than a moment; a folder, as long as it grows, is not."""
    folder = Path(line["path"])
    grown = max((each.stat().st_mtime for each in _files(folder)), default=0.0)
    return _at(line) < before and grown < before.timestamp()


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder, none where it is no folder."""
    return sorted(each for each in folder.iterdir() if each.is_file()) if folder.is_dir() else []


def _finished(path: Path) -> list[Path]:
    """Return the files of a recording, its parts in order."""
    if path.is_dir():
        return _files(path)
    numbered = {
        int(found[1]): each
        for each in path.parent.glob(f"{path.stem}.*{path.suffix}")
        if (found := re.fullmatch(rf"{re.escape(path.stem)}\.(\d+){path.suffix}", each.name))
    }
    parts = [path, *(numbered[number] for number in sorted(numbered))]
    return [each for each in parts if each.is_file()]


def _delete(path: Path) -> int:
    """Delete the files of a recording, and what is being written; return how many there were."""
    unfinished = path.parent.glob(f".{path.stem}.*{path.suffix}.partial")
    files = [*_finished(path), path.with_name(f".{path.name}.partial"), *unfinished]
    count = sum(each.is_file() for each in set(files))
    for each in files:
        each.unlink(missing_ok=True)
    if path.is_dir():
        with contextlib.suppress(OSError):  # something else lies in it
            path.rmdir()
    return count
