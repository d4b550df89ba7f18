"""A whole flow with the log at its most talkative: no key, token or secret is in it."""

import asyncio
import base64
import json
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn

from tests.fakes.engine import FakeEngine
from tests.transport.access.doors import Door
from transport.access.secret import Secret
from transport.calls import Calls
from transport.line import Lines
from transport.outward import Poster
from transport.webhooks import Webhooks
from web.app import create_app
from web.command import main
from web.command.main import build_parser
from web.command.serve import uvicorn_settings

WEBHOOK_KEY = b"webhook-secret-of-32-bytes-long!"


class _Server(uvicorn.Server):
    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@asynccontextmanager
async def _served(door: Door, webhooks: Webhooks) -> AsyncIterator[int]:
    """Serve as `vivant -v serve` does, on a free port."""
    engine = FakeEngine()
    lines = Lines(engine)
    app = create_app(
        engine,
        Calls(engine, lines=lines),
        lines=lines,
        access=door.access,
        webhooks=webhooks,
    )
    server = _Server(uvicorn_settings(app, (), build_parser().parse_args(["-v", "serve"])))
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await server.ready.wait()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        listener.close()


async def _ask(port: int, method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    """Ask without a client's own log, and return the answer, or what came within a second."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Content-Length: {len(body)}",
        *headers,
        "\r\n",
    )
    writer.write("\r\n".join(head).encode() + body)
    answer = b""
    try:
        async with asyncio.timeout(1.0):
            while b"\r\n\r\n" not in answer or b"101 Switching" in answer:
                piece = await reader.read(65_536)
                if not piece:
                    break
                answer += piece
    except TimeoutError:
        pass
    writer.close()
    return answer


def _upgrade(*protocols: str) -> tuple[str, ...]:
    return (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Sec-WebSocket-Protocol: {', '.join(protocols)}",
    )


async def test_no_secret_is_logged(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("VIVANT_CONFIG", str(tmp_path))
    door = Door(tmp_path)
    assert main(["keys", "create", "shop", "--scope", "talk", "--scope", "operate"]) == 0
    key = capsys.readouterr().out.strip()
    door.clock._now += 1.0
    webhooks = Webhooks(Poster("http://127.0.0.1:9/hook-path", ["127.0.0.1"]), Secret(WEBHOOK_KEY))
    bearer = f"Authorization: Bearer {key}"
    async with _served(door, webhooks) as port:
        made = await _ask(port, "POST", "/v1/realtime/client_secrets", bearer)
        token = json.loads(made.partition(b"\r\n\r\n")[2])["value"]
        protocol = f"openai-insecure-api-key.{token}"
        opened = await _ask(port, "GET", "/v1/realtime?model=x", *_upgrade("realtime", protocol))
        assert b"101 Switching" in opened
        assert b"session.created" in opened
        assert token.encode() not in opened
        changed = token[:-6] + "AAAAAA"
        for credential in (changed, key + "x"):
            protocol = f"openai-insecure-api-key.{credential}"
            refused = await _ask(port, "GET", "/v1/realtime", *_upgrade("realtime", protocol))
            assert b" 401 " in refused.partition(b"\r\n")[0]
            refused = await _ask(port, "GET", "/metrics", f"Authorization: Bearer {credential}")
            assert b" 401 " in refused.partition(b"\r\n")[0]
        await _ask(port, "DELETE", "/v1/streams/stage", bearer)
        await _ask(port, "POST", "/v1/realtime/calls?resume=line_resumetoken", bearer, body=b"x")
        await _ask(port, "GET", f"/v1/realtime?resume=line_resumetoken&key={key}", *_upgrade("x"))
    printed = capsys.readouterr()
    logged = "".join((caplog.text, *printed, (tmp_path / "audit.jsonl").read_text()))
    for line in ("DELETE /v1/streams/stage", '"WebSocket /v1/realtime" 401', "keys create"):
        assert line in logged
    assert "without completing handshake" not in logged
    secrets = [key, token, changed, "line_resumetoken", "hook-path", door.file.read()[0].sha256]
    secrets += [
        WEBHOOK_KEY.decode(),
        bytes(range(32)).hex(),
        base64.b64encode(WEBHOOK_KEY).decode(),
    ]
    for secret in secrets:
        assert secret not in logged
        assert secret[-20:] not in logged
