"""Shaping what a model made: silence at its ends, loudness, the times of its words and phones."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter1d, uniform_filter1d

from avatar.speech import SPEECH_RATE, Phone, Speech, Word
from avatar.voice.alphabet import segments
from avatar.voice.pieces import Piece

_CEILING: Final = 0.95
_REACH: Final = round(0.004 * SPEECH_RATE)
_SILENT: Final = 0.02
_QUIET: Final = 0.05
_LEAD: Final = round(0.015 * SPEECH_RATE)
_FADE: Final = round(0.006 * SPEECH_RATE)
_WINDOW: Final = round(0.005 * SPEECH_RATE)
_PAUSES: Final = {"": 0.02, ",": 0.14, ";": 0.2, ":": 0.18, "—": 0.16}
_SENTENCE_PAUSE: Final = 0.3
_TAIL: Final = round(0.04 * SPEECH_RATE)


def finish(
    samples: NDArray[np.float32],
    ends: NDArray[np.float64],
    piece: Piece,
    gain: float,
) -> Speech:
    """Return the speech of `piece`: trimmed, at its loudness, with times.

    Args:
        samples: float32 [n] at 24 kHz as the model made them.
        ends: float64 [symbols + 1], seconds where each symbol of `piece.symbols` ends; the first
            is where the first symbol starts.
        piece: the words.
        gain: the voice's fixed gain.
    """
    first, end = _sounding(samples)
    cut = _faded(samples[first:end])
    silence = max(0, round(_pause_after(piece) * SPEECH_RATE) - _TAIL)
    shaped = limited(np.concatenate([cut, np.zeros(silence, np.float32)]) * np.float32(gain))
    times = np.clip(ends - first / SPEECH_RATE, 0.0, (end - first) / SPEECH_RATE)
    _end_before_pauses(times, piece, cut)
    return Speech(shaped, _words(piece, times), _phones(piece, times, len(shaped) / SPEECH_RATE))


def limited(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `samples`, float32 [n], held within [-0.95, 0.95] without bending the wave.

    Around each peak that is too high the gain sinks and rises again over some milliseconds, seen
    ahead. A piece begins and ends in silence, so pieces join as they did before.
    """
    level = np.abs(samples)
    if not len(samples) or float(level.max()) <= _CEILING:
        return samples
    needed = np.minimum(1.0, _CEILING / np.maximum(level, _CEILING))
    held = minimum_filter1d(needed, 2 * _REACH + 1, mode="nearest")
    smooth = uniform_filter1d(held, 2 * _REACH + 1, mode="nearest")
    return np.asarray(samples * smooth, np.float32)


def _sounding(samples: NDArray[np.float32]) -> tuple[int, int]:
    """Return the range of samples that is heard, with a little air around it."""
    levels = _levels(samples)
    loud = np.flatnonzero(levels > _SILENT * float(levels.max(initial=0.0)))
    if not len(loud):
        return 0, len(samples)
    first = max(0, int(loud[0]) * _WINDOW - _LEAD)
    return first, min(len(samples), (int(loud[-1]) + 1) * _WINDOW + _TAIL)


def _faded(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    faded = samples.astype(np.float32, copy=True)
    size = min(_FADE, len(faded) // 2)
    ramp = (0.5 - 0.5 * np.cos(np.pi * (np.arange(size) + 0.5) / size)).astype(np.float32)
    faded[:size] *= ramp
    faded[len(faded) - size :] *= ramp[::-1]
    return faded


def _end_before_pauses(
    times: NDArray[np.float64], piece: Piece, samples: NDArray[np.float32]
) -> None:
    """Move the end of a word to where its sound stops: models count a pause to the last phone."""
    levels = _levels(samples)
    loud = levels > _QUIET * max(float(levels.max(initial=0.0)), 1e-6)
    for word, (_, end), (begin, _) in zip(
        piece.words, piece.ranges, piece.ranges[1:], strict=False
    ):
        if not word.pause:
            continue
        start, stop = (int(times[index] * SPEECH_RATE / _WINDOW) for index in (end - 1, begin))
        heard = np.flatnonzero(loud[start:stop])
        last = (start + (int(heard[-1]) if len(heard) else 0) + 1) * _WINDOW / SPEECH_RATE
        times[end] = min(max(last, float(times[end - 1])), float(times[begin]))


def _levels(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    whole = len(samples) // _WINDOW * _WINDOW
    peaks: NDArray[np.float32] = np.abs(samples[:whole]).reshape(-1, _WINDOW).max(1, initial=0.0)
    return peaks


def _pause_after(piece: Piece) -> float:
    return _PAUSES.get(piece.pause, _SENTENCE_PAUSE)


def _words(piece: Piece, times: NDArray[np.float64]) -> tuple[Word, ...]:
    return tuple(
        Word(word.text, float(times[first]), float(times[end]))
        for word, (first, end) in zip(piece.words, piece.ranges, strict=True)
        if word.text
    )


def _phones(piece: Piece, times: NDArray[np.float64], seconds: float) -> tuple[Phone, ...]:
    """Return phones that follow each other without gaps; a space lends its time to the phone."""
    found: list[Phone] = []
    for segment in segments(piece.symbols):
        begin, end = float(times[segment.first]), float(times[segment.last + 1])
        start = begin + (end - begin) * segment.share[0]
        stop = begin + (end - begin) * segment.share[1]
        if found and found[-1].end < start:
            before = found[-1]
            found[-1] = Phone(before.ipa, before.start, start, before.stress)
        if stop > start:
            found.append(Phone(segment.ipa, start, stop, segment.stress))
    if found and found[-1].end < seconds:
        start = found.pop().start if not found[-1].ipa else found[-1].end
        found.append(Phone("", start, seconds))
    return tuple(found)
