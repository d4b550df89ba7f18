"""One call: a peer connection and the session behind it, from offer to hang-up."""

import asyncio
import contextlib
import logging
from typing import Final

import numpy as np
from aiortc import RTCDataChannel
from aiortc.mediastreams import MediaStreamTrack
from numpy.typing import NDArray

from pipeline.contract import EncodedPicture, PoseFrame, Session, SoundFrame
from pipeline.events import SessionEvent
from pipeline.options import VideoCodec
from pipeline.privacy.discretion import where
from transport.aiortc_hooks import Feedback, replace_jitter_buffer, watch_feedback
from transport.codecs import codec_preferences
from transport.connection import Connection, Deadlines
from transport.incoming import listen
from transport.items import ServerEvent
from transport.jitter import VoiceBuffer
from transport.line import Line
from transport.nat import Nat
from transport.offer import Offer
from transport.outgoing import PictureTrack, SoundTrack
from transport.realtime import error_event
from transport.strict_json import write_json

CHANNEL: Final = "oai-events"
# A browser holds sound back for about this long; no report says how long it is.
ASSUMED_JITTER_BUFFER_S: Final = 0.06
# Receivers estimate no more than half again of what comes in, and a figure that stands still sends
# little: below this the estimate says how quiet the picture is, not how narrow the link.
MIN_ESTIMATE: Final = 400_000
# Events a peer has not acknowledged: beyond this it is taken for dead.
MAX_UNSENT_BYTES: Final = 1 << 20
CHANNEL_WAIT_S: Final = 2.0
# For the last events of a session that broke to leave.
DRAIN_TIMEOUT_S: Final = 0.5

logger = logging.getLogger(__name__)


class Peer:
    """The far end of one call: a `transport.line.End` that feeds its session sound and commands.

    Life: `adopt` a line, `negotiate`, attach it to the line, `run` until the call ends, which frees
    the connection; the session ends with it, unless it was lost and may come back.
    """

    def __init__(self, call_id: str, nat: Nat, deadlines: Deadlines) -> None:
        self.id = call_id
        self._connection = Connection(f"call {call_id}", nat, deadlines)
        self._sound = SoundTrack()
        self._pictures: PictureTrack | None = None
        self._channel_opened = asyncio.Event()
        self._connection.at_end(self._channel_opened.set)
        self._listening: asyncio.Task[None] | None = None
        self._line: Line | None = None
        self._heard = 0
        self._channel: RTCDataChannel | None = None
        self._channel_offered = False
        self._drain = False

    @property
    def line(self) -> Line:
        """The line whose end this is."""
        assert self._line is not None
        return self._line

    @property
    def session(self) -> Session:
        """The session behind the call."""
        return self.line.session

    @property
    def heard(self) -> int:
        """Media position sent when the peer last gave a sign of life."""
        return self._heard

    # --- what the session tells (End)

    def sound(self, frame: SoundFrame) -> None:
        """Send 20 ms of sound."""
        self._sound.put(frame)

    def picture(self, picture: EncodedPicture) -> None:
        """Send a picture."""
        if self._pictures is not None:
            self._pictures.put(picture)

    def pose(self, frame: PoseFrame) -> None:
        """Poses do not travel over data channels: who draws for itself takes a WebSocket."""

    def tell(self, event: SessionEvent) -> None:
        """Nothing in a call depends on events; the client is told by the dialogue."""

    # --- life

    def adopt(self, line: Line) -> None:
        """Take the line whose session the call carries."""
        self._line = line

    async def negotiate(self, offer: Offer) -> str:
        """Answer a checked offer and return the answer's SDP.

        Raises:
            OfferError: the offer cannot be answered after all.
        """
        rtc = self._connection.rtc
        self._channel_offered = offer.channel
        rtc.on("track", self._track_arrived)
        rtc.on("datachannel", self._channel_arrived)
        self._add_tracks(offer.video if self.session.options.video else None)
        # Nobody can name more addresses here. Without any, the peer's own checks tell where it is.
        return await self._connection.negotiate(offer.sdp, complete=offer.candidates)

    async def run(self) -> None:
        """Serve the call until it ends, then free everything it held."""
        try:
            await self._serve()
        finally:
            await self.close()

    def end(self, reason: str) -> None:
        """Let `run` return soon. The first reason counts."""
        self._drain = True
        self._connection.end(reason)

    def replaced(self) -> None:
        """End because the client has come back over another connection."""
        self.end("its client has come back over another connection")

    def dismiss(self, code: str, message: str) -> None:
        """End the call because its key allows no more of it, and tell the client."""
        self._send(error_event("rate_limit_error", code, message))
        self.end(message)

    async def close(self) -> None:
        """Free the connection and its sockets, and the session unless the peer may come back."""
        self._connection.end("closed")
        logger.info("call %s ended: %s", self.id, self._connection.reason)
        self._sound.stop()
        if self._pictures is not None:
            self._pictures.stop()
        try:
            await self._stop_listening()
            if self._drain:
                await self._let_events_leave()
            await self._connection.close()
        finally:
            # Last, so that nothing the far end sends meets a session that has ended.
            if self._line is not None and self._connection.lost:
                self._line.lost(self)
            elif self._line is not None:
                await self._line.hang_up(self)

    async def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def _let_events_leave(self) -> None:
        channel = self._channel
        if channel is None:
            return
        empty = asyncio.Event()
        channel.on("bufferedamountlow", empty.set)
        channel.on("close", empty.set)
        if channel.readyState == "open" and channel.bufferedAmount:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_TIMEOUT_S):
                    await empty.wait()

    def _add_tracks(self, video: VideoCodec | None) -> None:
        rtc = self._connection.rtc
        audio = rtc.addTransceiver(self._sound, "sendrecv")
        audio.setCodecPreferences(codec_preferences("audio", "opus"))
        watch_feedback(audio.sender, Feedback(round_trip_measured=self._round_trip_measured))
        replace_jitter_buffer(audio.receiver, VoiceBuffer())
        if video is not None:
            session = self.session
            self._pictures = PictureTrack(session.request_keyframe)
            transceiver = rtc.addTransceiver(self._pictures, "sendonly")
            transceiver.setCodecPreferences(codec_preferences("video", video))
            feedback = Feedback(session.request_keyframe, self._bitrate_estimated)
            watch_feedback(transceiver.sender, feedback)

    def _bitrate_estimated(self, bits_per_second: int) -> None:
        self.session.set_bitrate(max(MIN_ESTIMATE, bits_per_second))

    def _round_trip_measured(self, seconds: float) -> None:
        # Half of the way there and back, and the wait at the far end, is when sound is heard.
        self.session.set_playout_delay(max(0.0, seconds) / 2 + ASSUMED_JITTER_BUFFER_S)
        self._heard = self.session.position

    async def _serve(self) -> None:
        await self._connection.connected()
        await self._wait_for_channel()
        if not self._connection.ended:
            self._heard = self.session.position
            self.line.take_up(self)
        await self._connection.watch()

    async def _wait_for_channel(self) -> None:
        # The far end decrypts media before it opens the channel: what is sent after that is
        # received from the first packet on, and events are in step with sound.
        if self._channel_offered:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHANNEL_WAIT_S):
                    await self._channel_opened.wait()

    def _track_arrived(self, track: MediaStreamTrack) -> None:
        if track.kind == "audio" and self._listening is None:
            self._listening = asyncio.create_task(
                listen(track, self._hear), name=f"listen-{self.id}"
            )
            self._listening.add_done_callback(self._listened)

    def _hear(self, samples: NDArray[np.float32]) -> None:
        if self.line.end is self:  # else another connection has the session, and speaks for it
            self._heard = self.session.position
            self.session.hear(samples)

    def _listened(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("call %s: its sound cannot be heard: %s", self.id, where(error))
            self.end("its sound could not be heard")

    def _channel_arrived(self, channel: RTCDataChannel) -> None:
        replaced = self.line.end is not self
        if channel.label != CHANNEL or self._channel is not None or replaced:
            channel.close()
            return
        self._channel = channel
        channel.on("message", self._receive)
        self.line.speak(self._send)
        self._channel_opened.set()

    def _receive(self, message: str | bytes) -> None:
        if self.line.end is self:
            self.line.dialogue.receive(message)

    def _send(self, event: ServerEvent) -> None:
        channel = self._channel
        if channel is None or channel.readyState != "open":
            return
        if channel.bufferedAmount > MAX_UNSENT_BYTES:
            self.end(f"{MAX_UNSENT_BYTES} bytes of events were not taken")
            return
        try:
            channel.send(write_json(event).decode())
        except ValueError as error:  # more than the far end said it takes in one message
            self.end(f"an event could not be sent: {error}")
