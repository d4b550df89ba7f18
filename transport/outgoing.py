"""The two tracks a session sends: sound and pictures, encoded before they get there."""

import asyncio
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

import av
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av.audio.codeccontext import AudioCodecContext
from av.audio.frame import AudioFrame
from av.packet import Packet
from av.stream import Stream

from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, EncodedPicture, SoundFrame

SOUND_BITRATE: Final = 64_000
VIDEO_CLOCK: Final = 90_000
# One second each: what has not been sent by then is late for ever.
MAX_SOUND_PACKETS: Final = 50
MAX_PICTURES: Final = 25

EncodedPacket: TypeAlias = "Packet[Stream]"

_SOUND_BASE = Fraction(1, WIRE_RATE)
_VIDEO_BASE = Fraction(1, VIDEO_CLOCK)


class OpusEncoder:
    """Encodes 20 ms frames of mono 48 kHz sound, 0.1 ms of work each (RFC 6716).

    The low-delay mode looks 2.5 ms ahead instead of 6.5; the decoded sound lags by as much.
    """

    def __init__(self, bitrate: int = SOUND_BITRATE) -> None:
        context = av.CodecContext.create("libopus", "w")
        assert isinstance(context, AudioCodecContext)
        context.format = "s16"
        context.layout = "mono"
        context.sample_rate = WIRE_RATE
        context.bit_rate = bitrate
        context.time_base = _SOUND_BASE
        context.options = {"application": "lowdelay", "frame_duration": "20"}
        self._context = context
        self._count = 0

    def encode(self, sound: SoundFrame) -> bytes:
        """Return the Opus packet of one frame of int16 [960]."""
        if sound.samples.shape != (FRAME_SAMPLES,):
            raise ValueError(f"a sound frame has {sound.samples.shape}; accepted: (960,) samples")
        frame = AudioFrame.from_ndarray(sound.samples[None], format="s16", layout="mono")
        frame.sample_rate = WIRE_RATE
        frame.pts = self._count
        self._count += FRAME_SAMPLES
        return b"".join(bytes(packet) for packet in self._context.encode(frame))


class PacketTrack(MediaStreamTrack):
    """A track fed with encoded packets from the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._packets: deque[EncodedPacket] = deque()
        self._arrived = asyncio.Event()

    async def recv(self) -> EncodedPacket:
        """Return the next packet.

        Raises:
            MediaStreamError: the track has been stopped.
        """
        while not self._packets:
            if self.readyState != "live":
                raise MediaStreamError
            self._arrived.clear()
            await self._arrived.wait()
        return self._packets.popleft()

    def stop(self) -> None:
        """End the track and drop what was not sent."""
        super().stop()
        self._packets.clear()
        self._arrived.set()

    def _put(self, packet: EncodedPacket) -> None:
        self._packets.append(packet)
        self._arrived.set()


class OpusTrack(PacketTrack):
    """Sound that is encoded already; when a second is queued the oldest packet is dropped."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self.dropped = 0

    def put_packet(self, data: bytes, position: int) -> None:
        """Queue the Opus packet of 20 ms; its RTP timestamp follows from its position."""
        if self.readyState != "live":
            return
        packet: EncodedPacket = Packet(data)
        packet.pts = position
        packet.time_base = _SOUND_BASE
        if len(self._packets) >= MAX_SOUND_PACKETS:
            self._packets.popleft()
            self.dropped += 1
        self._put(packet)


class SoundTrack(OpusTrack):
    """Sound, encoded here as Opus."""

    def __init__(self) -> None:
        super().__init__()
        self._encoder = OpusEncoder()

    def put(self, sound: SoundFrame) -> None:
        """Queue one frame."""
        if self.readyState == "live":
            self.put_packet(self._encoder.encode(sound), sound.position)


class PictureTrack(PacketTrack):
    """Encoded pictures. When a second is queued all of it is dropped, `keyframe_wanted` is called
    and nothing is taken until the keyframe comes: a picture without its forerunners shows rubbish.
    """

    kind = "video"

    def __init__(self, keyframe_wanted: Callable[[], None]) -> None:
        super().__init__()
        self._keyframe_wanted = keyframe_wanted
        self._awaiting_keyframe = True
        self.dropped = 0

    def put(self, picture: EncodedPicture) -> None:
        """Queue one picture; its RTP timestamp follows from its position."""
        if self.readyState != "live":
            return
        if len(self._packets) >= MAX_PICTURES:
            self.dropped += len(self._packets)
            self._packets.clear()
            self._awaiting_keyframe = True
            self._keyframe_wanted()
        if self._awaiting_keyframe and not picture.keyframe:
            self.dropped += 1
            return
        self._awaiting_keyframe = False
        packet: EncodedPacket = Packet(picture.data)
        packet.pts = picture.position * VIDEO_CLOCK // WIRE_RATE
        packet.time_base = _VIDEO_BASE
        self._put(packet)
