"""What motion hears of speech: log mel energies, causal, four frames a pose.

One front end serves gestures and lips. A frame never looks past its own end, so sound that comes
in pieces gives the same frames, bit for bit, as sound that comes whole.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.errors import MotionValueError

Array = NDArray[np.float32]

AUDIO_RATE: Final = 16_000
HOP: Final = 160  # samples: 10 ms
WINDOW: Final = 400  # samples: 25 ms, of which the last 10 are new
FRAMES_PER_POSE: Final = 4
MELS: Final = 40
AUDIO_DIM: Final = FRAMES_PER_POSE * MELS
SAMPLES_PER_POSE: Final = FRAMES_PER_POSE * HOP

_FFT: Final = 512
_LOWEST, _HIGHEST = 80.0, 7_600.0  # hertz
_FLOOR: Final = 1e-6  # of power, about -60 dB below full scale speech
# Puts the log energies of speech at usual loudness near zero mean and unit spread.
_CENTRE, _SPREAD = -3.0, 1.6


class FrontEnd:
    """Turns sound that comes in pieces into log mel frames.

    The state is the last 15 ms of sound; it does not grow.
    """

    def __init__(self) -> None:
        self._tail = np.zeros(WINDOW - HOP, np.float32)
        self._rest = np.zeros(0, np.float32)

    def __call__(self, samples: ArrayLike) -> Array:
        """Return the frames that `samples` (float [n], 16 kHz, in [-1, 1]) complete: [m, MELS].

        Raises:
            MotionValueError: the samples are no single row.
        """
        new = np.asarray(samples, np.float32)
        if new.ndim != 1:
            raise MotionValueError(f"samples are {list(new.shape)}; accepted: [n], one channel")
        sound = np.concatenate([self._rest, new])
        count = len(sound) // HOP
        used, self._rest = sound[: count * HOP], sound[count * HOP :].copy()
        if count == 0:
            return np.zeros((0, MELS), np.float32)
        padded = np.concatenate([self._tail, used])
        self._tail = padded[-(WINDOW - HOP) :].copy()
        windows = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
        return _log_mel(windows)


def log_mel(samples: ArrayLike) -> Array:
    """Return the frames of a whole sound: float32 [n // HOP, MELS]."""
    return FrontEnd()(samples)


def per_pose(frames: ArrayLike, poses: int) -> Array:
    """Group frames [m, MELS] by pose: float32 [poses, AUDIO_DIM], silence where there are none."""
    given = np.asarray(frames, np.float32)
    out = np.tile(silence(), (poses * FRAMES_PER_POSE, 1))
    count = min(len(given), len(out))
    out[:count] = given[:count]
    return out.reshape(poses, AUDIO_DIM)


@cache
def silence() -> Array:
    """Return the frame of silence, float32 [MELS]."""
    frame: Array = _log_mel(np.zeros((1, WINDOW), np.float32))[0]
    frame.setflags(write=False)
    return frame


def _log_mel(windows: Array) -> Array:
    # Two frames of one hop each must not differ in their last bits by how many were computed
    # together, so the product with the filters is a plain sum over a fixed axis.
    spectrum = np.fft.rfft(windows * _hann(), _FFT)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float64)
    mel = np.einsum("tf,fm->tm", power, _filters(), optimize=False)
    energies = np.log10(np.asarray(mel, np.float64) + _FLOOR)
    return np.asarray((energies - _CENTRE) / _SPREAD, np.float32)


@cache
def _hann() -> Array:
    return np.asarray(np.hanning(WINDOW + 1)[:-1], np.float32)


@cache
def _filters() -> NDArray[np.float64]:
    """Return triangles evenly spaced in mel, area one: float64 [_FFT // 2 + 1, MELS].

    Mel after O'Shaughnessy, "Speech Communication", 1987.
    """
    low, high = (2595.0 * np.log10(1.0 + f / 700.0) for f in (_LOWEST, _HIGHEST))
    edges = 700.0 * (10.0 ** (np.linspace(low, high, MELS + 2) / 2595.0) - 1.0)
    hertz = np.arange(_FFT // 2 + 1) * AUDIO_RATE / _FFT
    rising = (hertz[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz[:, None]) / (edges[2:] - edges[1:-1])
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return np.asarray(triangles / np.maximum(triangles.sum(0), 1e-9), np.float64)
