"""The bench of motion: one line of plain numbers, with the bars' keys."""

import json

import pytest

from motion.streaming.net import NetSize
from pipeline import bench_motion
from pipeline.bench_motion import PUBLISHED, run


def test_it_measures_what_the_bars_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_motion, "PUBLISHED", NetSize(dim=24, layers=1, heads=2))
    monkeypatch.setattr(bench_motion, "_MOST", 2)
    report = json.loads(json.dumps(run(chunks=8, simulated=40)))
    assert report["chunks"] == 8
    assert report["chunk_ms"] == pytest.approx(report["gesture_ms"] + report["lips_ms"], rel=0.3)
    assert report["simulated_chunks"] == 40
    slopes = ("time_slope", "memory_slope", "time_change", "memory_change")
    for key in (*slopes, "sessions_per_core", "published_ms", "least_ms"):
        assert isinstance(report[key], int | float), key
    assert report["sessions_per_core"] in (0, 1, 2)
    assert report["of_least"] > 1.0
    assert PUBLISHED.dim == 512
