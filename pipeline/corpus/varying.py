"""Takes as others would speak them elsewhere: another throat and pace, a room, noise, a level."""

from dataclasses import replace
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, sosfilt

from avatar.speech import Phone, Word
from pipeline.corpus.takes import TAKE_RATE, Line, Take

Vector = NDArray[np.float32]

_PACE: Final = (0.8, 1.25)  # played so much faster, pitch and formants rise with it
_ECHO: Final = (0.1, 0.6)  # seconds in which a room's sound falls by 60 dB
_DIRECT: Final = (6.0, 20.0)  # decibels by which the voice is louder than its room
_CLEAR: Final = (20.0, 50.0)  # decibels by which it is louder than noise
_LEVEL: Final = (-16.0, 4.0)  # decibels
_LINE: Final = (300.0, 3400.0)  # hertz that a telephone passes


def varied(take: Take, rng: np.random.Generator) -> Take:
    """Return a take that sounds otherwise; the times of its words and phones go along."""
    pace = float(np.exp(rng.uniform(*np.log(_PACE))))
    samples = soxr.resample(take.samples.astype(np.float32) / 32768.0, TAKE_RATE * pace, TAKE_RATE)
    if rng.random() < 0.4:
        samples = _in_a_room(samples, rng)
    if rng.random() < 0.5:
        samples = samples + _noise(samples, rng)
    if rng.random() < 0.06:
        band = butter(4, _LINE, "bandpass", fs=TAKE_RATE, output="sos")
        samples = sosfilt(band, samples)
    samples = samples * 10.0 ** (rng.uniform(*_LEVEL) / 20.0)
    whole = np.round(np.clip(samples, -1.0, 1.0) * 32767.0).astype(np.int16)
    return replace(take, samples=whole, lines=tuple(_paced(line, pace) for line in take.lines))


def _in_a_room(samples: Vector, rng: np.random.Generator) -> Vector:
    """Add the echoes of a room: noise that decays (Moorer, "About this reverberation business")."""
    seconds = rng.uniform(*_ECHO)
    times = np.arange(round(seconds * TAKE_RATE)) / TAKE_RATE
    echo = rng.standard_normal(len(times)) * 10.0 ** (-3.0 * times / seconds)
    echo *= 10.0 ** (-rng.uniform(*_DIRECT) / 20.0) / np.sqrt(np.square(echo).sum())
    echo[0] = 1.0
    made = fftconvolve(samples, echo.astype(np.float32))[: len(samples)]
    return np.asarray(made, np.float32)


def _noise(samples: Vector, rng: np.random.Generator) -> Vector:
    """Return a room's noise, from white to falling by 6 dB an octave."""
    white = rng.standard_normal(len(samples))
    spectrum = np.fft.rfft(white)
    hertz = np.fft.rfftfreq(len(samples), 1.0 / TAKE_RATE)
    made = np.fft.irfft(spectrum / np.maximum(hertz, 50.0) ** rng.uniform(0.0, 1.0), len(samples))
    loud = np.sqrt(np.square(samples[np.abs(samples) > 0.01]).mean()) if samples.any() else 0.0
    level = loud * 10.0 ** (-rng.uniform(*_CLEAR) / 20.0)
    return np.asarray(made * (level / np.sqrt(np.square(made).mean())), np.float32)


def _paced(line: Line, pace: float) -> Line:
    return replace(
        line,
        start=line.start / pace,
        end=line.end / pace,
        words=tuple(Word(w.text, w.start / pace, w.end / pace) for w in line.words),
        phones=tuple(Phone(p.ipa, p.start / pace, p.end / pace, p.stress) for p in line.phones),
    )
