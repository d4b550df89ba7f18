"""Publishers to streams (WHIP, RFC 9725): their sound is what the host hears.

Pictures are taken, as publishers send both and RFC 9725 (4.4.3) would have an offer refused whole
rather than in part; nobody looks at them yet, and they are dropped without being decoded.
"""

import asyncio
import logging

from aiortc.mediastreams import MediaStreamTrack

from pipeline.privacy.discretion import where
from transport.aiortc_hooks import replace_jitter_buffer
from transport.codecs import codec_preferences
from transport.connection import Deadlines
from transport.errors import StreamTakenError
from transport.exchange import Exchange, Exchanges
from transport.incoming import listen
from transport.jitter import PictureBuffer, ReceivedPicture, VoiceBuffer
from transport.nat import DIRECT, Nat
from transport.offer import PUBLISH, Offer, parse_offer
from transport.streams import Stream, Streams

logger = logging.getLogger(__name__)


class Publisher(Exchange):
    """One who speaks to the host of a stream."""

    def __init__(self, stream: Stream, offer: Offer, nat: Nat, deadlines: Deadlines) -> None:
        super().__init__("publish", stream, offer, nat, deadlines)
        self._listening: asyncio.Task[None] | None = None
        stream.publisher = self

    def _add_tracks(self, offer: Offer) -> None:
        rtc = self._connection.rtc
        rtc.on("track", self._track_arrived)
        audio = rtc.addTransceiver("audio", "recvonly")
        audio.setCodecPreferences(codec_preferences("audio", "opus"))
        replace_jitter_buffer(audio.receiver, VoiceBuffer())
        if "video" in offer.kinds:
            video = rtc.addTransceiver("video", "recvonly")
            replace_jitter_buffer(video.receiver, PictureBuffer(_drop))

    def _begin(self) -> None:
        logger.info("%s speaks to stream %s", self.id, self.stream.name)

    async def _finish(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        if self.stream.publisher is self:
            self.stream.publisher = None
            # Half a sentence, and nobody there to finish it.
            self.stream.session.clear_audio()

    def _track_arrived(self, track: MediaStreamTrack) -> None:
        if track.kind == "audio":
            hear = self.stream.session.hear
            self._listening = asyncio.create_task(listen(track, hear), name=f"listen-{self.id}")
            self._listening.add_done_callback(self._listened)

    def _listened(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s: its sound cannot be heard: %s", self.id, where(error))
            self.end("its sound could not be heard")


class Publishers(Exchanges[Publisher]):
    """All publishers, one a stream at most.

    Args:
        streams: what there is to publish to.
        nat: how the server is reached through NAT.
        deadlines: see `transport.exchange.Exchanges`.
    """

    def __init__(
        self,
        streams: Streams,
        nat: Nat = DIRECT,
        *,
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
    ) -> None:
        super().__init__(streams, nat, connect_timeout_s, silent_timeout_s)

    def _admit(self, stream: Stream, offer_sdp: str) -> Publisher:
        offer = parse_offer(offer_sdp, None, PUBLISH)
        if stream.publisher is not None:
            raise StreamTakenError(f"somebody publishes to stream {stream.name!r}")
        return Publisher(stream, offer, self._nat, self._deadlines)


def _drop(_: ReceivedPicture) -> None:
    return
