"""How well lips are heard: on the corpus's test, clause by clause, as they are shown."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from motion.lips.closure import closures, false_closures
from motion.lips.stream import LipCheckpoint, heard_mouth, shapes_of
from motion.lips.track import LipTrack, mouth
from motion.speech import SpokenPassage, SpokenPhone
from pipeline.corpus.mouths import mouths_of, nearest, passage_of_line
from pipeline.corpus.takes import TAKE_RATE, Line, Take

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LipScores:
    """What is measured of lips.

    Attributes:
        phones: number of p, b, m.
        hit: share of them at which the lips met.
        onset_ms: median of how far from its time lips met, milliseconds.
        false_closures: share of plainly open poses at which lips are closed; poses beside a
            closure are left out, as in `motion.lips.closure.plainly_open`.
    """

    phones: int
    hit: float
    onset_ms: float
    false_closures: float


def evaluate_lips(takes: Sequence[Take], lips: LipCheckpoint) -> dict[str, object]:
    """Return lip_closure_hit, lip_onset_ms and lip_false_closures, voices counting alike, and
    `lips`: the scores of every voice.
    """
    voices = sorted({take.voice for take in takes})
    scores = {voice: lip_scores([t for t in takes if t.voice == voice], lips) for voice in voices}
    each = scores.values()
    return {
        "lip_closure_hit": round(float(np.mean([one.hit for one in each])), 4),
        "lip_onset_ms": round(float(np.mean([one.onset_ms for one in each])), 1),
        "lip_false_closures": round(float(np.mean([one.false_closures for one in each])), 4),
        "lips": {voice: asdict(one) for voice, one in scores.items()},
    }


def lip_scores(takes: Sequence[Take], lips: LipCheckpoint) -> LipScores:
    """Return the scores of lips that hear takes and are told nothing else of them."""
    found = []
    for take in takes:
        made = shown(take, lips)
        reference = shapes_of(mouths_of(take).mouth)
        kept = closures(_phones(take), made, reference)
        found.append((kept.phones, kept.hit, kept.onset, *false_closures(made, reference)))
    phones, hits, onsets, false, plainly = (np.array(column) for column in zip(*found, strict=True))
    some = phones > 0
    return LipScores(
        int(phones.sum()),
        round(float((phones * hits)[some].sum() / phones.sum()), 4),
        round(1000.0 * float(np.median(onsets[some])), 1),
        round(float(false.sum() / plainly.sum()), 4),
    )


def shown(take: Take, lips: LipCheckpoint) -> Vector:
    """Return the mouth, float64 [T, parts], as a session would show it to the sound of a take."""
    tracks = [LipTrack(_heard(take, line, lips)) for line in take.lines]
    return np.array([mouth(near, at) for at, near in nearest(tracks, take.seconds)])


def _heard(take: Take, line: Line, lips: LipCheckpoint) -> SpokenPassage:
    first, last = round(line.start * TAKE_RATE), round(line.end * TAKE_RATE)
    rows = heard_mouth(lips, take.samples[first:last].astype(np.float32) / 32768.0)
    return SpokenPassage(line.start, line.end, (), take.language, mouth=rows)


def _phones(take: Take) -> list[SpokenPhone]:
    return [phone for line in take.lines for phone in passage_of_line(line, take.language).phones]
