"""What a caller received, as an MP4 file."""

import asyncio
from collections.abc import Iterable, Iterator
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


def decode_pictures(codec: str, pictures: Iterable[ReceivedPicture]) -> Iterator[VideoFrame | None]:
    """Decode pictures in order; one that is damaged, or waits for a keyframe, gives None.

    One at a time: a few minutes of decoded pictures would not fit into memory.
    """
    decoder = cast(VideoCodecContext, VideoCodecContext.create(_DECODERS[codec], "r"))
    decoder.thread_count = 1
    for picture in pictures:
        try:
            decoded = decoder.decode(av.Packet(picture.data))
        except av.FFmpegError:
            decoded = []
        yield decoded[0] if decoded else None


def _write(caller: Caller, path: Path) -> None:
    codec = caller.codec or "vp8"
    shown = (frame for frame in decode_pictures(codec, caller.coded) if frame is not None)
    first = next(shown, None)
    if first is None or not caller.samples:
        raise CallFailedError("nothing was received that could be recorded")
    size = (first.width, first.height)
    frames = decode_pictures(codec, caller.coded)
    with Mp4Writer(path, size, audio_rate=WIRE_RATE) as writer:
        for position, samples in caller.samples:
            writer.sound(samples, position)
        for frame, arrival in zip(frames, caller.pictures, strict=True):
            if frame is not None and (frame.width, frame.height) == size:
                planes = frame.to_ndarray(format="yuv420p").astype(np.uint8, copy=False)
                writer.picture(planes, round(arrival.media * WIRE_RATE))
