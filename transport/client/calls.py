"""Calls of the host for functions: made at once, answered when the response is done."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

from transport.client.replies import MARK, Replies
from transport.client.reply import Reply
from transport.client.tools import Toolbox

# Calls of one response; a host asks for one or two.
MOST_CALLS: Final = 32
# Responses whose calls are being made.
MOST_OPEN: Final = 8

Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class Calls:
    """Makes the calls the host asks for and has it go on with what they gave back.

    Args:
        toolbox: the functions.
        replies: whose reply goes on.
        send: sends an event.
        spawn: starts a task that ends with the conversation.
    """

    def __init__(self, toolbox: Toolbox, replies: Replies, send: Send, spawn: Spawn) -> None:
        self._toolbox = toolbox
        self._replies = replies
        self._send = send
        self._spawn = spawn
        self._running: dict[str, dict[str, asyncio.Task[str]]] = {}

    def asked(self, event: Mapping[str, Any]) -> None:
        """Make the call of a `response.function_call_arguments.done`."""
        if not self._toolbox:
            return  # whoever declared them without handlers answers by events
        response_id, call_id = str(event["response_id"]), str(event["call_id"])
        if len(self._running) >= MOST_OPEN and response_id not in self._running:
            return
        calls = self._running.setdefault(response_id, {})
        if len(calls) < MOST_CALLS and call_id not in calls:
            call = self._toolbox.call(str(event["name"]), str(event["arguments"]))
            calls[call_id] = asyncio.create_task(call, name=f"tool-{event['name']}")

    def answer(self, response: Mapping[str, Any]) -> bool:
        """A response is done. Returns whether another one will follow, with what calls gave."""
        response_id = str(response["id"])
        calls = self._running.pop(response_id, {})
        if response.get("status") != "completed":
            for call in calls.values():
                call.cancel()
            return False
        if calls:
            self._spawn(self._go_on(calls, self._replies.of(response_id)))
        return bool(calls)

    def drop(self) -> list[asyncio.Task[str]]:
        """Cancel every call and return the tasks that end by it."""
        tasks = [call for calls in self._running.values() for call in calls.values()]
        for task in tasks:
            task.cancel()
        self._running.clear()
        return tasks

    async def _go_on(self, calls: Mapping[str, "asyncio.Task[str]"], reply: Reply | None) -> None:
        try:
            for call_id, call in calls.items():
                item = {
                    "type": "function_call_output",
                    "call_id": call_id,
                    "output": await call,
                }
                await self._send({"type": "conversation.item.create", "item": item})
        finally:
            for call in calls.values():
                call.cancel()
        wish: dict[str, Any] = {"type": "response.create"}
        if reply is not None:
            if reply.over:
                return
            _, mark = self._replies.expect(reply)
            wish["response"] = {"metadata": {MARK: mark}}
        await self._send(wish)
