"""What is asked of the server, and waiting for its word."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from transport.client.inbox import Inbox, Message
from transport.client.question import Watch
from transport.client.replies import MARK
from transport.client.reply import Reply

Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Requests:
    """Sends events by `send`, and finds in `inbox` what they came to."""

    def __init__(self, inbox: Inbox, send: Send) -> None:
        self._inbox = inbox
        self._send = send

    async def confirmed(self, event: Mapping[str, Any], kind: str) -> Message:
        """Send an event and return the one of `kind` that answers it.

        Raises:
            RequestRefusedError: the server does not accept it.
            ReplyLostError: the connection broke before it was answered.
        """
        event_id = _name()
        word = self._inbox.expect(kind, event_id)
        try:
            await self._send({"event_id": event_id, **event})
            return await word.heard
        finally:
            self._inbox.forget(word)

    async def begun(self, reply: Reply, *events: Mapping[str, Any]) -> Reply:
        """Send events and return the reply to them when it begins.

        Raises:
            RequestRefusedError, ReplyLostError: as `confirmed`.
        """
        named = [{"event_id": _name(), **event} for event in events]
        event_ids = tuple(event["event_id"] for event in named)
        self._inbox.refuse_to(reply.fail, event_ids)
        try:
            for event in named:
                await self._send(event)
            return await reply.begun()
        finally:
            self._inbox.settled(event_ids)
            if not reply.id:
                self._inbox.replies.forget(reply)

    async def respond(self, *before: Mapping[str, Any]) -> Reply:
        """Send events, ask for an answer, and return it when it begins.

        Raises:
            RequestRefusedError, ReplyLostError: as `confirmed`.
        """
        reply, mark = self._inbox.replies.expect()
        wish = {"type": "response.create", "response": {"metadata": {MARK: mark}}}
        return await self.begun(reply, *before, wish)

    async def end_turn(self, watch: Watch) -> None:
        """Have what was said count as all, unless the server has found that out by itself.

        Raises:
            RequestRefusedError: nothing was heard in it.
            ReplyLostError: as `confirmed`.
        """
        if watch.committed:
            return
        event_id = _name()
        self._inbox.refuse_to(watch.refused, (event_id,))
        try:
            await self._send({"type": "input_audio_buffer.commit", "event_id": event_id})
            await watch.heard()
        finally:
            self._inbox.settled((event_id,))


def _name() -> str:
    return f"sdk_{secrets.token_hex(8)}"
