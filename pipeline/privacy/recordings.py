"""Recordings somebody made on purpose: which file shows and sounds whom, and since when."""

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
        """Note that `person` is in the recording `path`.

        Raises:
            ConfigurationError: `person` is no id.
            OSError: it cannot be written.
        """
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        content = {"person": check_person(person), "path": str(path.absolute()), "at": at}
        append_line(private_folder(self._folder) / INDEX, content)

    def of(self, person: str) -> list[Recording]:
        """Return the recordings of a person that are still there, oldest first."""
        check_person(person)
        found = [_parsed(line) for line in self._lines() if line["person"] == person]
        return [each for each in found if each.path.is_file()]

    def delete(self, person: str) -> int:
        """Delete the recordings of a person; return how many files there were.

        Others in the same recording lose it too.
        """
        check_person(person)
        return self._remove(lambda line: line["person"] == person)

    def sweep(self) -> int:
        """Delete recordings older than the retention period; return how many files."""
        before = self._now() - self._retention
        return self._remove(lambda line: _parsed(line).at < before)

    def _remove(self, chosen: Callable[[dict[str, Any]], bool]) -> int:
        lines = self._lines()
        paths = {line["path"] for line in lines if chosen(line)}
        count = 0
        for path in map(Path, paths):
            if path.is_file():
                path.unlink()
                count += 1
        if paths:
            kept = [line for line in lines if line["path"] not in paths]
            replace_lines(self._folder / INDEX, kept)
        return count

    def _lines(self) -> list[dict[str, Any]]:
        index = self._folder / INDEX
        return read_lines(index) if index.is_file() else []


def _parsed(line: dict[str, Any]) -> Recording:
    return Recording(Path(line["path"]), datetime.fromisoformat(line["at"]))
