"""Learning: windows, the step, going on after a stop, and that a pattern is learnt at all."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from motion.actions import ACTION_INDEX, VECTOR
from motion.audio import AUDIO_DIM, silence
from motion.errors import MotionValueError
from motion.streaming.checkpoint import load_checkpoint, save_checkpoint
from motion.streaming.conditions import LONGEST_LEAD, STYLE_DIM
from motion.streaming.dataset import (
    MotionSequence,
    Windows,
    cut_window,
    read_sequence,
    write_sequence,
)
from motion.streaming.net import NetSize
from motion.streaming.representation import BODY_DIM
from motion.streaming.schedule import Schedule
from motion.streaming.training import Recipe, Trainer, train

SMALL = NetSize(dim=48, layers=2, heads=2)


def sequence(poses: int = 300, seed: int = 0) -> MotionSequence:
    """Return a body that swings while there is sound, and waves once."""
    random = np.random.default_rng(seed)
    loud = (np.arange(poses) // 50) % 2 == 1
    body = np.zeros((poses, BODY_DIM))
    body[:, 3] = 10.0 * loud
    body += 0.02 * random.standard_normal(body.shape)
    audio = np.tile(silence(), (poses, AUDIO_DIM // len(silence()))) + 1.5 * loud[:, None]
    stroke = 160
    at = (np.arange(poses) - stroke) / 25.0
    acting = (at > -1.0) & (at < 1.5)
    return MotionSequence(
        audio.astype(np.float16),
        body.astype(np.float16),
        np.zeros((poses, 52), np.float16),
        np.where(acting, ACTION_INDEX["wave"], 0).astype(np.int16),
        np.where(acting, at, 0.0).astype(np.float16),
        np.zeros((poses, len(VECTOR)), np.float16),
        np.where(loud, 3, 0).astype(np.int16),
        np.zeros(STYLE_DIM, np.float16),
        loud,
    )


def test_a_sequence_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = sequence()
    write_sequence(written, tmp_path / "one.safetensors", {"take": "one"})
    found, about = read_sequence(tmp_path / "one.safetensors")
    for name in MotionSequence.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(found, name), getattr(written, name))
    assert about["take"] == "one"
    (tmp_path / "two.safetensors").write_bytes(b"no tensors")
    with pytest.raises(MotionValueError, match=r"two.safetensors: .*accepted: a training sequence"):
        read_sequence(tmp_path / "two.safetensors")


def test_windows_hold_what_the_sequence_holds_and_stand_still_outside() -> None:
    whole = sequence()
    body, told = cut_window(whole, -10, 40)
    np.testing.assert_array_equal(body[:11], np.tile(whole.body[0].astype(np.float32), (11, 1)))
    np.testing.assert_array_equal(body[10:], whole.body[:30].astype(np.float32))
    np.testing.assert_allclose(told.audio[0, 0, : len(silence())], silence(), atol=1e-3)
    assert (told.action[0, :10] == 0).all()


def test_an_action_is_drawn_as_often_as_wished() -> None:
    windows = Windows([sequence()], 80, 1, action_share=1.0)
    _, told = windows.draw(32)
    assert (told.action == ACTION_INDEX["wave"]).any(1).all()
    rare = Windows([sequence()], 80, 1, action_share=0.0)
    assert not (rare.draw(32)[1].action > 0).any(1).all()


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(MotionValueError, match="no sequences; accepted: at least one"):
        Windows([], 80, 1)


def test_a_pattern_is_learnt(tmp_path: Path) -> None:
    recipe = Recipe(steps=60, batch=8, rate=4e-3, warm=5, threads=1)
    trainer = Trainer([sequence(seed=s) for s in range(2)], recipe, Schedule(steps=2), SMALL)
    told = list(trainer.run(every=20))
    assert [progress.step for progress in told] == [20, 40, 60]
    assert told[-1].flow < 0.8 * told[0].flow
    made = trainer.finished()
    save_checkpoint(made, tmp_path / "net.safetensors")
    found = load_checkpoint(tmp_path / "net.safetensors")
    assert found.schedule == Schedule(steps=2)
    assert found.trained["done"] == 60
    for name, weight in made.net.state_dict().items():
        torch.testing.assert_close(found.net.state_dict()[name], weight.half().float())


@pytest.mark.parametrize("kind", [{"whole": True}, {"unanchored": True}, {"forced": 1.0}])
def test_every_recipe_learns_something(kind: dict[str, float | bool]) -> None:
    recipe = replace(Recipe(steps=24, batch=8, rate=4e-3, warm=2, threads=1), **kind)  # type: ignore[arg-type]
    trainer = Trainer([sequence()], recipe, Schedule(), SMALL)
    told = list(trainer.run(every=8))
    assert told[-1].flow < told[0].flow


def test_a_stopped_training_goes_on_where_it_was(tmp_path: Path) -> None:
    recipe = Recipe(steps=4, batch=4, threads=1)
    state, output = tmp_path / "state", tmp_path / "net.safetensors"
    first = Trainer([sequence()], recipe, Schedule(), SMALL, state=state)
    train(first, output, lambda _: None, every=2)
    again = Trainer([sequence()], recipe, Schedule(), SMALL, state=state)
    assert again.step == 4
    for name, weight in first.net.state_dict().items():
        torch.testing.assert_close(again.net.state_dict()[name], weight)
    with pytest.raises(MotionValueError, match="belongs to another recipe"):
        Trainer([sequence()], replace(recipe, rate=1.0), Schedule(), SMALL, state=state)


def test_a_network_is_taught_further_from_where_it_was() -> None:
    sequences = [sequence(seed=s) for s in range(2)]
    short = Recipe(steps=30, batch=8, rate=4e-3, warm=5, threads=1)
    begun = Trainer(sequences, short, Schedule(), SMALL)
    last = list(begun.run(every=10))[-1]
    further = Trainer(
        sequences[:1], replace(short, rate=1e-4, seed=2), Schedule(), start=begun.finished()
    )
    torch.testing.assert_close(further.mean, begun.mean)
    torch.testing.assert_close(further.spread, begun.spread)
    assert next(further.run(every=10)).flow < 1.3 * last.flow
    with pytest.raises(MotionValueError, match=r"start has Schedule\(.*; accepted: Schedule"):
        Trainer(sequences, short, Schedule(steps=1), start=begun.finished())


def test_what_trembles_is_told_from_what_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer([sequence()], Recipe(steps=1, threads=1), Schedule(), SMALL)
    _, told = Windows([sequence()], 120, 1).draw(16)
    clean = torch.zeros(16, 120, BODY_DIM)
    even, turns = torch.ones(40, 1), (-1.0) ** torch.arange(40)[:, None]

    def almost(
        error: torch.Tensor, _: object, noisy: torch.Tensor, times: torch.Tensor, __: object
    ) -> torch.Tensor:
        return error - noisy / (1.0 - times[..., None]).clamp(min=1e-3)

    losses = []
    for error in (even, even * turns):
        monkeypatch.setattr(trainer, "net", partial(almost, error))
        flow, _, tremble = trainer._losses(clean[:, 40:80], clean, told)
        losses.append((float(flow), float(tremble)))
    assert losses[0][0] == pytest.approx(losses[1][0], rel=0.1)
    assert losses[1][1] > 10.0 * losses[0][1]


def test_values_out_of_range_are_named() -> None:
    with pytest.raises(MotionValueError, match=r"Recipe.untold: 2.0; accepted: 0.0 to 1.0"):
        Recipe(untold=2.0)
    with pytest.raises(MotionValueError, match=r"NetSize.dim: 50; accepted: multiples of 12"):
        NetSize(dim=50)


def test_a_checkpoint_of_other_actions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    trainer = Trainer([sequence()], Recipe(steps=1, threads=1), Schedule(), SMALL)
    save_checkpoint(trainer.finished(), path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b'\\"wave\\"', b'\\"wafe\\"', 1))
    with pytest.raises(MotionValueError, match="was trained on"):
        load_checkpoint(path)
    path.write_bytes(content[:50])
    with pytest.raises(MotionValueError, match="accepted: a gesture checkpoint"):
        load_checkpoint(path)


def test_actions_are_told_in_time_and_not_before() -> None:
    trainer = Trainer([sequence()], Recipe(steps=1, untold=0.0, threads=1), Schedule(), SMALL)
    windows = Windows([sequence()], 120, 1, action_share=1.0)
    _, given = windows.draw(64)
    told = trainer._told(given)
    acting = told.action > 0
    assert (told.since[acting] >= -LONGEST_LEAD).all()
    assert not (acting & ~(given.action > 0)).any()
    kept = (given.action > 0) & (given.since >= -0.5)
    assert (told.action[kept] == given.action[kept]).all()
    earliest = torch.where(acting, told.since, torch.zeros_like(told.since)).min(1).values
    assert earliest.min() < -0.8
    assert earliest.max() > -0.8
