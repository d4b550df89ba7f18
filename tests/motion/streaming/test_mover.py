"""How the network and the rules share a body."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from motion.actions import ACTIONS
from motion.audio import AUDIO_RATE
from motion.controls import CONTROL_INDEX, LEFT_ARM, RIGHT_ARM
from motion.limits import beyond
from motion.procedural import ProceduralMover
from motion.speech import SpokenAction, SpokenPassage
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import Conditions
from motion.streaming.mover import StreamingMover
from motion.streaming.representation import BODY_DIM, BODY_INDEX, BODY_NAMES, body_of
from motion.streaming.schedule import Schedule
from motion.streaming.stream import BodyState, GestureStream
from motion.trained import trained_gestures
from tests.motion.samples import passage

STEP = 0.04
FLEX = CONTROL_INDEX["flex_left"]
FORWARD = CONTROL_INDEX["forward_left"]


class Pendulum:
    """A source whose chunks swing one elbow, on from where it was; `late` polls pass first."""

    def __init__(self, late: int = 0) -> None:
        self.schedule = Schedule()
        self.asked: list[Conditions] = []
        self.shown: list[NDArray[np.float32]] = []
        self._late, self._polls = late, 0
        self._phase = 0

    def open(self, body: NDArray[np.float32], seed: int) -> BodyState:
        del body, seed
        return BodyState(torch.zeros(1), torch.zeros(1), torch.Generator())

    def restart(self, state: BodyState, shown: NDArray[np.float32]) -> None:
        del state
        self.shown.append(shown)
        self._phase = 0

    def ask(self, state: BodyState, conditions: Conditions) -> None:
        del state
        assert self._polls <= 0, "asked while the last chunk is being made"
        self.asked.append(conditions)
        self._polls = self._late + 1

    def take(self, state: BodyState) -> NDArray[np.float32] | None:
        del state
        self._polls -= 1
        if self._polls > 0:
            return None
        at = self._phase + np.arange(self.schedule.chunk)
        self._phase += self.schedule.chunk
        chunk = np.tile(self.shown[-1][-1], (self.schedule.chunk, 1))
        chunk[:, BODY_NAMES.index("flex_left")] += 12.0 * (1.0 - np.cos(at * STEP * 3.0))
        return chunk


def spoken(start: float, *actions: SpokenAction) -> SpokenPassage:
    bare = passage(start, "h ə l ˈoʊ w ˈɛ l k ə m t ə ð ə p ˈiː t s ə", *actions)
    sound = np.random.default_rng(1).normal(0, 0.1, round((bare.end - start) * AUDIO_RATE))
    return replace(bare, sound=sound.astype(np.float32))


def times(end: float) -> Iterator[float]:
    return (i * STEP for i in range(round(end / STEP)))


def film(mover: ProceduralMover, end: float, cut: float = np.inf) -> NDArray[np.float64]:
    rows = []
    for at in times(end):
        if cut <= at:
            mover.cut(cut)
            cut = np.inf
        rows.append(mover.controls(at)[0])
    return np.array(rows)


def jumps(rows: NDArray[np.float64]) -> float:
    """Return the largest change of a body control's speed from pose to pose, in degrees."""
    return float(np.abs(np.diff(body_of(rows), 2, axis=0)).max())


def test_the_network_has_the_body_while_there_is_speech() -> None:
    source = Pendulum()
    mover = StreamingMover(3, source)
    mover.passage(spoken(2.0))
    led = []
    for at in times(8.0):
        mover.controls(at)
        led.append(mover.leads)
    first, last = np.flatnonzero(led)[[0, -1]] * STEP
    assert 1.3 < first < 1.7
    assert 2.0 + 1.3 < last < 2.0 + 1.44 + 1.7
    made = len(source.asked) * source.schedule.chunk * STEP
    assert made == pytest.approx(last - first, abs=1.2)


def test_it_goes_on_from_what_was_shown_without_a_jump() -> None:
    source = Pendulum()
    mover = StreamingMover(3, source)
    mover.passage(spoken(2.0))
    rows = film(mover, 8.0)
    plain = ProceduralMover(3)
    plain.passage(spoken(2.0))
    before = film(plain, 8.0)
    begun = int(np.flatnonzero((rows != before).any(1))[0])
    np.testing.assert_allclose(
        source.shown[0][-10:], body_of(rows[begun - 11 : begun - 1]), atol=1e-3
    )
    assert jumps(rows) < jumps(before)
    np.testing.assert_allclose(rows[-1], before[-1], atol=1e-6)


def test_speech_without_sound_is_left_to_the_rules() -> None:
    source = Pendulum()
    mover, plain = StreamingMover(3, source), ProceduralMover(3)
    for each in (mover, plain):
        each.passage(replace(spoken(1.0), sound=None))
    np.testing.assert_array_equal(film(mover, 4.0), film(plain, 4.0))
    assert not source.asked


@pytest.mark.parametrize("late", [3, 9, 40])
def test_what_is_late_is_not_waited_for(late: int) -> None:
    mover = StreamingMover(3, Pendulum(late))
    mover.passage(spoken(1.0))
    plain = ProceduralMover(3)
    plain.passage(spoken(1.0))
    # A beat of the hands by rule is the quickest of all.
    assert jumps(film(mover, 6.0)) < 1.05 * jumps(film(plain, 6.0))


def test_a_cut_comes_to_listening_in_300_ms_without_a_jump() -> None:
    mover, listener = StreamingMover(3, Pendulum()), ProceduralMover(3)
    mover.passage(spoken(1.0, SpokenAction("welcome", 1.6)))
    rows = film(mover, 4.0, cut=2.0)
    listener.posture("listening", 0.0)
    rest = film(listener, 4.0)
    after = round(2.32 / STEP)
    np.testing.assert_allclose(rows[after:], rest[after:], atol=0.5)
    assert jumps(rows) < 6.0
    assert not mover.leads


def test_actions_known_in_time_are_told_and_late_ones_are_laid_over() -> None:
    source = Pendulum()
    mover = StreamingMover(3, source)
    mover.passage(spoken(2.0, SpokenAction("wave", 3.3)))
    film(mover, 6.0)
    assert any((asked.action > 0).any() for asked in source.asked)
    late = Pendulum()
    mover = StreamingMover(3, late)
    rows = []
    for at in times(6.0):
        if at == 2.0:
            mover.passage(spoken(2.1, SpokenAction("wave", 2.3, (("hand", "left"),))))
        rows.append(mover.controls(at)[0])
    assert all((asked.action == 0).all() for asked in late.asked)
    lifted = np.array(rows)[:, FORWARD]
    assert lifted.max() > 20.0 + lifted[0]
    # So are those of the first words: the network has its slots half made already.
    first = Pendulum()
    mover = StreamingMover(3, first)
    mover.passage(spoken(2.0, SpokenAction("wave", 2.4, (("hand", "left"),))))
    rows = list(film(mover, 6.0))
    assert all((asked.action == 0).all() for asked in first.asked)
    assert np.array(rows)[:, FORWARD].max() > 20.0 + rows[0][FORWARD]


def test_sound_is_told_as_far_as_it_is_known() -> None:
    source = Pendulum()
    mover = StreamingMover(3, source)
    mover.passage(spoken(1.0))
    film(mover, 5.0)
    schedule = source.schedule
    least = schedule.anchored + schedule.chunk + 5
    known = [int(asked.known[0]) for asked in source.asked]
    assert max(known) == schedule.window
    assert min(known) == least
    # The front end hears the noise: where it sounds there is more energy than in silence.
    first = source.asked[2]
    assert first.audio[0, : known[2]].max() > first.audio[0, 0].max() + 1.0


def test_it_keeps_no_more_after_an_hour_of_talk() -> None:
    mover = StreamingMover(3, Pendulum())
    sizes = set()
    for turn in range(60):
        start = 60.0 * turn
        mover.passage(spoken(start + 1.0))
        for at in times(10.0):
            mover.controls(start + at)
        run = mover._run
        sizes.add((run is None, len(mover._shown), len(mover._track._sounds)))
    assert len(sizes) == 1
    assert mover._track._sounds == []


def test_a_real_network_keeps_the_joints_in_their_ranges(checkpoint: Checkpoint) -> None:
    mover = StreamingMover(3, GestureStream(checkpoint))
    mover.passage(spoken(0.5))
    rows = film(mover, 3.0)
    assert mover.leads
    assert beyond(rows).max() < 1e-9
    assert rows.shape[1] > BODY_DIM


@pytest.mark.parametrize(
    ("name", "given"),
    [("count", (("number", 3.0),)), ("count", (("number", 4.0),)), ("show_size", (("size", 0.2),))],
)
def test_what_can_be_counted_or_measured_is_shown_as_it_is_said(
    name: str, given: tuple[tuple[str, float], ...]
) -> None:
    """The network that ships comes near; fingers and metres have to be right."""
    action = SpokenAction(name, 3.2, given)
    arms = np.r_[LEFT_ARM, RIGHT_ARM] if name == "show_size" else np.r_[RIGHT_ARM]
    network = StreamingMover(3, GestureStream(trained_gestures()))
    plain = ProceduralMover(3)
    for mover in (network, plain):
        mover.passage(spoken(2.0, action))
    ((_, made),) = plain.acts
    held = round((made.stroke + ACTIONS[name].phases.stroke + 0.1) / STEP)
    rows, ruled = film(network, 5.0), film(plain, 5.0)
    assert any(gesture.exact for _, gesture in plain.acts)
    np.testing.assert_allclose(rows[held, arms], ruled[held, arms], atol=0.5)
    others = np.setdiff1d(BODY_INDEX, arms)
    assert np.abs(rows[held, others] - ruled[held, others]).max() > 0.5
    assert jumps(rows) < 2.0 * jumps(ruled)


def test_what_needs_not_be_exact_is_the_network_s_own() -> None:
    exact = {name for name, action in ACTIONS.items() if action.exact}
    assert exact == {
        "count", "show_size", "show_thickness", "show_height", "show_length", "show_round",
    }  # fmt: skip
