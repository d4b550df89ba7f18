"""The lips that ship hear the light voice, and the measure tells them from lips that do not."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from avatar.voice.registry import VoiceFiles, open_voice
from motion.lips.net import LipNet
from motion.lips.stream import LipCheckpoint
from motion.trained import trained_lips
from pipeline.corpus.plan import plan_takes
from pipeline.corpus.speaking import speak_take
from pipeline.corpus.takes import Take
from pipeline.lip_eval import evaluate_lips, lip_scores


@pytest.fixture(scope="module")
def takes(models: Path) -> list[Take]:
    folder = models / "piper-joe"
    files = VoiceFiles(
        light_model=folder / "voice.onnx", light_configuration=folder / "voice.onnx.json"
    )
    voice = open_voice("light", files, threads=1)
    plans = [take for take in plan_takes() if take.name.startswith("test-en-light")]
    return [speak_take(plan, voice) for plan in plans[:4]]


def test_the_lips_that_ship_close_on_p_b_and_m(takes: list[Take]) -> None:
    kept = lip_scores(takes, trained_lips())
    assert kept.phones > 40
    assert kept.hit >= 0.95
    assert kept.onset_ms <= 40.0
    assert kept.false_closures <= 0.08


def test_they_do_so_at_another_level(takes: list[Take]) -> None:
    quiet = [replace(take, samples=(take.samples // 6).astype(np.int16)) for take in takes]
    kept = lip_scores(quiet, trained_lips())
    assert kept.hit >= 0.9
    assert kept.false_closures <= 0.08


def test_lips_that_learnt_nothing_are_told_apart(takes: list[Take]) -> None:
    torch.manual_seed(1)
    ignorant = LipCheckpoint(LipNet(16).eval().requires_grad_(False), {})
    assert lip_scores(takes, ignorant).hit < 0.5


def test_the_report_has_every_voice_and_counts_them_alike(takes: list[Take]) -> None:
    said = [takes[0], replace(takes[1], voice="other"), replace(takes[2], voice="other")]
    report = evaluate_lips(said, trained_lips())
    one, other = lip_scores(said[:1], trained_lips()), lip_scores(said[1:], trained_lips())
    assert report["lips"] == {"light": asdict(one), "other": asdict(other)}
    assert report["lip_closure_hit"] == pytest.approx((one.hit + other.hit) / 2, abs=1e-3)
    assert report["lip_onset_ms"] == pytest.approx((one.onset_ms + other.onset_ms) / 2, abs=0.1)
