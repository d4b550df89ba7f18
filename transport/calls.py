"""Calls over WebRTC: offers in, answers out, and nothing left when a call has ended."""

import asyncio
import gc
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from aiortc import RTCIceServer
from aiortc.rtcicetransport import parse_stun_turn_uri

from pipeline.contract import Engine
from pipeline.errors import ConfigurationError
from pipeline.options import IceServer, SessionOptions, VideoCodec
from transport.errors import CallFailedError, CallNotFoundError
from transport.offer import parse_offer
from transport.peer import Deadlines, Peer

# Making an answer takes some 10 ms, and up to a second more where servers tell our addresses.
ANSWER_TIMEOUT_S: Final = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was answered: its unguessable name, and the SDP for the peer."""

    id: str
    answer_sdp: str


class Calls:
    """All calls of one engine.

    Args:
        engine: opens the sessions; its limit is the limit of calls.
        ice_servers: servers that find a way through NAT; the first of STUN and of TURN is asked.
            One that does not answer delays every answer to a call by a second, no more.
        connect_timeout_s: a peer that has not connected by then is forgotten.
        silent_timeout_s: a connected peer that sends nothing for so long is forgotten.
        video_codec: what to send to every peer that takes it; None follows each peer's order,
            which is VP8 first in Chromium and Firefox, H264 in Safari. H264 costs half the work
            and keeps its colours; see `pipeline.video`.

    Raises:
        ConfigurationError: an ICE server has a URL of no use here.
    """

    def __init__(
        self,
        engine: Engine,
        ice_servers: Sequence[IceServer] = (),
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
        video_codec: VideoCodec | None = None,
    ) -> None:
        self._engine = engine
        self._video_codec = video_codec
        self._servers = [_rtc_server(server) for server in ice_servers]
        self._deadlines = Deadlines(connect_timeout_s, silent_timeout_s)
        self._running: dict[str, tuple[Peer, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        """Return the number of calls open now."""
        return len(self._running)

    async def answer(self, offer_sdp: str, options: SessionOptions) -> Call:
        """Answer an offer and open a session for it.

        `options.video` is taken if the offer has a section for it, in the codec that the peer
        prefers; None means sound alone.

        Raises:
            OfferError: the offer is malformed or asks for what cannot be given.
            ConfigurationError: an option names something unknown.
            ServerFullError: no session is free.
            CallFailedError: no answer could be made in time.
        """
        offer = parse_offer(offer_sdp, self._video_codec)
        video = options.video
        if video is not None:
            video = replace(video, codec=offer.video) if offer.video else None
        peer = Peer(f"call_{secrets.token_urlsafe(16)}", self._servers, self._deadlines)
        answer: str | None = None
        try:
            peer.adopt(self._engine.open(replace(options, video=video), peer))
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                answer = await peer.negotiate(offer)
        except TimeoutError as error:
            raise CallFailedError(f"no answer was made within {ANSWER_TIMEOUT_S:g} s") from error
        finally:
            if answer is None:
                await peer.close()
        task = asyncio.create_task(peer.run(), name=peer.id)
        self._running[peer.id] = (peer, task)
        task.add_done_callback(self._ended)
        return Call(peer.id, answer)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task.get_name())
        # Connections are knots of references to one another, and hold codecs with threads of their
        # own, which are to go with the call and not when the collector next comes round.
        asyncio.get_running_loop().call_soon(gc.collect)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("call %s broke", task.get_name(), exc_info=error)

    async def hang_up(self, call_id: str) -> None:
        """End a call and wait until it is gone.

        Raises:
            CallNotFoundError: no such call is open.
        """
        if call_id not in self._running:
            raise CallNotFoundError(f"no call is named {call_id[:80]!r}")
        peer, task = self._running[call_id]
        peer.end("hung up")
        await asyncio.wait([task])

    async def empty(self) -> None:
        """Wait until no call is open."""
        while self._running:
            await asyncio.wait([task for _, task in self._running.values()])

    async def close(self) -> None:
        """End all calls and wait until they are gone."""
        for peer, _ in self._running.values():
            peer.end("the server closes")
        await self.empty()


def _rtc_server(server: IceServer) -> RTCIceServer:
    for url in server.urls:
        try:
            parse_stun_turn_uri(url)
        except ValueError as error:
            raise ConfigurationError(
                f"the ICE server's url {url!r} has no use: {error}; accepted: as "
                "'stun:stun.example:3478' or 'turn:turn.example:3478?transport=udp'"
            ) from error
    return RTCIceServer(list(server.urls), server.username, server.credential)
