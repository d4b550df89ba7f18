"""Events told to a server of the operator's, signed as Standard Webhooks asks."""

import asyncio
import base64
import binascii
import hashlib
import heapq
import hmac
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

from pipeline.clock import Clock, SystemClock
from pipeline.errors import ConfigurationError
from transport.access.secret import Secret
from transport.errors import DeliveryError

EVENTS: Final = (
    "session.started", "session.ended", "stream.started", "stream.ended", "room.answer_written",
)  # fmt: skip
# Seconds between one try and the next; after the last the event is given up.
PAUSES_S: Final = (5.0, 30.0, 120.0, 600.0, 3600.0)
MOST_WAITING: Final = 256
DRAIN_S: Final = 2.0  # at the end, for what has not been tried yet
GONE: Final = 410  # the receiver wants no more

_PREFIX: Final = "whsec_"
_BYTES: Final = range(24, 65)

logger = logging.getLogger(__name__)


class Sender(Protocol):
    """Posts one body, and follows no redirect."""

    async def post(self, headers: Mapping[str, str], body: bytes) -> int:
        """Return the status of the answer.

        Raises:
            DeliveryError: no answer came.
        """


@dataclass(order=True, slots=True)
class _Waiting:
    due: float
    order: int
    id: str = field(compare=False)
    name: str = field(compare=False)
    body: bytes = field(compare=False, repr=False)
    tries: int = field(compare=False, default=0)


class Webhooks:
    """Sends the events that were asked for, one after another, until each is taken.

    Args:
        sender: where to.
        secret: signs; see `read_webhook_secret`.
        events: which events; all of `EVENTS` when empty.
        clock: monotonic time, of the pauses between tries.
        wall: seconds since 1970 UTC, of the signatures.

    Raises:
        ConfigurationError: there is no event of such a name.
    """

    def __init__(
        self,
        sender: Sender,
        secret: Secret,
        events: Collection[str] = (),
        *,
        clock: Clock | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        for name in events:
            if name not in EVENTS:
                raise ConfigurationError(
                    f"webhooks.events has {name!r}; accepted: {', '.join(EVENTS)}"
                )
        self._sender = sender
        self._secret = secret
        self._events = frozenset(events or EVENTS)
        self._clock = clock or SystemClock()
        self._wall = wall
        self._waiting: list[_Waiting] = []
        self._posted = asyncio.Event()
        self._count = 0
        self._gone = False
        self.delivered = self.given_up = self.dropped = 0

    @property
    def waiting(self) -> int:
        """How many events wait to be sent."""
        return len(self._waiting)

    def post(self, name: str, facts: Mapping[str, object]) -> None:
        """Send an event soon, if it was asked for. Does not block; beyond 256 that wait, new ones
        are dropped and counted.
        """
        if name not in self._events or self._gone:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            logger.warning("webhook %s dropped: %d wait already", name, MOST_WAITING)
            return
        moment = datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="milliseconds")
        body = json.dumps({"type": name, "timestamp": moment, "data": dict(facts)}).encode()
        self._count += 1
        event_id = f"msg_{secrets.token_urlsafe(16)}"
        heapq.heappush(
            self._waiting, _Waiting(self._clock.now(), self._count, event_id, name, body)
        )
        self._posted.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send while in the block; at its end, what has not been tried yet is tried once."""
        sending = asyncio.create_task(self._send_all(), name="webhooks")
        try:
            yield
        finally:
            sending.cancel()
            await asyncio.wait([sending])
            await self._drain()

    async def _send_all(self) -> None:
        while True:
            await self._wait()
            event = heapq.heappop(self._waiting)
            try:
                await self._send(event)
            except asyncio.CancelledError:
                heapq.heappush(self._waiting, event)
                raise

    async def _wait(self) -> None:
        """Return when an event is due."""
        while not self._waiting or self._waiting[0].due > self._clock.now():
            self._posted.clear()
            waits: list[asyncio.Task[object]] = [asyncio.create_task(self._posted.wait())]
            if self._waiting:
                due = self._clock.sleep_until(self._waiting[0].due)
                waits.append(asyncio.create_task(due))
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()

    async def _drain(self) -> None:
        new = [event for event in sorted(self._waiting) if event.tries == 0]
        try:
            async with asyncio.timeout(DRAIN_S):
                for event in new:
                    await self._send(event)
        except TimeoutError:
            logger.warning("webhooks: the server closes before all events were sent")

    async def _send(self, event: _Waiting) -> None:
        try:
            status = await self._sender.post(self._signed(event), event.body)
            outcome = f"status {status}"
        except DeliveryError as error:
            status, outcome = 0, str(error)
        if 200 <= status < 300:
            self.delivered += 1
        elif status == GONE:
            self._stop(event)
        else:
            self._again(event, outcome)

    def _again(self, event: _Waiting, outcome: str) -> None:
        if event.tries >= len(PAUSES_S):
            self.given_up += 1
            logger.error("webhook %s %s given up: %s", event.name, event.id, outcome)
            return
        logger.warning("webhook %s %s not taken: %s", event.name, event.id, outcome)
        event.due = self._clock.now() + PAUSES_S[event.tries]
        event.tries += 1
        heapq.heappush(self._waiting, event)

    def _stop(self, event: _Waiting) -> None:
        logger.error("webhooks end: the receiver of %s says it is gone", event.name)
        self.given_up += 1 + len(self._waiting)
        self._waiting.clear()
        self._gone = True

    def _signed(self, event: _Waiting) -> dict[str, str]:
        moment = str(int(self._wall()))
        return {
            "Content-Type": "application/json",
            "webhook-id": event.id,
            "webhook-timestamp": moment,
            "webhook-signature": signature(self._secret, event.id, moment, event.body),
        }


def signature(secret: Secret, event_id: str, timestamp: str, body: bytes) -> str:
    """Return the header `webhook-signature` (Standard Webhooks 1.0, symmetric)."""
    content = b".".join((event_id.encode(), timestamp.encode(), body))
    digest = hmac.digest(secret.reveal(), content, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def read_webhook_secret(text: str, variable: str) -> Secret:
    """Return the secret an environment variable holds: "whsec_" and 24 to 64 bytes in Base64.

    Raises:
        ConfigurationError: it holds none; it is not quoted.
    """
    try:
        value = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        value = b""
    if not text.startswith(_PREFIX) or len(value) not in _BYTES:
        raise ConfigurationError(
            f"the environment variable {variable} holds no secret for webhooks; accepted: "
            f"{_PREFIX} and {_BYTES.start} to {_BYTES.stop - 1} bytes in Base64"
        )
    return Secret(value)
