"""The record of administrative acts."""

import json
import logging
from pathlib import Path

import pytest

from transport.access.audit import LONGEST, Audit


def test_one_line_an_act(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "vivant.audit")
    path = tmp_path / "new" / "audit.jsonl"
    audit = Audit(path, lambda: 1_800_000_000.0)
    audit.write("key_1", "DELETE /v1/streams/{name}", "/v1/streams/stage", "200")
    audit.write("command", "keys revoke", 'evil\n{"key": "other"}' + "x" * 500, "done")
    first, second = (json.loads(line) for line in path.read_text().splitlines())
    assert first == {
        "time": "2027-01-15T08:00:00.000+00:00",
        "key": "key_1",
        "act": "DELETE /v1/streams/{name}",
        "target": "/v1/streams/stage",
        "outcome": "200",
    }
    assert second["target"].startswith('evil\n{"key"')
    assert len(second["target"]) == LONGEST
    assert path.stat().st_mode & 0o777 == 0o600
    assert [json.loads(record.getMessage()) for record in caplog.records] == [first, second]


def test_a_file_that_was_moved_away_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = Audit(path)
    audit.write("k", "one", "", "done")
    path.rename(tmp_path / "audit.1")
    audit.write("k", "two", "", "done")
    assert json.loads(path.read_text())["act"] == "two"


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Audit(tmp_path).write("k", "one", "", "done")
    assert "the act is in no file" in caplog.text
