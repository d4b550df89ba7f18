"""Logs tell what broke and where, never what was said: messages of errors may quote it."""

import logging
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# Loggers of libraries that quote what passes through them: the event loop shows the arguments of
# what failed, the WebSocket protocol shows frames where details are wanted, HTTP clients bodies.
QUOTING: Final = (
    "asyncio",
    "uvicorn.error",
    "uvicorn.asgi",
    "websockets.server",
    "websockets.client",
    "openai._base_client",
    "python_multipart.multipart",
    *(f"aiortc.{name}" for name in ("rtcdtlstransport", "rtcrtpsender", "rtcrtpreceiver")),
)

_CALL: Final = re.compile(r"[(<{\['\"]")


def where(error: BaseException) -> str:
    """Return the kinds of an error and of its causes, and the places it passed, without messages.

    One line: "KeyError at turns.py:12 begin < session.py:90 _run; after ValueError at …".
    """
    return "; after ".join(_told(each) for each in _causes(error))


class Discreet(logging.Filter):
    """Takes from records what could quote a conversation, and leaves the rest.

    Of an error the kind and the place stay, of a message its first line, of a library's details
    below INFO, which show what passes, nothing.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is shown; it may be changed."""
        if record.levelno < logging.INFO:
            return False
        lines = record.getMessage().strip().splitlines()
        told = lines[0] if lines else ""
        if record.name == "asyncio":  # what follows shows a call with its arguments
            told = _CALL.split(told, maxsplit=1)[0].rstrip()
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, BaseException):
            told = f"{told}: {where(error)}"
        record.msg, record.args = told, ()
        record.exc_info = record.exc_text = None
        return True


def make_discreet() -> None:
    """Have the loggers of `QUOTING` quote nobody. Idempotent."""
    for name in QUOTING:
        logger = logging.getLogger(name)
        if not any(isinstance(each, Discreet) for each in logger.filters):
            logger.addFilter(Discreet())


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)
    )
    kind = type(error).__name__
    if isinstance(error, BaseExceptionGroup):
        kind += f" of ({', '.join(where(each) for each in error.exceptions)})"
    return f"{kind} at {places}" if places else kind


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, what it was raised from, and so on."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
