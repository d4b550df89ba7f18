"""Puts together the calls of tools that a chat endpoint streams in parts.

OpenAI, "Chat completions", streaming: `choices[].delta.tool_calls[]` with index, id and
function{name, arguments}, the name once and the arguments in pieces.
"""

from collections.abc import Collection
from dataclasses import dataclass

from agents.errors import ModelError
from agents.tools import ToolCall, is_json_object

_MOST_CALLS = 16
_LONGEST_ARGUMENTS = 16384
_LONGEST_NAME = 64


@dataclass(slots=True)
class _Parts:
    name: str = ""
    arguments: str = ""


class CallParts:
    """Gathers the parts of calls.

    Args:
        names: of the tools that may be called; a model that was offered none makes no calls.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._parts: dict[int, _Parts] = {}

    def add(self, deltas: object) -> None:
        """Take in the `tool_calls` of an event.

        Raises:
            ModelError: not the protocol, or too much of it.
        """
        if not isinstance(deltas, (list, tuple)):
            raise ModelError(f"tool_calls is no list: {deltas!r:.80}", retry=False)
        for delta in deltas:
            if not isinstance(delta, dict):
                raise ModelError(f"a tool call is no object: {delta!r:.80}", retry=False)
            # Some endpoints send no index where there is one call only.
            index = delta.get("index", 0)
            function = delta.get("function") or {}
            if not isinstance(index, int) or not isinstance(function, dict):
                raise ModelError(f"a tool call has another shape: {delta!r:.80}", retry=False)
            self._extend(index, function.get("name") or "", function.get("arguments") or "")

    def whole(self) -> list[ToolCall]:
        """Return the calls once the stream has ended.

        Raises:
            ModelError: a call of no tool that was offered, or arguments that are no JSON object.
        """
        calls: list[ToolCall] = []
        for _, parts in sorted(self._parts.items()):
            arguments = parts.arguments or "{}"
            if parts.name not in self._names:
                raise ModelError(f"the model calls {parts.name!r}, which is no tool", retry=True)
            if not is_json_object(arguments):
                raise ModelError(
                    f"the arguments of {parts.name} are no JSON object: {arguments[:80]!r}",
                    retry=True,
                )
            calls.append(ToolCall(parts.name, arguments))
        return calls

    def _extend(self, index: int, name: object, arguments: object) -> None:
        if not isinstance(name, str) or not isinstance(arguments, str):
            raise ModelError(f"a tool call is no text: {name!r:.40} {arguments!r:.40}", retry=False)
        parts = self._parts.setdefault(index, _Parts())
        parts.name += name if name != parts.name else ""
        parts.arguments += arguments
        if len(self._parts) > _MOST_CALLS:
            raise ModelError(f"more than {_MOST_CALLS} tool calls", retry=False)
        if len(parts.name) > _LONGEST_NAME or len(parts.arguments) > _LONGEST_ARGUMENTS:
            raise ModelError(f"a tool call of {len(parts.arguments)} characters", retry=False)
