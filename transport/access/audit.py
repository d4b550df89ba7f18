"""One line for each administrative act: who did what to what, and how it ended."""

import json
import logging
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

LONGEST: Final = 200  # letters of what was acted on
COMMAND: Final = "command"  # who acts on the command line, where nobody shows a key

logger = logging.getLogger("vivant.audit")


class Audit:
    """Writes JSON lines {"time", "key", "act", "target", "outcome"} to the log `vivant.audit`, and
    to a file for its owner alone. Neither holds secrets or what was said or seen.

    The file is opened for each line, so it may be moved away at any time (logrotate).
    """

    def __init__(self, path: Path | None = None, wall: Callable[[], float] = time.time) -> None:
        self.path = path
        self._wall = wall

    def write(self, key_id: str, act: str, target: str, outcome: str) -> None:
        """Record an act that has ended.

        Args:
            key_id: whose key; "local" where none is asked for, "command" on the command line.
            act: what was done, such as "DELETE /v1/streams/{name}" or "keys revoke".
            target: the path or id; its first 200 letters are kept.
            outcome: the status of the answer, or "done".
        """
        moment = datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="milliseconds")
        line = json.dumps(
            {
                "time": moment,
                "key": key_id,
                "act": act[:LONGEST],
                "target": target[:LONGEST],
                "outcome": outcome,
            }
        )
        logger.info("%s", line)
        if self.path is not None:
            self._append(self.path, line)

    def _append(self, path: Path, line: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, f"{line}\n".encode())
            finally:
                os.close(file)
        except OSError as error:
            logger.error("the act is in no file: %s cannot be written: %s", path, error)
