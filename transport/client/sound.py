"""Sound of any shape and rate becomes what the wire carries: mono PCM16 at 24 kHz."""

import math
import wave
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from transport.client.errors import ClientValueError

WIRE_RATE: Final = 24_000
RATES: Final = (8_000, 192_000)
# Zero crossings of the filter on either side; 16 leave 80 dB between what passes and what aliases.
CROSSINGS: Final = 16
KAISER_BETA: Final = 8.0
# Where the pass band ends, as a share of the lower of both Nyquist frequencies.
PASS: Final = 0.92

Sound = bytes | bytearray | memoryview | NDArray[np.int16] | NDArray[np.float32]


def mono(sound: Sound) -> NDArray[np.float32]:
    """Return sound as float32 [n] in [-1, 1].

    Args:
        sound: bytes of PCM16 (little-endian, mono); or int16, or float32 in [-1, 1], of shape [n]
            or [n, channels], whose channels are averaged.

    Raises:
        ClientValueError: another type or shape, half a sample, or numbers that are not finite.
    """
    if isinstance(sound, bytes | bytearray | memoryview):
        if len(sound) % 2:
            raise ClientValueError(f"{len(sound)} bytes of sound; accepted: whole PCM16 samples")
        return np.frombuffer(sound, "<i2").astype(np.float32) / np.float32(32768)
    array: NDArray[Any] = np.asarray(sound)
    if array.ndim not in (1, 2):
        raise ClientValueError(f"sound of shape {array.shape}; accepted: [n] or [n, channels]")
    if array.dtype == np.int16:
        array = array.astype(np.float32) / np.float32(32768)
    elif array.dtype.kind != "f":
        raise ClientValueError(f"sound of {array.dtype}; accepted: bytes, int16 or float32")
    samples = (array if array.ndim == 1 else array.mean(axis=1)).astype(np.float32)
    if not np.isfinite(samples).all():
        raise ClientValueError("sound with samples that are not finite; accepted: -1 to 1")
    return samples


def pcm16(samples: NDArray[np.float32]) -> bytes:
    """Return float32 [n] as little-endian PCM16; what exceeds [-1, 1] is clipped."""
    scaled = np.rint(np.clip(samples, -1.0, 1.0) * 32767.0)
    data: bytes = scaled.astype("<i2").tobytes()
    return data


class Resampler:
    """Brings a stream of mono float32 to 24 kHz, piece by piece, without a seam.

    A polyphase filter: a sinc under a Kaiser window (Smith, "Digital Audio Resampling"), one
    row of taps for each of the places an output sample can have between two input samples.

    Args:
        rate: of what comes in, 8000 to 192000 Hz.

    Raises:
        ClientValueError: the rate is outside that range.
    """

    def __init__(self, rate: int) -> None:
        if isinstance(rate, bool) or not isinstance(rate, int) or not RATES[0] <= rate <= RATES[1]:
            raise ClientValueError(f"rate is {rate!r}; accepted: {RATES[0]} to {RATES[1]} Hz")
        self.rate = rate
        common = math.gcd(rate, WIRE_RATE)
        self._up, self._down = WIRE_RATE // common, rate // common
        self._filters = _filters(self._up, self._down)
        self._taps = self._filters.shape[1]
        # Outputs stand in the middle of their taps; before the first sample there was silence.
        self._kept = np.zeros(self._taps // 2 - 1, np.float32)
        self._next = 0  # numerator of the next output's place in what is kept, over `up`

    def feed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32 [m], as much as `samples`, float32 [n], complete."""
        if self._up == self._down:
            return samples
        have = np.concatenate([self._kept, samples])
        room = (len(have) - self._taps + 1) * self._up - self._next
        count = max(0, -(-room // self._down))
        places = self._next + np.arange(count) * self._down
        starts, phases = places // self._up, places % self._up
        windows = have[starts[:, None] + np.arange(self._taps)]
        made: NDArray[np.float32] = np.einsum(
            "nt,nt->n", windows, self._filters[phases], dtype=np.float32
        )
        following = self._next + count * self._down
        used = min(following // self._up, len(have))
        self._kept = have[used:]
        self._next = following - used * self._up
        return made

    def flush(self) -> NDArray[np.float32]:
        """Return what the last samples still owe; the stream is over."""
        owed = 0 if self._up == self._down else self._taps // 2
        return self.feed(np.zeros(owed, np.float32))


def read_wav(path: Path | str) -> tuple[NDArray[np.float32], int]:
    """Return a WAV file as float32 [n] in [-1, 1], its channels averaged, and its rate in Hz.

    Raises:
        ClientValueError: the file cannot be read, is empty, or is no PCM of 8 to 32 bits.
    """
    try:
        with wave.open(str(path), "rb") as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            data = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise ClientValueError(f"{path} cannot be read: {error}; accepted: PCM WAV") from error
    frames = len(data) // (width * channels)
    if not frames:
        raise ClientValueError(f"{path} holds no sound; accepted: PCM WAV")
    samples = _integers(data[: frames * width * channels], width).reshape(frames, channels)
    return samples.mean(axis=1, dtype=np.float64).astype(np.float32), rate


def write_wav(path: Path | str, samples: NDArray[np.int16]) -> None:
    """Write int16 [n] at 24 kHz as a WAV file.

    Raises:
        ClientValueError: the file cannot be written.
    """
    try:
        with Path(path).open("wb") as raw, wave.open(raw, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(WIRE_RATE)
            file.writeframes(samples.astype("<i2").tobytes())
    except OSError as error:
        raise ClientValueError(f"{path} cannot be written: {error.strerror}") from error


def _filters(up: int, down: int) -> NDArray[np.float32]:
    """Return float32 [up, taps]: row p is for an output p/up of a sample after the middle tap."""
    cutoff = PASS * min(1.0, up / down)
    half = math.ceil(CROSSINGS / cutoff)
    offsets = np.arange(1 - half, half + 1) - np.arange(up)[:, None] / up
    inside = np.sqrt(np.clip(1.0 - (offsets / half) ** 2, 0.0, None))
    window = np.i0(KAISER_BETA * inside) / np.i0(KAISER_BETA)
    rows = cutoff * np.sinc(cutoff * offsets) * window
    filters: NDArray[np.float32] = (rows / rows.sum(axis=1, keepdims=True)).astype(np.float32)
    return filters


def _integers(data: bytes, width: int) -> NDArray[np.float32]:
    if width == 1:  # WAV's only unsigned width
        return (np.frombuffer(data, np.uint8).astype(np.float32) - 128) / np.float32(128)
    if width == 3:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return wide.view("<i4")[:, 0].astype(np.float32) / np.float32(2**31)
    return np.frombuffer(data, f"<i{width}").astype(np.float32) / np.float32(2 ** (8 * width - 1))
