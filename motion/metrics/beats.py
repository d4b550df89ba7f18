"""Beat constancy: whether the body beats time with the voice.

Motion beats are local minima of a joint's speed: the instants at which a stroke lands or turns.
Sound beats are the onsets of the voice. Constancy is the mean over one side's beats of
exp(-d^2 / 2 sigma^2), d being the seconds to the other side's nearest beat and sigma 0.3 s (Li et
al., "AI choreographer", 2021, for music; Liu et al., "BEAT", 2022, for speech).

The side that is averaged over matters, and the papers and their code differ. Their formulas average
over *motion* beats: is each beat of the body on a sound? A body that hardly moves is not punished.
The code of BEAT and EMAGE, hence every published figure, averages over *sound* onsets for each
joint and then over joints: has each sound a beat near it? A body that twitches at random scores
high. `Constancy` therefore holds both, `over_motion` being the one to look at first: a host may
rest, but what it beats must be on the voice. Speech has about five onsets a second, so with sigma
0.3 s anything scores high; `chance` says how high the same motion scores against the same voice
when they have nothing to do with one another, and only what exceeds it is timing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.signal import find_peaks

from motion.errors import MotionValueError
from motion.metrics.checks import Array, count, finite, positive
from motion.metrics.smoothness import speeds

SIGMA: Final = 0.3  # seconds
_STILL: Final = 0.001  # metres a second; smaller differences of speed are no movement
_APPROACH: Final = 0.28  # seconds in which a stroke slows down to its beat


@dataclass(frozen=True, slots=True)
class Constancy:
    """How well one clip's motion beats time with its sound; 0 to 1.

    Attributes:
        over_motion: mean over the beats of all joints together (the papers' formula).
        over_sound: mean over sound onsets for each joint, then over joints; a joint without beats
            counts as 0 (the code of BEAT and EMAGE).
        chance: `over_motion` of the same beats turned round in time, on average.
        motion_beats, sound_beats: how many there were.
    """

    over_motion: float
    over_sound: float
    chance: float
    motion_beats: int
    sound_beats: int


def motion_beats(
    positions: ArrayLike, fps: float, *, apart: float = 0.2, fall: float = 0.05
) -> list[Array]:
    """Return the times in seconds of each joint's beats, rising.

    Args:
        positions: joints [T, J, 3], metres; T at least 3.
        fps: frames a second.
        apart: seconds between two beats of a joint; of nearer ones the slower is kept. The code of
            BEAT looks 7 frames of 30 to either side.
        fall: metres a second by which a joint must have slowed down within `_APPROACH` before a
            beat. It leaves out breathing, noise and the instant a rest ends. BEAT leaves out
            minima below a tenth of the joint's mean speed over its corpus, hence full stops too.

    Returns:
        An array for each joint. A hold counts once, when it is reached.

    Raises:
        MotionValueError: other shapes, too few frames, or a value is not finite or not positive.
    """
    speed = np.round(speeds(positions, fps) / _STILL) * _STILL
    least, slower = positive(apart, "apart") * fps, positive(fall, "fall")
    return [_minima(joint, round(_APPROACH * fps), least, slower) / fps for joint in speed.T]


def _minima(speed: Array, approach: int, apart: float, fall: float) -> Array:
    """Return the frames of the minima of one joint's speed [T] that it has slowed down to."""
    found = find_peaks(-speed, plateau_size=1)[1]["left_edges"]
    before = [speed[max(0, frame - approach) : frame].max() for frame in found]
    found = found[before - speed[found] >= fall]
    kept: list[int] = []
    for frame in found[np.argsort(speed[found], kind="stable")]:
        if all(abs(frame - other) >= apart for other in kept):
            kept.append(int(frame))
    return np.array(sorted(kept), np.float64)


def beat_constancy(
    motion: ArrayLike,
    sound: ArrayLike,
    *,
    over: Literal["motion", "sound"] = "motion",
    sigma: float = SIGMA,
) -> float:
    """Return the constancy of two lists of times, 0 to 1; 0 where either has none.

    Args:
        motion, sound: times of beats in seconds, any order.
        over: the side whose beats are averaged over.
        sigma: seconds.

    Raises:
        MotionValueError: not flat lists of finite times, another side, or sigma not positive.
    """
    if over not in ("motion", "sound"):
        raise MotionValueError(f"over: {over!r}; accepted: 'motion' or 'sound'")
    moved, heard = _times(motion, "motion beats"), _times(sound, "sound beats")
    mine, theirs = (moved, heard) if over == "motion" else (heard, moved)
    if not (len(mine) and len(theirs)):
        return 0.0
    distance = np.abs(mine[:, None] - theirs[None]).min(1)
    return float(np.exp(-(distance**2) / (2.0 * positive(sigma, "sigma") ** 2)).mean())


def clip_constancy(
    beats: Sequence[ArrayLike],
    sound: ArrayLike,
    seconds: float,
    *,
    sigma: float = SIGMA,
    turns: int = 50,
    seed: int = 0,
) -> Constancy:
    """Return the constancy of one clip.

    Args:
        beats: each joint's beats, as `motion_beats` gives them; the joints that gesture (wrists,
            elbows, head), since one that only sways has no beats.
        sound: onsets, as `audio_onsets` gives them.
        seconds: length of the clip, beyond every beat.
        sigma: seconds.
        turns: random turns that `chance` is the mean of. A turn moves all beats by one time, and
            what leaves at the end comes in at the start, so their rhythm is kept.
        seed: the same seed gives the same chance.

    Raises:
        MotionValueError: no joints, a beat outside the clip, or a value that is not accepted.
    """
    joints = [_times(joint, "motion beats") for joint in beats]
    if not joints:
        raise MotionValueError("beats of 0 joints; accepted: 1 or more")
    heard, moved = _times(sound, "sound beats"), np.concatenate(joints)
    every = np.concatenate([heard, moved])
    if len(every) and not (every.min() >= 0.0 and every.max() <= positive(seconds, "seconds")):
        raise MotionValueError(
            f"beats from {every.min():g} to {every.max():g} s; accepted: 0 to {seconds:g} s"
        )
    shifts = np.random.default_rng(seed).uniform(0.0, seconds, count(turns, "turns"))
    chance = [beat_constancy((moved + shift) % seconds, heard, sigma=sigma) for shift in shifts]
    each = [beat_constancy(joint, heard, over="sound", sigma=sigma) for joint in joints]
    return Constancy(
        over_motion=beat_constancy(moved, heard, sigma=sigma),
        over_sound=float(np.mean(each)),
        chance=float(np.mean(chance)),
        motion_beats=len(moved),
        sound_beats=len(heard),
    )


def _times(values: ArrayLike, name: str) -> Array:
    """Return times [N], N from 0."""
    if np.shape(values) == (0,):
        return np.zeros(0)
    return finite(values, name, "N")
