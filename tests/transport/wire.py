"""What the tests of the wire share: a server without HTTP, recordings made here."""

import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np

from pipeline.options import SessionOptions, VideoCodec, VideoFormat
from transport.caller import Caller
from transport.calls import Calls
from transport.errors import CallNotFoundError
from transport.microphone import Microphone

SMALL = VideoFormat("vp8", 128, 224, 400_000)


class LocalSignalling:
    """Hands offers to `calls` in this process."""

    def __init__(self, calls: Calls, options: SessionOptions | None = None) -> None:
        self._calls = calls
        self._options = options or SessionOptions(video=SMALL)
        self.call_id = ""
        self.answer = ""

    async def call(self, offer_sdp: str) -> str:
        call = await self._calls.answer(offer_sdp, self._options)
        self.call_id, self.answer = call.id, call.answer_sdp
        return call.answer_sdp

    async def hang_up(self) -> None:
        try:
            await self._calls.hang_up(self.call_id)
        except CallNotFoundError:
            return


@asynccontextmanager
async def connected(
    calls: Calls,
    *,
    video: bool = True,
    codec: VideoCodec | None = None,
    keep_media: bool = True,
) -> AsyncIterator[Caller]:
    """Yield a caller that is connected to `calls`."""
    async with Caller(Microphone(), video=video, codec=codec, keep_media=keep_media) as caller:
        await caller.connect(LocalSignalling(calls))
        yield caller


def write_recording(path: Path, lead_s: float, speech_s: float, tail_s: float) -> Path:
    """Write a WAV file of silence, a loud hum and silence; return its path."""
    rate = 16_000
    times = np.arange(round(speech_s * rate)) / rate
    hum = (9_000 * np.sin(2 * np.pi * 220 * times)).astype(np.int16)
    silences = [np.zeros(round(seconds * rate), np.int16) for seconds in (lead_s, tail_s)]
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(np.concatenate([silences[0], hum, silences[1]]).tobytes())
    return path
