"""A language model and a voice behind HTTP, which can die, hang, and come back at one address."""

import json
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Final, Literal

import numpy as np

RATE: Final = 24_000
_SECONDS_A_CHARACTER: Final = 0.02
_BIND_S: Final = 10.0
Manner = Literal["well", "gone", "hanging", "failing"]


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_POST(self) -> None:
        """Answer as the OpenAI API does, each connection once."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        remote = self.server.remote
        remote.asked.append(self.path)
        if remote.manner == "hanging":
            self.server.ended.wait()
            return
        if remote.manner == "failing":
            self.send_error(500)
            return
        self.send_response(200)
        speaks = self.path.endswith("/audio/speech")
        self.send_header("Content-Type", "audio/pcm" if speaks else "text/event-stream")
        self.end_headers()
        self.wfile.write(_tone(asked["input"]) if speaks else _events(remote.says))

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, remote: "RemoteModels", port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.remote = remote
        self.ended = Event()
        self.thread = Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    def handle_error(self, *_: Any) -> None:
        """Whoever has given up hangs up."""


class RemoteModels:
    """`POST /v1/chat/completions` and `POST /v1/audio/speech` on a port that stays the same.

    Attributes:
        says: what the language model says to everything.
        manner: how it answers: well, not even connections, never, or with status 500.
        asked: paths of all requests so far.
    """

    def __init__(self) -> None:
        self.says = ""
        self.manner: Manner = "well"
        self.asked: list[str] = []
        self._server: _Server | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port: int = probe.getsockname()[1]
        self._start()

    @property
    def url(self) -> str:
        """The base URL of both."""
        return f"http://127.0.0.1:{self._port}/v1"

    def be(self, manner: Manner) -> None:
        """Answer in another manner from now on."""
        self.manner = manner
        self.stop()
        if manner != "gone":
            self._start()

    def _start(self) -> None:
        """Be there. Called while it is not."""
        deadline = time.monotonic() + _BIND_S
        while self._server is None:
            try:
                self._server = _Server(self, self._port)
            except OSError:  # connections of before are still being closed
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self._server.thread.start()

    def stop(self) -> None:
        """Be gone: connections are refused. Idempotent."""
        server, self._server = self._server, None
        if server is not None:
            server.ended.set()
            server.shutdown()
            server.server_close()
            server.thread.join()


def _events(text: str) -> bytes:
    pieces = [f"{word} " for word in text.split()]
    choices: list[dict[str, Any]] = [
        {"delta": {"content": piece}, "finish_reason": None} for piece in pieces
    ]
    choices.append({"delta": {}, "finish_reason": "stop"})
    events = "".join(f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in choices)
    return f"{events}data: [DONE]\n\n".encode()


def _tone(text: str) -> bytes:
    seconds = max(0.3, _SECONDS_A_CHARACTER * len(text))
    wave = 0.3 * np.sin(np.arange(int(seconds * RATE)) * (2 * np.pi * 220 / RATE))
    pcm: bytes = (wave * 32767).astype("<i2").tobytes()
    return pcm
