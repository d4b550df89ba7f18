"""MP4 files of pictures and sound on one clock: H264 High and AAC, playable while they load."""

import contextlib
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError, VivantError

AI_NOTICE: Final = "AI-generated content: the person shown and the voice heard are artificial."
VIDEO_CLOCK: Final = 90_000
SOUND_BITRATE: Final = 128_000
QUALITY: Final = 20  # x264's constant rate factor
KEYFRAME_SECONDS: Final = 2

_AAC_FRAME: Final = 1024
_BT709: Final = 1
_LIMITED: Final = 1
_SOUND_RATES: Final = (16_000, 22_050, 24_000, 32_000, 44_100, 48_000)


class RecordingError(VivantError):
    """The file cannot be written, or was closed before."""


class Mp4Writer:
    """Writes one file. It appears under its name when `close` has finished it, never half made.

    Positions are in samples at `audio_rate` since the beginning and are common to both streams.
    As a context manager it closes the file, or discards it when the block raises.

    Args:
        path: where the file goes; replaced if it exists.
        size: (width, height) of the pictures, even numbers from 64 to 4096.
        fps: pictures a second where no position is given.
        audio_rate: sample rate of the sound.

    Raises:
        ConfigurationError: a value outside its range.
        RecordingError: the file cannot be created.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], fps: int = 25, audio_rate: int = 48_000
    ) -> None:
        if any(side % 2 or not 64 <= side <= 4096 for side in size):
            raise ConfigurationError(f"size is {size}; accepted: even numbers from 64 to 4096")
        if not 1 <= fps <= 60:
            raise ConfigurationError(f"fps is {fps}; accepted: 1 to 60")
        if audio_rate not in _SOUND_RATES:
            raise ConfigurationError(f"audio_rate is {audio_rate}; accepted: {_SOUND_RATES}")
        self._path = path
        self._partial = path.with_name(f".{path.name}.partial")
        self._size, self._fps, self._rate = size, fps, audio_rate
        try:
            self._container: OutputContainer | None = _open(self._partial)
        except (OSError, av.FFmpegError) as error:
            raise RecordingError(f"{path} cannot be written: {error}") from error
        self._video = _video_stream(self._container, size, fps)
        self._audio = _audio_stream(self._container, audio_rate)
        self._next_picture = 0
        self._last_pts = -1
        self._sound: list[NDArray[np.int16]] = []
        self._buffered = 0
        self._encoded = 0

    def picture(self, planes: NDArray[np.uint8], position: int | None = None) -> None:
        """Add a picture.

        Args:
            planes: I420 planes uint8 [height * 3 // 2, width], BT.709 limited range.
            position: when it is shown; one period after the picture before it when None. One that
                does not come later than the one before is dropped.

        Raises:
            ConfigurationError: `planes` has another shape or type.
            RecordingError: the file is closed or the disk is full.
        """
        width, height = self._size
        if planes.shape != (height * 3 // 2, width) or planes.dtype != np.uint8:
            raise ConfigurationError(
                f"picture is {planes.dtype} {planes.shape}; accepted: uint8 "
                f"{(height * 3 // 2, width)}"
            )
        at = self._next_picture if position is None else position
        pts = at * VIDEO_CLOCK // self._rate
        if pts <= self._last_pts:
            return
        self._next_picture = at + self._rate // self._fps
        self._last_pts = pts
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.colorspace, frame.color_range = _BT709, _LIMITED
        frame.pts, frame.time_base = pts, Fraction(1, VIDEO_CLOCK)
        self._write(self._video, frame)

    def sound(
        self, samples: NDArray[np.int16] | NDArray[np.float32], position: int | None = None
    ) -> None:
        """Add sound.

        Args:
            samples: int16 [n], or float32 [n] in [-1, 1]; mono.
            position: of the first sample; after the sound before it when None. A gap becomes
                silence; what overlaps earlier sound is dropped.

        Raises:
            ConfigurationError: `samples` is not one row of int16 or float32.
            RecordingError: the file is closed or the disk is full.
        """
        if samples.ndim != 1 or samples.dtype not in (np.int16, np.float32):
            raise ConfigurationError(
                f"sound is {samples.dtype} {samples.shape}; accepted: int16 or float32 [n]"
            )
        pcm = samples
        if samples.dtype == np.float32:
            pcm = (samples * 32_767).clip(-32_768, 32_767)
        reached = self._encoded + self._buffered
        gap = 0 if position is None else position - reached
        if gap > 0:
            self._sound.append(np.zeros(gap, np.int16))
        self._sound.append(pcm[max(0, -gap) :].astype(np.int16))
        self._buffered = sum(len(part) for part in self._sound)
        if self._buffered >= _AAC_FRAME:
            self._encode_sound(final=False)

    def close(self) -> Path:
        """Finish the file, put it in its place and return its path. Idempotent.

        Raises:
            RecordingError: nothing was added, or the disk is full; no file is left.
        """
        if self._container is None:
            return self._path
        if self._last_pts < 0 or not self._encoded + self._buffered:
            self.discard()
            raise RecordingError(f"{self._path} would be empty: it needs pictures and sound")
        self._encode_sound(final=True)
        self._write(self._audio, None)
        self._write(self._video, None)
        try:
            self._container.close()
            self._partial.replace(self._path)
        except (OSError, av.FFmpegError) as error:
            self.discard()
            raise RecordingError(f"{self._path} cannot be finished: {error}") from error
        self._container = None
        return self._path

    def discard(self) -> None:
        """Give the file up and leave nothing. Idempotent; no effect after `close`."""
        if self._container is None:
            return
        container, self._container = self._container, None
        # The trailer of a file that is thrown away may fail as it likes.
        with contextlib.suppress(OSError, av.FFmpegError, ValueError):
            container.close()
        self._partial.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.discard()

    def _encode_sound(self, *, final: bool) -> None:
        pcm = np.concatenate([*self._sound, np.zeros(0, np.int16)])
        stop = len(pcm) if final else len(pcm) - len(pcm) % _AAC_FRAME
        for start in range(0, stop, _AAC_FRAME):
            block = pcm[start : min(start + _AAC_FRAME, stop)]
            values = (block / np.float32(32_768)).astype(np.float32)
            frame = AudioFrame.from_ndarray(values[None], format="fltp", layout="mono")
            frame.sample_rate = self._rate
            frame.pts, frame.time_base = self._encoded, Fraction(1, self._rate)
            self._encoded += len(block)
            self._write(self._audio, frame)
        self._sound = [pcm[stop:]]
        self._buffered = len(pcm) - stop

    def _write(
        self, stream: VideoStream | AudioStream, frame: VideoFrame | AudioFrame | None
    ) -> None:
        if self._container is None:
            raise RecordingError(f"{self._path} has been closed")
        try:
            for packet in stream.encode(frame):  # type: ignore[arg-type]
                self._container.mux(packet)
        except (OSError, av.FFmpegError) as error:
            self.discard()
            raise RecordingError(f"{self._path} cannot be written: {error}") from error


def _open(partial: Path) -> OutputContainer:
    partial.touch()  # PyAV would not notice before the first packet that it cannot write
    container = av.open(str(partial), "w", format="mp4", options={"movflags": "+faststart"})
    container.metadata["comment"] = AI_NOTICE
    return container


def _video_stream(container: OutputContainer, size: tuple[int, int], fps: int) -> VideoStream:
    stream = container.add_stream("libx264", rate=fps)
    context = stream.codec_context
    context.width, context.height = size
    context.pix_fmt = "yuv420p"
    context.time_base = Fraction(1, VIDEO_CLOCK)
    context.gop_size = KEYFRAME_SECONDS * fps
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED
    context.options = {"preset": "veryfast", "profile": "high", "crf": str(QUALITY)}
    stream.time_base = Fraction(1, VIDEO_CLOCK)
    return stream


def _audio_stream(container: OutputContainer, rate: int) -> AudioStream:
    stream = container.add_stream("aac", rate=rate)
    stream.codec_context.layout = "mono"
    stream.codec_context.format = "fltp"
    stream.codec_context.bit_rate = SOUND_BITRATE
    return stream
