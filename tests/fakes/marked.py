"""What must not be told: marked words, and everything a log record could tell them with."""

import base64
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SPOKEN: Final = "zebra-spoken"
TYPED: Final = "zebra-typed"
ANSWERED: Final = "zebra-answered"
MARK: Final = "zebra"


class Records(logging.Handler):
    """Every record of every logger, as text: message, arguments, errors with their traces."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.texts: list[str] = []
        self.loggers: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what any formatter could show of a record."""
        self.loggers.add(record.name)
        self.texts.append(f"{self.format(record)} {record.args!r} {record.exc_text}")

    def with_any(self, *marks: str) -> list[str]:
        """Return the records in which one of the marks stands."""
        return [text for text in self.texts if any(mark in text for mark in marks)]


@contextmanager
def every_record() -> Iterator[Records]:
    """Collect the records of all loggers there are, at the level of DEBUG."""
    root, records = logging.getLogger(), Records()
    known = logging.root.manager.loggerDict.values()
    loggers = [root, *(each for each in known if isinstance(each, logging.Logger))]
    before = [(each, each.level, each.propagate, each.disabled) for each in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.propagate, logger.disabled = True, False
    root.addHandler(records)
    try:
        yield records
    finally:
        root.removeHandler(records)
        for logger, level, propagate, disabled in before:
            logger.setLevel(level)
            logger.propagate, logger.disabled = propagate, disabled


def traces(content: bytes, length: int = 24) -> tuple[str, ...]:
    """Return how a piece of sound or of a picture would look in a log."""
    middle = len(content) // 2 // 3 * 3
    piece = content[middle : middle + length]
    encoded = base64.b64encode(content[middle : middle + length // 3 * 3]).decode()
    return (encoded, repr(piece)[2:-1], piece.hex(), piece.hex(" "))
