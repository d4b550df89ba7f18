"""Viewers of streams (WHEP, draft-ietf-wish-whep)."""

from typing import Final

from aiortc import RTCRtpSender

from transport.aiortc_hooks import space_packets, watch_feedback
from transport.codecs import codec_preferences
from transport.connection import Deadlines
from transport.errors import OfferError, ViewersFullError
from transport.exchange import Exchange, Exchanges
from transport.nat import DIRECT, Nat
from transport.offer import WATCH, Offer, parse_offer
from transport.streams import Stream, Streams

VIEWERS_PER_STREAM: Final = 32
VIEWERS: Final = 64


class Viewer(Exchange):
    """One who watches. It takes what it offered to take: sound, pictures or both."""

    def __init__(self, stream: Stream, offer: Offer, nat: Nat, deadlines: Deadlines) -> None:
        super().__init__("view", stream, offer, nat, deadlines)
        self.seat = stream.broadcast.seat()
        self._video: RTCRtpSender | None = None

    def _add_tracks(self, offer: Offer) -> None:
        rtc, seat = self._connection.rtc, self.seat
        if "audio" in offer.kinds:
            audio = rtc.addTransceiver(seat.sound, "sendonly")
            audio.setCodecPreferences(codec_preferences("audio", "opus"))
        if offer.video is not None and self.stream.session.options.video is not None:
            video = rtc.addTransceiver(seat.pictures, "sendonly")
            video.setCodecPreferences(codec_preferences("video", "h264"))
            watch_feedback(video.sender, seat.feedback)
            self._video = video.sender

    def _begin(self) -> None:
        if self._video is not None:
            space_packets(self._video, self.seat.wait)
        self.stream.broadcast.join(self.seat)

    async def _finish(self) -> None:
        self.stream.broadcast.leave(self.seat)
        self.seat.stop()


class Viewers(Exchanges[Viewer]):
    """All viewers of all streams.

    Args:
        streams: what there is to watch.
        nat: how the server is reached through NAT.
        per_stream: viewers of one stream at most.
        limit: viewers of all streams together at most.
        deadlines: see `transport.exchange.Exchanges`.
    """

    def __init__(
        self,
        streams: Streams,
        nat: Nat = DIRECT,
        *,
        per_stream: int = VIEWERS_PER_STREAM,
        limit: int = VIEWERS,
        connect_timeout_s: float = 10.0,
        silent_timeout_s: float = 15.0,
    ) -> None:
        super().__init__(streams, nat, connect_timeout_s, silent_timeout_s)
        self._per_stream = per_stream
        self._limit = limit

    def _admit(self, stream: Stream, offer_sdp: str) -> Viewer:
        offer = parse_offer(offer_sdp, "h264", WATCH)
        if offer.video not in (None, "h264"):
            raise OfferError(f"video offers {offer.video}; accepted: H264 constrained baseline")
        if _watching(stream) >= self._per_stream:
            raise ViewersFullError(self._per_stream, f"stream {stream.name!r}")
        if sum(map(_watching, self._streams)) >= self._limit:
            raise ViewersFullError(self._limit, "the server")
        return Viewer(stream, offer, self._nat, self._deadlines)


def _watching(stream: Stream) -> int:
    return sum(isinstance(guest, Viewer) for guest in stream.guests)
