"""Lips heard from sound: causal, the same in pieces as in one, and closures kept when learnt."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from motion.audio import AUDIO_RATE, SAMPLES_PER_POSE, log_mel, per_pose
from motion.errors import MotionValueError
from motion.lips.closure import CLOSED, closures, false_closures, gap
from motion.lips.net import LOOK_AHEAD, LipNet
from motion.lips.stream import (
    LipCheckpoint,
    LipStream,
    heard_mouth,
    load_lips,
    save_lips,
    shapes_of,
)
from motion.lips.track import LipTrack, apart, mouth
from motion.lips.training import LipRecipe, LipSequence, LipTrainer, contact_loss
from motion.lips.visemes import PART, PARTS
from motion.speech import SpokenPassage, SpokenPhone

NOISE = (0.1 * np.random.default_rng(2).standard_normal(SAMPLES_PER_POSE * 20)).astype(np.float32)


def fresh(seed: int = 3) -> LipCheckpoint:
    torch.manual_seed(seed)
    net = LipNet(16)
    net.eval().requires_grad_(False)
    return LipCheckpoint(net, {})


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, len(NOISE)), max_size=6))
def test_sound_in_pieces_gives_the_mouth_of_the_whole(cuts: list[int]) -> None:
    whole = LipStream(fresh())
    expected = np.concatenate([whole(NOISE), whole.finish()])
    stream = LipStream(fresh())
    edges = [0, *sorted(cuts), len(NOISE)]
    made = np.concatenate([*(stream(NOISE[a:b]) for a, b in pairwise(edges)), stream.finish()])
    np.testing.assert_allclose(made, expected, atol=1e-5)
    assert len(made) == 21


def test_a_mouth_waits_for_120_ms_of_sound_and_no_more() -> None:
    stream = LipStream(fresh())
    assert len(stream(NOISE[: LOOK_AHEAD * SAMPLES_PER_POSE - 1])) == 0
    assert (
        len(stream(NOISE[LOOK_AHEAD * SAMPLES_PER_POSE - 1 : LOOK_AHEAD * SAMPLES_PER_POSE])) == 1
    )
    changed = NOISE.copy()
    changed[10 * SAMPLES_PER_POSE :] *= 4.0
    first, second = LipStream(fresh())(NOISE), LipStream(fresh())(changed)
    same = 10 - LOOK_AHEAD + 1
    np.testing.assert_array_equal(first[:same], second[:same])
    assert (first[same] != second[same]).any()


def test_the_state_keeps_its_size() -> None:
    net = fresh().net
    state = net.start(2)
    sizes = set()
    for _ in range(5):
        _, state = net(torch.randn(2, 12, 40), state)
        sizes.add((*(tuple(past.shape) for past in state[0]), tuple(state[1].shape)))
    assert len(sizes) == 1


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    checkpoint = LipCheckpoint(fresh().net, {"steps": 3})
    save_lips(checkpoint, tmp_path / "lips.safetensors")
    found = load_lips(tmp_path / "lips.safetensors")
    assert found.trained == {"steps": 3}
    np.testing.assert_allclose(LipStream(found)(NOISE), LipStream(checkpoint)(NOISE), atol=2e-2)
    (tmp_path / "other").write_bytes(b"no")
    with pytest.raises(MotionValueError, match="accepted: a lip checkpoint"):
        load_lips(tmp_path / "other")


def babble(seconds: float, seed: int) -> tuple[LipSequence, tuple[SpokenPhone, ...]]:
    """Return toy speech, open vowels that hum and closures that are still, and its mouth."""
    random = np.random.default_rng(seed)
    phones, at = [], 0.3
    while at < seconds - 0.4:
        for ipa, length in (("m", 0.09), ("ɑ", random.uniform(0.12, 0.3))):
            phones.append(SpokenPhone(ipa, at, at + length))
            at += length
    time = np.arange(round(seconds * AUDIO_RATE)) / AUDIO_RATE
    loud = np.zeros(len(time))
    for phone in phones:
        if phone.ipa == "ɑ":
            loud[(time >= phone.start) & (time < phone.end)] = 0.3
    sound = loud * np.sin(2 * np.pi * 300 * time) + 0.001 * random.standard_normal(len(time))
    poses = round(seconds * 25)
    track = LipTrack(SpokenPassage(0.3, phones[-1].end, tuple(phones), "en"))
    rows = [
        [*shape, lips, teeth]
        for shape, lips, teeth in (apart([track], p / 25) for p in range(poses))
    ]
    audio = per_pose(log_mel(sound), poses).astype(np.float16)
    return LipSequence(audio, np.array(rows, np.float16)), tuple(phones)


def test_closures_are_learnt() -> None:
    sequences = [babble(8.0, seed)[0] for seed in range(4)]
    trainer = LipTrainer(sequences, LipRecipe(steps=150, batch=8, dim=32, threads=1))
    losses = [progress.shape for progress in trainer.run(every=50)]
    assert losses[-1] < losses[0]
    unseen, phones = babble(8.0, 99)
    frames = torch.from_numpy(unseen.audio.astype(np.float32)).reshape(1, -1, 40)
    with torch.inference_mode():
        heard, _ = trainer.finished().net(frames)
    made = shapes_of(heard[0, LOOK_AHEAD - 1 :].numpy())
    reference = shapes_of(unseen.mouth.astype(np.float64))
    kept = closures(phones, made, reference)
    assert kept.phones > 15
    assert kept.hit > 0.9
    assert kept.onset < 0.06
    still = closures(phones, np.full_like(made, made.mean(0)), reference)
    assert still.hit < 0.5


def test_a_track_keeps_its_own_closures() -> None:
    _, phones = babble(4.0, 1)
    track = LipTrack(SpokenPassage(0.3, phones[-1].end, phones, "en"))
    shapes = np.array([mouth([track], pose / 25) for pose in range(100)])
    kept = closures(phones, shapes, shapes)
    assert kept.hit == 1.0
    assert kept.onset == 0.0
    late = np.concatenate([shapes[:2], shapes[:-2]])
    assert closures(phones, late, shapes).onset == pytest.approx(0.08, abs=0.01)


def test_a_gap_is_what_the_jaw_opens_and_the_lips_do_not_close() -> None:
    shape = np.zeros(len(PARTS))
    assert gap(shape) == 0.0
    shape[PART["jaw"]] = 0.3
    assert gap(shape) == pytest.approx(0.3)
    shape[PART["close"]] = 0.3
    assert gap(shape) < CLOSED
    shape[PART["lower_down"]] = 0.4
    assert gap(shape) > CLOSED


def test_too_short_speech_is_refused() -> None:
    sequence, _ = babble(3.0, 1)
    with pytest.raises(MotionValueError, match="no sequence is longer than 100 poses"):
        LipTrainer([sequence], LipRecipe())


def test_a_voice_without_phones_is_lipped_by_what_was_heard() -> None:
    _, phones = babble(4.0, 5)
    track = LipTrack(SpokenPassage(0.0, 4.0, phones, "en"))
    rows = [
        (*shape, lips, teeth) for shape, lips, teeth in (apart([track], p / 25) for p in range(100))
    ]
    heard = LipTrack(SpokenPassage(1.0, 5.0, (), "en", mouth=np.array(rows, np.float32)))
    for pose in range(5, 95):
        np.testing.assert_allclose(
            mouth([heard], 1.0 + pose / 25), mouth([track], pose / 25), atol=0.03
        )
    assert not mouth([heard], 0.5).any()
    assert not mouth([heard], 5.5).any()


def test_the_mouth_of_a_whole_sound_has_a_row_a_pose() -> None:
    rows = heard_mouth(fresh(), NOISE)
    assert rows.shape == (21, len(PARTS) + 2)
    np.testing.assert_allclose(shapes_of(rows)[:18], LipStream(fresh())(NOISE), atol=1e-5)


def test_a_heard_contact_shows_once_wherever_poses_fall() -> None:
    rows = np.zeros((26, len(PARTS) + 2), np.float32)
    rows[:, PART["jaw"]] = 0.4
    rows[10, -2] = 1.0
    track = LipTrack(SpokenPassage(1.0, 2.04, (), "en", mouth=rows))
    for phase in np.arange(0.0, 0.04, 0.005):
        gaps = [float(gap(mouth([track], 1.2 + phase + pose / 25))) for pose in range(12)]
        assert sum(g <= CLOSED for g in gaps) == 1
        assert gaps[0] > 0.3
        assert gaps[-1] > 0.3


def test_a_mouth_in_pieces_moves_like_the_whole() -> None:
    _, phones = babble(4.0, 5)
    track = LipTrack(SpokenPassage(0.0, 4.0, phones, "en"))
    made = [apart([track], p / 25) for p in range(100)]
    rows = np.array([(*shape, lips, teeth) for shape, lips, teeth in made], np.float32)
    cuts = [0, 3, 8, 30, 31, 55, 100]
    pieces = [
        LipTrack(SpokenPassage(1.0 + a / 25, 1.0 + b / 25, (), "en", mouth=rows[a:b]))
        for a, b in pairwise(cuts)
    ]
    whole = LipTrack(SpokenPassage(1.0, 5.0, (), "en", mouth=rows))
    for pose in np.arange(5, 95, 0.5):
        at = 1.0 + float(pose) / 25
        np.testing.assert_allclose(mouth(pieces, at), mouth([whole], at), atol=0.06)


def test_a_closure_counts_as_false_only_where_the_mouth_should_be_plainly_open() -> None:
    reference = np.zeros((8, len(PARTS)))
    reference[2:, PART["jaw"]] = 0.4
    reference[5, PART["jaw"]] = 0.1
    made = reference.copy()
    made[:4, PART["jaw"]] = 0.0
    # The first two should be closed, the third is beside them; of the open ones one is closed.
    assert false_closures(made, reference) == (1, 4)


def test_contacts_that_come_a_pose_late_cost_less_than_none() -> None:
    wanted = torch.zeros(1, 20, 2)
    wanted[0, 8:10, 0] = 1.0

    def loss(*closed: int) -> float:
        logits = torch.full((1, 20, 2), -4.0)
        logits[0, list(closed), 0] = 4.0
        return float(contact_loss(logits, wanted))

    assert loss(8, 9) < loss(10) < loss()
    assert loss(8, 9) < loss(8, 9, 15)


def test_a_voice_with_little_to_say_is_heard_often() -> None:
    one, _ = babble(8.0, 1)
    sequences = [replace(one, voice="a")] * 15 + [replace(one, voice="b")]
    chances = LipTrainer(sequences, LipRecipe(dim=16, threads=1))._chances
    assert chances[-1] == pytest.approx(1 / (1 + 15**0.5), rel=1e-6)
