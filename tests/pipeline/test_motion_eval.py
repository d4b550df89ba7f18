"""The judges of gestures: true motion is best, and what is worse is told so."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motion.streaming.checkpoint import load_checkpoint, save_checkpoint
from motion.streaming.net import NetSize
from motion.streaming.schedule import Schedule
from motion.streaming.smoothing import DELAY
from motion.streaming.training import Recipe, Trainer
from pipeline.corpus.building import load_motion, move_corpus, takes_folder
from pipeline.corpus.plan import plan_takes
from pipeline.corpus.speaking import speak_take
from pipeline.corpus.takes import CorpusError, write_take
from pipeline.motion_eval import Judge, Weights, evaluate
from pipeline.rolling import stream_over
from tests.pipeline.corpus.hum import Hum


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache with a corpus of five hummed takes."""
    folder = tmp_path_factory.mktemp("cache")
    takes_folder(folder).mkdir(parents=True)
    plans = [take for take in plan_takes(share=0.02) if "-light-" in take.name]
    for plan in [p for p in plans if p.split == "train"][:3] + [
        replace(plans[-1], name=f"test-en-light-000{n}", split="test", seed=n) for n in range(2)
    ]:
        write_take(speak_take(plan, Hum()), takes_folder(folder))
    assert len(list(move_corpus(folder))) == 5
    return folder


@pytest.fixture(scope="module")
def weights(cache: Path) -> Path:
    sequences = [sequence for _, sequence in load_motion(cache, "train")]
    recipe = Recipe(steps=6, batch=4, threads=1)
    trainer = Trainer(sequences, recipe, Schedule(), NetSize(dim=24, layers=1, heads=2))
    list(trainer.run())
    save_checkpoint(trainer.finished(), cache / "net.safetensors")
    return cache / "net.safetensors"


@pytest.fixture(scope="module")
def judge(cache: Path) -> Judge:
    return Judge(cache, steps=40)


def test_true_motion_scores_best(judge: Judge) -> None:
    true = [sequence.body.astype(np.float32) for sequence in judge.true]
    random = np.random.default_rng(0)
    still = [np.tile(body.mean(0), (len(body), 1)).astype(np.float32) for body in true]
    shaken = [body + random.normal(0, 4, body.shape).astype(np.float32) for body in true]
    best, frozen, rough = (judge.scores(bodies) for bodies in (true, still, shaken))
    assert best.fgd_local == pytest.approx(0.0, abs=1e-3)
    assert frozen.fgd_local > 1.0
    assert frozen.l1_diversity < 0.05 * best.l1_diversity
    assert rough.jerk > 3.0 * best.jerk
    assert best.beyond_limits == 0.0
    assert best.action_accuracy > frozen.action_accuracy


def test_everything_is_judged_in_one_run(judge: Judge, weights: Path) -> None:
    stages: list[str] = []
    net = load_checkpoint(weights)
    compared = Weights(net, net, unforced=net, whole=net, unanchored=net)
    report = evaluate(judge, compared, minutes=2, tell=stages.append)
    assert stages == ["streaming", "same", "unforced", "whole", "unanchored", "drift"]
    baselines = report["fgd_local_baselines"]
    assert isinstance(baselines, dict)
    assert set(baselines) == {"true", "rules", "same", "unforced", "whole", "unanchored"}
    assert baselines["true"] == pytest.approx(0.0, abs=1e-3)
    assert baselines["unforced"] == report["fgd_local"]
    assert report["fgd_local_whole_sequence"] == baselines["whole"]
    assert report["fgd_local_same_steps"] == baselines["same"]
    kept = ("lip_closure_hit", "lip_onset_ms", "lip_false_closures")
    for key in ("beat_constancy", "action_accuracy", "drift_ratio", "drift_ratio_unforced", *kept):
        assert np.isfinite(float(str(report[key]))), key


def test_no_more_sound_is_used_than_0_2_s_ahead(cache: Path, weights: Path) -> None:
    checkpoint = load_checkpoint(weights)
    (_, sequence), *_ = load_motion(cache, "test")
    audio = sequence.audio.copy()
    audio[200:] = 3.0
    changed = replace(sequence, audio=audio)
    before, after = (stream_over(checkpoint, [one])[0] for one in (sequence, changed))
    # The chunk of poses 180 to 189 knows sound to pose 195, the next to pose 205; its last poses
    # wait for the next one.
    shown = 190 - DELAY
    assert (before[:shown] == after[:shown]).all()
    assert (before[190:] != after[190:]).any()


def test_without_a_corpus_the_way_to_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="vivant motion train corpus"):
        Judge(tmp_path)
