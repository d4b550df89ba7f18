"""Where sounds begin: spectral-flux onsets of speech.

The onset detector that published beat constancies are measured with (`librosa.onset.onset_detect`
and its defaults: McFee et al., "librosa: Audio and music signal analysis in Python", 2015), on
scipy alone: librosa is free to use, but brings a compiler of half a gigabyte for this one call.
Strength is the mean rise in decibels over 128 mel bands (Boeck and Widmer 2013 without the maximum
filter), and an onset is a local maximum well above the mean around it (Boeck, Krebs and Schedl,
"Evaluating the online capabilities of onset detection methods", 2012).
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import fft, ndimage

from motion.metrics.checks import Array, count, finite

HOP: Final = 512  # samples between two strengths
_WINDOW: Final = 2048
_BANDS: Final = 128
_AT_ONCE: Final = 512  # windows
_QUIETEST: Final = 1e-10  # power below which nothing is heard
_RANGE: Final = 80.0  # decibels below the loudest that are looked at
_ABOVE: Final = 0.07  # of the strongest onset, above the mean around it
# Slaney's mel scale: linear up to 1 kHz, logarithmic above.
_HERTZ_PER_MEL: Final = 200.0 / 3.0
_KNEE: Final = 1000.0
_LOG_STEP: Final = np.log(6.4) / 27.0


def onset_strength(audio: ArrayLike, rate: int) -> Array:
    """Return how much louder each instant is than the one before, over the mel bands.

    Args:
        audio: [S] samples, any scale.
        rate: samples a second.

    Returns:
        [1 + S // HOP], decibels, at 0, HOP, 2 HOP, ... samples; never negative.

    Raises:
        MotionValueError: no samples, not finite, or a rate below 1000.
    """
    samples, rate = finite(audio, "audio", "S"), count(rate, "rate", 1000)
    levels = 10.0 * np.log10(np.maximum(_mel_power(samples, rate), _QUIETEST))
    levels = np.maximum(levels, levels.max() - _RANGE)
    rise = np.maximum(levels[1:] - levels[:-1], 0.0).mean(1)
    # A window shows a sound half its length before the sound is at its centre.
    late = 1 + _WINDOW // (2 * HOP)
    return np.concatenate([np.zeros(late), rise])[: len(levels)]


def audio_onsets(audio: ArrayLike, rate: int) -> Array:
    """Return the times in seconds at which sounds begin, rising; none in silence.

    Args:
        audio: [S] samples, any scale.
        rate: samples a second; published figures are at 16000.

    Raises:
        MotionValueError: as `onset_strength`.
    """
    strength = onset_strength(audio, rate)
    strength = strength - strength.min()
    if not strength.max() > 0.0:
        return np.zeros(0)
    return _peaks(strength / strength.max(), rate) * HOP / rate


def _peaks(strength: Array, rate: int) -> Array:
    """Return the indices of the onsets in a strength between 0 and 1."""
    before, around = int(0.03 * rate // HOP), int(0.1 * rate // HOP)
    # Centred filters, moved so that they look `before` back and none ahead.
    size = before + 1
    highest = ndimage.maximum_filter1d(strength, size, mode="nearest", origin=(size - 1) // 2)
    total = np.concatenate([[0.0], np.cumsum(strength)])
    at = np.arange(len(strength))
    start, stop = np.maximum(at - around, 0), np.minimum(at + around + 1, len(strength))
    mean = (total[stop] - total[start]) / (stop - start)
    found: list[int] = []
    for index in np.flatnonzero((strength >= highest) & (strength >= mean + _ABOVE)):
        if not found or index - found[-1] > before:
            found.append(int(index))
    return np.array(found, np.float64)


def _mel_power(samples: Array, rate: int) -> Array:
    """Return the power [1 + S // HOP, bands], a few seconds at a time to keep memory small."""
    padded = np.pad(samples, _WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::HOP]
    # Hann, periodic, as befits a spectrum.
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(_WINDOW) / _WINDOW)
    bands = _mel_bands(rate).T
    parts = [
        np.abs(fft.rfft(frames[start : start + _AT_ONCE] * window, axis=1)) ** 2 @ bands
        for start in range(0, len(frames), _AT_ONCE)
    ]
    return np.concatenate(parts)


@cache
def _mel_bands(rate: int) -> Array:
    """Return triangles [bands, bins] of equal area, evenly spaced in mel up to half the rate."""
    edges = _hertz(np.linspace(0.0, _mel(rate / 2.0), _BANDS + 2))
    bins = np.linspace(0.0, rate / 2.0, _WINDOW // 2 + 1)
    widths = np.diff(edges)
    up = (bins - edges[:-2, None]) / widths[:-1, None]
    down = (edges[2:, None] - bins) / widths[1:, None]
    triangles = np.maximum(np.minimum(up, down), 0.0)
    return np.asarray(triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None], np.float64)


def _mel(hertz: float) -> float:
    if hertz < _KNEE:
        return hertz / _HERTZ_PER_MEL
    return float(_KNEE / _HERTZ_PER_MEL + np.log(hertz / _KNEE) / _LOG_STEP)


def _hertz(mel: Array) -> Array:
    knee = _KNEE / _HERTZ_PER_MEL
    high = _KNEE * np.exp(_LOG_STEP * (np.maximum(mel, knee) - knee))
    return np.where(mel < knee, mel * _HERTZ_PER_MEL, high)
