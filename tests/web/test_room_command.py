"""`vivant room`: a thin client of a running server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.rooms import FakeRooms
from tests.web.server import running
from tests.web.whole import whole_app
from web.command.main import main


@pytest.fixture
def rooms() -> FakeRooms:
    return FakeRooms()


@pytest.fixture
def url(tmp_path: Path, rooms: FakeRooms) -> Iterator[str]:
    with running(whole_app(tmp_path, rooms=rooms)) as url:
        yield url


def test_a_room_is_listed_started_told_and_stopped(
    url: str, rooms: FakeRooms, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["room", "list", "--url", url]) == 0
    assert capsys.readouterr().out.split()[:2] == ["demo", "off"]
    assert main(["room", "start", "demo", "--url", url]) == 0
    assert main(["room", "say", "demo", "Hello there.", "--now", "--url", url]) == 0
    assert main(["room", "show", "demo", "--url", url]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "on_air"
    assert main(["room", "stop", "demo", "--url", url]) == 0
    told = [command.type for command, _ in rooms.room("demo").told]
    assert told == ["start", "say", "stop"]


def test_what_the_server_refuses_is_one_line(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["room", "stop", "demo", "--url", url]) == 1
    assert capsys.readouterr().err == "vivant: the room is off; accepted: start\n"
    assert main(["room", "show", "nowhere", "--url", url]) == 1
    assert "nowhere" in capsys.readouterr().err
    assert main(["room", "list", "--url", "http://127.0.0.1:9"]) == 1
    assert "no server at" in capsys.readouterr().err


def test_a_log_is_replayed_signed(
    url: str,
    rooms: FakeRooms,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"at": 0, "id": "a", "kind": "join"}\n{"at": 5, "id": "b", "kind": "chat", "text": "hi"}\n'
    )
    monkeypatch.setenv("VIVANT_CHAT_SECRET", rooms.room("demo").secret)
    assert main(["room", "replay", str(log), "--speed", "100", "--url", url]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["sent"], report["taken"]) == (2, 2)
    assert [event.kind for event in rooms.room("demo").events] == ["join", "chat"]
    monkeypatch.setenv("VIVANT_CHAT_SECRET", "whsec_" + "A" * 32)
    assert main(["room", "replay", str(log), "--speed", "100", "--url", url]) == 1
    assert "not made with the room's secret" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "there-is-no-such.jsonl"],
        ["replay", "sample", "--speed", "0"],
        ["dance"],
        [],
        ["start"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert main(["room", *arguments]) == 2
