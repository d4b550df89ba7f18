"""Lists of words the package reads language with, kept as data."""

import json
from importlib import resources
from typing import Any

_DATA: dict[str, Any] = json.loads(
    (resources.files("agents") / "data" / "words.json").read_text("utf-8")
)


def word_list(name: str) -> tuple[str, ...]:
    """Return the words of a list."""
    return tuple(_DATA[name].split())


def characters(name: str) -> frozenset[str]:
    """Return the characters of a list of Chinese characters."""
    return frozenset(_DATA[name])


def pattern(name: str) -> str:
    """Return a list of alternatives as one regular expression."""
    return "|".join(_DATA[name])


def sentences(name: str) -> tuple[str, ...]:
    """Return the sentences of a list."""
    return tuple(_DATA[name])


def table(name: str) -> dict[str, Any]:
    """Return an object of named entries."""
    return dict(_DATA[name])
