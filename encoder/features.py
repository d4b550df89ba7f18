"""Log-mel features as Whisper hears them (Radford et al. 2022, section 2.2)."""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from encoder.recognizer import HEARING_RATE

HOP: Final = 160
"""Samples per frame: 10 ms."""

FFT: Final = 400
MELS: Final = 80


def log_mel(samples: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
    """Return float32 [80, frames] of `samples`, float32 [n] at 16 kHz in [-1, 1].

    The signal is cut, or continued with silence, to exactly `frames` * 160 samples. The scale is
    relative to the loudest bin, as the network was trained.
    """
    signal = np.zeros(frames * HOP, np.float32)
    length = min(samples.size, signal.size)
    signal[:length] = samples[:length]
    padded = np.pad(signal, FFT // 2, mode="reflect")
    slices = np.lib.stride_tricks.sliding_window_view(padded, FFT)[::HOP][:frames]
    power = np.abs(np.fft.rfft(slices * _window(), axis=1)) ** 2
    mel = _filters() @ power.T.astype(np.float32)
    logarithm = np.log10(np.maximum(mel, 1e-10))
    logarithm = np.maximum(logarithm, logarithm.max() - 8.0)
    return np.ascontiguousarray((logarithm + 4.0) / 4.0, np.float32)


@cache
def _window() -> NDArray[np.float32]:
    return np.hanning(FFT + 1)[:-1].astype(np.float32)


@cache
def _filters() -> NDArray[np.float32]:
    """Return triangular filters of equal area, evenly spaced on Slaney's mel scale: [80, 201]."""
    top = _mel(np.array(HEARING_RATE / 2))
    edges = _hertz(np.linspace(0.0, float(top), MELS + 2))
    bins = np.fft.rfftfreq(FFT, 1 / HEARING_RATE)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising = (bins - low) / (centre - low)
    falling = (high - bins) / (high - centre)
    filters = np.maximum(0.0, np.minimum(rising, falling)) * (2.0 / (high - low))
    return filters.astype(np.float32)


_LINEAR: Final = 200.0 / 3.0
_KNEE: Final = 1000.0
_STEP: Final = float(np.log(6.4) / 27.0)


def _mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
    above = _KNEE / _LINEAR + np.log(np.maximum(hertz, _KNEE) / _KNEE) / _STEP
    return np.where(hertz < _KNEE, hertz / _LINEAR, above)


def _hertz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    knee = _KNEE / _LINEAR
    above = _KNEE * np.exp(_STEP * np.maximum(mel - knee, 0.0))
    return np.where(mel < knee, mel * _LINEAR, above)
