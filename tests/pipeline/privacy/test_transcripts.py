"""Transcripts: kept privately, bounded, amended, forgotten in time and on demand."""

import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigurationError
from pipeline.privacy.person import check_person, folder_name
from pipeline.privacy.transcripts import MAX_TEXT, Line, TranscriptStore

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Days:
    """A calendar that the test turns."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def store(tmp_path: Path, days: Days) -> TranscriptStore:
    return TranscriptStore(tmp_path / "kept", 2, 1 << 20, days)


def line(text: str, item: str = "item_1", at: datetime = NOON) -> Line:
    return Line(at, "sess_1", item, "person", text, "en")


def test_lines_come_back_in_order(store: TranscriptStore) -> None:
    lines = [line("one\ntwo \u2028 “three”", "a"), line("四", "b"), line("five", "c")]
    assert all(store.add("ann", each) for each in lines)
    assert store.read("ann") == lines
    assert store.read("ben") == []


def test_nobody_else_may_read_and_no_id_is_a_name(store: TranscriptStore, tmp_path: Path) -> None:
    store.add("ann", line("hello"))
    paths = list(tmp_path.rglob("*"))
    assert len(paths) == 3
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
        assert "ann" not in path.name


def test_a_folder_others_could_read_is_closed(store: TranscriptStore, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir(mode=0o755)
    store.add("ann", line("hello"))
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700


@given(st.text(max_size=80))
def test_no_id_leads_out_of_the_folder(person: str) -> None:
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", person):
        assert check_person(person) == person
        assert re.fullmatch("[0-9a-f]{32}", folder_name(person))
    else:
        with pytest.raises(ConfigurationError, match="accepted"):
            folder_name(person)


def test_an_id_that_is_none_is_refused(store: TranscriptStore) -> None:
    for person in ("", "../ann", "a/b", "a\n", ".", "a" * 65):
        with pytest.raises(ConfigurationError, match="person"):
            store.add(person, line("hello"))


def test_what_is_too_old_is_not_read_any_more(store: TranscriptStore, days: Days) -> None:
    store.add("ann", line("old"))
    days.now += timedelta(days=1)
    store.add("ann", line("new", at=days.now))
    assert [each.text for each in store.read("ann")] == ["old", "new"]
    days.now += timedelta(days=1)
    assert [each.text for each in store.read("ann")] == ["new"]


def test_a_sweep_leaves_nothing_of_those_who_are_gone(
    store: TranscriptStore, days: Days, tmp_path: Path
) -> None:
    store.add("ann", line("old"))
    days.now += timedelta(days=2)
    assert store.sweep() == 1
    assert list((tmp_path / "kept").iterdir()) == []
    assert store.sweep() == 0


def test_an_amended_line_holds_no_more_than_was_heard(
    store: TranscriptStore, days: Days, tmp_path: Path
) -> None:
    store.add("ann", line("all of it", "a"))
    store.add("ann", line("other", "b"))
    days.now += timedelta(days=1)
    store.add("ann", line("next day", "c", days.now))
    store.amend("ann", "sess_1", "a", "all —")
    assert [each.text for each in store.read("ann")] == ["all —", "other", "next day"]
    store.amend("ann", "sess_1", "a", "")
    assert [each.text for each in store.read("ann")] == ["other", "next day"]
    assert b"all" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.jsonl"))


def test_a_line_of_another_session_is_not_amended(store: TranscriptStore) -> None:
    store.add("ann", line("mine", "a"))
    store.amend("ann", "sess_2", "a", "changed")
    assert store.read("ann")[0].text == "mine"


def test_deleting_leaves_no_file_and_touches_nobody_else(
    store: TranscriptStore, tmp_path: Path
) -> None:
    store.add("ann", line("hers", "a"))
    store.add("ann", line("hers too", "b"))
    store.add("ben", line("his"))
    assert store.delete("ann") == 2
    assert store.delete("ann") == 0
    assert [each.text for each in store.read("ben")] == ["his"]
    assert len(list(tmp_path.rglob("*.jsonl"))) == 1


def test_a_line_cut_short_by_a_crash_is_left_out(store: TranscriptStore, tmp_path: Path) -> None:
    store.add("ann", line("whole"))
    file = next(tmp_path.rglob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b'{"at": "2026-03-01T12:00:00+00:00", "te')
    assert [each.text for each in store.read("ann")] == ["whole"]


def test_the_bounds_hold(tmp_path: Path, days: Days) -> None:
    store = TranscriptStore(tmp_path, 2, 20_000, days)
    kept = [store.add(f"person{number}", line("x" * 100_000)) for number in range(5)]
    assert kept == [True, True, True, False, False]
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.jsonl")) < 3 * (MAX_TEXT + 300)
    store.delete("person0")
    assert store.add("person4", line("now there is room"))


def test_a_link_in_the_place_of_a_file_is_not_followed(
    store: TranscriptStore, tmp_path: Path
) -> None:
    store.add("ann", line("hello"))
    file, elsewhere = next(tmp_path.rglob("*.jsonl")), tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    file.unlink()
    file.symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic"):
        store.add("ann", line("hello"))
    assert elsewhere.read_text() == "untouched"
