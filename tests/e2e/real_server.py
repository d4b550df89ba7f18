"""A real `vivant serve` in a process of its own, to be asked over HTTP and killed."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from web.command.serve import READY

PATIENCE_S: Final = 120.0
LOOK_EVERY_S: Final = 0.05
# A room that says something is louder.
HEARD_DB: Final = -40.0
SETTINGS: Final = """
[speak]
voices = [{voices}]
rehearse = false
{speak}
[think]
{think}
embedder = "none"
[draw]
renderer = "none"
[move]
gestures = "rules"
[rooms]
database = "{database}"
folder = "{folder}"
[knowledge]
file = "{folder}/knowledge.db"
[egress]
folder = "{folder}/egress"
"""


def light_settings(
    folder: Path,
    *,
    database: str = "",
    voices: Sequence[str] = ("click",),
    speak: str = "",
    think: str = 'model = "none"',
) -> str:
    """Return settings of a server that loads little: no pictures, no models.

    Args:
        folder: of all that it keeps.
        database: its URL; empty is a file in `folder`.
        speak, think: further lines of those tables.
    """
    return SETTINGS.format(
        folder=folder,
        database=database or f"sqlite:///{folder}/rooms.db",
        voices=", ".join(f'"{voice}"' for voice in voices),
        speak=speak,
        think=think,
    )


class RefusedError(Exception):
    """An answer that is no success. `status`, `body` and `headers` are of it."""

    def __init__(self, error: urllib.error.HTTPError) -> None:
        self.status = error.code
        self.headers = error.headers  # in any case of letters
        self.body: Any = json.loads(error.read() or b"null")
        super().__init__(f"{self.status}: {self.body}")


class RealServer:
    """One process of `vivant serve`, and the room "demo" of it.

    Args:
        folder: of its settings and its log.
        settings: TOML.

    Attributes:
        began: seconds since the epoch when the process was started.
        url: where it is.
    """

    def __init__(self, folder: Path, settings: str) -> None:
        file, self.log = folder / "settings.toml", folder / "server.log"
        file.write_text(settings)
        command = [sys.executable, "-m", "web.command", "serve", "--port", "0"]
        environment = {**os.environ, "VIVANT_CONFIG": str(folder / "config")}
        for secret in ("VIVANT_API_KEY", "VIVANT_DATABASE_URL"):
            environment.pop(secret, None)
        self.began = time.time()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--config", str(file)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment,
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(READY):
                self.url = line.removeprefix(READY).split()[0]
                return
        raise AssertionError(f"the server ended with {self.process.wait()}: {self.told}")

    @property
    def told(self) -> str:
        """What it has written to its log, the end of it."""
        return self.log.read_text("utf-8", "replace")[-4000:]

    def ask(self, path: str, body: object = None) -> Any:
        """Send a request about the room; return what is answered.

        Raises:
            RefusedError: the answer is no success.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/v1/rooms/demo{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RefusedError(error) from None

    def state(self) -> dict[str, Any]:
        """Return how the room stands."""
        state: dict[str, Any] = self.ask("/state")
        return state

    def until(
        self, wanted: Callable[[dict[str, Any]], bool], what: str, seconds: float = PATIENCE_S
    ) -> dict[str, Any]:
        """Wait for a state of the room; return it.

        Args:
            what: in words, for whoever reads that it never came.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            state = self.state()
            if wanted(state):
                return state
            time.sleep(LOOK_EVERY_S)
        raise AssertionError(f"not within {seconds:g} s: {what}; log: {self.told}")

    def until_heard(self, known: set[str]) -> dict[str, Any]:
        """Wait until a line is heard that is none of `known`; return the state."""
        return self.until(
            lambda state: state["line"] is not None and state["line"]["id"] not in known,
            "another line",
        )

    def loudest(self, since: float) -> float:
        """Return how loud it was at most after a moment, dB of full scale; waits for a figure."""

        def later(state: dict[str, Any]) -> list[float]:
            return [each["level_db"] for each in state["metrics"] if each["at"] > since + 5]

        return max(later(self.until(lambda state: bool(later(state)), "figures")))

    def begin(self) -> None:
        """Let the room go on air, with nobody but its rundown and its viewers deciding."""
        self.ask("/commands", {"type": "autopilot", "autopilot": "off"})
        self.ask("/commands", {"type": "start"})
        self.until_heard(set())

    def question(self, name: str, text: str) -> None:
        """Ask what a viewer would ask, each name one viewer."""
        self.ask("/chat", {"id": name, "kind": "chat", "viewer": name, "text": text})

    def answered(self, name: str) -> dict[str, Any]:
        """Wait until a question is being answered aloud; return how it stands in the chat."""
        state = self.until(
            lambda state: any(each["id"] == name and each["answer"] for each in state["chat"]),
            f"an answer to {name}",
        )
        found: dict[str, Any] = next(each for each in state["chat"] if each["id"] == name)
        return found

    def kill(self) -> None:
        """End it as a power cut does. Idempotent."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(folder: Path, settings: str) -> Iterator[RealServer]:
    """Give a running server; it is killed at the end."""
    server = RealServer(folder, settings)
    try:
        yield server
    finally:
        server.kill()


def standing(state: Mapping[str, Any], code: str) -> bool:
    """Return whether an alert of that code stands."""
    return any(each["code"] == code and each["ended_at"] is None for each in state["alerts"])
