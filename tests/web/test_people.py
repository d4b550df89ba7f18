"""What is kept of a person: exported and deleted over HTTP and by the command."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from pipeline.configuration import Configuration, PrivacySettings
from pipeline.privacy import Holdings, Keeper, Line, open_holdings
from tests.fakes.executor import InlineExecutor
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app
from web.command import main

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DATA = "/v1/people/ann/data"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A configuration that keeps transcripts below the folder of the test."""
    file = tmp_path / "vivant.toml"
    file.write_text(
        f'cache = "{tmp_path / "cache"}"\n'
        f'[privacy]\nkeep = "transcripts"\nfolder = "{tmp_path / "people"}"\n'
    )
    return file


@pytest.fixture
def holdings(tmp_path: Path) -> Holdings:
    """What is kept where `settings` says, of two people."""
    privacy = PrivacySettings("transcripts", folder=tmp_path / "people")
    held = open_holdings(Configuration(cache=tmp_path / "cache", privacy=privacy))
    now = datetime.now(UTC)
    for person in ("ann", "ben"):
        held.transcripts.add(person, Line(now, "sess_1", "item_1", "person", f"{person} spoke"))
        film = tmp_path / f"{person}.mp4"
        film.write_bytes(b"film of " + person.encode())
        held.recordings.note(person, film)
    return held


@pytest.fixture
async def client(holdings: Holdings) -> AsyncIterator[httpx.AsyncClient]:
    engine = StubEngine()
    keeper = Keeper(holdings, transcripts=True, executor=InlineExecutor())
    async with client_of(create_app(engine, StubCalls(engine), keeper=keeper)) as client:
        yield client


async def test_an_export_holds_what_was_said_and_where_the_films_are(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    answer = await client.get(DATA)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    data = answer.json()
    assert [line["text"] for line in data["transcripts"]] == ["ann spoke"]
    assert str(tmp_path) not in answer.text
    assert "ben" not in answer.text
    film = await client.get(data["recordings"][0]["url"])
    assert (film.content, film.headers["content-type"]) == (b"film of ann", "video/mp4")
    assert data["recordings"][0]["bytes"] == len(film.content)


async def test_deleting_leaves_nothing_of_one_and_everything_of_the_other(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    answer = await client.delete(DATA)
    assert answer.json() == {
        "object": "person.data.deleted",
        "person": "ann",
        "transcripts": 1,
        "recordings": 1,
        "avatars": 0,
    }
    left = await client.get(DATA)
    assert left.json()["transcripts"] == left.json()["recordings"] == []
    assert _films(tmp_path) == ["ben.mp4"]
    assert (await client.get("/v1/people/ben/data")).json()["transcripts"]


async def test_a_recording_that_is_not_theirs_is_not_found(client: httpx.AsyncClient) -> None:
    assert (await client.get(f"{DATA}/recordings/1")).status_code == 404
    assert (await client.get("/v1/people/carl/data/recordings/0")).status_code == 404
    for number in ("9" * 5000, "-1", "x"):  # the first is longer than Python reads numbers
        assert (await client.get(f"{DATA}/recordings/{number}")).status_code == 404


@pytest.mark.parametrize("person", ["-ann", "a b", "a%0Ab", "%E4%BD%A0", "a" * 65, "..%5Cann"])
async def test_who_is_nobody_is_refused(client: httpx.AsyncClient, person: str) -> None:
    for answer in (
        await client.get(f"/v1/people/{person}/data"),
        await client.delete(f"/v1/people/{person}/data"),
        await client.get(f"/v1/people/{person}/data/recordings/0"),
    ):
        assert answer.status_code == 400
        assert answer.json()["error"]["message"].startswith("person is")


async def test_a_page_of_another_origin_deletes_nothing(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    answer = await client.delete(DATA, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403
    assert _films(tmp_path) == ["ann.mp4", "ben.mp4"]


@pytest.mark.usefixtures("holdings")
def test_the_command_exports_and_deletes(
    settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert main(["data", "export", "ann", "-o", str(out), "--config", str(settings)]) == 0
    assert json.loads(out.read_text("utf-8"))["transcripts"][0]["text"] == "ann spoke"
    assert out.stat().st_mode & 0o077 == 0
    report = json.loads(capsys.readouterr().out)
    assert report == {"person": "ann", "transcripts": 1, "recordings": 1, "avatars": 0}
    assert main(["data", "delete", "ann", "--config", str(settings)]) == 0
    assert json.loads(capsys.readouterr().out) == report
    assert _films(tmp_path) == ["ben.mp4"]
    assert main(["data", "delete", "../ann", "--config", str(settings)]) == 1
    assert "person is '../ann'" in capsys.readouterr().err


def _films(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.mp4"))
