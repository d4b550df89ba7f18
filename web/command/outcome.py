"""What commands end with: a report, its JSON line, or an error with its exit code."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path


class CommandError(RuntimeError):
    """A command cannot go on. `code`: 1 for a failure, 2 for wrong usage."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def usage(message: str) -> CommandError:
    """Return the error for arguments that do not fit together."""
    return CommandError(message, code=2)


def write_report(report: Mapping[str, object], path: Path | None = None) -> None:
    """Print `report` as the last line of stdout, and write it to `path` where one is given.

    Raises:
        CommandError: the file cannot be written; the line was printed before.
    """
    sys.stdout.flush()
    print(json.dumps(report, ensure_ascii=False, allow_nan=False), flush=True)
    if path is None:
        return
    try:
        path.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write the report {path}: {error.strerror}") from error


def note(message: str) -> None:
    """Tell a person what goes on, on stderr."""
    print(message, file=sys.stderr, flush=True)
