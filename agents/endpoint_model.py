"""Any chat endpoint that speaks the OpenAI protocol, over HTTP with server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import httpx

from agents.errors import AgentValueError, ModelError
from agents.llm import CallMessage, Exchange, Message, OutputMessage
from agents.tool_stream import CallParts
from agents.tools import CHOICES, Tool, ToolCall, ToolChoice

_RETRY_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LONGEST_LINE = 65536
_LONGEST_REASON = 300


class EndpointModel:
    """Streams from `POST {base_url}/chat/completions`.

    Args:
        base_url: such as "https://host/v1".
        model: the name the endpoint knows it by.
        api_key: sent as a bearer token, never shown in errors, logs or `repr`.
        connect_timeout, read_timeout: seconds to connect, and to wait for the next piece.
        total_timeout: seconds for a whole reply.
        transport: what carries the requests, by default httpx's own over TCP.

    Raises:
        AgentValueError: the address is no http(s) URL, the model has no name, a time is not > 0.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        connect_timeout: float = 5.0,
        read_timeout: float = 10.0,
        total_timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise AgentValueError(f"base_url {base_url!r}: http:// or https:// is needed")
        if not model:
            raise AgentValueError("model is empty; the endpoint's name for it is needed")
        if min(connect_timeout, read_timeout, total_timeout) <= 0:
            raise AgentValueError("connect, read and total timeout must be above 0 seconds")
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._model = model
        self._key = api_key
        self._total_timeout = total_timeout
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(read_timeout, connect=connect_timeout),
            transport=transport,
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
        )

    def __repr__(self) -> str:
        return f"EndpointModel({self._url!r}, {self._model!r})"

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = 96, temperature: float = 0.0
    ) -> AsyncGenerator[str, None]:
        """Yield the reply in pieces; closing or cancelling drops the connection.

        Raises:
            ModelError: not reachable, too slow, refused, broken off or not the protocol; `retry`
                says whether sending the same again makes sense.
        """
        body = self._body(messages, max_tokens, temperature)
        async with aclosing(self._events(body, CallParts(()))) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    yield piece

    async def converse(
        self,
        messages: Sequence[Exchange],
        *,
        tools: Sequence[Tool] = (),
        tool_choice: ToolChoice = "auto",
        max_tokens: int = 96,
        temperature: float = 0.0,
    ) -> AsyncGenerator[str | ToolCall, None]:
        """Yield the reply in pieces, then its calls of tools, each whole.

        Raises:
            ModelError: as `stream`; also for a call of no known tool, with arguments that are no
                JSON object or longer than 16384 characters, and for more than 16 calls.
        """
        body = self._body(messages, max_tokens, temperature)
        if tools:
            body |= {"tools": [_tool(tool) for tool in tools], "tool_choice": _choice(tool_choice)}
        calls = CallParts([tool.name for tool in tools])
        async with aclosing(self._events(body, calls)) as pieces:
            async for piece in pieces:
                yield piece

    def _body(
        self, messages: Sequence[Exchange], max_tokens: int, temperature: float
    ) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": _written(messages),
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream": True,
        }

    async def _events(
        self, body: dict[str, Any], calls: CallParts
    ) -> AsyncGenerator[str | ToolCall, None]:
        """Send a request and yield its pieces of text, then the calls put together."""
        try:
            async with (
                asyncio.timeout(self._total_timeout),
                self._client.stream("POST", self._url, json=body) as response,
            ):
                await self._check(response)
                async for piece in _pieces(response, calls):
                    yield piece
            for call in calls.whole():
                yield call
        except TimeoutError as error:
            raise ModelError(f"no full reply in {self._total_timeout} s", retry=True) from error
        except httpx.TimeoutException as error:
            raise ModelError(f"{self._url} is too slow ({_name(error)})", retry=True) from error
        except httpx.TransportError as error:
            raise ModelError(f"{self._url}: {_name(error)}", retry=True) from error

    async def aclose(self) -> None:
        """Close the connections. Idempotent."""
        await self._client.aclose()

    async def _check(self, response: httpx.Response) -> None:
        """Raise for any status but 200."""
        status = response.status_code
        if status == httpx.codes.OK:
            return
        raw = b""
        async for chunk in response.aiter_bytes():
            raw += chunk
            if len(raw) > _LONGEST_LINE:
                break
        reason = self._without_key(_reason(raw.decode("utf-8", "replace")))
        raise ModelError(f"{self._url} answered {status}: {reason}", retry=status in _RETRY_STATUS)

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def _written(messages: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Return messages as the protocol has them."""
    written: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, Message):
            written.append({"role": message.role, "content": message.content})
        elif isinstance(message, CallMessage):
            function = {"name": message.name, "arguments": message.arguments}
            call = {"id": message.call_id, "type": "function", "function": function}
            written.append({"role": "assistant", "content": None, "tool_calls": [call]})
        else:
            written.append(_output(message))
    return written


def _output(message: OutputMessage) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": message.call_id, "content": message.output}


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _choice(choice: ToolChoice) -> str | dict[str, Any]:
    if choice in CHOICES:
        return choice
    return {"type": "function", "function": {"name": choice}}


async def _pieces(response: httpx.Response, calls: CallParts) -> AsyncIterator[str]:
    """Yield the contents of the events of a stream until its end; parts of calls go to `calls`."""
    finished = False
    async for line in _lines(response):
        # Comments, event names and blank lines between events carry nothing.
        if not line.startswith("data:"):
            continue
        data = line[5:].strip()
        if data == "[DONE]":
            return
        piece, last = _read_event(data, calls)
        finished = finished or last
        if piece:
            yield piece
    if not finished:
        raise ModelError("the stream ended in the middle of a reply", retry=True)


async def _lines(response: httpx.Response) -> AsyncIterator[str]:
    """Yield lines of bounded length."""
    rest = ""
    async for text in response.aiter_text():
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            yield line.rstrip("\r")
        if len(rest) > _LONGEST_LINE:
            raise ModelError(f"an event is longer than {_LONGEST_LINE} characters", retry=False)
    if rest:
        yield rest


def _read_event(data: str, calls: CallParts) -> tuple[str, bool]:
    """Return the text of an event and whether it is the last."""
    try:
        event: Any = json.loads(data)
    except json.JSONDecodeError as error:
        raise ModelError(f"an event is no JSON: {data[:80]!r}", retry=False) from error
    if not isinstance(event, dict):
        raise ModelError(f"an event is no object: {data[:80]!r}", retry=False)
    if event.get("error"):
        raise ModelError(f"the endpoint broke off: {_reason(data)}", retry=True)
    choices = event.get("choices")
    if not choices:
        # Usage statistics come in an event without choices.
        return "", False
    try:
        choice = choices[0]
        delta = choice.get("delta") or {}
        content = delta.get("content") or ""
        calls.add(delta.get("tool_calls") or ())
        last = choice.get("finish_reason") is not None
    except (AttributeError, KeyError, TypeError) as error:
        raise ModelError(f"an event has another shape: {data[:80]!r}", retry=False) from error
    if not isinstance(content, str):
        raise ModelError(f"content is no text: {content!r:.80}", retry=False)
    return content, last


def _reason(text: str) -> str:
    """Return the message inside an error body, or its beginning."""
    try:
        found = json.loads(text)["error"]
        text = found["message"] if isinstance(found, dict) else str(found)
    except (ValueError, KeyError, TypeError):
        pass
    return str(text)[:_LONGEST_REASON] or "no reason given"


def _name(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
