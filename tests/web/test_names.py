"""Names that broke other servers, at every place that takes a name."""

import json
import re
from collections import defaultdict
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute

from tests.names import NAMES
from tests.web.fakes import StubCalls, StubEngine, client_of
from tests.web.whole import whole_app
from web.app import create_app

# Names that are fine ids of persons, of whom nothing is kept.
PERSONS = {"Page.js"}
# What else stands in a path beside the name that is tried.
OTHERS = {"stream": "stage", "number": "0", "person": "p-1"}
FIELDS = ("avatar", "scene", "style", "voice", "framing", "language", "resume")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Starlette:
    return whole_app(tmp_path_factory.mktemp("names"))


def places(app: Starlette) -> list[tuple[str, str, str]]:
    """Return every method and path that takes a name, with "{}" in its place, and its parameter."""
    found = [("GET", "/{}", "")]
    for route in app.routes:
        assert isinstance(route, Route | WebSocketRoute)
        for name in route.param_convertors:
            plain = re.sub(r":\w+}", "}", route.path)
            path = plain.format_map(defaultdict(lambda: "abc", {**OTHERS, name: "{}"}))
            methods = getattr(route, "methods", None) or ()
            found += [(method, path, name) for method in methods if method != "HEAD"]
    return found


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


def test_every_kind_of_route_is_tried(app: Starlette) -> None:
    tried = {(method, place) for method, place, _ in places(app)}
    assert len(tried) > 20
    assert {
        ("GET", "/static/{}"),
        ("DELETE", "/v1/realtime/calls/{}"),
        ("POST", "/v1/realtime/calls/{}/hangup"),
        ("POST", "/v1/whip/{}"),
        ("PATCH", "/v1/whep/stage/{}"),
        ("DELETE", "/v1/streams/{}"),
        ("DELETE", "/v1/people/{}/data"),
    } <= tried


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_a_bad_name_is_a_clear_refusal(app: Starlette, name: str) -> None:
    for method, place, parameter in places(app):
        if (place, name) == ("/{}", "") or (parameter == "person" and name in PERSONS):
            continue  # the page, and somebody nobody knows
        status, body = await _send(app, method, place.format(name))
        assert 400 <= status < 500, (method, place)
        assert body["error"]["message"], (method, place)
        assert len(body["error"]["message"]) < 500, (method, place)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_a_bad_name_in_a_query_is_a_clear_refusal(
    app: Starlette, field: str, name: str
) -> None:
    if (field, name) == ("voice", ""):
        return
    async with client_of(app) as client:
        response = await client.post(
            "/v1/realtime/calls",
            params={field: name},
            content="v=0\r\n",
            headers={"Content-Type": "application/sdp"},
        )
    assert 400 <= response.status_code < 500
    assert 0 < len(response.json()["error"]["message"]) < 500


@pytest.mark.parametrize("name", [*NAMES, 3, None, ["a"], {}], ids=lambda name: ascii(name)[:24])
async def test_a_stream_has_a_plain_name(app: Starlette, name: object) -> None:
    async with client_of(app) as client:
        response = await client.post("/v1/streams", json={"name": name})
    assert response.status_code == 400
    assert "name" in response.json()["error"]["message"]
    assert len(response.text) < 800


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_a_bad_avatar_is_a_clear_refusal(name: str) -> None:
    engine = StubEngine()
    app = create_app(engine, StubCalls(engine))
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
