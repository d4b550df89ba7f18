"""Batches of fixed sizes: what fills them up changes nothing, on every device there is."""

import numpy as np
import pytest
import torch

from motion.actions import ACTION_INDEX
from motion.errors import MotionValueError
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import Conditions
from motion.streaming.representation import BODY_DIM
from motion.streaming.schedule import Schedule
from motion.streaming.stream import GestureStream
from motion.streaming.tick import Guidance, Tick, bucket, filled_up

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def given(schedule: Schedule, batch: int) -> tuple[torch.Tensor, torch.Tensor, Conditions]:
    torch.manual_seed(4)
    told = Conditions.empty(batch, schedule.window)
    told.audio.normal_()
    anchor = torch.randn(batch, schedule.anchored, BODY_DIM)
    return anchor, torch.randn(batch, schedule.active, BODY_DIM), told


def test_batches_are_filled_up_to_powers_of_two() -> None:
    assert [bucket(count) for count in (1, 2, 3, 4, 5, 8, 9, 33)] == [1, 2, 4, 4, 8, 8, 16, 64]
    rows = filled_up(torch.tensor([[1.0], [2.0], [3.0]]), 4)
    assert rows[:, 0].tolist() == [1.0, 2.0, 3.0, 3.0]
    whole = torch.ones(4, 2)
    assert filled_up(whole, 4) is whole


@pytest.mark.parametrize("guidance", [Guidance(), Guidance(sound=1.5, action=2.0)])
def test_bodies_that_fill_a_batch_up_change_nothing(
    checkpoint: Checkpoint, guidance: Guidance
) -> None:
    tick = Tick(checkpoint.net, checkpoint.schedule, guidance)
    anchor, active, told = given(checkpoint.schedule, 3)
    plain = tick(anchor, active, told)
    values = (getattr(told, name) for name in Conditions.__dataclass_fields__)
    more = tick(
        filled_up(anchor, 4), filled_up(active, 4), Conditions(*(filled_up(v, 4) for v in values))
    )
    for one, other in zip(plain, more, strict=True):
        torch.testing.assert_close(one, other[:3], atol=1e-5, rtol=0.0)


def test_guidance_for_actions_moves_only_who_is_told_one(checkpoint: Checkpoint) -> None:
    tick = Tick(checkpoint.net, checkpoint.schedule, Guidance(action=3.0))
    plain = Tick(checkpoint.net, checkpoint.schedule, Guidance(action=1.0))
    anchor, active, told = given(checkpoint.schedule, 2)
    told.action[1, 45:] = ACTION_INDEX["wave"]
    made, as_learnt = tick(anchor, active, told)[0], plain(anchor, active, told)[0]
    torch.testing.assert_close(made[0], as_learnt[0], atol=1e-5, rtol=0.0)
    assert (made[1] - as_learnt[1]).abs().max() > 1e-3


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_moves_bodies_as_the_first_one_does(
    checkpoint: Checkpoint, device: str
) -> None:
    made = []
    for where in ("cpu", device):
        stream = GestureStream(checkpoint, device=where)
        states = [stream.open(np.zeros(BODY_DIM, np.float32), seed) for seed in range(3)]
        told = given(stream.schedule, 3)[2]
        made.append(np.stack([stream.commit(states, told) for _ in range(4)]))
    np.testing.assert_allclose(made[0], made[1], atol=2e-3)


def test_what_is_too_short_to_be_smoothed_is_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(MotionValueError, match="accepted: chunks of more than 3 poses"):
        Tick(checkpoint.net, Schedule(chunk=2), Guidance())
