"""The door of the HTTP application: scopes of paths, refusals, WebSockets, administrative acts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection, Request
from starlette.types import Scope

from tests.transport.access.doors import Door
from tests.web.doors import guarded, handshake
from tests.web.fakes import StubCalls, StubEngine, client_of
from tests.web.whole import whole_app
from transport.access.access import ATTEMPTS_A_MINUTE
from transport.access.grant import LOCAL, Limits
from web.access import credential_of, grant_of, route_path, rule_of
from web.app import create_app
from web.openapi import OPERATIONS
from web.openapi.document import served_operations

WIRE = "/v1/realtime"
BODY: dict[str, object] = {"websocket.http.response": {}}


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


@pytest.fixture
def make(door: Door) -> Callable[..., str]:
    """Make a key that the running server knows at once."""

    def make(*scopes: str, name: str = "shop", **limits: int) -> str:
        _, key = door.file.create(name, scopes or ("talk",), Limits(**limits))
        door.clock._now += 1.0
        return key

    return make


def _bearer(credential: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}


def _error(response: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = response.json()["error"]
    assert set(error) == {"type", "code", "message", "param"}
    return error


@pytest.mark.parametrize(
    ("path", "need"),
    [
        ("/", None),
        ("/static/page.js", None),
        ("/watch/stage", None),
        ("/healthz", None),
        ("/openapi.json", None),
        ("/v1/voices", None),
        ("/v1/looks", None),
        ("/v1/looks/avatars/mia/still", None),
        ("/v1/realtime", "talk"),
        ("/v1/realtime/calls", "talk"),
        ("/v1/realtime/calls/call_1/hangup", "talk"),
        ("/v1/realtime/client_secrets", "any"),
        ("/v1/realtime/other", "operate"),
        ("/v1/whep/stage", "watch"),
        ("/v1/whep/stage/resource", "watch"),
        ("/v1/whip/stage", "publish"),
        ("/v1/whip", "operate"),
        ("/v1/streams", "operate"),
        ("/v1/streams/stage/egress", "operate"),
        ("/v1/people/p-1/data", "operate"),
        ("/v1/rooms", "operate"),
        ("/v1/rooms/demo/events", "operate"),
        ("/v1/rooms/demo/chat", "signed"),
        ("/v1/rooms/demo/chat/secret", "operate"),
        ("/v1/rooms/demo/chat/", "operate"),
        ("/v1/recordings", "operate"),
        ("/v1/recordings/demo-1", "signed"),
        ("/v1/recordings/demo-1/link", "operate"),
        ("/v1/shops/demo/products/bag/picture", None),
        ("/v1/shops/demo/products/bag", "operate"),
        ("/v1/avatars/mia/picture", None),
        ("/v1/avatars/mia", "operate"),
        ("/metrics", "operate"),
        ("/v1/anything/else", "operate"),
        ("/v1/looksome", "operate"),
        ("/V1/VOICES", "operate"),
        ("//v1/voices", "operate"),
        ("/v1/voices/", "operate"),
        ("/metrics/", "operate"),
        ("/v1/realtime\n", "operate"),
        ("", "operate"),
    ],
)
def test_what_paths_need(path: str, need: str | None) -> None:
    assert rule_of(path).need == need


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH"])
def test_pictures_are_open_to_be_looked_at_alone(method: str) -> None:
    for path in ("/v1/shops/demo/products/bag/picture", "/v1/avatars/mia/picture"):
        assert rule_of(path, "HEAD").need is None
        assert rule_of(path, method).need == "operate"
    assert rule_of("/v1/recordings/demo-1", method).need == "operate"


def test_a_path_of_a_stream_names_it() -> None:
    assert rule_of("/v1/whep/stage/r").stream == rule_of("/v1/whip/stage").stream == "stage"
    assert rule_of("/v1/streams/stage").stream is None


def test_the_table_is_as_the_document_says() -> None:
    for operation in OPERATIONS:
        need = rule_of(operation.path, operation.method).need
        if need != "any":  # what is asked for decides
            assert need == operation.scope, operation.path


def test_every_route_of_the_application_was_thought_of(tmp_path: Path) -> None:
    """A route that is open stands here by name; whatever is added is closed until it does too."""
    paths = {path for _, path in served_operations(whole_app(tmp_path).routes)}
    assert {path for path in paths if rule_of(path).need is None} == {
        "/",
        "/console",
        "/console/",
        "/healthz",
        "/openapi.json",
        "/static/{name}",
        "/v1/avatars/{name}/picture",
        "/v1/scenes/{name}/picture",
        "/v1/shops/{shop}/products/{product}/picture",
        "/v1/looks",
        "/v1/looks/avatars/{name}/still",
        "/v1/voices",
        "/watch/{stream}",
    }


async def test_without_keys_everything_is_open(door: Door) -> None:
    async with client_of(guarded(door.access)) as client:
        for path in ("/", WIRE, "/v1/streams", "/metrics"):
            for headers in ({}, _bearer("sk-whatever")):
                assert (await client.get(path, headers=headers)).json()["key"] == "local"


async def test_no_credential(door: Door, make: Callable[..., str]) -> None:
    make()
    async with client_of(guarded(door.access)) as client:
        assert (await client.get("/")).json() == {"key": "anybody", "scopes": []}
        for path in (WIRE, "/v1/whep/stage", "/v1/client", "/metrics", "/unknown"):
            response = await client.get(path)
            assert response.status_code == 401
            assert response.headers["www-authenticate"] == 'Bearer realm="vivant"'
            assert response.headers["x-content-type-options"] == "nosniff"
            error = _error(response)
            assert (error["type"], error["code"]) == ("authentication_error", "missing_credential")


async def test_a_wrong_credential(door: Door, make: Callable[..., str]) -> None:
    key = make()
    async with client_of(guarded(door.access)) as client:
        for wrong in (key + "x", "vk_", "ek_x.y.z", "sk-proj-1", "é" * 40):
            headers = {"Authorization": f"Bearer {wrong}".encode()}
            response = await client.get(WIRE, headers=headers)  # type: ignore[arg-type]
            assert response.status_code == 401
            assert 'error="invalid_token"' in response.headers["www-authenticate"]
            assert _error(response)["code"] == "invalid_api_key"
            assert wrong not in response.text


async def test_the_right_key_for_something_else(door: Door, make: Callable[..., str]) -> None:
    key = make("watch")
    async with client_of(guarded(door.access)) as client:
        assert (await client.get("/v1/whep/stage", headers=_bearer(key))).status_code == 200
        response = await client.post("/v1/realtime/calls", headers=_bearer(key))
        assert response.status_code == 403
        assert _error(response)["code"] == "insufficient_scope"
        assert 'scope="talk"' in response.headers["www-authenticate"]


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_in_any_letters(door: Door, make: Callable[..., str], scheme: str) -> None:
    headers = {"Authorization": f"{scheme}  {make()} "}
    async with client_of(guarded(door.access)) as client:
        assert (await client.get(WIRE, headers=headers)).status_code == 200


async def test_other_schemes_and_queries_are_no_credential(
    door: Door, make: Callable[..., str]
) -> None:
    key = make()
    async with client_of(guarded(door.access)) as client:
        for headers in ({"Authorization": f"Basic {key}"}, {"Authorization": key}, {"Cookie": key}):
            assert _error(await client.get(WIRE, headers=headers))["code"] == "missing_credential"
        for name in ("token", "access_token", "api_key", "key"):
            assert (await client.get(WIRE, params={name: key})).status_code == 401


async def test_two_credentials_that_differ_are_none(door: Door, make: Callable[..., str]) -> None:
    one, two = make(), make(name="other")
    headers = [("Authorization", f"Bearer {one}"), ("Authorization", f"Bearer {two}")]
    async with client_of(guarded(door.access)) as client:
        assert (await client.get(WIRE, headers=headers)).status_code == 401
        assert (await client.get(WIRE, headers=[headers[0], headers[0]])).status_code == 200


async def test_a_token_of_one_stream(door: Door, make: Callable[..., str]) -> None:
    grant = door.access.identify(make("watch", "publish"))
    token = door.access.issue(grant, ["watch"], stream="stage").value
    async with client_of(guarded(door.access)) as client:
        for path, status in (
            ("/v1/whep/stage", 200),
            ("/v1/whep/stage/r1", 200),
            ("/v1/whep/other", 403),
            ("/v1/whep/stage2", 403),
            ("/v1/whip/stage", 403),
            ("/v1/whep/", 403),
        ):
            assert (await client.get(path, headers=_bearer(token))).status_code == status, path


async def test_an_expired_token_says_so(door: Door, make: Callable[..., str]) -> None:
    token = door.access.issue(door.access.identify(make()), seconds=10).value
    door.clock._now += 10.0
    async with client_of(guarded(door.access)) as client:
        assert _error(await client.get(WIRE, headers=_bearer(token)))["code"] == "token_expired"


async def test_requests_a_minute(door: Door, make: Callable[..., str]) -> None:
    key = make(requests_a_minute=3)
    async with client_of(guarded(door.access)) as client:
        for _ in range(3):
            assert (await client.get(WIRE, headers=_bearer(key))).status_code == 200
        response = await client.get(WIRE, headers=_bearer(key))
    assert response.status_code == 429
    assert response.headers["retry-after"] == "20"
    error = _error(response)
    assert (error["type"], error["code"]) == ("rate_limit_error", "requests_limit")


async def test_guessing_is_slowed(door: Door, make: Callable[..., str]) -> None:
    key = make()
    async with client_of(guarded(door.access)) as client:
        statuses = [
            (await client.get(WIRE, headers=_bearer(f"vk_{n:043d}"))).status_code
            for n in range(ATTEMPTS_A_MINUTE + 5)
        ]
        assert statuses == [401] * ATTEMPTS_A_MINUTE + [429] * 5
        assert (await client.get(WIRE, headers=_bearer(key))).status_code == 200


# --- WebSockets


async def test_a_websocket_without_credential_is_refused_with_a_body(
    door: Door, make: Callable[..., str]
) -> None:
    make()
    start, body = await handshake(guarded(door.access), extensions=BODY)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 401)
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert headers["www-authenticate"].startswith("Bearer")
    assert headers["content-security-policy"]
    assert json.loads(body["body"])["error"]["code"] == "missing_credential"


async def test_a_websocket_without_credential_is_closed_where_no_body_can_be_sent(
    door: Door, make: Callable[..., str]
) -> None:
    make()
    (sent,) = await handshake(guarded(door.access))
    assert (sent["type"], sent["code"]) == ("websocket.close", 1008)
    assert "no API key" in sent["reason"]
    assert len(sent["reason"].encode()) <= 123


@pytest.mark.parametrize("way", ["header", "subprotocol"])
async def test_a_websocket_with_its_credential(
    door: Door, make: Callable[..., str], way: str
) -> None:
    key = make()
    token = door.access.issue(door.access.identify(key)).value
    for credential in (key, token):
        protocol = f"openai-insecure-api-key.{credential}"
        accept, told, _ = await handshake(
            guarded(door.access),
            headers=_bearer(credential) if way == "header" else {},
            subprotocols=["realtime", protocol] if way == "subprotocol" else ["realtime"],
        )
        assert (accept["type"], accept["subprotocol"]) == ("websocket.accept", "realtime")
        seen = json.loads(told["text"])
        assert seen["scopes"] == ["talk"]
        assert seen["offered"] == ["realtime"], "the token goes no further than the door"


async def test_a_websocket_with_a_wrong_one(door: Door, make: Callable[..., str]) -> None:
    key = make("watch")
    for protocol, status in (
        (f"openai-insecure-api-key.{key}x", 401),
        ("openai-insecure-api-key.", 401),
        (f"openai-insecure-api-key.{key}", 403),
        (f"other-key.{key}", 401),
    ):
        start, _ = await handshake(
            guarded(door.access), subprotocols=["realtime", protocol], extensions=BODY
        )
        assert start["status"] == status


async def test_a_websocket_of_a_path_nobody_thought_of(
    door: Door, make: Callable[..., str]
) -> None:
    start, _ = await handshake(
        guarded(door.access), "/v1/other", headers=_bearer(make()), extensions=BODY
    )
    assert start["status"] == 403


# --- what the door reads


def _scope(**changes: object) -> Scope:
    return {"type": "http", "path": "/", "headers": [], **changes}


@pytest.mark.parametrize(
    ("path", "root", "seen"),
    [
        ("/v1/voices", "", "/v1/voices"),
        ("/vivant/v1/voices", "/vivant", "/v1/voices"),
        ("/vivant", "/vivant", ""),
        ("/vivantx/v1", "/vivant", "/vivantx/v1"),
        ("/v1/voices", "/vivant", "/v1/voices"),
    ],
)
def test_a_prefix_is_taken_off_as_the_routes_do(path: str, root: str, seen: str) -> None:
    from starlette._utils import get_route_path

    scope = _scope(path=path, root_path=root)
    assert route_path(scope) == seen == get_route_path(scope)


def test_no_credential_is_none() -> None:
    for value in (b"", b"Bearer", b"Bearer ", b"Bearer    ", b"Basic x", b"Bearerx y"):
        assert credential_of(_scope(headers=[(b"authorization", value)])) is None
    assert credential_of(_scope(headers=[(b"authorization", b"Bearer a b")])) == "a b"


def test_what_no_door_looked_at_is_local() -> None:
    assert grant_of(HTTPConnection(_scope())) == LOCAL
    assert grant_of(Request(_scope(state={}))) == LOCAL


# --- administrative acts


def _acts(door: Door) -> list[tuple[str, str, str, str]]:
    path = door.audit.path
    assert path is not None
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [(line["key"], line["act"], line["target"], line["outcome"]) for line in lines]


async def test_administrative_acts_are_recorded_and_looking_is_not(
    door: Door, make: Callable[..., str]
) -> None:
    operate, talk = make("operate"), make("talk", name="other")
    ids = {key.name: key.id for key in door.file.read()}
    async with client_of(guarded(door.access)) as client:
        for method, path, key in (
            ("GET", "/v1/streams", operate),
            ("GET", "/metrics", operate),
            ("POST", "/v1/realtime/calls", talk),
            ("GET", "/v1/people/p-1/data", operate),
            ("DELETE", "/v1/streams/stage", operate),
            ("DELETE", "/v1/streams/stage", talk),
            ("DELETE", "/v1/streams/stage", "vk_wrong"),
            ("GET", "/v1/streams", talk),
        ):
            await client.request(method, path, headers=_bearer(key))
    assert _acts(door) == [
        (ids["shop"], "GET /{path:path}", "/v1/people/p-1/data", "200"),
        (ids["shop"], "DELETE /{path:path}", "/v1/streams/stage", "200"),
        (ids["other"], "DELETE /v1/streams/stage", "/v1/streams/stage", "403"),
    ]


async def test_what_was_made_is_named(door: Door, tmp_path: Path) -> None:
    app = whole_app(tmp_path / "app", access=door.access)
    async with app.router.lifespan_context(app), client_of(app) as client:
        assert (await client.post("/v1/streams", json={"name": "stage"})).status_code == 201
        assert (await client.post("/v1/streams", json={"name": "../x"})).status_code == 400
        assert (await client.delete("/v1/streams/stage")).status_code == 200
    assert _acts(door) == [
        ("local", "POST /v1/streams", "/v1/streams/stage", "201"),
        ("local", "POST /v1/streams", "/v1/streams", "400"),
        ("local", "DELETE /v1/streams/{stream}", "/v1/streams/stage", "200"),
    ]


async def test_an_act_that_fails_is_recorded(door: Door) -> None:
    engine = StubEngine()
    app = create_app(engine, StubCalls(engine), access=door.access)
    async with client_of(app) as client:
        assert (await client.delete("/v1/nothing")).status_code == 404
        assert (await client.get("/v1/nothing")).status_code == 404
    assert _acts(door) == [("local", "DELETE unknown", "/v1/nothing", "404")]
