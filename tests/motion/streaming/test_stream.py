"""What must hold of the streaming itself, whatever the network has learnt."""

import dataclasses

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from motion.actions import ACTION_INDEX
from motion.errors import MotionValueError
from motion.streaming.checkpoint import Checkpoint
from motion.streaming.conditions import ACTION_COUNT, Conditions
from motion.streaming.net import PATCH
from motion.streaming.representation import BODY_DIM
from motion.streaming.stream import GestureStream
from motion.streaming.tick import Guidance

BODY = np.linspace(-10.0, 10.0, BODY_DIM).astype(np.float32)
LOOK_AHEAD = 5


def conditions(stream: GestureStream, seed: int = 0, batch: int = 1) -> Conditions:
    """Return noisy sound and random labels, the sound known `LOOK_AHEAD` behind the chunk."""
    schedule, random = stream.schedule, torch.Generator().manual_seed(seed)
    given = Conditions.empty(batch, schedule.window)
    return dataclasses.replace(
        given,
        audio=torch.randn(given.audio.shape, generator=random),
        action=torch.randint(ACTION_COUNT, given.action.shape, generator=random),
        known=torch.full((batch,), schedule.anchored + schedule.chunk + LOOK_AHEAD),
    )


def run(stream: GestureStream, told: list[Conditions], seed: int = 3) -> NDArray[np.float32]:
    state = stream.open(BODY, seed)
    return np.concatenate([stream.commit([state], each)[0] for each in told])


def test_sound_beyond_the_look_ahead_changes_no_bit(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    told = [conditions(stream, seed) for seed in range(6)]
    known = int(told[0].known[0])
    # A token that is known in part is not looked at.
    seen = known // PATCH * PATCH
    changed = []
    for each in told:
        audio = each.audio.clone()
        audio[:, seen:] += 3.0
        changed.append(dataclasses.replace(each, audio=audio))
    assert (run(stream, told) == run(stream, changed)).all()
    heard = told[0].audio.clone()
    heard[:, seen - PATCH : seen] += 3.0
    nearer = [dataclasses.replace(told[0], audio=heard), *told[1:]]
    assert (run(stream, told)[: stream.schedule.chunk] != run(stream, nearer)[:10]).any()


def test_a_chunk_costs_as_many_evaluations_as_there_are_steps(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    state = stream.open(BODY, 1)
    assert stream.evaluations == 0
    for chunk in range(1, 40):
        stream.commit([state], conditions(stream, chunk))
        assert stream.evaluations == chunk * stream.schedule.steps


def test_a_body_keeps_its_size(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    state = stream.open(BODY, 1)
    told = conditions(stream)
    sizes = set()
    for _ in range(50):
        stream.commit([state], told)
        # Views must not hold what was made before.
        sizes.add(
            (
                tuple(state.anchor.shape),
                tuple(state.active.shape),
                state.anchor.untyped_storage().nbytes(),
                state.active.untyped_storage().nbytes(),
            )
        )
    schedule, wide = stream.schedule, BODY_DIM * 4
    assert sizes == {
        (
            (schedule.anchored, BODY_DIM),
            (schedule.active, BODY_DIM),
            schedule.anchored * wide,
            schedule.active * wide,
        )
    }


def test_what_anchors_contribute_may_be_kept_or_made_again(checkpoint: Checkpoint) -> None:
    net, schedule = checkpoint.net, checkpoint.schedule
    torch.manual_seed(2)
    anchor = torch.randn(2, schedule.anchored, BODY_DIM)
    told = net.tell(conditions(GestureStream(checkpoint), batch=2))
    kept = net.remember(anchor, told)
    for step in range(schedule.steps):
        active = torch.randn(2, schedule.active, BODY_DIM)
        times = torch.full((2, schedule.active), step / schedule.steps)
        again = net.move(active, times, told, net.remember(anchor, told))
        torch.testing.assert_close(net.move(active, times, told, kept), again, atol=1e-5, rtol=0.0)


def test_anchors_see_anchors_alone(checkpoint: Checkpoint) -> None:
    net, schedule = checkpoint.net, checkpoint.schedule
    told = net.tell(conditions(GestureStream(checkpoint)))
    anchor = torch.randn(1, schedule.anchored, BODY_DIM)
    times = torch.full((1, schedule.active), 0.5)
    active = torch.randn(1, schedule.active, BODY_DIM)
    before = [tuple(t.clone() for t in pair) for pair in net.remember(anchor, told)]
    net.move(active, times, told, net.remember(anchor, told))
    for (key, value), (key_again, value_again) in zip(
        before, net.remember(anchor, told), strict=True
    ):
        assert torch.equal(key, key_again)
        assert torch.equal(value, value_again)
    moved = anchor.clone()
    moved[:, -1] += 1.0
    assert not torch.equal(
        net.move(active, times, told, net.remember(moved, told)),
        net.move(active, times, told, net.remember(anchor, told)),
    )


def test_an_action_told_later_leaves_what_was_made_and_shows_within_the_window(
    checkpoint: Checkpoint,
) -> None:
    stream = GestureStream(checkpoint)
    schedule = stream.schedule
    plain = [
        dataclasses.replace(
            conditions(stream, seed), action=torch.zeros(1, schedule.window, dtype=torch.int64)
        )
        for seed in range(8)
    ]
    told = list(plain)
    for chunk in range(3, 8):
        action = torch.zeros(1, schedule.window, dtype=torch.int64)
        first = max(0, schedule.anchored - (chunk - 3) * schedule.chunk)
        action[:, first:] = ACTION_INDEX["wave"]
        told[chunk] = dataclasses.replace(plain[chunk], action=action)
    before, after = run(stream, plain), run(stream, told)
    made = 3 * schedule.chunk
    assert (before[:made] == after[:made]).all()
    assert (before[made : made + schedule.active] != after[made : made + schedule.active]).any()


def test_bodies_in_a_batch_move_as_they_would_alone(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    both = conditions(stream, 4, batch=2)
    parts = [
        Conditions(*(getattr(both, f.name)[i : i + 1] for f in dataclasses.fields(Conditions)))
        for i in range(2)
    ]
    states = [stream.open(BODY + i, seed=i) for i in range(2)]
    together = stream.commit(states, both)
    alone = [stream.commit([stream.open(BODY + i, seed=i)], parts[i])[0] for i in range(2)]
    np.testing.assert_allclose(together, np.stack(alone), atol=1e-4)


def test_another_seed_moves_otherwise(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    told = [conditions(stream, seed) for seed in range(3)]
    assert (run(stream, told, seed=1) != run(stream, told, seed=2)).any()
    assert (run(stream, told, seed=1) == run(stream, told, seed=1)).all()


def test_guidance_costs_rows_not_evaluations(checkpoint: Checkpoint) -> None:
    guided = GestureStream(checkpoint, Guidance(sound=1.5, action=2.0))
    told = [conditions(guided, seed) for seed in range(3)]
    made = run(guided, told)
    assert guided.evaluations == 3 * guided.schedule.steps
    assert (made != run(GestureStream(checkpoint), told)).any()
    # Where nothing is told there is nothing to follow more strongly.
    untold = [each.without_sound().without_action() for each in told]
    plain = run(GestureStream(checkpoint), untold)
    np.testing.assert_allclose(run(guided, untold), plain, atol=2e-2)


def test_going_on_from_other_poses_begins_where_they_end(checkpoint: Checkpoint) -> None:
    stream = GestureStream(checkpoint)
    state = stream.open(BODY, 1)
    shown = np.tile(BODY, (stream.schedule.anchored, 1)) + 2.0
    stream.restart(state, shown)
    kept = state.anchor * checkpoint.spread + checkpoint.mean
    np.testing.assert_allclose(kept.numpy(), shown, atol=1e-4)
    with pytest.raises(MotionValueError, match=r"shown are 3 poses; accepted: 40"):
        stream.restart(state, shown[:3])


def test_scales_out_of_range_are_refused() -> None:
    with pytest.raises(MotionValueError, match=r"Guidance.action: -1; accepted: 0 to 5"):
        Guidance(action=-1)
