"""The keeper: off by default, sweeps in time, exports and deletes all there is of a person."""

import asyncio
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from avatar.spec import ready
from pipeline.configuration import Configuration, PrivacySettings, load_configuration
from pipeline.errors import ConfigurationError
from pipeline.library import avatars
from pipeline.prepared import still_path
from pipeline.privacy import Deleted, Keeper, Line, open_holdings, open_keeper
from pipeline.privacy.keeper import MAX_WAITING
from tests.fakes.clock import VirtualClock
from tests.fakes.executor import InlineExecutor

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class House:
    """A keeper on a calendar and a clock of the test."""

    def __init__(self, folder: Path) -> None:
        self.now = NOON
        self.clock = VirtualClock()
        self.configuration = Configuration(
            cache=folder / "cache",
            privacy=PrivacySettings("transcripts", retention_days=3, folder=folder / "people"),
        )
        self.holdings = open_holdings(self.configuration, lambda: self.now)
        self.keeper = Keeper(
            self.holdings,
            transcripts=True,
            now=lambda: self.now,
            clock=self.clock,
            executor=InlineExecutor(),
        )

    def say(self, person: str, text: str) -> None:
        self.keeper.add(person, Line(self.now, "sess_1", text, "person", text))

    def record(self, person: str, path: Path) -> None:
        path.write_bytes(b"film")
        self.keeper.note_recording(person, path)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_nothing_is_kept_unless_it_is_switched_on(tmp_path: Path) -> None:
    settings = PrivacySettings(folder=tmp_path / "people")
    keeper = open_keeper(Configuration(cache=tmp_path, privacy=settings))
    assert keeper.follow("ann") is None
    keeper = open_keeper(
        Configuration(cache=tmp_path, privacy=replace(settings, keep="transcripts"))
    )
    assert keeper.follow("ann") is not None
    assert list(tmp_path.iterdir()) == []


def test_the_configuration_says_what_it_accepts(tmp_path: Path) -> None:
    file = tmp_path / "vivant.toml"
    for text, named in (
        ('keep = "all"', "privacy.keep"),
        ("retention_days = 0", "privacy.retention_days"),
        ('retention_days = "long"', "privacy.retention_days"),
        ("most_megabytes = 0", "privacy.most_megabytes"),
    ):
        file.write_text(f"[privacy]\n{text}\n")
        with pytest.raises(ConfigurationError, match=named):
            load_configuration(file)
    file.write_text('[privacy]\nkeep = "transcripts"\nretention_days = 7\nfolder = "/srv/people"\n')
    assert load_configuration(file).privacy == PrivacySettings(
        "transcripts", 7, Path("/srv/people")
    )


def test_whoever_is_nobody_is_not_followed(house: House, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="person"):
        house.keeper.follow("../ann")
    with pytest.raises(ConfigurationError, match="person"):
        house.keeper.note_recording("", tmp_path / "film.mp4")


async def test_an_export_holds_everything_and_is_json(house: House, tmp_path: Path) -> None:
    house.say("ann", "hello")
    house.say("ben", "secret")
    house.record("ann", tmp_path / "film.mp4")
    make_avatar(house, "painted", "ann")
    make_avatar(house, "other", "ben")
    data = json.loads(json.dumps(await house.keeper.export("ann")))
    assert [line["text"] for line in data["transcripts"]] == ["hello"]
    assert data["transcripts"][0]["at"] == "2026-03-01T12:00:00+00:00"
    assert data["recordings"] == [
        {"file": str(tmp_path / "film.mp4"), "at": "2026-03-01T12:00:00+00:00", "bytes": 4}
    ]
    assert [avatar["name"] for avatar in data["avatars"]] == ["painted"]
    assert "secret" not in json.dumps(data)
    assert await house.keeper.recording("ann", 0) == tmp_path / "film.mp4"
    assert await house.keeper.recording("ann", 1) is None
    assert await house.keeper.recording("ben", 0) is None


async def test_one_call_deletes_everything_of_a_person(house: House, tmp_path: Path) -> None:
    for person in ("ann", "ben"):
        house.say(person, "hello")
        house.record(person, tmp_path / f"{person}.mp4")
        make_avatar(house, f"of-{person}", person)
    assert await house.keeper.delete("ann") == Deleted(1, 1, 1)
    assert await house.keeper.delete("ann") == Deleted()
    left = names_below(tmp_path)
    assert "ben.mp4" in left
    assert "ann.mp4" not in left
    assert avatars(house.configuration.cache).names[-1] == "of-ben"
    assert (await house.keeper.export("ben"))["transcripts"]
    empty: dict[str, object] = {"transcripts": [], "recordings": [], "avatars": []}
    assert await house.keeper.export("ann") == {"object": "person.data", "person": "ann", **empty}


async def test_the_picture_of_an_identity_goes_with_it(house: House) -> None:
    make_avatar(house, "painted", "ann")
    spec = avatars(house.configuration.cache).get("painted")
    still = still_path(spec, house.configuration.cache)
    still.parent.mkdir(parents=True)
    still.write_bytes(b"picture")
    await house.keeper.delete("ann")
    assert not still.exists()


async def test_what_is_too_old_goes_at_the_start_and_every_day(
    house: House, tmp_path: Path
) -> None:
    house.say("ann", "old")
    house.record("ann", tmp_path / "film.mp4")
    house.now += timedelta(days=4)
    house.say("ann", "new")
    async with house.keeper.running():
        await house.clock.run(0.1)
        assert not (tmp_path / "film.mp4").exists()
        assert days_below(tmp_path) == 1
        house.now += timedelta(days=3)
        await house.clock.run(86_399.0)
        assert days_below(tmp_path) == 1
        await house.clock.run(2.0)
        assert days_below(tmp_path) == 0


async def test_all_that_waits_is_written_before_the_end(tmp_path: Path) -> None:
    house = House(tmp_path)
    keeper = Keeper(house.holdings, transcripts=True, now=lambda: NOON)
    async with keeper.running():
        scribe = keeper.follow("ann")
        assert scribe is not None
        for number in range(100):
            keeper.add("ann", Line(NOON, "sess_1", f"i{number}", "person", "hello"))
    assert len(house.holdings.transcripts.read("ann")) == 100


async def test_a_disk_that_fails_is_told_without_what_was_said(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "people").write_text("a file where the folder should be")
    with caplog.at_level(logging.DEBUG):
        house.say("ann", "zebra")
    assert house.keeper.lost == 1
    assert "could not be kept" in caplog.text
    assert "zebra" not in caplog.text


async def test_a_slow_disk_holds_nobody_up(tmp_path: Path) -> None:
    house = House(tmp_path)
    keeper = Keeper(house.holdings, transcripts=True, now=lambda: NOON)
    gate = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    keeper._executor.submit(
        lambda: asyncio.run_coroutine_threadsafe(_wait(gate), loop).result(timeout=20)
    )
    for number in range(MAX_WAITING + 10):
        keeper.add("ann", Line(NOON, "sess_1", f"i{number}", "person", "hello"))
    assert keeper.lost == 10
    gate.set_result(None)
    async with keeper.running():
        pass
    assert len(house.holdings.transcripts.read("ann")) == MAX_WAITING


def names_below(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def days_below(folder: Path) -> int:
    return len(list(folder.rglob("????-??-??.jsonl")))


async def _wait(gate: "asyncio.Future[None]") -> None:
    await gate


def make_avatar(house: House, name: str, person: str) -> None:
    """Keep an identity made from a photo of `person`."""
    provenance = {"source": "photo", "consent": True, "person": person}
    avatars(house.configuration.cache).keep(ready("mia").changed(name=name, provenance=provenance))
