"""Reads JSON with errors that name the field, its value and what is accepted."""

import re
from collections.abc import Mapping
from typing import Any, get_args

from agents.clause import Feeling, Language
from agents.errors import AgentValueError
from agents.feelings import read_feeling

# Semantic actions the host may ask the body for.
ACTIONS = (
    "welcome", "point_product", "show_size", "count", "offer", "thumbs_up", "think", "refuse",
)  # fmt: skip

_LONGEST_TEXT = 400


class Fields:
    """An object of a JSON file, and the path that leads to it."""

    def __init__(self, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise AgentValueError(f"{path}: {_shown(value)} is not an object")
        self._value = value
        self.path = path

    def __contains__(self, key: str) -> bool:
        return key in self._value

    def get(self, key: str) -> Any:
        """Return a field of any kind; a missing one is an error."""
        if key not in self._value:
            raise AgentValueError(f"{self.path}.{key} is missing")
        return self._value[key]

    def text(self, key: str) -> str:
        """Return a text that is neither blank nor longer than 400 characters."""
        return _text(self.get(key), f"{self.path}.{key}")

    def identifier(self, key: str) -> str:
        """Return a name made of lower case letters, digits and underscores."""
        value = self.text(key)
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", value):
            raise AgentValueError(
                f"{self.path}.{key}: {_shown(value)} is no identifier (a-z, 0-9, _; up to 40)"
            )
        return value

    def child(self, key: str) -> "Fields":
        """Return a nested object."""
        return Fields(self.get(key), f"{self.path}.{key}")

    def children(self, key: str, *, optional: bool = False) -> list["Fields"]:
        """Return a list of objects; empty is accepted only where it is optional."""
        if optional and key not in self:
            return []
        items = _list(self.get(key), f"{self.path}.{key}")
        return [Fields(item, f"{self.path}.{key}[{n}]") for n, item in enumerate(items)]

    def texts(self, key: str) -> Mapping[Language, tuple[str, ...]]:
        """Return lists of texts, one per language."""
        child = self.child(key)
        return {language: child.strings(language) for language in get_args(Language)}

    def strings(self, key: str) -> tuple[str, ...]:
        """Return a list of texts that is not empty."""
        path = f"{self.path}.{key}"
        return tuple(_text(t, f"{path}[{n}]") for n, t in enumerate(_list(self.get(key), path)))

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Return a list of alternatives written "this|that"."""
        return tuple(tuple(text.split("|")) for text in self.strings(key))


def read_action_id(fields: Fields) -> str:
    """Return the id of an action the body knows."""
    value = fields.text("id")
    if value not in ACTIONS:
        accepted = ", ".join(ACTIONS)
        raise AgentValueError(f"{fields.path}.id: {_shown(value)}; accepted are {accepted}")
    return value


def read_emotion(fields: Fields, key: str = "emotion") -> Feeling | None:
    """Return an emotion and its intensity, "happy" or "happy:0.6"; None where none is given."""
    if key not in fields:
        return None
    written = fields.text(key)
    try:
        return read_feeling(written)
    except AgentValueError as error:
        raise AgentValueError(f"{fields.path}.{key}: {error}") from error


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise AgentValueError(f"{path}: {_shown(value)} is no text")
    if len(value) > _LONGEST_TEXT:
        raise AgentValueError(f"{path}: {len(value)} characters, at most {_LONGEST_TEXT}")
    return value


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise AgentValueError(f"{path}: {_shown(value)} is no list with at least one entry")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
