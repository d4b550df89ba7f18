"""Names that broke other servers, at every place that takes a name."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette

from tests.conftest import SHARED
from tests.web.fakes import StubCalls, StubEngine
from web.app import create_app

OWN = [
    "../secret.js",
    "..\\secret.js",
    "/etc/hostname",
    "%2e%2e/app.py",
    "page.js/../../app.py",
    "page.js\x00.css",
    "",
    ".",
    "..",
    "x" * 5000,
    "Page.js",
    "\u202ejs.egap",
]
_FILE = SHARED / "cases" / "names.json"
NAMES = [*OWN, *(json.loads(_FILE.read_text("utf-8")) if _FILE.is_file() else [])]

PLACES = [
    ("GET", "/static/{}"),
    ("DELETE", "/v1/realtime/calls/{}"),
    ("POST", "/v1/realtime/calls/{}/hangup"),
    ("GET", "/{}"),
]


@pytest.fixture
def app() -> Starlette:
    engine = StubEngine()
    return create_app(engine, StubCalls(engine))


async def _send(app: Starlette, method: str, path: str) -> tuple[int, dict[str, Any]]:
    """Send a path as it is: clients tidy up what an attacker would not."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"testserver")],
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], json.loads(body)


@pytest.mark.parametrize(("method", "place"), PLACES)
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_a_bad_name_is_a_clear_refusal(
    app: Starlette, method: str, place: str, name: str
) -> None:
    if (place, name) == ("/{}", ""):
        return  # that is the page
    status, body = await _send(app, method, place.format(name))
    assert 400 <= status < 500
    assert body["error"]["message"]
    assert len(body["error"]["message"]) < 500


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_a_bad_avatar_is_a_clear_refusal(app: Starlette, name: str) -> None:
    from tests.web.fakes import client_of

    async with client_of(app) as client:
        response = await client.post(
            "/v1/realtime/calls",
            params={"avatar": name},
            content="v=0\r\n",
            headers={"Content-Type": "application/sdp"},
        )
    if name == "Page.js":
        return  # a fine name; whether there is such an avatar is the engine's to say
    assert response.status_code == 400
    assert response.json()["error"]["param"] == "avatar"
