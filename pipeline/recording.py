"""`Recording`: speech somebody recorded, where in it they speak, and what motion is told of it.

A recording brings no phones and no word times. Lips are heard in it, beats fall on its louder
syllables, and words that are known are spread evenly over the time in which somebody speaks.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import av
import numpy as np
from numpy.typing import NDArray
from soxr import resample

from agents.clause import Clause, Feeling
from avatar.speech import SPEECH_RATE, Word
from motion.audio import AUDIO_RATE
from motion.lips.stream import heard_mouth
from motion.pose import POSES_PER_SECOND
from motion.speech import SpokenAction, SpokenPassage
from pipeline.acting import Acting, word_of
from pipeline.errors import ConfigurationError
from pipeline.mouthing import listening_lips

LONGEST: Final = 3600.0  # seconds
_HOP: Final = SPEECH_RATE // POSES_PER_SECOND
_LISTENED: Final = AUDIO_RATE // POSES_PER_SECOND
_USUAL: Final = 0.2  # RMS of the louder parts of the speech our voices make
_QUIETEST: Final = 1e-3  # RMS below which the louder parts of a recording are no speech
_GAP: Final = 0.5  # seconds of silence that part two stretches of speech
_SHORTEST: Final = 0.12  # seconds; a shorter sound is a click
_BESIDE: Final = 2.5  # seconds around an action asked for in which words ask for none

Array = NDArray[np.float32]
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording of speech.

    Attributes:
        samples: float32 [n], mono, 24 kHz, as recorded.
        listened: float32 [m], mono, 16 kHz, as loud as our voices speak.
        loudness: RMS of `listened` at each pose, 25 a second, in [0, 1].
        spans: where somebody speaks, seconds, at whole poses, in order.
    """

    samples: Array
    listened: Array
    loudness: tuple[float, ...]
    spans: tuple[Span, ...]

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.samples) / SPEECH_RATE


def read_recording(path: Path) -> Recording:
    """Read a sound file of any rate and number of channels.

    Raises:
        ConfigurationError: it cannot be read, is longer than an hour, or holds no speech.
    """
    samples = _decoded(path)
    poses = -(-len(samples) // _HOP)
    padded = np.pad(samples, (0, poses * _HOP - len(samples)))
    rms = np.sqrt(np.mean(padded.reshape(-1, _HOP) ** 2, axis=1))
    loud = float(np.percentile(rms, 95)) if poses else 0.0
    if loud < _QUIETEST:
        raise ConfigurationError(f"{path} holds no speech; accepted: a recording that is audible")
    gain = _USUAL / loud
    listened = resample(samples * gain, SPEECH_RATE, AUDIO_RATE).clip(-1.0, 1.0)
    level = tuple(float(value) for value in np.clip(rms * gain, 0.0, 1.0))
    spans = tuple(_spans(rms / loud, len(samples) / SPEECH_RATE))
    return Recording(samples, listened.astype(np.float32), level, spans)


def passages_of(
    recording: Recording,
    clauses: Sequence[Clause] = (),
    feeling: Feeling | None = None,
    asked: Sequence[SpokenAction] = (),
) -> list[SpokenPassage]:
    """Return what a mover is told of a recording.

    Args:
        clauses: what is said in it; without, a passage is a stretch of speech.
        feeling: with which emotion; None leaves it to the clauses, or to a neutral face.
        asked: actions at times in it; those that words ask for keep away from them.
    """
    mouth = heard_mouth(listening_lips(), recording.listened)
    made = [
        _passage(recording, mouth, span, language, own, actions)
        for span, language, own, actions in _said(recording, clauses)
    ]
    if feeling is not None:
        made = [replace(p, emotion=feeling.emotion, intensity=feeling.intensity) for p in made]
    return _with_actions(made, asked)


def _decoded(path: Path) -> Array:
    """Return the sound of a file, float32 [n], mono, 24 kHz."""
    parts: list[Array] = []
    length = 0
    try:
        with av.open(str(path)) as file:
            if not file.streams.audio:
                raise ConfigurationError(f"{path} has no sound; accepted: a recording of speech")
            resampler = av.AudioResampler("flt", "mono", SPEECH_RATE)
            for frame in file.decode(audio=0):
                parts += [made.to_ndarray()[0] for made in resampler.resample(frame)]
                length += len(parts[-1]) if parts else 0
                if length > LONGEST * SPEECH_RATE:
                    raise ConfigurationError(f"{path} is longer than {LONGEST:g} s, which is most")
            parts += [made.to_ndarray()[0] for made in resampler.resample(None)]
    except (OSError, av.FFmpegError) as error:
        raise ConfigurationError(f"{path} cannot be read as sound: {error}") from error
    sound = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    return np.nan_to_num(sound).astype(np.float32)


def _spans(level: NDArray[np.floating], seconds: float) -> Iterator[Span]:
    """Yield the stretches of speech in loudness [poses], 1 where it is loud."""
    noise = float(np.percentile(level, 10))
    speaks = np.flatnonzero(level > max(0.08, min(2.0 * noise, 0.4)))
    parts = np.split(speaks, np.flatnonzero(np.diff(speaks) > _GAP * POSES_PER_SECOND) + 1)
    for part in parts:
        if len(part) >= _SHORTEST * POSES_PER_SECOND:
            start = max(0, int(part[0]) - 1) / POSES_PER_SECOND
            yield start, min(seconds, (int(part[-1]) + 2) / POSES_PER_SECOND)


def _said(
    recording: Recording, clauses: Sequence[Clause]
) -> Iterator[tuple[Span, str, Feeling, tuple[SpokenAction, ...]]]:
    """Yield what is said when: clauses spread over the speech, or the speech as it is."""
    if not clauses:
        for span in recording.spans:
            yield span, "en", Feeling("neutral"), ()
        return
    acting = Acting()
    for clause, words in _spread(recording.spans, clauses):
        bound = acting.bind(clause)
        word = bound.action and word_of(bound.action.anchor, words)
        actions: tuple[SpokenAction, ...] = ()
        if bound.action and word:
            actions = (SpokenAction(bound.action.id, word.start, bound.action.parameters),)
        start = math.floor(words[0].start * POSES_PER_SECOND) / POSES_PER_SECOND
        own = Feeling(bound.emotion or "neutral", bound.intensity)
        yield (start, words[-1].end), bound.language, own, actions


def _spread(
    spans: Sequence[Span], clauses: Iterable[Clause]
) -> Iterator[tuple[Clause, tuple[Word, ...]]]:
    """Spread the words of clauses evenly over the speech: each takes time by its letters."""
    split = [(clause, parts) for clause in clauses if (parts := _words(clause))]
    total = sum(len(part) for _, parts in split for part in parts)
    ends = np.cumsum([end - start for start, end in spans])
    place = 0

    def time(letters: int, *, closes: bool) -> float:
        spoken = letters / total * float(ends[-1])
        at = int(np.searchsorted(ends, spoken, side="left" if closes else "right"))
        at = min(at, len(spans) - 1)
        return spans[at][1] - (float(ends[at]) - spoken)

    for clause, parts in split:
        words = []
        for part in parts:
            start, place = time(place, closes=False), place + len(part)
            words.append(Word(part, start, time(place, closes=True)))
        yield clause, tuple(words)


def _words(clause: Clause) -> list[str]:
    """Return the words of a clause, in Mandarin its characters, without what is not said."""
    if clause.language == "zh":
        return [character for character in clause.text if character.isalnum()]
    return [word for word in clause.text.split() if any(c.isalnum() for c in word)]


def _passage(
    recording: Recording,
    mouth: Array,
    span: Span,
    language: str,
    feeling: Feeling,
    actions: tuple[SpokenAction, ...],
) -> SpokenPassage:
    first = round(span[0] * POSES_PER_SECOND)
    last = max(first + 1, math.ceil(span[1] * POSES_PER_SECOND))
    return SpokenPassage(
        span[0],
        span[1],
        (),
        language,
        feeling.emotion,
        actions,
        loudness=recording.loudness[first:last],
        mouth=mouth[first:last],
        sound=recording.listened[first * _LISTENED : last * _LISTENED],
        intensity=feeling.intensity,
    )


def _with_actions(
    passages: list[SpokenPassage], asked: Sequence[SpokenAction]
) -> list[SpokenPassage]:
    """Give actions that were asked for to the passages they are nearest to."""
    out = []
    for passage in passages:
        free = [one for one in passage.actions if all(abs(one.at - a.at) > _BESIDE for a in asked)]
        own = [a for a in asked if min(passages, key=lambda p: _distance(p, a.at)) is passage]
        out.append(replace(passage, actions=tuple(sorted([*free, *own], key=lambda a: a.at))))
    return out


def _distance(passage: SpokenPassage, at: float) -> float:
    return max(passage.start - at, at - passage.end, 0.0)
