"""Brings events to a room of a server over HTTP, signed or with a key, as platforms do."""

import json
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

import httpx

from agents.show.viewers import ViewerEvent
from pipeline.rooms.receipt import Receipt
from transport.chat.events import written
from transport.chat.ingest import sign
from transport.errors import DeliveryError

ANSWER_S: Final = 15.0


class Sender:
    """Posts to one room. Close the client yourself.

    Args:
        client: reaches the server; its base URL is the server's.
        room: the room's id.
        secret: signs ("whsec_…"); without it the client's own headers must let it in.
        wall: seconds since 1970 UTC.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        room: str,
        secret: str | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._path = f"/v1/rooms/{room}/chat"
        self._secret = secret
        self._wall = wall

    async def bring(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        """Bring events, at most 100; return their receipts.

        Raises:
            DeliveryError: they were not taken; the message says why.
        """
        content = {"events": [written(event) for event in events]}
        body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json"}
        if self._secret is not None:
            message = f"msg_{secrets.token_urlsafe(16)}"
            headers |= sign(self._secret, message, self._wall(), body)
        try:
            answer = await self._client.post(
                self._path, content=body, headers=headers, timeout=ANSWER_S
            )
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise DeliveryError(f"{error.request.url} was not reached: {reason}") from error
        if answer.status_code != httpx.codes.OK:
            raise DeliveryError(f"events were not taken: {_reason(answer)}")
        return [
            Receipt(each["id"], each["status"], each.get("message", ""))
            for each in answer.json()["data"]
        ]


def _reason(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"status {answer.status_code}"
