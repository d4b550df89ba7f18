"""What every peer connection needs, whatever it carries: an answer, limits, deadlines, an end."""

import asyncio
import gc
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from aiortc import RTCPeerConnection, RTCRtpTransceiver, RTCSessionDescription
from aiortc.exceptions import InvalidAccessError, InvalidStateError, OperationError

from pipeline.privacy.discretion import where
from transport.aiortc_hooks import await_handshake, limit_gathering, limit_held_data, limit_sources
from transport.errors import OfferError
from transport.nat import Nat

# The code of a `SessionFailed` after which the session has closed itself.
SESSION_BROKE: Final = "internal_error"
CHECK_INTERVAL_S: Final = 1.0
CLOSE_TIMEOUT_S: Final = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a peer may take to connect, and then to be silent, in seconds."""

    connect_s: float
    silent_s: float


class Connection:
    """A peer connection that answers one offer, and ends by itself when its far end is gone.

    Life: add tracks to `rtc`, `negotiate`, `connected`, `watch`, `close`.

    Args:
        name: what the log calls it.
        nat: which addresses it may have, and who tells them.
        deadlines: see `connected` and `watch`.

    Attributes:
        reason: why it has ended.
        lost: it has ended because the far end could not be reached, and may want to come back.
    """

    def __init__(self, name: str, nat: Nat, deadlines: Deadlines) -> None:
        self.name = name
        self._nat = nat
        self.rtc = RTCPeerConnection(nat.configuration())
        self.rtc.on("connectionstatechange", self._state_changed)
        self.reason = ""
        self.lost = False
        self._deadlines = deadlines
        self._connected = asyncio.Event()
        self._ended = asyncio.Event()
        self._at_end: list[Callable[[], None]] = []

    @property
    def ended(self) -> bool:
        """Whether it is over, or about to be."""
        return self._ended.is_set()

    def at_end(self, callback: Callable[[], None]) -> None:
        """Call `callback` once, at the moment the connection is over."""
        self._at_end.append(callback)

    def end(self, reason: str) -> None:
        """Let everything that waits on the connection return. The first reason counts."""
        if not self._ended.is_set():
            self.reason = reason
            self._ended.set()
            self._connected.set()
            for callback in self._at_end:
                callback()

    async def negotiate(self, sdp: str, *, complete: bool, passive: bool = False) -> str:
        """Answer an offer that `transport.offer` has checked and return the answer's SDP. Sections
        beyond the tracks that `rtc` has already are refused.

        Args:
            complete: no more candidates of the peer will come. Else they are waited for, and the
                peer's own checks tell where it is; the connecting deadline ends that.
            passive: let the peer begin DTLS, which it must have offered to.

        Raises:
            OfferError: the offer cannot be answered after all.
            CallFailedError: no address that the connection may have was found.
        """
        rtc = self.rtc
        wanted = rtc.getTransceivers()
        try:
            await rtc.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
            if complete:
                # aiortc never gives up on a peer that may still name addresses.
                await rtc.addIceCandidate(None)
            self._refuse_others(wanted)
            self._set_limits()
            if passive:
                await_handshake(rtc)
            await rtc.setLocalDescription(await rtc.createAnswer())
        except (ValueError, InvalidAccessError, InvalidStateError, OperationError) as error:
            raise OfferError(f"the offer cannot be answered: {error}") from error
        return self._nat.named(rtc.localDescription.sdp)

    async def connected(self) -> bool:
        """Wait until the peer has connected; False when it has not within its deadline."""
        try:
            async with asyncio.timeout(self._deadlines.connect_s):
                await self._connected.wait()
        except TimeoutError:
            self._lose(f"not connected within {self._deadlines.connect_s:g} s")
        return not self.ended

    async def watch(self) -> None:
        """Return when the connection is over, which a peer's long silence ends as well."""
        loop = asyncio.get_running_loop()
        interval = min(CHECK_INTERVAL_S, self._deadlines.silent_s / 4)
        received, since = 0, loop.time()
        while not self._ended.is_set():
            now = await self._packets_received()
            if now != received:
                received, since = now, loop.time()
            elif loop.time() - since > self._deadlines.silent_s:
                self._lose(f"silent for {self._deadlines.silent_s:g} s")
            try:
                async with asyncio.timeout(interval):
                    await self._ended.wait()
            except TimeoutError:
                continue

    async def close(self) -> None:
        """Close the connection and its sockets; what does not close in time is left behind."""
        self.end("closed")
        closing = asyncio.create_task(self.rtc.close(), name=f"close-{self.name}")
        try:
            await asyncio.wait([closing], timeout=CLOSE_TIMEOUT_S)
        finally:
            closing.cancel()
        if not closing.done():
            logger.error("%s: the connection did not close", self.name)
        elif not closing.cancelled() and (error := closing.exception()) is not None:
            logger.error("%s: the connection did not close: %s", self.name, where(error))

    async def _packets_received(self) -> int:
        stats = await self.rtc.getStats()
        return sum(entry.packetsReceived for entry in stats.values() if entry.type == "transport")

    def _state_changed(self) -> None:
        state = self.rtc.connectionState
        if state == "connected":
            self._connected.set()
        elif state == "failed":
            self._lose("the connection has failed")
        elif state == "closed":
            self.end("the connection has closed")

    def _lose(self, reason: str) -> None:
        self.lost = not self.ended
        self.end(reason)

    def _refuse_others(self, wanted: Collection[RTCRtpTransceiver]) -> None:
        # Nobody would take what comes out of the others' tracks, and it would pile up there.
        for transceiver in self.rtc.getTransceivers():
            if transceiver not in wanted:
                transceiver.direction = "inactive"

    def _set_limits(self) -> None:
        limit_gathering(self.rtc, self._nat.gather_timeout_s)
        if self.rtc.sctp is not None:
            limit_held_data(self.rtc.sctp, self.end)
        for receiver in self.rtc.getReceivers():
            limit_sources(receiver, self.end)


class Served(Protocol):
    """The far end of a connection, served in a task of its own."""

    @property
    def id(self) -> str: ...

    async def run(self) -> None:
        """Serve it until it ends, then free everything it held."""

    def end(self, reason: str) -> None:
        """Let `run` return soon."""


ServedT = TypeVar("ServedT", bound=Served)


class Serving(Generic[ServedT]):
    """Who is served now, by id, each in a task of its own that frees what it held."""

    def __init__(self) -> None:
        self._running: dict[str, tuple[ServedT, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        """Return how many are served."""
        return len(self._running)

    def get(self, name: str) -> ServedT | None:
        """Return who has that id, or None."""
        found = self._running.get(name)
        return found[0] if found else None

    def start(self, served: ServedT) -> None:
        """Serve it until it ends."""
        task = asyncio.create_task(served.run(), name=served.id)
        self._running[served.id] = (served, task)
        task.add_done_callback(self._ended)

    async def end(self, name: str, reason: str) -> bool:
        """End one and wait until it is gone; False when there is none of that id."""
        if name not in self._running:
            return False
        served, task = self._running[name]
        served.end(reason)
        await asyncio.wait([task])
        return True

    async def empty(self) -> None:
        """Wait until nobody is served."""
        while self._running:
            await asyncio.wait([task for _, task in self._running.values()])

    async def close(self, reason: str = "the server closes") -> None:
        """End all and wait until they are gone."""
        for served, _ in self._running.values():
            served.end(reason)
        await self.empty()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task.get_name())
        # Connections are knots of references to one another, and hold codecs with threads of their
        # own, which are to go with the call and not when the collector next comes round.
        asyncio.get_running_loop().call_soon(gc.collect)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s broke: %s", task.get_name(), where(error))
