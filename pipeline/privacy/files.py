"""Files of lines of JSON that only their owner may read, written so that none is half there."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def private_folder(folder: Path) -> Path:
    """Make a folder that nobody else may look into, or make one so; return it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def append_line(path: Path, content: dict[str, Any]) -> int:
    """Add one line with a single write, and return its length in bytes. Follows no link."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
    file = os.open(path, flags, 0o600)
    try:
        return os.write(file, _line(content))
    finally:
        os.close(file)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file; a line cut short by a crash is left out."""
    lines: list[dict[str, Any]] = []
    for text in path.read_bytes().splitlines():
        try:
            content = json.loads(text)
        except ValueError:
            continue
        if isinstance(content, dict):
            lines.append(content)
    return lines


def replace_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Put `lines` in the place of a file; without any it goes."""
    content = b"".join(_line(each) for each in lines)
    if not content:
        path.unlink(missing_ok=True)
        return
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(file)
    unfinished.replace(path)


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
