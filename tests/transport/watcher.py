"""A viewer for tests: offers to watch, notes what comes and when, and can be put on a bad link."""

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from aiortc import RTCPeerConnection, RTCRtpReceiver, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from aiortc.rtp import RtpPacket

from transport.aiortc_hooks import cut_off, replace_jitter_buffer
from transport.codecs import codec_preferences
from transport.jitter import PictureBuffer, ReceivedPicture, VoiceBuffer
from transport.nat import DIRECT
from transport.outgoing import VIDEO_CLOCK

T = TypeVar("T")

_START_CODE: Final = b"\x00\x00\x01"
_IDR: Final = 5
# What a thin link holds back before it drops, in seconds of its rate.
_BURST_S: Final = 0.25


def units(data: bytes) -> tuple[bytes, ...]:
    """Return the NAL units of an access unit in Annex B form, however they are set apart."""
    return tuple(unit.rstrip(b"\0") for unit in data.split(_START_CODE)[1:])


def is_keyframe(data: bytes) -> bool:
    """Whether an H264 access unit in Annex B form has an IDR slice (ITU-T H.264, 7.4.1)."""
    return any(unit[0] & 31 == _IDR for unit in units(data))


class Watcher:
    """One who watches, over a connection of its own.

    Attributes:
        pictures: (time of arrival in seconds of the event loop's clock, picture).
        sounds: times of arrival of 20 ms of sound.
        connected_at: when the connection stood, else None.
    """

    def __init__(self, *, sound: bool = True, video: bool = True, codec: str = "h264") -> None:
        self.rtc = RTCPeerConnection(DIRECT.configuration())
        self.pictures: list[tuple[float, ReceivedPicture]] = []
        self.sounds: list[float] = []
        self.connected_at: float | None = None
        self.failed = False
        self._packets: deque[tuple[float, RtpPacket]] = deque(maxlen=5_000)
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._link: _Link | None = None
        self._listening: asyncio.Task[None] | None = None
        self.rtc.on("track", self._track_came)
        self.rtc.on("connectionstatechange", self._state_changed)
        if sound:
            audio = self.rtc.addTransceiver("audio", "recvonly")
            audio.setCodecPreferences(codec_preferences("audio", "opus"))
            replace_jitter_buffer(audio.receiver, VoiceBuffer())
            self._behind_link(audio.receiver, note=False)
        if video:
            picture = self.rtc.addTransceiver("video", "recvonly")
            picture.setCodecPreferences(codec_preferences("video", codec))
            replace_jitter_buffer(picture.receiver, PictureBuffer(self._picture_came))
            self._behind_link(picture.receiver, note=True)

    async def offer(self) -> str:
        """Return an offer with all candidates."""
        await self.rtc.setLocalDescription(await self.rtc.createOffer())
        return str(self.rtc.localDescription.sdp)

    async def take(self, answer: str) -> None:
        """Take the answer up."""
        await self.rtc.setRemoteDescription(RTCSessionDescription(answer, "answer"))

    def throttle(self, bits_per_second: int | None) -> None:
        """Drop what exceeds a rate from now on; None drops nothing."""
        self._link = None if bits_per_second is None else _Link(bits_per_second, self._loop.time())

    def media(self, start: float = 0.0) -> list[float]:
        """Return media times in seconds of the pictures that came after `start`."""
        return [p.timestamp / VIDEO_CLOCK for at, p in self.pictures if at >= start]

    def keyframes(self, start: float = 0.0) -> list[float]:
        """Return when keyframes came after `start`."""
        return [at for at, p in self.pictures if at >= start and is_keyframe(p.data)]

    def whole_keyframes(self, start: float) -> int:
        """Return of how many keyframes every packet has come after `start`, in whatever state the
        pictures before them were.
        """
        by_time: dict[int, dict[int, RtpPacket]] = {}
        for at, packet in self._packets:
            if at >= start:
                by_time.setdefault(packet.timestamp, {})[packet.sequence_number] = packet
        return sum(map(_is_whole_keyframe, by_time.values()))

    async def until(self, condition: Callable[[], T | None], timeout_s: float) -> T:
        """Return what `condition` gives once it is not None, asked whenever something came.

        Raises:
            TimeoutError: it stayed None.
        """
        async with asyncio.timeout(timeout_s):
            while (value := condition()) is None:
                self._changed.clear()
                await self._changed.wait()
            return value

    async def more(self, count: int, timeout_s: float = 20.0) -> None:
        """Wait for so many pictures beyond those that have come.

        Raises:
            TimeoutError: they do not come.
        """
        wanted = len(self.pictures) + count
        await self.until(lambda: len(self.pictures) >= wanted or None, timeout_s)

    async def vanish(self) -> None:
        """Go without a word."""
        cut_off(self.rtc)
        await self.close()

    async def close(self) -> None:
        """Free everything."""
        await self.rtc.close()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _behind_link(self, receiver: RTCRtpReceiver, *, note: bool) -> None:
        handle = receiver._handle_rtp_packet

        async def handle_what_passes(packet: RtpPacket, arrival_time_ms: int) -> None:
            size = 40 + len(packet.payload)
            if self._link is None or self._link.passes(size, self._loop.time()):
                if note:
                    self._packets.append((self._loop.time(), packet))
                await handle(packet, arrival_time_ms=arrival_time_ms)

        target: Any = receiver
        target._handle_rtp_packet = handle_what_passes

    def _track_came(self, track: MediaStreamTrack) -> None:
        if track.kind == "audio":
            self._listening = asyncio.create_task(self._listen(track))

    async def _listen(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                await track.recv()
            except MediaStreamError:
                return
            self.sounds.append(self._loop.time())
            self._changed.set()

    def _picture_came(self, picture: ReceivedPicture) -> None:
        self.pictures.append((self._loop.time(), picture))
        self._changed.set()

    def _state_changed(self) -> None:
        if self.rtc.connectionState == "connected":
            self.connected_at = self._loop.time()
        self.failed = self.rtc.connectionState in ("failed", "closed")
        self._changed.set()


def _is_whole_keyframe(packets: dict[int, RtpPacket]) -> bool:
    """Whether packets, by sequence number, are all of a picture that begins with parameter sets
    (RFC 6184: alone, or several in one packet).
    """
    first = packets[min(packets)]
    whole = len(packets) == max(packets) - min(packets) + 1
    return whole and bool(packets[max(packets)].marker) and first.payload[0] & 31 in (7, 24)


class _Link:
    """A link of so many bits per second, with little patience."""

    def __init__(self, rate: int, now: float) -> None:
        self._rate = rate
        self._credit = rate * _BURST_S
        self._at = now

    def passes(self, size: int, now: float) -> bool:
        self._credit = min(self._rate * _BURST_S, self._credit + (now - self._at) * self._rate)
        self._at = now
        if self._credit < 8 * size:
            return False
        self._credit -= 8 * size
        return True
