"""Encoding of a session's pictures: VP8 or H264 constrained baseline, one packet per picture.

Imports PyAV and numpy alone, so that a child process which only encodes starts at once.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, cast

import av
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType, VideoFrame
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError, VivantError
from pipeline.options import VideoFormat

RATE: Final = 25
MIN_BITRATE: Final = 50_000
KEYFRAME_SECONDS: Final = 10.0
# A VP8 encoder has to be opened anew to change its rate, which costs a keyframe.
REOPEN_RATIO: Final = 1.2
REOPEN_PICTURES: Final = 2 * RATE

_BT709: Final = 1
_LIMITED: Final = 1
_PROBE_SIZE: Final = 256


class EncodingError(VivantError):
    """The encoder refused a picture or gave none back."""


@dataclass(frozen=True, slots=True)
class CodedPicture:
    """One encoded picture: a VP8 frame, or an H264 access unit in Annex B form."""

    data: bytes
    keyframe: bool


class VideoEncoder:
    """Encodes I420 pictures in real time, without delay: every picture in gives one packet out.

    H264 is constrained baseline (ITU-T H.264 A.2.1.1) level 3.1 without B pictures, colours
    tagged as BT.709 limited; `h264_nvenc` encodes where this machine has it, else `libx264`. VP8
    (RFC 6386) comes from `libvpx`. It has no field for BT.709 and browsers read it as BT.601, so
    that pictures meant for VP8 look right only when they were made with that matrix.

    Args:
        video_format: codec, size, and the bitrate, which is the highest that will be spent.
        threads: encoder threads, 1 to 16. Those of libvpx wait for each other by spinning: on a
            machine whose cores are busy, two took twenty times the CPU time of one.
        keyframe_seconds: longest time between keyframes.

    Raises:
        ConfigurationError: `threads` or `keyframe_seconds` outside its range.
    """

    def __init__(
        self,
        video_format: VideoFormat,
        *,
        threads: int = 1,
        keyframe_seconds: float = KEYFRAME_SECONDS,
    ) -> None:
        if not 1 <= threads <= 16:
            raise ConfigurationError(f"encoder threads is {threads}; accepted: 1 to 16")
        if not 0.04 <= keyframe_seconds <= 60:
            raise ConfigurationError(
                f"keyframe_seconds is {keyframe_seconds}; accepted: 0.04 to 60"
            )
        self.format = video_format
        self._threads = threads
        self._interval = round(keyframe_seconds * RATE)
        self._bitrate = video_format.bitrate
        self._count = 0
        self._opened_at = 0
        self._opened_bitrate = self._bitrate
        self._since_keyframe = 0
        self._keyframe_wanted = True
        self._context: VideoCodecContext | None = self._open()

    @property
    def bitrate(self) -> int:
        """Target in bits per second, from MIN_BITRATE to the format's own."""
        return self._bitrate

    @property
    def codec_name(self) -> str:
        """Name of the encoder library in use."""
        return _encoder_name(self.format.codec)

    def set_bitrate(self, bits_per_second: int) -> None:
        """Aim at another rate from the next picture on. H264 follows at once; VP8 follows with a
        keyframe, once the change exceeds a fifth, and rises at most every two seconds.
        """
        self._bitrate = max(MIN_BITRATE, min(self.format.bitrate, bits_per_second))

    def request_keyframe(self) -> None:
        """Make the next picture a keyframe."""
        self._keyframe_wanted = True

    def encode(self, planes: NDArray[np.uint8]) -> CodedPicture:
        """Encode one picture.

        Args:
            planes: I420 planes one after the other, uint8 [height * 3 // 2, width], BT.709
                limited range.

        Raises:
            ConfigurationError: `planes` has another shape or type.
            EncodingError: the encoder failed or has been closed.
        """
        expected = (self.format.height * 3 // 2, self.format.width)
        if planes.shape != expected or planes.dtype != np.uint8:
            raise ConfigurationError(
                f"picture is {planes.dtype} {planes.shape}; accepted: uint8 {expected}"
            )
        if self._context is None:
            raise EncodingError("the video encoder has been closed")
        self._follow_bitrate()
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts = self._count
        self._tag(frame)
        return self._encode(self._context, frame)

    def close(self) -> None:
        """Free the codec. Idempotent."""
        self._context = None

    def _encode(self, context: VideoCodecContext, frame: VideoFrame) -> CodedPicture:
        if self._since_keyframe + 1 >= self._interval:
            self._keyframe_wanted = True
        if self._keyframe_wanted:
            frame.pict_type = PictureType.I
        try:
            packets = context.encode(frame)
        except av.FFmpegError as error:
            raise EncodingError(f"{self.codec_name} failed: {error}") from error
        if len(packets) != 1:
            raise EncodingError(f"{self.codec_name} gave {len(packets)} packets for one picture")
        keyframe = packets[0].is_keyframe
        self._count += 1
        self._since_keyframe = 0 if keyframe else self._since_keyframe + 1
        self._keyframe_wanted = self._keyframe_wanted and not keyframe
        return CodedPicture(bytes(packets[0]), keyframe)

    def _tag(self, frame: VideoFrame) -> None:
        frame.colorspace = _BT709
        frame.color_range = _LIMITED

    def _follow_bitrate(self) -> None:
        assert self._context is not None
        if self.format.codec == "h264":
            self._context.bit_rate = self._bitrate
            return
        ratio = self._bitrate / self._opened_bitrate
        settled = self._count - self._opened_at >= REOPEN_PICTURES
        if ratio < 1 / REOPEN_RATIO or (ratio > REOPEN_RATIO and settled):
            self._context = self._open()

    def _open(self) -> VideoCodecContext:
        context = _context(self.codec_name, self.format.width, self.format.height)
        context.bit_rate = self._bitrate
        context.gop_size = self._interval
        context.thread_count = self._threads
        if self.format.codec == "vp8":
            context.qmin, context.qmax = 4, 56
            context.options = _vp8_options(self._bitrate)
        else:
            context.options = _h264_options(self.codec_name, self.format.bitrate)
        self._opened_at, self._opened_bitrate = self._count, self._bitrate
        self._keyframe_wanted = True
        return context


@lru_cache(maxsize=1)
def nvenc_works() -> bool:
    """Whether this machine encodes H264 on an NVIDIA GPU, found by encoding one picture."""
    context = _context("h264_nvenc", _PROBE_SIZE, _PROBE_SIZE)
    context.bit_rate = 1_000_000
    context.options = _h264_options("h264_nvenc", 1_000_000)
    planes = np.full((_PROBE_SIZE * 3 // 2, _PROBE_SIZE), 128, np.uint8)
    frame = VideoFrame.from_ndarray(planes, format="yuv420p")
    frame.pts = 0
    try:
        return len(context.encode(frame)) == 1
    except av.FFmpegError:
        return False


def _encoder_name(codec: str) -> str:
    if codec == "vp8":
        return "libvpx"
    return "h264_nvenc" if nvenc_works() else "libx264"


def _context(name: str, width: int, height: int) -> VideoCodecContext:
    context = cast(VideoCodecContext, VideoCodecContext.create(name, "w"))
    context.width, context.height = width, height
    context.pix_fmt = "yuv420p"
    context.time_base = Fraction(1, RATE)
    context.framerate = Fraction(RATE, 1)
    context.max_b_frames = 0
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED
    return context


def _vp8_options(bitrate: int) -> dict[str, str]:
    return {
        "deadline": "realtime",
        "cpu-used": "-8",  # a fixed speed: positive values make the quality follow the load
        "lag-in-frames": "0",
        "static-thresh": "1",
        "minrate": str(bitrate),
        "maxrate": str(bitrate),
        "bufsize": str(bitrate),
        "undershoot-pct": "100",
        "overshoot-pct": "15",
    }


def _h264_options(encoder: str, bitrate: int) -> dict[str, str]:
    # Half a second of buffer bounds the size of a keyframe, and makes libx264 follow `bit_rate`
    # while it runs.
    limits = {"maxrate": str(bitrate), "bufsize": str(bitrate // 2), "forced-idr": "1"}
    if encoder == "h264_nvenc":
        fast = {"preset": "p1", "tune": "ull", "profile": "baseline", "rc": "cbr"}
        return {**fast, "zerolatency": "1", "delay": "0", "level": "3.1", **limits}
    return {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "profile": "baseline",
        "level": "31",
        **limits,
    }
