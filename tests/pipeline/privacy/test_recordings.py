"""The index of recordings: parts, what is being written, names that are taken again."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.privacy.recordings import INDEX, RecordingIndex

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
def index(tmp_path: Path, days: Days) -> RecordingIndex:
    return RecordingIndex(tmp_path / "index", 3, days)


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    folder.mkdir()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_parts_of_a_recording_belong_to_it(index: RecordingIndex, films: Path) -> None:
    for name in ("talk.mp4", "talk.2.mp4", "talk.10.mp4", "talk2.mp4", "talk.x.mp4"):
        (films / name).write_bytes(b"film")
    index.note("ann", films / "talk.mp4")
    assert [each.path.name for each in index.of("ann")] == ["talk.mp4", "talk.2.mp4", "talk.10.mp4"]
    assert index.delete("ann") == 3
    assert names(films) == ["talk.x.mp4", "talk2.mp4"]


def test_what_is_being_written_goes_too_and_does_not_come_back(
    index: RecordingIndex, films: Path
) -> None:
    (films / ".talk.mp4.partial").write_bytes(b"fil")
    index.note("ann", films / "talk.mp4")
    assert index.of("ann") == []
    assert index.delete("ann") == 1
    assert names(films) == []
    (films / "talk.2.mp4").write_bytes(b"film")  # its writer began again
    assert index.of("ann") == []
    assert index.sweep() == 1
    assert names(films) == []


def test_nothing_is_left_of_who_is_deleted(
    index: RecordingIndex, films: Path, tmp_path: Path
) -> None:
    (films / "talk.mp4").write_bytes(b"film")
    index.note("ann", films / "talk.mp4")
    index.delete("ann")
    assert b"ann" not in (tmp_path / "index" / INDEX).read_bytes()
    index.sweep()
    assert not (tmp_path / "index" / INDEX).exists()


def test_a_name_that_is_taken_again_is_the_newer_ones(index: RecordingIndex, films: Path) -> None:
    index.note("ann", films / "talk.mp4")  # nothing came of it
    index.note("ben", films / "talk.mp4")
    (films / "talk.mp4").write_bytes(b"film")
    assert index.of("ann") == []
    assert index.delete("ann") == 0
    assert len(index.of("ben")) == 1


def test_recordings_go_when_their_time_has_come(
    index: RecordingIndex, films: Path, days: Days
) -> None:
    (films / "old.mp4").write_bytes(b"film")
    index.note("ann", films / "old.mp4")
    days.now += timedelta(days=2)
    (films / "new.mp4").write_bytes(b"film")
    index.note("ann", films / "new.mp4")
    assert index.sweep() == 0
    days.now += timedelta(days=1, seconds=1)
    assert index.sweep() == 1
    assert names(films) == ["new.mp4"]
    assert [each.path.name for each in index.of("ann")] == ["new.mp4"]


def test_a_playlist_is_a_folder_and_goes_when_it_grows_no_more(
    index: RecordingIndex, films: Path, days: Days
) -> None:
    folder = films / "live"
    folder.mkdir()
    for name in ("index.m3u8", "init.mp4", "segment_000001.m4s"):
        (folder / name).write_bytes(b"piece")
    index.note("ann", folder)
    assert len(index.of("ann")) == 3
    days.now += timedelta(days=4)
    os.utime(folder / "index.m3u8", (0, (days.now - timedelta(hours=1)).timestamp()))
    assert index.sweep() == 0
    for path in folder.iterdir():
        os.utime(path, (0, NOON.timestamp()))
    assert index.sweep() == 3
    assert not folder.exists()


def test_a_playlist_goes_with_its_person_even_while_it_grows(
    index: RecordingIndex, films: Path
) -> None:
    folder = films / "live"
    folder.mkdir()
    (folder / "index.m3u8").write_bytes(b"list")
    index.note("ann", folder)
    assert index.delete("ann") == 1
    assert names(films) == []
