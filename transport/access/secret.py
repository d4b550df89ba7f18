"""What is known to the server alone, and never shown."""

import contextlib
import logging
import os
import secrets
import stat
from pathlib import Path
from typing import BinaryIO, Final

from transport.access.errors import AccessValueError

BYTES: Final = 32

logger = logging.getLogger(__name__)


class Secret:
    """Bytes that no log, traceback or `repr` shows."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not written down")

    def reveal(self) -> bytes:
        """Return the bytes."""
        return self._value


def load_secret(path: Path) -> Secret:
    """Return the server's secret, made at the first use, in a file for its owner alone (0600).

    Where nothing can be written, tokens end with the process: the secret is kept in memory.

    Raises:
        AccessValueError: others may read the file, or it holds something else.
    """
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return _read(path)
    value = secrets.token_bytes(BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(path, value.hex().encode())
    except OSError as error:
        logger.warning("tokens end with this process: %s cannot be written: %s", path, error)
        return Secret(value)
    return _read(path)  # which is another's, where two began at once


def write_private(path: Path, content: bytes) -> None:
    """Put a file for its owner alone where there is none; one that is there stays."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    with _created(draft) as file:
        file.write(content)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def replace_private(path: Path, content: bytes) -> None:
    """Put a file for its owner alone in the place of what is there, all at once."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with _created(draft) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def check_private(path: Path, *, readable: bool = False) -> None:
    """Check that a file is its owner's alone; others may read it where it is `readable`.

    Raises:
        AccessValueError: others may do more.
        FileNotFoundError: there is none.
    """
    if stat.S_IMODE(path.stat().st_mode) & (0o022 if readable else 0o077):
        done = "change" if readable else "read"
        raise AccessValueError(f"others can {done} {path}; accepted: chmod 600 {path}")


def _created(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _read(path: Path) -> Secret:
    check_private(path)
    try:
        value = bytes.fromhex(path.read_text("ascii"))
    except ValueError:
        value = b""
    if len(value) != BYTES:
        raise AccessValueError(
            f"{path} holds no secret; accepted: {BYTES} bytes in hexadecimal, or no such file"
        )
    return Secret(value)
