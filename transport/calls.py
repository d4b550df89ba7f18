"""Calls over WebRTC: offers in, answers out, and nothing left when a call has ended."""

import asyncio
import secrets
from dataclasses import dataclass, replace
from typing import Final

from pipeline.contract import Engine
from pipeline.options import SessionOptions, VideoCodec
from transport.connection import Deadlines, Serving
from transport.errors import CallFailedError, CallNotFoundError
from transport.nat import DIRECT, Nat
from transport.offer import parse_offer
from transport.peer import Peer

# Making an answer takes some 10 ms, and up to a second more where servers tell our addresses.
ANSWER_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was answered: its unguessable name, and the SDP for the peer."""

    id: str
    answer_sdp: str


class Calls:
    """All calls of one engine.

    Args:
        engine: opens the sessions; its limit is the limit of calls.
        nat: how the server is reached through NAT. A server in it that does not answer delays
            every answer to a call by a second, no more; four where there is no other way.
        connect_timeout_s: a peer that has not connected by then is forgotten.
        silent_timeout_s: a connected peer that sends nothing for so long is forgotten.
        video_codec: what to send to every peer that takes it; None follows each peer's order,
            which is VP8 first in Chromium and Firefox, H264 in Safari. H264 costs half the work
            and keeps its colours; see `pipeline.video`.
    """

    def __init__(
        self,
        engine: Engine,
        nat: Nat = DIRECT,
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
        video_codec: VideoCodec | None = None,
    ) -> None:
        self._engine = engine
        self._video_codec = video_codec
        self._nat = nat
        self._deadlines = Deadlines(connect_timeout_s, silent_timeout_s)
        self._serving: Serving[Peer] = Serving()

    def __len__(self) -> int:
        """Return the number of calls open now."""
        return len(self._serving)

    async def answer(self, offer_sdp: str, options: SessionOptions) -> Call:
        """Answer an offer and open a session for it.

        `options.video` is taken if the offer has a section for it, in the codec that the peer
        prefers; None means sound alone.

        Raises:
            OfferError: the offer is malformed or asks for what cannot be given.
            ConfigurationError: an option names something unknown.
            ServerFullError: no session is free.
            CallFailedError: no answer could be made in time, or no address was found for it.
        """
        offer = parse_offer(offer_sdp, self._video_codec)
        video = options.video
        if video is not None:
            video = replace(video, codec=offer.video) if offer.video else None
        peer = Peer(f"call_{secrets.token_urlsafe(16)}", self._nat, self._deadlines)
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
        self._serving.start(peer)
        return Call(peer.id, answer)

    async def hang_up(self, call_id: str) -> None:
        """End a call and wait until it is gone.

        Raises:
            CallNotFoundError: no such call is open.
        """
        if not await self._serving.end(call_id, "hung up"):
            raise CallNotFoundError(f"no call is named {call_id[:80]!r}")

    async def empty(self) -> None:
        """Wait until no call is open."""
        await self._serving.empty()

    async def close(self) -> None:
        """End all calls and wait until they are gone."""
        await self._serving.close()
