"""A passage made ready to move: its lips, beats, brows, nods, blinks, gestures and emotion."""

import math
from collections.abc import Sequence
from typing import Final

from motion.actions import Gesture, gesture
from motion.beats import (
    BROW_LEAD,
    NOD_LEAD,
    Strokes,
    accents,
    plan_beats,
    plan_brows,
    plan_nods,
)
from motion.bodies import BASE, Body
from motion.easing import plateau
from motion.expressions import AHEAD, TAIL, Feeling
from motion.lips.track import LipTrack
from motion.noise import draw
from motion.speech import SpokenAction, SpokenPassage
from motion.style import StyleSpec

_READY: Final = 0.35  # seconds before the first word at which the hands come up
_RAISE: Final = 0.55  # seconds in which they do
_WAIT: Final = 0.7  # seconds they stay up for the next passage
_SINK: Final = 1.1  # seconds in which they go down


class Choreography:
    """What one passage makes the body do. Planned once, when the passage comes."""

    def __init__(
        self,
        passage: SpokenPassage,
        seed: int,
        now: float,
        earlier: Sequence["Choreography"],
        style: StyleSpec,
        body: Body = BASE,
    ) -> None:
        """`now`: the last pose's time; nothing but the lips may show before it.

        `body`: whose hands make the actions.
        """
        self._seed = own = seed + round(passage.start * 1000.0)
        self.end = passage.end
        self.start = max(passage.start, now + 0.1)
        self.feeling = Feeling(
            passage.emotion, passage.intensity, max(passage.start - AHEAD, now), passage.end
        )
        self.cut_at = math.inf
        self.lips = LipTrack(passage, own)
        self.acts = _acts(passage, now, earlier, style, body)
        self.gestures = tuple(made for _, made in self.acts)
        self._accents = [accent for accent in accents(passage) if accent.at >= now]
        self._busy = [(g.start, g.end) for c in (*earlier, self) for g in c.gestures]
        self.strokes = Strokes((), ())
        self.raises: list[tuple[float, float]] = []
        self.plan(now, max((c.last_beat for c in earlier), default=-math.inf), style)
        self.blinks = _blinks(passage, own, now, self.gestures)
        self._up = max(now, passage.start - _READY)

    @property
    def last_beat(self) -> float:
        """When the last of its beats lands (seconds), -inf without any."""
        beats = self.strokes.beats
        return beats[-1].at if beats else -math.inf

    def plan(self, now: float, before: float, style: StyleSpec) -> None:
        """Plan beats, nods and brows that begin after `now` in a style; what has begun is kept.

        `before`: when the last beat of earlier passages lands (seconds). What is felt colours the
        style.
        """
        style = style.felt(self.feeling.emotion, self.feeling.intensity)
        beats = [beat for beat in self.strokes.beats if beat.start < now]
        nods = [nod for nod in self.strokes.nods if nod[0] < now + NOD_LEAD]
        raises = [each for each in self.raises if each[0] < now + BROW_LEAD]
        last = max([before] + [beat.at for beat in beats])
        found = [accent for accent in self._accents if accent.at >= now]
        beats += plan_beats(found, self._seed, now, self._busy, last=last, style=style)
        nods += plan_nods(found, self._seed, now, style.head)
        self.strokes = Strokes(beats, nods)
        self.raises = raises + plan_brows(found, self._seed, now, style.expression)

    @property
    def until(self) -> float:
        """Return when nothing of the passage shows any more (seconds)."""
        tail = max(_WAIT + _SINK, TAIL)
        return max([self.end + tail] + [g.end for g in self.gestures])

    def speaking(self, at: float) -> float:
        """Return how far the body is in its speaking posture for this passage, 0 to 1."""
        fade = max(self.end + _WAIT, self._up + _RAISE)
        return plateau(at, self._up, self._up + _RAISE, fade, fade + _SINK)


def _acts(
    passage: SpokenPassage,
    now: float,
    earlier: Sequence[Choreography],
    style: StyleSpec,
    body: Body,
) -> tuple[tuple[SpokenAction, Gesture], ...]:
    """Place the actions one after another: a body makes one gesture at a time.

    One that is still held gives way to the next, so that this comes with its word.
    """
    made = [g for c in earlier for g in c.gestures]
    before = max(made, key=lambda g: g.end, default=None)
    placed: list[tuple[SpokenAction, Gesture]] = []
    for action in sorted(passage.actions, key=lambda action: action.at):
        wish = gesture(action, now, style.usual_hand, body)
        if wish is None:
            continue
        free = now if before is None else before.give_way(wish.start, now)
        if free > wish.start:
            wish = gesture(action, free, style.usual_hand, body)
        if wish is not None:
            placed.append((action, wish))
            before = wish
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
