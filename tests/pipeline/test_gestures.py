"""The gesture network at work: one thread for all bodies, and the way to it by configuration."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agents.clause import Clause
from avatar.speech import SPEECH_RATE, Phone, Word
from motion.procedural import ProceduralMover
from motion.streaming.checkpoint import Checkpoint, save_checkpoint
from motion.streaming.conditions import Conditions
from motion.streaming.mover import StreamingMover
from motion.streaming.net import GestureNet, NetSize
from motion.streaming.representation import BODY_DIM
from motion.streaming.schedule import Schedule
from motion.streaming.stream import BodyState, GestureStream
from motion.trained import trained_gestures
from pipeline.configuration import MoveSettings, load_configuration
from pipeline.errors import ConfigurationError
from pipeline.gestures import GestureWorker, film_mover, live_movers, open_gestures
from pipeline.stages.move import passage_of
from pipeline.timeline import Segment

STILL = np.zeros(BODY_DIM, np.float32)


@pytest.fixture
def weights(tmp_path: Path) -> MoveSettings:
    torch.manual_seed(1)
    net = GestureNet(NetSize(dim=24, layers=1, heads=2))
    torch.nn.init.normal_(net.body_out.weight, std=0.1)
    scale = torch.full((BODY_DIM,), 3.0)
    checkpoint = Checkpoint(net, Schedule(), torch.zeros(BODY_DIM), scale, {})
    save_checkpoint(checkpoint, tmp_path / "net.safetensors")
    return MoveSettings(str(tmp_path / "net.safetensors"))


def stream_of(weights: MoveSettings) -> GestureStream:
    stream = open_gestures(weights)
    assert stream is not None
    return stream


class Slow(GestureStream):
    """A stream whose first batch waits until it is let go."""

    def __init__(self, stream: GestureStream) -> None:
        self.__dict__.update(stream.__dict__)
        self.begun, self.go = Event(), Event()

    def commit(self, states: list[BodyState], conditions: Conditions) -> NDArray[np.float32]:
        self.begun.set()
        assert self.go.wait(20.0)
        return super().commit(states, conditions)


def told(seed: int) -> Conditions:
    given = Conditions.empty(1, Schedule().window)
    random = torch.Generator().manual_seed(seed)
    return replace(given, audio=torch.randn(given.audio.shape, generator=random))


def test_bodies_that_ask_meanwhile_are_served_together(weights: MoveSettings) -> None:
    stream = Slow(stream_of(weights))
    worker = GestureWorker(stream)
    states = [worker.open(STILL, seed) for seed in range(4)]
    worker.ask(states[0], told(0))
    assert stream.begun.wait(20.0)
    for number in (1, 2, 3):
        worker.ask(states[number], told(number))
        assert worker.take(states[number]) is None
    stream.go.set()
    settle(worker)
    assert worker.batches == 2
    alone = stream_of(weights)
    for number, state in enumerate(states):
        expected = alone.commit([alone.open(STILL, number)], told(number))[0]
        made = worker.take(state)
        assert made is not None
        np.testing.assert_allclose(made, expected, atol=1e-4)
        assert worker.take(state) is None
    worker.close()
    worker.close()


def test_what_the_network_fails_of_is_told(weights: MoveSettings) -> None:
    worker = GestureWorker(stream_of(weights))
    state = worker.open(STILL, 1)
    worker.ask(state, Conditions.empty(1, 3))
    settle(worker)
    with pytest.raises(RuntimeError):
        worker.take(state)
    worker.close()


def test_closing_drops_what_waits(weights: MoveSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Slow(stream_of(weights))
    worker = GestureWorker(stream)
    states = [worker.open(STILL, seed) for seed in range(2)]
    worker.ask(states[0], told(0))
    assert stream.begun.wait(20.0)
    worker.ask(states[1], told(1))
    shutdown = worker._executor.shutdown

    def let_go(*, wait: bool, cancel_futures: bool) -> None:
        stream.go.set()
        shutdown(wait=wait, cancel_futures=cancel_futures)

    monkeypatch.setattr(worker._executor, "shutdown", let_go)
    worker.close()
    assert worker.batches == 1
    assert states[1].made is None


def test_a_speaker_is_moved_by_the_network_from_a_thread(weights: MoveSettings) -> None:
    make, worker = live_movers(weights)
    assert worker is not None
    mover = make(1)
    assert isinstance(mover, StreamingMover)
    mover.passage(passage_of(segment(), sound=mover.hears))
    led = []
    for pose in range(60):
        mover.pose(pose / 25.0)
        settle(worker)
        led.append(mover.leads)
    assert any(led)
    assert worker.batches >= 3
    worker.close()


def test_bodies_move_by_rule_where_that_is_wished() -> None:
    make, worker = live_movers(MoveSettings("rules"))
    assert worker is None
    assert type(make(1)) is ProceduralMover
    assert type(film_mover(MoveSettings("rules"), 1)) is ProceduralMover
    assert passage_of(segment(), sound=make(1).hears).sound is None


def test_the_network_that_ships_moves_bodies_where_nothing_else_is_said() -> None:
    make, worker = live_movers(MoveSettings())
    assert worker is not None
    assert isinstance(make(1), StreamingMover)
    assert float(str(trained_gestures().trained["hours"])) > 4.0
    worker.close()


def test_sound_comes_at_the_rate_motion_hears(weights: MoveSettings) -> None:
    mover = film_mover(weights, 1)
    sound = passage_of(segment(), sound=mover.hears).sound
    assert sound is not None
    assert len(sound) == pytest.approx(1.0 * 16_000, abs=2)
    tone = np.abs(np.fft.rfft(sound)).argmax() * 16_000 / len(sound)
    assert tone == pytest.approx(440.0, abs=2.0)


def test_weights_are_named_in_the_configuration(tmp_path: Path, weights: MoveSettings) -> None:
    (tmp_path / "v.toml").write_text(f'[move]\ngestures = "{weights.gestures}"\n')
    assert load_configuration(tmp_path / "v.toml").move == weights
    with pytest.raises(
        ConfigurationError,
        match=r"move.gestures is '.*none'; accepted: trained, rules, or",
    ):
        MoveSettings(gestures=str(tmp_path / "none"))
    (tmp_path / "bad").write_bytes(b"no weights")
    with pytest.raises(ConfigurationError, match=r"move.gestures: bad: .*a gesture checkpoint"):
        open_gestures(MoveSettings(str(tmp_path / "bad")))


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"move.device is 'gpu'; accepted: cpu, cuda"):
        MoveSettings(device="gpu")
    with pytest.raises(ConfigurationError, match=r"move.device is 'cuda:99'; accepted here: cpu"):
        open_gestures(MoveSettings(device="cuda:99"))


def settle(worker: GestureWorker) -> None:
    """Wait until the worker's thread has made what was asked for."""
    worker._executor.submit(int).result(20.0)


def segment() -> Segment:
    time = np.arange(SPEECH_RATE) / SPEECH_RATE
    tone = (0.2 * np.sin(2 * np.pi * 440 * time)).astype(np.float32)
    return Segment(
        1,
        tone,
        (Word("hello", 0.0, 1.0),),
        (Phone("h", 0.0, 0.3), Phone("ɑ", 0.3, 1.0, 1)),
        Clause("hello", "en"),
        start=SPEECH_RATE,
    )
