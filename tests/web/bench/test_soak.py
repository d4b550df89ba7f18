"""Two minutes of talk and a dozen calls: memory stays, and nothing is left behind."""

from pathlib import Path

import pytest

from web.bench.soak import run

CONFIGURATION = """
cache = "{cache}"
[think]
model = "none"
embedder = "none"
[speak]
voices = ["light"]
rehearse = false
[draw]
width = 180
height = 320
"""


@pytest.mark.timeout(600)
def test_nothing_grows_and_nothing_is_left(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "soak.toml"
    path.write_text(CONFIGURATION.format(cache=models.parent), "utf-8")
    report = run(minutes=2.0, cycles=12, config=path)
    assert report["turns"] >= 8
    assert report["memory_growth"] < 0.03, report
    assert report["leaked"] == 0, report
