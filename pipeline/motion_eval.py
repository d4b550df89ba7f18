"""`vivant motion eval`: the gesture network against true motion and its baselines, in one run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from motion.actions import ACTION_INDEX
from motion.controls import to_rotations
from motion.kinematics import joint_positions
from motion.limits import beyond
from motion.metrics.autoencoder import MotionAutoencoder, fgd, train_autoencoder
from motion.metrics.beats import clip_constancy, motion_beats
from motion.metrics.diversity import l1_diversity
from motion.metrics.drift import drift
from motion.metrics.networks import windows_of
from motion.metrics.onsets import audio_onsets
from motion.metrics.recognition import ActionRecognizer, recognition, train_recognizer
from motion.metrics.smoothness import boundary_jerk, mean_jerk, speeds
from motion.pose import POSES_PER_SECOND
from motion.rest import REST_OFFSETS
from motion.skeleton import joint_index
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.dataset import MotionSequence
from motion.streaming.representation import controls_of
from motion.streaming.smoothing import DELAY
from motion.trained import trained_lips
from pipeline.corpus.building import load_motion, takes_folder
from pipeline.corpus.choreography import plainly_moved
from pipeline.corpus.takes import TAKE_RATE, CorpusError, read_take
from pipeline.lip_eval import evaluate_lips
from pipeline.rolling import stream_over, windows_over

Array = NDArray[np.float32]
Bodies = list[Array]

_LENGTH: Final = 32  # poses of a window of the local FGD
_STRIDE: Final = 8
# Poses of an action that the recogniser sees, from before its stroke on.
_BEFORE, _SEEN = 10, 56
_JOINTS: Final = ("wrist.L", "wrist.R", "lowerarm01.L", "lowerarm01.R", "head")
_CHUNK: Final = 10
_LATENTS: Final = 8  # of a minute's features; one minute cannot tell more


@dataclass(frozen=True, slots=True)
class Weights:
    """The networks to compare: StreamingTalk, and baselines where they were taught.

    Attributes:
        full: StreamingTalk.
        same: StreamingTalk after as many steps as the baselines, which alone compares fairly.
    """

    full: Checkpoint
    same: Checkpoint | None = None
    unforced: Checkpoint | None = None
    whole: Checkpoint | None = None
    unanchored: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """What is measured of one way of moving."""

    fgd_local: float
    fgd_deviation: float
    beat_constancy: float
    beat_chance: float
    l1_diversity: float
    jerk: float
    boundary_ratio: float
    beyond_limits: float
    action_accuracy: float


class Judge:
    """Measures bodies against true motion, with networks taught on the training split alone.

    Args:
        cache: the folder the corpus lies in.
        most: test sequences used, 0 for all.
        steps: of the networks' training.

    Raises:
        CorpusError: there is no corpus.
    """

    def __init__(self, cache: Path, most: int = 0, steps: int = 1500) -> None:
        train = [sequence for _, sequence in load_motion(cache, "train")]
        named = load_motion(cache, "test")
        self.names = [name for name, _ in named][: most or None]
        self.true = [sequence for _, sequence in named][: most or None]
        if not train or not self.true:
            raise CorpusError(
                "there is no corpus yet; accepted: after `vivant motion train corpus`"
            )
        bodies = [sequence.body.astype(np.float32) for sequence in train]
        self._autoencoder = _autoencoder(bodies, steps)
        self._recogniser = _recogniser(train, steps)
        self.takes = [
            read_take(takes_folder(cache) / f"{name.rpartition('-')[0]}.safetensors")
            for name in self.names
        ]
        self._onsets = [
            audio_onsets(take.samples.astype(np.float32) / 32768.0, TAKE_RATE)
            for take in self.takes
        ]

    def scores(self, made: Bodies) -> Scores:
        """Return the scores of one body for each test sequence."""
        true = [sequence.body.astype(np.float32) for sequence in self.true]
        distance = self._distance(true, made)
        placed = [positions(body) for body in made]
        constancy = [self._constancy(n, joints) for n, joints in enumerate(placed)]
        return Scores(
            fgd_local=round(distance[0], 3),
            fgd_deviation=round(distance[1], 3),
            beat_constancy=round(float(np.mean([c[0] for c in constancy])), 4),
            beat_chance=round(float(np.mean([c[1] for c in constancy])), 4),
            l1_diversity=round(float(np.mean([l1_diversity(body) for body in made])), 3),
            jerk=round(float(np.mean([mean_jerk(p, POSES_PER_SECOND) for p in placed])), 2),
            boundary_ratio=round(max(_joins(placed, first) for first in (0, _CHUNK - DELAY)), 3),
            beyond_limits=round(float(np.mean([_beyond(body) for body in made])), 5),
            action_accuracy=round(self.accuracy(made), 4),
        )

    def accuracy(self, made: Bodies) -> float:
        """Return the share of the test's actions that are recognised in bodies."""
        windows, labels = _action_windows(self.true, made)
        if not len(windows):
            return float("nan")
        told = self._recogniser.recognise(windows)
        return recognition(labels, told, len(ACTION_INDEX)).accuracy

    def plain(self) -> Bodies:
        """Return the rule-based first version, in the natural manner, on the test's takes."""
        pairs = zip(self.takes, self.true, strict=True)
        return [plainly_moved(take, len(sequence)) for take, sequence in pairs]

    def drift_of(self, minutes: Sequence[Array]) -> float:
        """Return how far the last of several minutes of one body has drifted from the first."""
        first, last = (self._minute(body) for body in (minutes[0], minutes[-1]))
        return drift(first, last).drift_ratio

    def _minute(self, body: Array) -> tuple[Array, Array, Array]:
        latents = self._autoencoder.encode(windows_of(body, _LENGTH, 4))[:, :_LATENTS]
        moved = speeds(positions(body), POSES_PER_SECOND)
        outside = (beyond(controls_of(body)) > 0.0).mean(-1)
        return latents, np.asarray(moved, np.float32), np.asarray(outside, np.float32)

    def _distance(self, true: Bodies, made: Bodies) -> tuple[float, float]:
        real, real_of = _grouped(true)
        generated, generated_of = _grouped(made)
        spread = fgd(
            self._autoencoder, real, generated, real_groups=real_of, generated_groups=generated_of
        )
        return spread.value, spread.deviation

    def _constancy(self, number: int, joints: Array) -> tuple[float, float]:
        seconds = max(len(joints) / POSES_PER_SECOND, self.takes[number].seconds) + 0.1
        beats = motion_beats(joints, POSES_PER_SECOND)
        found = clip_constancy(beats, self._onsets[number], seconds)
        return found.over_motion, found.chance


def evaluate(
    judge: Judge,
    weights: Weights,
    *,
    minutes: int = 60,
    tell: Callable[[str], object] = lambda _: None,
) -> dict[str, object]:
    """Return the scores of the network and of every baseline, and how it has drifted.

    Args:
        minutes: of one endless stream, of which the last is compared with the first; 0 leaves
            that out.
        tell: called with what begins.
    """
    tell("streaming")
    scores = {
        "true": judge.scores([s.body.astype(np.float32) for s in judge.true]),
        "rules": judge.scores(judge.plain()),
        "full": judge.scores(stream_over(weights.full, judge.true)),
    }
    for name, other, anchored in (
        ("same", weights.same, None),
        ("unforced", weights.unforced, None),
        ("whole", weights.whole, True),
        ("unanchored", weights.unanchored, False),
    ):
        if other is None:
            continue
        tell(name)
        made = (
            stream_over(other, judge.true)
            if anchored is None
            else windows_over(other, judge.true, anchored=anchored)
        )
        scores[name] = judge.scores(made)
    report = _report(scores) | evaluate_lips(judge.takes, trained_lips())
    if minutes:
        tell("drift")
        report["drift_ratio"] = round(judge.drift_of(endless(weights.full, judge.true, minutes)), 3)
        if weights.unforced is not None:
            rolled = endless(weights.unforced, judge.true, minutes)
            report["drift_ratio_unforced"] = round(judge.drift_of(rolled), 3)
    return report


def endless(checkpoint: Checkpoint, sequences: list[MotionSequence], minutes: int) -> list[Array]:
    """Return minutes of one body that hears the same minute of speech again and again."""
    one = _minute_of(sequences)
    length = len(one)
    again = {
        name: np.concatenate([getattr(one, name)] * minutes)
        for name in MotionSequence.__dataclass_fields__
        if name != "style"
    }
    turns = MotionSequence(style=one.style, **again)
    body = stream_over(checkpoint, [turns])[0]
    return [body[start : start + length] for start in range(0, len(body), length)]


def positions(body: Array) -> Array:
    """Return where wrists, elbows and head are, float32 [T, 5, 3] in metres."""
    placed = joint_positions(to_rotations(controls_of(body)), REST_OFFSETS)
    return np.asarray(placed[:, [joint_index(name) for name in _JOINTS]], np.float32)


def _report(scores: dict[str, Scores]) -> dict[str, object]:
    full = scores["full"]
    baselines = {
        name: {key: getattr(one, key) for key in Scores.__dataclass_fields__}
        for name, one in scores.items()
        if name != "full"
    }
    whole, same = scores.get("whole"), scores.get("same")
    return {
        **{key: getattr(full, key) for key in Scores.__dataclass_fields__},
        "fgd_local_same_steps": same.fgd_local if same else None,
        "fgd_local_whole_sequence": whole.fgd_local if whole else None,
        "fgd_local_baselines": {name: one["fgd_local"] for name, one in baselines.items()},
        "baselines": baselines,
    }


def _minute_of(sequences: list[MotionSequence]) -> MotionSequence:
    poses = 60 * POSES_PER_SECOND
    joined = {}
    for name in MotionSequence.__dataclass_fields__:
        parts = [getattr(sequence, name) for sequence in sequences]
        joined[name] = parts[0] if name == "style" else np.concatenate(parts)[:poses]
    return MotionSequence(**joined)


def _autoencoder(bodies: Bodies, steps: int) -> MotionAutoencoder:
    windows = np.concatenate([windows_of(body, _LENGTH, _LENGTH) for body in bodies])
    return train_autoencoder(windows, steps=steps)


def _recogniser(sequences: list[MotionSequence], steps: int) -> ActionRecognizer:
    bodies = [sequence.body.astype(np.float32) for sequence in sequences]
    windows, labels = _action_windows(sequences, bodies, spread=3)
    return train_recognizer(windows, labels, len(ACTION_INDEX), steps=steps)


def _action_windows(
    sequences: list[MotionSequence], bodies: Bodies, spread: int = 1
) -> tuple[Array, NDArray[np.int64]]:
    """Return windows [N, _SEEN, D] around the strokes of actions, and which actions they are.

    With a `spread` above 1 each is taken at that many places, some poses apart.
    """
    windows, labels = [], []
    for sequence, body in zip(sequences, bodies, strict=True):
        since, acting = sequence.since.astype(np.float32), sequence.action > 0
        begins = (since[:-1] < 0.0) & (since[1:] >= 0.0) & acting[1:]
        for stroke in np.flatnonzero(begins) + 1:
            for shift in range(-(spread // 2), spread - spread // 2):
                start = stroke - _BEFORE + 3 * shift
                if start >= 0 and start + _SEEN <= len(body):
                    windows.append(body[start : start + _SEEN])
                    labels.append(int(sequence.action[stroke]))
    shape = (-1, _SEEN, bodies[0].shape[1])
    return np.array(windows, np.float32).reshape(shape), np.array(labels, np.int64)


def _grouped(bodies: Bodies) -> tuple[Array, NDArray[np.int64]]:
    windows, groups = [], []
    for number, body in enumerate(bodies):
        found = windows_of(body, _LENGTH, _STRIDE)
        windows.append(found)
        groups += [number] * len(found)
    return np.concatenate(windows), np.array(groups)


def _joins(placed: Bodies, first: int) -> float:
    """Return the jerk at the joins of chunks to that within them, of joints [T, 5, 3] each."""
    ratios = [boundary_jerk(p, POSES_PER_SECOND, _CHUNK, first=first).ratio for p in placed]
    return float(np.mean(ratios))


def _beyond(body: Array) -> float:
    return float((beyond(controls_of(body)) > 0.0).mean())
