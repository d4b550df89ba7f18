"""A real server, killed while a room is on air: it comes back at the sentence it was in."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from web.command.serve import READY

KILLS = 5
START_SECONDS = 120.0
_SETTINGS = """
[speak]
voices = ["click"]
rehearse = false
[think]
model = "none"
embedder = "none"
[draw]
renderer = "none"
[move]
gestures = "rules"
[rooms]
database = "sqlite:///{folder}/rooms.db"
folder = "{folder}"
[knowledge]
file = "{folder}/knowledge.db"
[egress]
folder = "{folder}/egress"
"""


class Server:
    """One process of `vivant serve`."""

    def __init__(self, folder: Path) -> None:
        settings = folder / "settings.toml"
        settings.write_text(_SETTINGS.format(folder=folder))
        command = [sys.executable, "-m", "web.command", "serve", "--port", "0"]
        environment = {**os.environ, "VIVANT_CONFIG": str(folder / "config")}
        environment.pop("VIVANT_API_KEY", None)
        self.process = subprocess.Popen(
            [*command, "--config", str(settings)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(READY):
                self.url = line.removeprefix(READY).split()[0]
                return
        raise AssertionError(f"the server ended with {self.process.wait()}")

    def ask(self, path: str, body: object = None) -> Any:
        """Send a request; return what is answered."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/v1/rooms/demo{path}", data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def until_heard(self, known: set[str]) -> dict[str, Any]:
        """Wait until a line is heard that is none of `known`; return the state."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            state: dict[str, Any] = self.ask("/state")
            if state["line"] is not None and state["line"]["id"] not in known:
                return state
            time.sleep(0.02)
        raise AssertionError("nothing is heard")

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        yield server
    finally:
        server.kill()


@pytest.mark.timeout(1200)
def test_it_comes_back_at_the_sentence_it_was_in(tmp_path: Path) -> None:
    chance = random.Random(7)
    acknowledged: list[str] = []
    with serving(tmp_path) as server:
        server.ask("/commands", {"type": "autopilot", "autopilot": "off"})
        server.ask("/commands", {"type": "start"})
        server.until_heard(set())
        time.sleep(chance.uniform(1.0, 8.0))
        place, heard = last_place(server, acknowledged)
    for number in range(KILLS):
        with serving(tmp_path) as server:
            state = server.until_heard(heard)
            assert state["status"] == "on_air"
            assert state["line"]["kind"] == "bridge"
            kept = {each["id"] for each in server.ask("/history?kind=chat&limit=1000")["data"]}
            assert kept >= set(acknowledged)
            state = server.until_heard(heard | {state["line"]["id"]})
            while state["line"] is None or state["line"]["kind"] != "script":
                state = server.until_heard(heard | {line["id"] for line in state["lines"]})
            back = (state["line"]["item"], state["line"]["sentence"])
            assert back == place, f"kill {number + 1}"
            time.sleep(chance.uniform(0.0, 3.0))
            place, heard = last_place(server, acknowledged)
    with serving(tmp_path) as server:
        server.ask("/commands", {"type": "stop", "now": True})
    with serving(tmp_path) as server:
        assert server.ask("/state")["status"] == "off"


def last_place(server: Server, acknowledged: list[str]) -> tuple[tuple[str, int], set[str]]:
    """Return the sentence that is being said, to which a room must come back, once what a viewer
    did has been acknowledged; and the ids of all lines so far.
    """
    name = f"like-{len(acknowledged)}"
    server.ask("/chat", {"id": name, "kind": "like", "viewer": "v1"})
    acknowledged.append(name)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        state = server.ask("/state")
        line = state["line"]
        # Well inside a sentence: between two, it may have gone on by the time of the kill.
        if line and line["kind"] == "script" and state["at"] - line["began_at"] > 0.5:
            return (line["item"], line["sentence"]), {
                line["id"],
                *(each["id"] for each in state["lines"]),
            }
        time.sleep(0.02)
    raise AssertionError("no sentence of the script is heard")
