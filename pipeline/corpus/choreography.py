"""Sets a take in motion: an individual manner, beats on stressed syllables, actions on words.

The choreographer is the rule-based mover with more than a conversation gives it: it knows all of
the speech from the start, moves in a manner drawn for the take, holds hands and body in a way of
its own, and makes actions of the whole library: those a cue word asks for, and others on any
word, so that what a network learns of an action is not what was said with it.
"""

import random
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.clause import Clause, Language
from motion.actions import (
    ACTION_IDS,
    ACTIONS,
    Gesture,
)
from motion.audio import log_mel, per_pose
from motion.controls import CONTROLS, LEFT_ARM, RIGHT_ARM, arm_vector, control_vector
from motion.limits import clamped
from motion.pose import POSES_PER_SECOND
from motion.procedural import ProceduralMover
from motion.speech import Posture, SpokenAction
from motion.streaming.conditions import POSTURE_INDEX, style_vector
from motion.streaming.dataset import MotionSequence
from motion.streaming.representation import body_of
from motion.streaming.telling import action_labels, speaking_poses
from motion.style import RANGES, StyleSpec
from pipeline.acting import Acting, asked, word_of
from pipeline.corpus.mouths import passage_of_line
from pipeline.corpus.takes import Line, Take

Vector = NDArray[np.float64]

_ACTING: Final = 0.42  # share of clauses with an action
_CUED: Final = 0.6  # of those in which a cue word occurs, share that follow it
_TOLD: Final = 0.5  # seconds before it is heard at which a conversation knows of speech
_HANDED: Final = 0.4  # share of actions that are told which hand
_SPREAD: Final = 0.22  # of a manner's numbers, as a share of their range
# Degrees in which people hold themselves differently, one standard deviation.
_ARM_HABITS: Final = arm_vector(
    {"adduct": 3, "forward": 5, "inward": 4, "flex": 6, "supinate": 9, "wrist_flex": 5, "curl": 6}
)
_BODY_HABITS: Final = control_vector(
    {
        "sway_x": 0.8,
        "torso_turn": 2.0,
        "torso_tilt": 0.8,
        "torso_pitch": 1.0,
        "head_turn": 2.0,
        "head_tilt": 2.0,
        "head_pitch": 1.5,
    }
)


def choreographed(take: Take, seed: int) -> MotionSequence:
    """Return a take in motion; another seed is another person."""
    rng = random.Random(seed)
    style = manner(rng)
    mover = ProceduralMover(rng.getrandbits(31), style=style)
    for line in take.lines:
        passage = passage_of_line(line, take.language)
        mover.passage(replace(passage, actions=_actions(line, take.language, rng)))
    acts = mover.acts
    base = _postures(take, mover, rng)
    poses = int(take.seconds * POSES_PER_SECOND)
    body, face = np.empty((poses, CONTROLS)), []
    for pose in range(poses):
        controls, expression = mover.controls(pose / POSES_PER_SECOND)
        body[pose] = controls
        face.append(expression)
    idle = 1.0 - _acting(acts, poses)
    body = clamped(body + idle[:, None] * _habits(rng))
    audio = per_pose(log_mel(take.samples.astype(np.float32) / 32768.0), poses)
    times = np.arange(poses) / POSES_PER_SECOND
    action, since, parameters = action_labels(acts, times, style.usual_hand)
    spoken = speaking_poses([(line.start, line.end) for line in take.lines], times)
    return MotionSequence(
        audio.astype(np.float16),
        body_of(body).astype(np.float16),
        np.array(face, np.float16),
        action.astype(np.int16),
        since.astype(np.float16),
        parameters.astype(np.float16),
        np.where(spoken, POSTURE_INDEX["speaking"], base).astype(np.int16),
        style_vector(style).astype(np.float16),
        spoken,
    )


def plainly_moved(take: Take, poses: int) -> NDArray[np.float32]:
    """Return what the rule-based mover makes of a take in the natural manner, [poses, BODY_DIM].

    It is told as much as in a conversation: each line half a second before it starts, and only
    the actions that cue words ask for.
    """
    mover, acting = ProceduralMover(1), Acting()
    waiting = list(take.lines)
    body = np.empty((poses, CONTROLS))
    for pose in range(poses):
        at = pose / POSES_PER_SECOND
        while waiting and waiting[0].start - _TOLD <= at:
            line = waiting.pop(0)
            clause = acting.bind(Clause(line.text, take.language, None, line.emotion))
            passage = passage_of_line(line, take.language)
            word = clause.action and word_of(clause.action.anchor, line.words)
            if clause.action and word:
                spoken = SpokenAction(clause.action.id, word.start, clause.action.parameters)
                passage = replace(passage, actions=(spoken,))
            mover.passage(passage)
        body[pose] = mover.controls(at)[0]
    return body_of(body)


def manner(rng: random.Random) -> StyleSpec:
    """Draw an individual manner around the natural one, within the ranges of `StyleSpec`."""
    natural = StyleSpec()
    drawn = {}
    for name, (low, high) in RANGES.items():
        value = rng.gauss(getattr(natural, name), _SPREAD * (high - low))
        drawn[name] = min(max(value, low), high)
    return StyleSpec(name="drawn", **drawn)


def _habits(rng: random.Random) -> Vector:
    """Return in which way this person holds themselves, as controls."""
    habits = rng.gauss(0.0, 1.0) * _BODY_HABITS
    for side in (LEFT_ARM, RIGHT_ARM):
        draws = [rng.gauss(0.0, 1.0) for _ in _ARM_HABITS]
        habits[side] = np.clip(draws, -2.0, 2.0) * _ARM_HABITS
    return np.asarray(habits, np.float64)


def _acting(acts: list[tuple[SpokenAction, Gesture]], poses: int) -> Vector:
    """Return how far actions have the body at each pose."""
    out = np.zeros(poses)
    for _, made in acts:
        first = max(0, int(made.start * POSES_PER_SECOND))
        for pose in range(first, min(poses, int(made.end * POSES_PER_SECOND) + 2)):
            out[pose] = max(out[pose], made.weight(pose / POSES_PER_SECOND))
    return out


def _postures(take: Take, mover: ProceduralMover, rng: random.Random) -> NDArray[np.int16]:
    """Have the host idle, listen and think between turns; return the base posture per pose."""
    poses = int(take.seconds * POSES_PER_SECOND)
    out = np.zeros(poses, np.int16)
    at, previous = 0.0, -1
    for line in take.lines:
        if line.turn != previous:
            gap = max(0.0, line.start - at)
            changes: list[tuple[float, Posture]] = [
                (at + 0.3 * gap, rng.choice(("listening", "listening", "idle")))
            ]
            if rng.random() < 0.35:
                changes.append((at + 0.75 * gap, "thinking"))
            for when, posture in changes:
                mover.posture(posture, when)
                out[round(when * POSES_PER_SECOND) :] = POSTURE_INDEX[posture]
        at, previous = line.end, line.turn
    return out


def _actions(line: Line, language: Language, rng: random.Random) -> tuple[SpokenAction, ...]:
    """Return at most one action, on a word."""
    if not line.words or rng.random() >= _ACTING:
        return ()
    cued = [found.action for found in asked(line.text, language)]
    if cued and rng.random() < _CUED:
        action = rng.choice(cued)
        word = word_of(action.anchor, line.words) or rng.choice(line.words)
        given = dict(action.parameters)
        name = action.id
    else:
        name, word, given = rng.choice(ACTION_IDS), rng.choice(line.words), {}
    for one in ACTIONS[name].parameters:
        given.setdefault(one.name, rng.uniform(one.low, one.high))
    if rng.random() < _HANDED and ACTIONS[name].hands != "both":
        given["hand"] = rng.choice(("left", "right"))
    return (SpokenAction(name, word.start, tuple(given.items())),)
