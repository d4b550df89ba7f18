"""One conversation's connection, made anew when it breaks: the same session goes on."""

import asyncio
import json
import logging
import random
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from transport.client.address import Address
from transport.client.errors import (
    ClientError,
    ClientValueError,
    ConnectionFailedError,
    ConnectionRefusedByServerError,
    ConversationClosedError,
    SessionLostError,
)
from transport.client.events import Disconnected, Resumed, read_message

MAX_MESSAGE_BYTES: Final = 8 * 2**20
OPEN_TIMEOUT_S: Final = 10.0
# A connection without an answer for so long is lost: the server keeps a session for 30 s.
PING_S: Final = 5.0
CLOSE_TIMEOUT_S: Final = 2.0
# Codes of RFC 6455 after which another connection makes no sense: done, and not wanted.
NORMAL: Final = 1_000
UNWANTED: Final = (1_002, 1_003, 1_007, 1_008, 1_009, 1_010)
PRIVATE_CODES: Final = range(4_000, 5_000)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reconnect:
    """How a lost connection is made anew: exponential backoff with full jitter, for a while.

    Attributes:
        first_s, longest_s: bounds of the pause before the first try and before any later one;
            every pause is drawn evenly from 0 to its bound, which doubles with each try.
        give_up_s: seconds after the loss when the session counts as lost; 0 never tries.
        chance: draws from [0, 1).
    """

    first_s: float = 0.25
    longest_s: float = 4.0
    give_up_s: float = 30.0
    chance: Callable[[], float] = field(default=random.random, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.first_s <= self.longest_s or self.give_up_s < 0:
            raise ClientValueError(
                f"{self}; accepted: 0 <= first_s <= longest_s, and give_up_s from 0"
            )

    def pause(self, attempt: int) -> float:
        """Return the seconds to wait before attempt 0, 1, 2, ..."""
        bound = min(self.longest_s, self.first_s * 2.0 ** min(attempt, 32))
        return bound * self.chance()


class Link:
    """Carries events both ways, over one WebSocket after the other.

    Args:
        address: where to and with which wishes.
        reconnect: what to do when the connection breaks.
        tls: for wss; None verifies as the system does.
        receive: takes every event of the server, on the event loop; must not block.
        tell: takes what happens to the connection.
    """

    def __init__(
        self,
        address: Address,
        reconnect: Reconnect,
        tls: ssl.SSLContext | None,
        receive: Callable[[Mapping[str, Any]], None],
        tell: Callable[[Disconnected | Resumed], None],
    ) -> None:
        self._address = address
        self._reconnect = reconnect
        self._tls = tls
        self._receive = receive
        self._tell = tell
        self._socket: ClientConnection | None = None
        self._changed = asyncio.Event()
        self._over = False
        self._session_id: str | None = None
        self._token: str | None = None
        self._unheard_s = 0.0

    async def open(self) -> Mapping[str, Any]:
        """Connect and return the `session` of the server's first event.

        Raises:
            ConnectionFailedError: the server cannot be reached, or speaks another protocol.
            ConnectionRefusedByServerError: it says no.
        """
        socket, created = await self._connect(None, OPEN_TIMEOUT_S)
        self._session_id = str(created["session"].get("id"))
        self._connected(socket, created)
        session: Mapping[str, Any] = created["session"]
        return session

    async def run(self) -> None:
        """Receive until the conversation is over.

        Raises:
            SessionLostError: it ended although nobody here closed it.
        """
        socket = await self._open_socket()
        try:
            while (reason := await self._read(socket)) is not None and not self._over:
                socket = await self._resume(reason)
        finally:
            self._end()

    async def send(self, event: Mapping[str, Any]) -> None:
        """Send an event once the socket takes it; while it is broken, when it is back.

        Raises:
            ConversationClosedError: the conversation is over.
        """
        data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        while True:
            socket = await self._open_socket()
            try:
                await socket.send(data)
            except ConnectionClosed:
                self._broken(socket)
            else:
                return

    async def send_sound(self, event: Mapping[str, Any], seconds: float) -> bool:
        """Send sound now or never: what is said while the connection is broken is not heard.

        Returns whether it was sent.

        Raises:
            ConversationClosedError: the conversation is over.
        """
        if self._over:
            raise ConversationClosedError("the conversation is over")
        socket = self._socket
        if socket is not None:
            try:
                await socket.send(json.dumps(event, separators=(",", ":")))
            except ConnectionClosed:
                self._broken(socket)
            else:
                return True
        self._unheard_s += seconds
        return False

    async def close(self) -> None:
        """End the conversation. Idempotent."""
        socket = self._socket
        self._end()
        if socket is not None:
            await socket.close()

    def _end(self) -> None:
        self._over = True
        self._socket = None
        self._changed.set()

    async def _open_socket(self) -> ClientConnection:
        while self._socket is None:
            if self._over:
                raise ConversationClosedError("the conversation is over")
            self._changed.clear()
            await self._changed.wait()
        return self._socket

    def _broken(self, socket: ClientConnection) -> None:
        """Sending has found out before reading has."""
        if self._socket is socket:
            self._socket = None

    async def _read(self, socket: ClientConnection) -> str | None:
        """Hand on what comes; return why the connection broke, None when it was meant to end.

        Raises:
            SessionLostError: the server ended the session.
        """
        try:
            async for message in socket:
                event = read_message(message)
                if event is None:
                    logger.warning("a message that is no event was left out")
                else:
                    self._receive(event)
        except ConnectionClosed:
            pass  # its code is looked at below, as that of a connection that ended in order
        code, reason = socket.close_code, socket.close_reason
        if code == NORMAL:
            return None
        if code in UNWANTED or code in PRIVATE_CODES:
            raise SessionLostError(f"the server ended the session: {reason or code}")
        return reason or f"connection lost ({code})"

    async def _resume(self, reason: str) -> ClientConnection:
        """Return a new connection on which the same session goes on.

        Raises:
            SessionLostError: the server does not know it any more, or did not answer in time.
        """
        loop = asyncio.get_running_loop()
        lost = loop.time()
        self._socket = None
        self._tell(Disconnected(reason))
        attempt = 0
        while self._token is not None:
            pause = self._reconnect.pause(attempt)
            left = lost + self._reconnect.give_up_s - loop.time()
            if pause >= left:
                break
            await asyncio.sleep(pause)
            attempt += 1
            socket = await self._try_again(left - pause)
            if socket is not None:
                self._tell(Resumed(loop.time() - lost, attempt, self._unheard_s))
                self._unheard_s = 0.0
                return socket
        tried = f"after {attempt} attempts in {loop.time() - lost:.1f} s" if attempt else reason
        raise SessionLostError(f"the connection did not come back: {tried}")

    async def _try_again(self, left_s: float) -> ClientConnection | None:
        try:
            socket, created = await self._connect(self._token, min(OPEN_TIMEOUT_S, left_s))
        except ConnectionFailedError:
            return None
        except ConnectionRefusedByServerError as error:
            if error.retryable:
                return None
            raise SessionLostError(f"the session was not taken up again: {error}") from error
        if created["session"].get("id") != self._session_id:
            await socket.close()
            raise SessionLostError("the server opened another session instead of the lost one")
        self._connected(socket, created)
        self._receive(created)
        return socket

    def _connected(self, socket: ClientConnection, created: Mapping[str, Any]) -> None:
        avatar = created["session"].get("avatar") or {}
        token = avatar.get("resume_token")
        self._token = str(token) if token else None
        self._socket = socket
        self._changed.set()

    async def _connect(
        self, token: str | None, timeout_s: float
    ) -> tuple[ClientConnection, Mapping[str, Any]]:
        """Return an open socket and the event by which the server names the session."""
        try:
            async with asyncio.timeout(timeout_s), self._handshake(token) as socket:
                created = read_message(await socket.recv())
                _check_created(created)
                return socket, created or {}
        except InvalidStatus as error:
            raise _refusal(error) from error
        except InvalidURI as error:
            raise ClientValueError(str(error)) from error
        except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed) as error:
            raise ConnectionFailedError(_unreachable(self._address.url, error)) from error

    @asynccontextmanager
    async def _handshake(self, token: str | None) -> AsyncIterator[ClientConnection]:
        """Open a socket, and close it again unless the block succeeds."""
        options: dict[str, Any] = {} if self._tls is None else {"ssl": self._tls}
        socket = await connect(
            self._address.socket_url(token),
            additional_headers=self._address.headers(),
            compression=None,  # sound and pictures do not shrink
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=None,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_TIMEOUT_S,
            **options,
        )
        try:
            yield socket
        except BaseException:
            socket.transport.abort()
            await socket.wait_closed()
            raise


def _check_created(event: Mapping[str, Any] | None) -> None:
    if event is None or event["type"] != "session.created":
        raise ConnectionFailedError(
            f"the server began with {event and event['type']}; expected: session.created"
        )
    if not isinstance(event.get("session"), dict):
        raise ConnectionFailedError("the server's session.created has no session")


def _refusal(error: InvalidStatus) -> ClientError:
    response = error.response
    status, code, message = response.status_code, None, ""
    try:
        body = json.loads(response.body or b"")["error"]
        code, message = body.get("code"), str(body.get("message") or "")
    except (ValueError, TypeError, KeyError, AttributeError):
        pass  # a proxy's page: the status says what there is to say
    try:
        after = float(response.headers.get("Retry-After", ""))
    except ValueError:
        after = None
    if not message:
        known = status in HTTPStatus._value2member_map_
        message = HTTPStatus(status).phrase if known else "no reason given"
    return ConnectionRefusedByServerError(f"{message} ({status})", status, code, after)


def _unreachable(url: str, error: Exception) -> str:
    cause = " ".join(str(error).split()) or type(error).__name__
    return f"no conversation at {url}: {cause}"
