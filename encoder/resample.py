"""Streaming sample-rate conversion: one continuous signal, pushed in chunks of any size."""

from typing import Final, Literal

import numpy as np
import soxr
from numpy.typing import NDArray

from encoder.errors import EncoderValueError

Quality = Literal["LQ", "MQ", "HQ", "VHQ"]

QUALITIES: Final[tuple[Quality, ...]] = ("LQ", "MQ", "HQ", "VHQ")
HIGHEST_RATE: Final = 768_000


class Resampler:
    """Converts one mono signal from `source_rate` to `target_rate`, keeping the filter's state.

    The output does not depend on how the input is cut into chunks, so joins cannot click.
    Length: after `flush` exactly `floor(n * target_rate / source_rate + 1/2)` samples have come
    out for the n that went in. Before that the filter holds some back: from 48 to 16 kHz in chunks
    of 20 ms at most 37 ms with "HQ" and 20 ms with "LQ", whose band ends earlier (0 dB to 6 kHz,
    -3 dB at 6.5 kHz at 16 kHz: as good for recognition). Equal rates pass through at once.

    `source_rate`, `target_rate`: whole samples per second, 1 to 768,000. `quality`: the presets of
    libsoxr (band-limited, linear phase). Raises EncoderValueError for anything else. One thread.
    """

    def __init__(self, source_rate: int, target_rate: int, quality: Quality = "HQ") -> None:
        for rate in (source_rate, target_rate):
            if not 1 <= rate <= HIGHEST_RATE:
                raise EncoderValueError(f"sample rate {rate}: accepted are 1 to {HIGHEST_RATE}")
        if quality not in QUALITIES:
            raise EncoderValueError(f"quality {quality!r}: accepted are {', '.join(QUALITIES)}")
        self.source_rate = source_rate
        self.target_rate = target_rate
        self._stream = (
            None
            if source_rate == target_rate
            else soxr.ResampleStream(source_rate, target_rate, 1, "float32", quality)
        )
        self._taken = 0
        self._given = 0

    def push(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take float32 [n] (n may be 0), return the samples that are ready: float32 [m], m >= 0.

        Raises EncoderValueError unless `samples` is one-dimensional float32.
        """
        chunk = _checked(samples)
        if self._stream is None:
            return chunk.copy()
        if not chunk.size:
            return chunk
        self._taken += chunk.size
        # libsoxr answers a chunk too short to fill its filter with nothing, never with silence.
        ready: NDArray[np.float32] = self._stream.resample_chunk(chunk)
        self._given += ready.size
        return ready

    def flush(self) -> NDArray[np.float32]:
        """End the signal, return what was held back: float32 [m]. A push begins a new one."""
        if self._stream is None or not self._taken:
            return np.zeros(0, np.float32)
        rest = self._stream.resample_chunk(np.zeros(0, np.float32), last=True)
        missing = self._length(self._taken) - self._given
        self._stream.clear()
        self._taken = self._given = 0
        exact = np.zeros(missing, np.float32)
        exact[: rest.size] = rest[:missing]
        return exact

    def _length(self, taken: int) -> int:
        return (2 * taken * self.target_rate + self.source_rate) // (2 * self.source_rate)


def mix_down(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean over channels: float32 [n, channels] or [n] -> float32 [n].

    Raises EncoderValueError for any other shape or dtype.
    """
    if samples.dtype != np.float32 or samples.ndim not in (1, 2):
        raise EncoderValueError(
            f"{samples.dtype} samples of shape {samples.shape}: "
            "accepted is float32 [n] or [n, channels]"
        )
    if samples.ndim == 1:
        return samples
    if not samples.shape[1]:
        raise EncoderValueError("samples without a channel: at least one is needed")
    mixed: NDArray[np.float32] = samples.mean(axis=1, dtype=np.float32)
    return mixed


def _checked(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    if samples.dtype != np.float32 or samples.ndim != 1:
        raise EncoderValueError(
            f"{samples.dtype} samples of shape {samples.shape}: accepted is float32 [n]"
        )
    return samples
