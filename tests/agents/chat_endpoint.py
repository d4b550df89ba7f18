"""A chat endpoint that answers within the process, over httpx's mock transport."""

import json
from collections.abc import Sequence
from typing import Any

import httpx

from agents.endpoint_model import EndpointModel


class ChatEndpoint:
    """Answers each request with the next script of deltas, the last one again and again.

    Attributes:
        bodies: the requests, oldest first.
    """

    def __init__(self, *scripts: Sequence[dict[str, Any]]) -> None:
        self._scripts = list(scripts)
        self.bodies: list[dict[str, Any]] = []
        self.model = EndpointModel(
            "http://endpoint.test/v1", "big", transport=httpx.MockTransport(self._answer)
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(json.loads(request.content))
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        ends = [{"choices": [{"delta": {}, "finish_reason": "stop"}]}]
        events = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in script]
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in [*events, *ends])
        return httpx.Response(200, text=text + "data: [DONE]\n\n")


def says(text: str) -> list[dict[str, Any]]:
    """Return deltas that say a text word by word."""
    first, *rest = text.split(" ")
    return [{"content": first}, *({"content": f" {word}"} for word in rest)]


def calls(name: str, arguments: str, *, index: int = 0, step: int = 3) -> list[dict[str, Any]]:
    """Return deltas that call a tool, its arguments a few characters at a time."""
    head = {"index": index, "id": f"x{index}", "function": {"name": name, "arguments": ""}}
    parts = [arguments[at : at + step] for at in range(0, len(arguments), step)]
    rest = [{"index": index, "function": {"arguments": part}} for part in parts]
    return [{"tool_calls": [part]} for part in (head, *rest)]
