"""A passage made ready to move: its lips, beats, brows, nods, blinks, gestures and emotion."""

import math
from collections.abc import Sequence
from typing import Final

from motion.actions import gesture
from motion.beats import Strokes, accents, plan_beats, plan_brows, plan_nods
from motion.easing import plateau
from motion.gestures import Gesture
from motion.lips import LipTrack
from motion.noise import draw
from motion.speech import Emotion, SpokenPassage

_READY: Final = 0.35  # seconds before the first word at which the hands come up
_RAISE: Final = 0.55  # seconds in which they do
_WAIT: Final = 0.7  # seconds they stay up for the next passage
_SINK: Final = 1.1  # seconds in which they go down
_EMOTION_TAIL: Final = 1.6
_BEAT_GAP: Final = 0.7


class Choreography:
    """What one passage makes the body do. Planned once, when the passage comes."""

    def __init__(
        self, passage: SpokenPassage, seed: int, now: float, earlier: Sequence["Choreography"]
    ) -> None:
        """`now`: the last pose's time; nothing but the lips may show before it."""
        own = seed + round(passage.start * 1000.0)
        self.end = passage.end
        self.start = max(passage.start, now + 0.1)
        self.emotion: Emotion = passage.emotion
        self.cut_at = math.inf
        self.lips = LipTrack(passage, own)
        self.gestures = _gestures(passage, now, earlier)
        found = [accent for accent in accents(passage) if accent.at >= now]
        free = max([now] + [c.last_beat + _BEAT_GAP - 0.44 for c in earlier])
        busy = [(g.start, g.end) for c in (*earlier, self) for g in c.gestures]
        beats = plan_beats(found, own, free, busy)
        self.strokes = Strokes(beats, plan_nods(found, own, now))
        self.last_beat: float = beats[-1].at if beats else -math.inf
        self.raises = plan_brows(found, own, now)
        self.blinks = _blinks(passage, own, now, self.gestures)
        self._up = max(now, passage.start - _READY)

    @property
    def until(self) -> float:
        """Return when nothing of the passage shows any more (seconds)."""
        tail = max(_WAIT + _SINK, _EMOTION_TAIL)
        return max([self.end + tail] + [g.end for g in self.gestures])

    def speaking(self, at: float) -> float:
        """Return how far the body is in its speaking posture for this passage, 0 to 1."""
        fade = max(self.end + _WAIT, self._up + _RAISE)
        return plateau(at, self._up, self._up + _RAISE, fade, fade + _SINK)


def _gestures(
    passage: SpokenPassage, now: float, earlier: Sequence[Choreography]
) -> tuple[Gesture, ...]:
    """Place the actions one after another: a body makes one gesture at a time."""
    free = max([now] + [g.end - 0.4 for c in earlier for g in c.gestures])
    placed: list[Gesture] = []
    for action in sorted(passage.actions, key=lambda action: action.at):
        made = gesture(action, free)
        if made is not None:
            placed.append(made)
            free = made.end - 0.4
    return tuple(placed)


def _blinks(
    passage: SpokenPassage, seed: int, now: float, gestures: Sequence[Gesture]
) -> tuple[float, ...]:
    """People blink as a clause ends, and as they look somewhere else."""
    times = [passage.end - 0.05] if draw(seed, 81) < 0.6 else []
    times += [
        made.start + 0.3 for made in gestures if draw(seed, 82, round(made.start * 1e3)) < 0.5
    ]
    return tuple(time for time in times if time >= now)
