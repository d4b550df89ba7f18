"""Tools: what a host may ask the client to do for it, and how it asks."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.errors import AgentValueError
from agents.schema import check_schema

# "auto", "none", "required", or the name of a tool that must be called.
ToolChoice = str
CHOICES = ("auto", "none", "required")

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_DESCRIPTION = 2000


@dataclass(frozen=True, slots=True)
class Tool:
    """A function of the client.

    Names and descriptions are the operator's: they are trusted, and read to know when a tool
    is meant.

    Attributes:
        name: 1 to 64 letters, digits, "_" and "-"; none of "auto", "none", "required".
        description: what it does and when it is of use, at most 2000 characters; may be empty.
        parameters: JSON Schema of an object, see `agents.schema.check_schema`; kept as a copy.

    Raises:
        AgentValueError: names the field, the value found and what is accepted.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name in CHOICES:
            raise AgentValueError(
                f"tool name {self.name[:80]!r}; accepted are 1 to 64 letters, digits, _ and -, "
                f"and none of {', '.join(CHOICES)}"
            )
        if len(self.description) > _LONGEST_DESCRIPTION:
            raise AgentValueError(
                f"tool {self.name}.description: {len(self.description)} characters, at most "
                f"{_LONGEST_DESCRIPTION} are accepted"
            )
        schema = check_schema(self.parameters, f"tool {self.name}.parameters")
        object.__setattr__(self, "parameters", schema)

    @property
    def properties(self) -> Mapping[str, Any]:
        """The schemas of its arguments by name."""
        known: Mapping[str, Any] = self.parameters.get("properties", {})
        return known

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments it cannot do without."""
        return tuple(self.parameters.get("required", ()))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The host asks for a tool. `arguments`: a JSON object as text, as the model or rules wrote it.

    A model's arguments need not be valid for the tool's schema; those found by rule are.
    """

    name: str
    arguments: str = "{}"


def is_json_object(text: str) -> bool:
    """Say whether a text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
