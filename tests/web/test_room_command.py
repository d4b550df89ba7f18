"""`vivant room`: a thin client of a running server."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.fakes.rooms import FakeRooms
from web.command.arguments import server_url
from web.command.main import main
from web.command.outcome import CommandError
from web.command.room import _content


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
    monkeypatch.setenv("VIVANT_CHAT_SECRET", "whsec_short")
    assert main(["room", "replay", str(log), "--speed", "100", "--url", url]) == 1
    assert "the environment variable VIVANT_CHAT_SECRET holds" in capsys.readouterr().err


def test_a_replay_without_a_server_names_the_address_before_it_plays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["room", "replay", "sample", "--url", "http://127.0.0.1:9"]) == 1
    assert capsys.readouterr().err.startswith("vivant: no server at http://127.0.0.1:9: ")


def test_playing_a_log_loads_no_host() -> None:
    program = "import sys; import web.shipped_logs, transport.chat.sender; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert not {"torch", "web.rooms", "agents.host"} & set(run.stdout.decode().split())


def test_a_file_that_is_no_log_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "binary.jsonl"
    log.write_bytes(b"\xd9\xff")
    assert main(["room", "replay", str(log)]) == 1
    assert capsys.readouterr().err == f"vivant: {log} is no log: it is not UTF-8 text\n"


def test_a_server_of_another_kind_is_told() -> None:
    request = httpx.Request("GET", "http://127.0.0.1:9/healthz")
    for body, told in ((b"[1]", "no JSON object"), (b"<html>", "200, as no Vivant does")):
        with pytest.raises(CommandError, match=told):
            _content(httpx.Response(200, content=body, request=request))
    with pytest.raises(CommandError, match="404, as no Vivant does"):
        _content(httpx.Response(404, json=[], request=request))


@pytest.mark.parametrize(
    "url",
    ["", "127.0.0.1:8080", "ftp://x", "http://", "http://[::1", "http://a:99999", "http://a b",
     "http://a:0", "http://a/?b"],
)  # fmt: skip
def test_an_address_that_is_none_is_wrong_usage(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["room", "list", "--url", url]) == 2
    assert "accepted: such as http://127.0.0.1:8080" in capsys.readouterr().err


def test_a_path_prefix_and_a_last_slash_are_kept_and_dropped() -> None:
    assert server_url("https://[::1]:8080/vivant/") == "https://[::1]:8080/vivant"


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "there-is-no-such.jsonl"],
        ["replay", "sample", "--speed", "0"],
        ["dance"],
        [],
        ["start"],
        ["show", "a/b"],
        ["start", "Demo"],
        ["replay", "sample", "--room", "../x"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert main(["room", *arguments]) == 2
