"""What a caller received, as an MP4 file."""

import asyncio
from pathlib import Path
from typing import Final, cast

import av
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame

from pipeline.contract import WIRE_RATE
from pipeline.mp4 import Mp4Writer
from transport.caller import Caller
from transport.errors import CallFailedError
from transport.jitter import ReceivedPicture

_DECODERS: Final = {"vp8": "libvpx", "h264": "h264"}


async def write_recording(caller: Caller, path: Path) -> None:
    """Write all that a caller with `keep_media` received, sound and pictures at their media time.

    Pictures are decoded and encoded in a thread; do it after the call.

    Raises:
        CallFailedError: no picture came that can be decoded, or no sound.
        RecordingError: the file cannot be written.
    """
    await asyncio.to_thread(_write, caller, path)


def decode_pictures(codec: str, pictures: list[ReceivedPicture]) -> list[VideoFrame | None]:
    """Decode pictures in order; one that is damaged, or waits for a keyframe, gives None."""
    decoder = cast(VideoCodecContext, VideoCodecContext.create(_DECODERS[codec], "r"))
    decoder.thread_count = 1
    frames: list[VideoFrame | None] = []
    for picture in pictures:
        try:
            decoded = decoder.decode(av.Packet(picture.data))
        except av.FFmpegError:
            decoded = []
        frames.append(decoded[0] if decoded else None)
    return frames


def _write(caller: Caller, path: Path) -> None:
    frames = decode_pictures(caller.codec or "vp8", caller.coded)
    first = next((frame for frame in frames if frame is not None), None)
    if first is None or not caller.samples:
        raise CallFailedError("nothing was received that could be recorded")
    size = (first.width, first.height)
    with Mp4Writer(path, size, audio_rate=WIRE_RATE) as writer:
        for position, samples in caller.samples:
            writer.sound(samples, position)
        for frame, arrival in zip(frames, caller.pictures, strict=True):
            if frame is not None and (frame.width, frame.height) == size:
                planes = frame.to_ndarray(format="yuv420p").astype(np.uint8, copy=False)
                writer.picture(planes, round(arrival.media * WIRE_RATE))
