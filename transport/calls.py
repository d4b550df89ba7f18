"""Calls over WebRTC: offers in, answers out, and nothing left when a call has ended."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from pipeline.contract import Engine
from pipeline.options import SessionOptions, VideoCodec
from transport.connection import Deadlines, Serving
from transport.errors import CallFailedError, CallNotFoundError, OfferError
from transport.line import Line, Lines
from transport.nat import DIRECT, Nat
from transport.offer import Offer, parse_offer
from transport.peer import Peer

# Making an answer takes some 10 ms, and up to a second more where servers tell our addresses.
ANSWER_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was answered: its unguessable name, and the SDP for the peer.

    `before`: the name of the connection that had its session until this moment, or had it last;
    empty where the session is new.
    """

    id: str
    answer_sdp: str
    before: str = ""


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
        lines: the sessions, where other kinds of connection have them too.
    """

    def __init__(
        self,
        engine: Engine,
        nat: Nat = DIRECT,
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
        video_codec: VideoCodec | None = None,
        lines: Lines | None = None,
    ) -> None:
        self._video_codec = video_codec
        self._nat = nat
        self._deadlines = Deadlines(connect_timeout_s, silent_timeout_s)
        self._lines = Lines(engine) if lines is None else lines
        self._serving: Serving[Peer] = Serving()

    def __len__(self) -> int:
        """Return the number of calls open now."""
        return len(self._serving)

    async def answer(
        self,
        offer_sdp: str,
        options: SessionOptions,
        at_end: Callable[[], None] | None = None,
    ) -> Call:
        """Answer an offer and open a session for it.

        `options.video` is taken if the offer has a section for it, in the codec that the peer
        prefers; None means sound alone. `at_end` is called when the session is gone, which a call
        that was lost leaves behind for a while.

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
        line = self._lines.open(replace(options, video=video), at_end)
        return await self._connect(line, offer)

    async def resume(self, offer_sdp: str, token: str) -> Call:
        """Answer an offer of a client that goes on with its session over a new connection.

        Raises:
            OfferError: the offer is malformed, or lacks the codec that the session sends.
            SessionGoneError: the session has ended.
            CallFailedError: as `answer`.
        """
        line = self._lines.find(token)
        video = line.session.options.video
        offer = parse_offer(offer_sdp, video.codec if video else self._video_codec)
        if video is not None and offer.video not in (None, video.codec):
            raise OfferError(f"video offers no {video.codec}, which the session sends")
        return await self._connect(line, offer)

    def holder(self, token: str) -> str:
        """Return the id of the call that has a session now, or had it last.

        Raises:
            SessionGoneError: the session has ended.
        """
        return self._lines.find(token).name

    async def _connect(self, line: Line, offer: Offer) -> Call:
        """Make the connection of a line."""
        peer = Peer(f"call_{secrets.token_urlsafe(16)}", self._nat, self._deadlines)
        peer.adopt(line)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                answer = await peer.negotiate(offer)
            line.attach(peer)
        except TimeoutError as error:
            raise CallFailedError(f"no answer was made within {ANSWER_TIMEOUT_S:g} s") from error
        finally:
            if line.end is not peer:
                await peer.close()
        # Only now: while the answer was made, another connection may have had the session.
        before, line.name = line.name, peer.id
        self._serving.start(peer)
        return Call(peer.id, answer, before)

    async def hang_up(self, call_id: str) -> None:
        """End a call and wait until it is gone; the session of one that was lost is not waited for
        any more.

        Raises:
            CallNotFoundError: no such call is open.
        """
        line = self._lines.named(call_id)
        ended = await self._serving.end(call_id, "hung up")
        if line is not None:
            await line.close()  # a call that is being lost leaves it behind
        elif not ended:
            raise CallNotFoundError(f"no call is named {call_id[:80]!r}")

    def dismiss(self, call_id: str, code: str, message: str) -> None:
        """End the session of a call, if it is open or waits for its client, and tell it why."""
        self._lines.dismiss(call_id, code, message)

    async def empty(self) -> None:
        """Wait until no call is open and no session waits for its client."""
        await self._serving.empty()
        await self._lines.empty()

    async def close(self) -> None:
        """End all calls and wait until they are gone, those too that wait for their client."""
        await self._serving.close()
        await self._lines.close()
