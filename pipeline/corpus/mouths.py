"""The mouths of the corpus: what the phones of a take ask of the lips."""

from collections.abc import Iterator, Sequence

import numpy as np

from avatar.speech import Phone
from motion.audio import log_mel, per_pose
from motion.lips.track import LipTrack, apart
from motion.lips.training import LipSequence
from motion.pose import POSES_PER_SECOND
from motion.speech import SpokenPassage, SpokenPhone
from pipeline.corpus.takes import Line, Take

_NEAR = 1.0  # seconds within which a line still touches the mouth


def mouths_of(take: Take) -> LipSequence:
    """Return the sound of a take, and the mouth's shape and contacts at every pose."""
    tracks = [LipTrack(passage_of_line(line, take.language)) for line in take.lines]
    rows = []
    for at, near in nearest(tracks, take.seconds):
        shape, lips, teeth = apart(near, at)
        rows.append([*shape, lips, teeth])
    audio = per_pose(log_mel(take.samples.astype(np.float32) / 32768.0), len(rows))
    return LipSequence(audio.astype(np.float16), np.array(rows, np.float16), take.voice)


def nearest(tracks: Sequence[LipTrack], seconds: float) -> Iterator[tuple[float, list[LipTrack]]]:
    """Yield the time of every pose within `seconds`, and the tracks that touch the mouth then."""
    for pose in range(int(seconds * POSES_PER_SECOND)):
        at = pose / POSES_PER_SECOND
        yield at, [t for t in tracks if t.start - _NEAR < at < t.end + _NEAR]


def passage_of_line(line: Line, language: str) -> SpokenPassage:
    """Return a line as motion is told of it, without actions.

    Networks are told of no emotion, so bodies are to move in the manner they are told of.
    """
    phones = tuple(_phone(phone) for phone in line.phones)
    return SpokenPassage(line.start, line.end, phones, language, line.emotion, intensity=0.0)


def _phone(phone: Phone) -> SpokenPhone:
    return SpokenPhone(phone.ipa, phone.start, phone.end, phone.stress)
