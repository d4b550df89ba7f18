"""The benchmark of edits: a quick run, and one that goes on after it was broken off."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from avatar.editing.bench import Row, items
from pipeline import bench_edit
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from tests.avatar.editing.doll import Doll


class CountingDoll(Doll):
    """Builds nothing."""

    builds = 0


@pytest.fixture
def doll(monkeypatch: pytest.MonkeyPatch) -> CountingDoll:
    """Return a doll that the benchmark draws with."""
    made = CountingDoll()

    @contextmanager
    def studio(_: Configuration) -> Iterator[CountingDoll]:
        yield made

    monkeypatch.setattr(bench_edit, "edit_studio", studio)
    return made


def _lines(log: Path) -> list[Row]:
    return [Row.read(line) for line in log.read_text("utf-8").splitlines()]


def test_a_quick_run_takes_every_eighth_and_goes_on_after_a_cut(
    doll: CountingDoll, tmp_path: Path
) -> None:
    log = tmp_path / "edits.jsonl"
    report = bench_edit.run("open", quick=True, log=log)
    said = [item.say for item in items("open")[::8]]
    assert (report["set"], report["count"], report["builds"]) == ("open", len(said), 0)
    assert report["correct"] == 1.0, report["wrong"]
    rows = _lines(log)
    assert [row.say for row in rows] == said
    assert doll.drawn > 0

    # Broken off in the last line: that one alone is carried out again.
    whole = log.read_text("utf-8")
    log.write_text(whole[: len(whole) - 20], "utf-8")
    again = bench_edit.run("open", quick=True, log=log)
    assert {k: again[k] for k in ("correct", "kept", "wrong")} == {
        k: report[k] for k in ("correct", "kept", "wrong")
    }
    repeated = _lines(log)
    assert repeated[:-1] == rows[:-1]
    assert repeated[-1].say == rows[-1].say

    drawn = doll.drawn
    assert bench_edit.run("open", quick=True, log=log)["count"] == len(said)
    assert doll.drawn == drawn


@pytest.mark.usefixtures("doll")
def test_another_file_is_not_taken_for_a_log(tmp_path: Path) -> None:
    log = tmp_path / "notes.txt"
    log.write_text("first\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"notes\.txt is no log of edits"):
        bench_edit.run("open", quick=True, log=log)
    assert log.read_text("utf-8") == "first\n"
