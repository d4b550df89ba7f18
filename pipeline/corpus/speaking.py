"""Speaks the scripts: a plan becomes a take, clause by clause as in a conversation."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from agents.clauses import cut
from avatar.speech import SPEECH_RATE, Phone, Word
from avatar.voice import Voice
from pipeline.assets import Registry
from pipeline.configuration import SpeakSettings
from pipeline.corpus.grammar import Sentence
from pipeline.corpus.plan import TakePlan
from pipeline.corpus.takes import TAKE_RATE, Line, Take, write_take
from pipeline.voices import load_voice

# Seconds of silence: before and after a talk, while the other one would speak; and sentences.
_BEFORE: Final = (0.8, 3.6)
_BETWEEN: Final = (0.08, 0.5)
_AFTER: Final = (1.2, 3.0)
_LONG_PAUSE: Final = (0.7, 1.4)


def speak_corpus(
    takes: list[TakePlan], folder: Path, registry: Registry, threads: int = 1
) -> Iterator[tuple[TakePlan, float]]:
    """Speak every take that is not in the folder yet; yield each with its seconds.

    Takes already there yield 0.0 seconds, so a run that was stopped goes on where it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    voices: dict[str, Voice] = {}
    for plan in takes:
        if (folder / f"{plan.name}.safetensors").exists():
            yield plan, 0.0
            continue
        if plan.voice not in voices:
            voices[plan.voice] = load_voice(plan.voice, SpeakSettings(threads=threads), registry)
        take = speak_take(plan, voices[plan.voice])
        write_take(take, folder)
        yield plan, take.seconds


def speak_take(plan: TakePlan, voice: Voice) -> Take:
    """Return a plan as `voice` speaks it."""
    rng = random.Random(plan.seed)
    sound: list[NDArray[np.float32]] = []
    lines: list[Line] = []
    at = 0

    def pause(bounds: tuple[float, float]) -> int:
        sound.append(np.zeros(round(rng.uniform(*bounds) * SPEECH_RATE), np.float32))
        return len(sound[-1])

    at += pause(_BEFORE)
    for turn, sentence in _turns(plan.script, rng):
        if lines and lines[-1].turn != turn:
            at += pause(_BEFORE)
        for clause in cut(sentence.text, plan.language):
            samples, line = _speak(voice, clause, plan, sentence, turn)
            start = at / SPEECH_RATE
            lines.append(_moved(line, start))
            sound.append(samples)
            at += len(samples)
        at += pause(_LONG_PAUSE if rng.random() < 0.12 else _BETWEEN)
    pause(_AFTER)
    whole = soxr.resample(np.concatenate(sound), SPEECH_RATE, TAKE_RATE)
    samples16 = np.round(np.clip(whole, -1.0, 1.0) * 32767.0).astype(np.int16)
    return Take(plan.name, plan.voice, plan.language, samples16, tuple(lines))


def _turns(script: tuple[Sentence, ...], rng: random.Random) -> Iterator[tuple[int, Sentence]]:
    """Group the sentences into turns of two to six."""
    turn, left = 0, rng.randint(2, 6)
    for sentence in script:
        if left == 0:
            turn, left = turn + 1, rng.randint(2, 6)
        left -= 1
        yield turn, sentence


def _speak(
    voice: Voice, clause: str, plan: TakePlan, sentence: Sentence, turn: int
) -> tuple[NDArray[np.float32], Line]:
    sound: list[NDArray[np.float32]] = [np.zeros(0, np.float32)]
    words: list[Word] = []
    phones: list[Phone] = []
    at = 0
    for part in voice.speak(clause, plan.language, cancelled=Event(), speed=plan.speed):
        start = at / SPEECH_RATE
        words += [replace(w, start=w.start + start, end=w.end + start) for w in part.words]
        phones += [replace(p, start=p.start + start, end=p.end + start) for p in part.phones]
        sound.append(part.samples)
        at += len(part.samples)
    line = Line(
        clause.strip(), 0.0, at / SPEECH_RATE, sentence.emotion, tuple(words), tuple(phones), turn
    )
    return np.concatenate(sound), line


def _moved(line: Line, by: float) -> Line:
    return replace(
        line,
        start=line.start + by,
        end=line.end + by,
        words=tuple(replace(w, start=w.start + by, end=w.end + by) for w in line.words),
        phones=tuple(replace(p, start=p.start + by, end=p.end + by) for p in line.phones),
    )
