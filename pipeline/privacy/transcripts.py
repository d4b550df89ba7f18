"""Transcripts: what people said and what they heard, a file of JSON lines per person and day."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

from pipeline.privacy.files import append_line, private_folder, read_lines, replace_lines
from pipeline.privacy.person import folder_name

# One utterance is a few hundred letters, a day of talk some 100 KiB.
MAX_TEXT: Final = 8_000
MAX_DAY_BYTES: Final = 4 << 20

Who = Literal["person", "host"]


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance as it was heard.

    Attributes:
        at: when it was over, with a time zone.
        session, item: where it belongs, as in the protocol.
        who: "person" or "host".
        language: of what a person said aloud; None where nobody found out.
    """

    at: datetime
    session: str
    item: str
    who: Who
    text: str
    language: str | None = None


class TranscriptStore:
    """Lines below a folder that only its owner may read. Blocks; used by one thread at a time.

    Folders are named by digests, so that no id from outside becomes a path.

    Args:
        folder: made with the first line.
        retention_days: how many days a line is kept, that of its making counted.
        most_bytes: of all lines together; what would exceed it is not kept.
        now: tells the time, for what is too old.
    """

    def __init__(
        self, folder: Path, retention_days: int, most_bytes: int, now: Callable[[], datetime]
    ) -> None:
        self._folder = folder
        self._retention = timedelta(days=retention_days)
        self._most_bytes = most_bytes
        self._now = now
        self._held: int | None = None

    def add(self, person: str, line: Line) -> bool:
        """Keep a line; False where the bounds leave no room for it.

        Raises:
            ConfigurationError: `person` is no id.
            OSError: it cannot be written.
        """
        path = self._folder / folder_name(person) / f"{_day(line.at)}.jsonl"
        size = path.stat().st_size if path.exists() else 0
        if size >= MAX_DAY_BYTES or self._size() >= self._most_bytes:
            return False
        private_folder(self._folder)
        private_folder(path.parent)
        self._held = self._size() + append_line(path, _content(line))
        return True

    def amend(self, person: str, session: str, item: str, text: str) -> None:
        """Put `text` in the place of what was kept of an item; an empty one forgets it.

        Raises:
            OSError: it cannot be written.
        """
        for path in reversed(list(self._days(person))):
            lines = read_lines(path)
            if not any(_is(line, session, item) for line in lines):
                continue
            kept = [
                line | {"text": text[:MAX_TEXT]} if _is(line, session, item) else line
                for line in lines
            ]
            replace_lines(path, [line for line in kept if line["text"]])
            self._held = None
            return

    def read(self, person: str) -> list[Line]:
        """Return what is kept of a person, oldest first; what is too old goes before.

        Raises:
            ConfigurationError: `person` is no id.
            OSError: it cannot be read.
        """
        for path in list(self._days(person)):
            if self._is_old(path):
                path.unlink()
        return [_parsed(content) for path in self._days(person) for content in read_lines(path)]

    def delete(self, person: str) -> int:
        """Forget a person; return how many lines there were.

        Raises:
            ConfigurationError: `person` is no id.
            OSError: it cannot be deleted.
        """
        count = sum(len(read_lines(path)) for path in self._days(person))
        folder = self._folder / folder_name(person)
        if folder.exists():
            shutil.rmtree(folder)
        self._held = None
        return count

    def sweep(self) -> int:
        """Delete what is older than the retention period; return how many days of somebody."""
        gone = 0
        for folder in self._people():
            for path in list(folder.glob("*.jsonl")):
                if self._is_old(path):
                    path.unlink()
                    gone += 1
            if not any(folder.iterdir()):
                folder.rmdir()
        self._held = None
        return gone

    def _people(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return [path for path in self._folder.iterdir() if path.is_dir()]

    def _days(self, person: str) -> Iterator[Path]:
        yield from sorted((self._folder / folder_name(person)).glob("*.jsonl"))

    def _is_old(self, path: Path) -> bool:
        try:
            day = date.fromisoformat(path.stem)
        except ValueError:
            return False
        return self._now().astimezone(UTC).date() - day >= self._retention

    def _size(self) -> int:
        if self._held is None:
            files = (path for folder in self._people() for path in folder.glob("*.jsonl"))
            self._held = sum(path.stat().st_size for path in files)
        return self._held


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()


def _content(line: Line) -> dict[str, Any]:
    at = line.at.astimezone(UTC).isoformat(timespec="seconds")
    return asdict(line) | {"at": at, "text": line.text[:MAX_TEXT]}


def _parsed(content: dict[str, Any]) -> Line:
    return Line(**content | {"at": datetime.fromisoformat(content["at"])})


def _is(line: dict[str, Any], session: str, item: str) -> bool:
    return line.get("session") == session and line.get("item") == item
