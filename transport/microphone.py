"""A microphone that plays recordings, and knows when each sample was spoken."""

import asyncio
import wave
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av.packet import Packet
from numpy.typing import NDArray

from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, SoundFrame
from pipeline.errors import ConfigurationError
from transport.measure import speech_bounds
from transport.outgoing import EncodedPacket, OpusEncoder

FRAME_S: Final = FRAME_SAMPLES / WIRE_RATE
MAX_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """A recording to be spoken.

    Attributes:
        samples: int16 [n], mono, 48 kHz.
        speech_start, speech_end: where its speech begins and ends, in samples.
    """

    samples: NDArray[np.int16]
    speech_start: int
    speech_end: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """When an utterance was spoken, in seconds of the event loop's clock."""

    speech_start: float
    speech_end: float


def load_utterance(path: Path, speech_end_s: float | None = None) -> Utterance:
    """Read a WAV file of 16-bit samples, any rate and number of channels.

    Args:
        path: the file.
        speech_end_s: where its speech ends; found by loudness when None.

    Raises:
        ConfigurationError: the file cannot be read, is too long, or holds no sound.
    """
    try:
        with wave.open(str(path), "rb") as file:
            rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            frames = file.getnframes()
            data = file.readframes(frames) if width == 2 else b""
    except (OSError, EOFError, wave.Error) as error:
        raise ConfigurationError(f"{path} cannot be read as a WAV file: {error}") from error
    if width != 2 or not 0 < frames <= MAX_SECONDS * rate:
        raise ConfigurationError(
            f"{path} has {8 * width}-bit samples and {frames / rate:.1f} s; accepted: 16 bits, "
            f"up to {MAX_SECONDS:g} s"
        )
    samples = np.frombuffer(data, "<i2").reshape(-1, channels).astype(np.float32)
    mixed = soxr.resample(samples.mean(axis=1) / 32_768, rate, WIRE_RATE)
    bounds = speech_bounds(mixed, WIRE_RATE)
    if bounds is None:
        raise ConfigurationError(f"{path} holds no sound")
    end = bounds[1] if speech_end_s is None else round(speech_end_s * WIRE_RATE)
    pcm = (mixed * 32_768).clip(-32_768, 32_767).astype(np.int16)
    return Utterance(pcm, bounds[0], min(end, len(pcm)))


class Microphone(MediaStreamTrack):
    """A track that is silent, or speaks the utterance given to it, in real time.

    As with a real microphone a frame leaves when its last sample has been taken, so the sample at
    offset k of a frame was spoken (960 - k) / 48000 s before the frame left.
    """

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._started: float | None = None
        self._position = 0
        self._encoder = OpusEncoder()
        self._utterances: deque[tuple[Utterance, asyncio.Future[Spoken]]] = deque()
        self._at = 0
        self._starts: float | None = None

    def speak(self, utterance: Utterance) -> "asyncio.Future[Spoken]":
        """Speak an utterance with the next frame, after those that wait.

        The result comes when the last sample of its *speech* has left.
        """
        future: asyncio.Future[Spoken] = asyncio.get_running_loop().create_future()
        self._utterances.append((utterance, future))
        return future

    async def recv(self) -> EncodedPacket:
        """Return the next 20 ms, when they are over."""
        if self.readyState != "live":
            raise MediaStreamError
        loop = asyncio.get_running_loop()
        if self._started is None:
            self._started = loop.time()
        due = self._started + (self._position + FRAME_SAMPLES) / WIRE_RATE
        await asyncio.sleep(max(0.0, due - loop.time()))
        samples = self._next_samples(loop.time())
        packet: EncodedPacket = Packet(self._encoder.encode(SoundFrame(samples, self._position)))
        packet.pts = self._position
        packet.time_base = Fraction(1, WIRE_RATE)
        self._position += FRAME_SAMPLES
        return packet

    def stop(self) -> None:
        """End the track; utterances that have not been spoken are cancelled."""
        super().stop()
        while self._utterances:
            self._utterances.popleft()[1].cancel()

    def _next_samples(self, now: float) -> NDArray[np.int16]:
        if not self._utterances:
            return np.zeros(FRAME_SAMPLES, np.int16)
        utterance, future = self._utterances[0]
        frame_start = now - FRAME_S
        if self._at == 0:
            self._starts = frame_start + utterance.speech_start / WIRE_RATE
        samples = utterance.samples[self._at : self._at + FRAME_SAMPLES]
        offset = utterance.speech_end - self._at
        if offset <= FRAME_SAMPLES and not future.done():
            assert self._starts is not None
            future.set_result(Spoken(self._starts, frame_start + offset / WIRE_RATE))
        self._at += FRAME_SAMPLES
        if self._at >= len(utterance.samples):
            self._utterances.popleft()
            self._at = 0
        return np.pad(samples, (0, FRAME_SAMPLES - len(samples)))
