"""The mouths of the corpus: what the phones of a take ask of the lips."""

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
    poses = int(take.seconds * POSES_PER_SECOND)
    tracks = [LipTrack(passage_of_line(line, take.language)) for line in take.lines]
    rows = []
    for pose in range(poses):
        at = pose / POSES_PER_SECOND
        near = [t for t in tracks if t.start - _NEAR < at < t.end + _NEAR]
        shape, lips, teeth = apart(near, at)
        rows.append([*shape, lips, teeth])
    audio = per_pose(log_mel(take.samples.astype(np.float32) / 32768.0), poses)
    return LipSequence(audio.astype(np.float16), np.array(rows, np.float16), take.voice)


def passage_of_line(line: Line, language: str) -> SpokenPassage:
    """Return a line as motion is told of it, without actions.

    Networks are told of no emotion, so bodies are to move in the manner they are told of.
    """
    phones = tuple(_phone(phone) for phone in line.phones)
    return SpokenPassage(line.start, line.end, phones, language, line.emotion, intensity=0.0)


def _phone(phone: Phone) -> SpokenPhone:
    return SpokenPhone(phone.ipa, phone.start, phone.end, phone.stress)
