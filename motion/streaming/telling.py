"""From what is said and done to what the network is told, pose by pose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motion.actions import ACTION_INDEX, VECTOR, Gesture, Hand, action_vector
from motion.audio import (
    AUDIO_DIM,
    AUDIO_RATE,
    FRAMES_PER_POSE,
    HOP,
    SAMPLES_PER_POSE,
    WINDOW,
    log_mel,
)
from motion.errors import MotionValueError
from motion.speech import SpokenAction
from motion.streaming.conditions import LONGEST_LEAD

Vector = NDArray[np.float64]
Array = NDArray[np.float32]

# Seconds before and after words in which a host is a speaker.
READY, WAIT = 0.35, 0.7
_CONTEXT: Final = FRAMES_PER_POSE * HOP * (-(-(WINDOW - HOP) // SAMPLES_PER_POSE))


def action_labels(
    acts: Iterable[tuple[SpokenAction, Gesture]], times: ArrayLike, usual: Hand
) -> tuple[NDArray[np.int64], Vector, Array]:
    """Return what is told of actions at `times` [T] (seconds).

    An action is told from `LONGEST_LEAD` before its stroke on, or from the end of the one before
    it, until it ends.

    Returns:
        Index int64 [T] (0 none), seconds since the stroke [T], parameters [T, len(VECTOR)].
    """
    at = np.asarray(times, np.float64)
    action = np.zeros(len(at), np.int64)
    since = np.zeros(len(at))
    parameters = np.zeros((len(at), len(VECTOR)), np.float32)
    free = -np.inf
    for one, made in sorted(acts, key=lambda act: act[1].stroke):
        first = max(made.stroke - LONGEST_LEAD, min(free, made.start))
        told = (at >= first) & (at < made.end)
        action[told] = ACTION_INDEX[one.action]
        since[told] = at[told] - made.stroke
        parameters[told] = action_vector(one, usual)
        free = made.end
    return action, since, parameters


@dataclass(frozen=True, slots=True)
class Sound:
    """A stretch of speech: its start in seconds and its samples, float32 [n], 16 kHz, mono."""

    start: float
    samples: Array

    @property
    def end(self) -> float:
        """When it ends, in seconds."""
        return self.start + len(self.samples) / AUDIO_RATE


class SoundTrack:
    """The sound of a host on the media clock, as far as it is known and still needed."""

    def __init__(self) -> None:
        self._sounds: list[Sound] = []

    def add(self, start: float, samples: ArrayLike) -> None:
        """Add speech that starts at `start` (seconds); samples float [n], 16 kHz.

        Raises:
            MotionValueError: the samples are no single row.
        """
        sound = np.asarray(samples, np.float32)
        if sound.ndim != 1:
            raise MotionValueError(f"samples are {list(sound.shape)}; accepted: [n], one channel")
        self._sounds.append(Sound(start, sound))

    def cut(self, at: float) -> None:
        """Forget what lies after `at`."""
        kept = [sound for sound in self._sounds if sound.start < at]
        self._sounds = [
            Sound(s.start, s.samples[: max(0, round((at - s.start) * AUDIO_RATE))]) for s in kept
        ]

    def forget(self, before: float) -> None:
        """Drop what ended before a time."""
        self._sounds = [sound for sound in self._sounds if sound.end > before]

    @property
    def end(self) -> float:
        """When the last known sound ends, -inf without any (seconds)."""
        return max((sound.end for sound in self._sounds), default=-np.inf)

    def frames(self, start: float, poses: int) -> Array:
        """Return the log mel frames of `poses` poses from `start` on: [poses, AUDIO_DIM]."""
        count = _CONTEXT + poses * SAMPLES_PER_POSE
        mixed = np.zeros(count, np.float32)
        first = start - _CONTEXT / AUDIO_RATE
        for sound in self._sounds:
            offset = round((sound.start - first) * AUDIO_RATE)
            begin, end = max(0, offset), min(count, offset + len(sound.samples))
            if begin < end:
                mixed[begin:end] += sound.samples[begin - offset : end - offset]
        return log_mel(mixed)[_CONTEXT // HOP :].reshape(poses, AUDIO_DIM)


def speaking_poses(spans: Sequence[tuple[float, float]], times: ArrayLike) -> NDArray[np.bool_]:
    """Say at which `times` [T] a host whose words fill `spans` (start, end) is a speaker."""
    at = np.asarray(times, np.float64)
    out = np.zeros(len(at), np.bool_)
    for start, end in spans:
        out |= (at >= start - READY) & (at < end + WAIT)
    return out
