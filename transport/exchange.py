"""Connections made by one offer over HTTP, as WHIP has them in and WHEP out (RFC 9725)."""

import asyncio
import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from transport.connection import Connection, Deadlines, Serving
from transport.errors import CallFailedError, ExchangeNotFoundError
from transport.nat import Nat
from transport.offer import Offer
from transport.streams import Stream, Streams
from transport.trickle import Trickle

# Making an answer takes some 10 ms, and up to a second more where servers tell our addresses.
ANSWER_TIMEOUT_S: Final = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answered:
    """An offer that was answered.

    Attributes:
        id: the connection's unguessable name.
        sdp: for the peer.
        etag: of its ICE session, quoted.
    """

    id: str
    sdp: str
    etag: str


class Exchange(ABC):
    """One connection to a stream, from the offer to its end.

    Args:
        name: what its id begins with.
        stream: what it is connected to; it ends with it.
        offer: checked for its purpose.
    """

    def __init__(
        self, name: str, stream: Stream, offer: Offer, nat: Nat, deadlines: Deadlines
    ) -> None:
        self.id = f"{name}_{secrets.token_urlsafe(16)}"
        self.stream = stream
        self._offer = offer
        self._connection = Connection(self.id, nat, deadlines)
        self.trickle = Trickle(self._connection, offer)
        self._at_end: Callable[[], None] | None = None
        stream.enter(self)

    @abstractmethod
    def _add_tracks(self, offer: Offer) -> None:
        """Add to the connection what it is for."""

    @abstractmethod
    def _begin(self) -> None:
        """The peer has connected."""

    @abstractmethod
    async def _finish(self) -> None:
        """Let go of everything but the connection. Also where nothing has begun."""

    async def answer(self) -> Answered:
        """Answer the offer.

        Raises:
            OfferError: it cannot be answered after all.
            CallFailedError: no answer could be made in time.
        """
        self._add_tracks(self._offer)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                offer = self._offer
                sdp = await self._connection.negotiate(
                    offer.sdp, complete=offer.complete, passive=offer.begins
                )
        except TimeoutError as error:
            raise CallFailedError(f"no answer was made within {ANSWER_TIMEOUT_S:g} s") from error
        return Answered(self.id, sdp, self.trickle.etag)

    def at_end(self, callback: Callable[[], None]) -> None:
        """Call `callback` when everything it held is free."""
        self._at_end = callback

    async def run(self) -> None:
        """Serve it until it ends, then free everything it held."""
        try:
            if await self._connection.connected():
                self._begin()
            await self._connection.watch()
        finally:
            await self.close()

    def end(self, reason: str) -> None:
        """Let `run` return soon. The first reason counts."""
        self._connection.end(reason)

    async def close(self) -> None:
        """Free everything it held."""
        self.end("closed")
        logger.info("%s ended: %s", self.id, self._connection.reason)
        try:
            await self._finish()
        finally:
            await self._connection.close()
            # Its place is free when it holds nothing any more.
            self.stream.leave(self)
            if self._at_end is not None:
                self._at_end()


ExchangeT = TypeVar("ExchangeT", bound=Exchange)


class Exchanges(ABC, Generic[ExchangeT]):
    """All connections of one kind.

    Args:
        streams: what there is to connect to.
        nat: how the server is reached through NAT.
        connect_timeout_s: a peer that has not connected by then is forgotten.
        silent_timeout_s: a connected peer that sends nothing for so long is forgotten.
    """

    def __init__(
        self,
        streams: Streams,
        nat: Nat,
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
    ) -> None:
        self._streams = streams
        self._nat = nat
        self._deadlines = Deadlines(connect_timeout_s, silent_timeout_s)
        self._serving: Serving[ExchangeT] = Serving()

    def __len__(self) -> int:
        """Return the number of connections that are answered and not over."""
        return len(self._serving)

    @abstractmethod
    def _admit(self, stream: Stream, offer_sdp: str) -> ExchangeT:
        """Check an offer and whether there is room, and take the place."""

    def check(self, stream_name: str) -> None:
        """Do nothing if there is such a stream.

        Raises:
            StreamNotFoundError: there is none.
        """
        self._streams.get(stream_name)

    async def answer(
        self, stream_name: str, offer_sdp: str, at_end: Callable[[], None] | None = None
    ) -> Answered:
        """Answer an offer.

        Args:
            at_end: called when an answered connection has ended and everything it held is free.

        Raises:
            StreamNotFoundError: there is no such stream.
            OfferError: the offer is malformed or asks for what cannot be given.
            ViewersFullError: there is no room for a further viewer.
            StreamTakenError: somebody publishes to it.
            CallFailedError: no answer could be made in time.
        """
        exchange = self._admit(self._streams.get(stream_name), offer_sdp)
        answered: Answered | None = None
        try:
            answered = await exchange.answer()
        finally:
            if answered is None:
                await exchange.close()
        if at_end is not None:
            exchange.at_end(at_end)
        self._serving.start(exchange)
        return answered

    async def trickle(
        self, stream_name: str, exchange_id: str, condition: str | None, fragment: str
    ) -> None:
        """Take more candidates of a peer; see `transport.trickle.Trickle.take`.

        Raises:
            ExchangeNotFoundError: there is no such connection.
        """
        await self._find(stream_name, exchange_id).trickle.take(condition, fragment)

    def find(self, stream_name: str, exchange_id: str) -> None:
        """Do nothing if there is such a connection.

        Raises:
            ExchangeNotFoundError: there is none.
        """
        self._find(stream_name, exchange_id)

    async def end(self, stream_name: str, exchange_id: str) -> None:
        """End a connection and wait until it is gone.

        Raises:
            ExchangeNotFoundError: there is no such connection.
        """
        self._find(stream_name, exchange_id)
        await self._serving.end(exchange_id, "ended by its peer")

    def dismiss(self, exchange_id: str, code: str, message: str) -> None:
        """End a connection soon. No-op where there is none."""
        exchange = self._serving.get(exchange_id)
        if exchange is not None:
            exchange.end(f"{message} ({code})")

    async def empty(self) -> None:
        """Wait until there is no connection."""
        await self._serving.empty()

    async def close(self) -> None:
        """End all connections and wait until they are gone."""
        await self._serving.close()

    def _find(self, stream_name: str, exchange_id: str) -> ExchangeT:
        exchange = self._serving.get(exchange_id)
        if exchange is None or exchange.stream.name != stream_name:
            raise ExchangeNotFoundError(
                f"no connection to {stream_name[:40]!r} is named {exchange_id[:80]!r}"
            )
        return exchange
