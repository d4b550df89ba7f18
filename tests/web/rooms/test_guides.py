"""What docs/chat.md and docs/rooms.md tell programs to do does what they say."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from agents.show.viewers import ViewerEvent
from pipeline.configuration import load_configuration
from tests.fakes.rooms import FakeRooms
from transport.chat.events import IncomingEvent, read_event

ROOT = Path(__file__).parents[3]
EXAMPLES = {
    name: code
    for guide in ("chat.md", "rooms.md")
    for name, code in re.findall(
        r"<!-- example: (\S+) -->\n```\w*\n(.*?)```",
        (ROOT / "docs" / guide).read_text("utf-8"),
        re.DOTALL,
    )
}


def output(*command: str) -> str:
    """Return what a command prints, which must not fail and says nothing on stderr."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def shell(name: str, url: str) -> str:
    script = EXAMPLES[name]
    assert "http://127.0.0.1:8080" in script
    return output("sh", "-euc", script.replace("http://127.0.0.1:8080", url))


def test_a_shell_signs_and_is_taken(url: str, rooms: FakeRooms) -> None:
    assert shell("sign.sh", url) == '{"object":"list","data":[{"id":"m-17","status":"taken"}]}'
    assert [event.text for event in rooms.room("demo").events] == ["how much is the bag?"]


def test_one_event_of_each_kind_is_shown_and_taken() -> None:
    events = [read_event(event) for event in json.loads(EXAMPLES["events.json"])["events"]]
    kinds = IncomingEvent.model_json_schema()["properties"]["kind"]["enum"]
    assert [event.kind for event in events] == kinds
    assert len({event.id for event in events}) == len(kinds)


def test_the_adapter_reads_its_messages_and_nothing_else() -> None:
    names: dict[str, object] = {}
    exec(EXAMPLES["parrot.py"], names)
    read = names["read"]
    assert callable(read)
    (event,) = read({"from": {"id": 7, "nick": "Polly"}, "no": "1", "says": "hello"})
    assert event == ViewerEvent("parrot-1", "chat", "7", "Polly", "hello", platform="parrot")
    nothing: list[object] = [{}, [], None, {"from": 3, "says": ["x"]}, {"says": " "}]
    for payload in nothing:
        assert read(payload) == []


def test_a_program_stays_connected(url: str, rooms: FakeRooms) -> None:
    secret = rooms.room("demo").secret
    told = json.loads(output(sys.executable, "-c", EXAMPLES["stay.py"], url, secret))
    assert (told["type"], told["id"], told["data"][0]["status"]) == ("receipts", "first", "taken")


def test_a_shell_commands_a_room(url: str, rooms: FakeRooms) -> None:
    printed = shell("rooms.sh", url)
    assert '"object":"room.command","type":"start"' in printed
    assert '"status":"on_air"' in printed
    assert [told.type for told, _ in rooms.room("demo").told] == ["start", "say", "skip", "stop"]


async def test_a_program_follows_a_room(url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", EXAMPLES["follow.py"], url, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            assert await process.stdout.readline() == b"demo off\n"
            await asyncio.to_thread(shell, "rooms.sh", url)
            assert (await process.stdout.readline()).startswith(b"status ")
    finally:
        process.kill()
        await process.wait()


def test_the_settings_of_a_service_are_known(tmp_path: Path) -> None:
    file = tmp_path / "vivant.toml"
    file.write_text(EXAMPLES["vivant.toml"])
    settings = load_configuration(file)
    assert settings.rooms.database == "sqlite:////var/lib/vivant/rooms.db"


def test_a_copy_is_whole_while_the_database_is_written(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    opened = [sqlite3.connect(tmp_path / f"{name}.db") for name in ("rooms", "knowledge")]
    for database in opened:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE kept (x)")
        database.execute("INSERT INTO kept VALUES (1)")
        database.commit()
        database.execute("INSERT INTO kept VALUES (2)")  # not yet committed
    script = EXAMPLES["backup.sh"].replace("/var/lib/vivant", str(tmp_path))
    output("sh", "-euc", script.replace("/var/backups/vivant", str(tmp_path / "copy")))
    for database, name in zip(opened, ("rooms", "knowledge"), strict=True):
        database.close()
        copy = sqlite3.connect(tmp_path / "copy" / f"{name}.db")
        assert copy.execute("SELECT x FROM kept").fetchall() == [(1,)]
        copy.close()
    assert (tmp_path / "copy" / "pictures").is_dir()


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_tested(name: str) -> None:
    assert f'"{name}"' in Path(__file__).read_text("utf-8")
