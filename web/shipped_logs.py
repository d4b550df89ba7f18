"""Logs of chat that come with the program. Apart, so that who plays one loads little else."""

from importlib import resources
from typing import Final

# By name: the file in `web/bench/data`.
LOGS: Final = {"sample": "sample_chat.jsonl"}


def shipped_log(name: str) -> str:
    """Return the text of a log that comes with the program.

    Raises:
        KeyError: there is none of that name.
    """
    return (resources.files("web.bench") / "data" / LOGS[name]).read_text("utf-8")
