"""Pictures that are already encoded, and sound that is not, into one container."""

import contextlib
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import av
import numpy as np
from av.audio.fifo import AudioFifo
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.packet import Packet as CodedPacket
from av.stream import Stream
from numpy.typing import NDArray

from pipeline.mp4 import AI_NOTICE, SOUND_BITRATE, VIDEO_CLOCK
from transport.egress.errors import OutputError
from transport.egress.packets import PICTURES_PER_SECOND, WIRE_RATE, Packet

_AAC_FRAME: Final = 1024
_EARLY_FRAMES: Final = 25  # of sound, kept until the first picture says where zero is


class Muxer:
    """Writes H264 as it is (its start codes become lengths in the container) and AAC-LC.

    Both streams begin at the first keyframe, or without pictures at the first sound, and keep their
    media positions from there, so they stay in step however long it runs and whatever is dropped:
    missing sound becomes silence, missing pictures a longer picture.

    Args:
        container: open for writing, nothing added.
        size: (width, height) of the pictures; None for sound alone.
        zero: media position, in samples, of the container's time zero; the beginning when None.
    """

    def __init__(
        self, container: OutputContainer, size: tuple[int, int] | None, zero: int | None = None
    ) -> None:
        self._container = container
        self._zero = zero
        container.metadata["comment"] = AI_NOTICE
        self._video = None if size is None else _video_stream(container, size)
        self._audio = _audio_stream(container)
        self._origin: int | None = None
        self._early: deque[Packet] = deque(maxlen=_EARLY_FRAMES)
        self._fifo = AudioFifo()
        self._start = 0  # time of the beginning, in samples
        self._heard = 0  # samples since then

    def add(self, packet: Packet) -> None:
        """Write a packet; what comes before the first keyframe is left out.

        Raises:
            OutputError: it cannot be written.
        """
        with explained():
            if packet.sound:
                self._sound(packet)
            elif self._video is not None:
                self._picture(self._video, packet)

    def close(self) -> None:
        """Finish the container. Not to be called twice.

        Raises:
            OutputError: it cannot be finished, or nothing was added.
        """
        with explained():
            if self._origin is None:
                self._abandon()
                raise OutputError("there was nothing to write", retryable=False)
            while rest := self._fifo.read(_AAC_FRAME, partial=True):
                self._encode(rest)
            self._encode(None)
            self._container.close()

    def _abandon(self) -> None:
        # What holds nothing may fail as it likes.
        with contextlib.suppress(OSError, av.FFmpegError, ValueError):
            self._container.close()

    def _picture(self, video: Stream, packet: Packet) -> None:
        if self._origin is None:
            if not packet.keyframe:
                return
            self._begin(packet.position)
        assert self._origin is not None
        coded = CodedPacket(packet.data)
        coded.stream = video
        coded.time_base = Fraction(1, VIDEO_CLOCK)
        at = packet.position - self._origin + self._start
        coded.pts = coded.dts = at * VIDEO_CLOCK // WIRE_RATE
        coded.duration = VIDEO_CLOCK // PICTURES_PER_SECOND
        coded.is_keyframe = packet.keyframe
        self._container.mux(coded)

    def _begin(self, position: int) -> None:
        self._origin = position
        self._start = 0 if self._zero is None else position - self._zero
        for packet in self._early:
            self._sound(packet)
        self._early.clear()

    def _sound(self, packet: Packet) -> None:
        if self._origin is None and self._video is not None:
            self._early.append(packet)
            return
        if self._origin is None:
            self._begin(packet.position)
        assert self._origin is not None
        samples = np.frombuffer(packet.data, np.int16)
        gap = packet.position - self._origin - self._heard
        while gap > 0:
            self._take(np.zeros(min(gap, WIRE_RATE), np.int16))
            gap -= WIRE_RATE
        self._take(samples[max(0, self._origin + self._heard - packet.position) :])

    def _take(self, samples: NDArray[np.int16]) -> None:
        if not len(samples):
            return
        values = (samples / np.float32(32_768)).astype(np.float32)
        frame = AudioFrame.from_ndarray(values[None], format="fltp", layout="mono")
        frame.sample_rate, frame.time_base, frame.pts = (
            WIRE_RATE,
            Fraction(1, WIRE_RATE),
            self._heard,
        )
        self._heard += len(samples)
        self._fifo.write(frame)
        for whole in self._fifo.read_many(_AAC_FRAME):
            self._encode(whole)

    def _encode(self, frame: AudioFrame | None) -> None:
        if frame is not None and frame.pts is not None:
            frame.pts += self._start
        for coded in self._audio.encode(frame):
            self._container.mux(coded)


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Turn what FFmpeg and the system raise into an OutputError without paths or URLs."""
    try:
        yield
    except (OSError, av.FFmpegError) as error:
        reason = error.strerror or type(error).__name__
        raise OutputError(f"it cannot be written: {reason}") from error


def _video_stream(container: OutputContainer, size: tuple[int, int]) -> Stream:
    # No codec: the parameter sets are taken from the first keyframe.
    return container.add_mux_stream("h264", rate=PICTURES_PER_SECOND, width=size[0], height=size[1])


def _audio_stream(container: OutputContainer) -> AudioStream:
    stream = container.add_stream("aac", rate=WIRE_RATE)
    stream.codec_context.layout = "mono"
    stream.codec_context.format = "fltp"
    stream.codec_context.bit_rate = SOUND_BITRATE
    # A quarter of the time of the default search, which finds a little more at low rates.
    stream.codec_context.options = {"aac_coder": "fast"}
    return stream
