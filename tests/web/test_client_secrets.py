"""Tokens for pages, and the calls they open."""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import httpx2
import openai
import pytest

from pipeline.options import IceServer
from tests.names import NAMES
from tests.transport.access.doors import BEGIN, Door
from tests.web.fakes import StubCalls, StubEngine, client_of
from transport.access.grant import Limits
from transport.access.secret import Secret
from transport.webhooks import Webhooks
from web.app import create_app
from web.wishes import merged

PATH = "/v1/realtime/client_secrets"
CALLS = "/v1/realtime/calls"
OFFER = "v=0\r\ns=offer\r\n"
SDP = {"Content-Type": "application/sdp"}
TURN = IceServer(("turn:b.example:3478",), "me", "relay-credential")


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


@pytest.fixture
async def client(
    door: Door, engine: StubEngine, calls: StubCalls
) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(engine, calls, access=door.access, ice_servers=[TURN])
    async with client_of(app) as client:
        yield client
    for call_id in list(calls.open):
        await calls.hang_up(call_id)
    await door.access.close()


def _key(door: Door, *scopes: str, name: str = "shop", limits: Limits | None = None) -> str:
    _, key = door.file.create(name, scopes or ("talk",), limits)
    door.clock._now += 1.0
    return key


def _bearer(credential: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}


async def _token(client: httpx.AsyncClient, key: str, **body: object) -> str:
    response = await client.post(PATH, json=body, headers=_bearer(key))
    assert response.status_code == 200, response.text
    value: str = response.json()["value"]
    return value


async def _call(client: httpx.AsyncClient, credential: str, **more: Any) -> httpx.Response:
    headers = {**_bearer(credential), **SDP}
    return await client.post(CALLS, content=OFFER, headers=headers, **more)


def _error(response: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = response.json()["error"]
    return error


async def test_a_key_gets_a_token_in_the_shape_of_the_api(
    client: httpx.AsyncClient, door: Door
) -> None:
    key = _key(door)
    asked = {
        "expires_after": {"anchor": "created_at", "seconds": 60},
        "session": {"type": "realtime", "audio": {"output": {"voice": "lily"}}},
    }
    response = await client.post(PATH, json=asked, headers=_bearer(key))
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    body = response.json()
    assert set(body) == {"value", "expires_at", "session"}
    assert body["expires_at"] == int(door.wall()) + 60
    assert body["session"]["audio"] == {"output": {"voice": "lily"}}
    assert body["value"].startswith("ek_")


async def test_the_openai_package_reads_it(
    door: Door, engine: StubEngine, calls: StubCalls
) -> None:
    key = _key(door)
    transport = httpx2.ASGITransport(create_app(engine, calls, access=door.access))
    http = httpx2.AsyncClient(transport=transport)
    async with openai.AsyncOpenAI(
        api_key=key, base_url="http://testserver/v1", http_client=http, max_retries=0
    ) as client:
        made = await client.realtime.client_secrets.create(
            expires_after={"anchor": "created_at", "seconds": 30},
            session={"type": "realtime", "audio": {"output": {"voice": "joe"}}},
        )
        assert made.expires_at == int(door.wall()) + 30
        assert door.access.identify(made.value).scopes == {"talk"}
        assert made.session.type == "realtime"
        with pytest.raises(openai.AuthenticationError):
            await client.with_options(api_key="wrong").realtime.client_secrets.create()
        with pytest.raises(openai.PermissionDeniedError):
            await client.realtime.client_secrets.create(extra_body={"scopes": ["operate"]})


async def test_nothing_need_be_said(client: httpx.AsyncClient, door: Door) -> None:
    key = _key(door, "talk", "watch")
    response = await client.post(PATH, headers=_bearer(key))
    assert response.json()["expires_at"] == int(door.wall()) + 600
    assert door.access.identify(response.json()["value"]).scopes == {"talk"}


async def test_an_open_server_issues_tokens_too(client: httpx.AsyncClient, door: Door) -> None:
    response = await client.post(PATH, json={"scopes": ["watch"], "stream": "stage"})
    grant = door.access.identify(response.json()["value"])
    assert (set(grant.scopes), grant.stream) == ({"watch"}, "stage")


async def test_who_may_not_have_one(client: httpx.AsyncClient, door: Door) -> None:
    key = _key(door)
    assert (await client.post(PATH)).status_code == 401
    refused = await client.post(PATH, json={"scopes": ["talk", "watch"]}, headers=_bearer(key))
    assert refused.status_code == 403
    assert _error(refused)["code"] == "insufficient_scope"
    token = await _token(client, key)
    refused = await client.post(PATH, headers=_bearer(token))
    assert (refused.status_code, "not to tokens" in refused.text) == (403, True)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"colour": 1}, "expires_after, session"),
        ({"scopes": "talk"}, "a list of"),
        ({"scopes": []}, "some of"),
        ({"scopes": ["admin"]}, "talk, watch"),
        ({"scopes": [["talk"]]}, "talk, watch"),
        ({"expires_after": 60}, "created_at"),
        ({"expires_after": {"anchor": "now", "seconds": 60}}, "created_at"),
        ({"expires_after": {"seconds": 9}}, "10 to 7200"),
        ({"expires_after": {"seconds": 7201}}, "10 to 7200"),
        ({"expires_after": {"seconds": 10**30}}, "10 to 7200"),
        ({"expires_after": {"seconds": "60"}}, "10 to 7200"),
        ({"expires_after": {"seconds": True}}, "10 to 7200"),
        ({"person": 3}, "a text"),
        ({"person": "a b"}, "letters, digits"),
        ({"stream": "Stage"}, "a-z, 0-9"),
        ({"session": []}, "an object"),
        ({"session": {"type": "transcription"}}, "realtime"),
        ({"session": {"audio": {"output": {"voice": "nobody"}}}}, "joe, lily"),
        ({"session": {"instructions": "x" * 3000}}, "at most 2048"),
    ],
)
async def test_what_cannot_be_asked_for(
    client: httpx.AsyncClient, door: Door, body: dict[str, object], told: str
) -> None:
    key = _key(door, "talk", "watch", "publish", "operate")
    response = await client.post(PATH, json=body, headers=_bearer(key))
    assert response.status_code == 400
    assert told in _error(response)["message"]
    assert len(response.text) < 800


@pytest.mark.parametrize("field", ["person", "stream"])
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:24])
async def test_bad_names_are_refused(
    client: httpx.AsyncClient, door: Door, field: str, name: str
) -> None:
    response = await client.post(PATH, json={field: name}, headers=_bearer(_key(door)))
    if (field, name) == ("person", "Page.js"):
        return  # a fine id
    assert response.status_code == 400
    assert field in _error(response)["message"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"[" * 50_000, "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"person": "\\ud800"}', "application/json", 400),
        (b"{}", "text/plain", 415),
        (b" " * 200_000, "application/json", 413),
    ],
)
async def test_bodies_that_are_none(
    client: httpx.AsyncClient, door: Door, content: bytes, kind: str, status: int
) -> None:
    headers = {**_bearer(_key(door)), "Content-Type": kind}
    response = await client.post(PATH, content=content, headers=headers)
    assert response.status_code == status
    assert set(_error(response)) == {"type", "code", "message", "param"}


async def test_a_token_opens_a_call_as_it_says(
    client: httpx.AsyncClient, door: Door, calls: StubCalls
) -> None:
    session = {"audio": {"output": {"voice": "lily", "speed": 1.5}}}
    token = await _token(client, _key(door), session=session, person="p-1")
    assert (await _call(client, token)).status_code == 201
    (options,) = calls.open.values()
    assert (options.voice, options.speed, options.person) == ("lily", 1.5, "p-1")
    await calls.hang_up(next(iter(calls.open)))
    own = {"audio": {"output": {"speed": 0.75}}}
    form = {"sdp": (None, OFFER), "session": (None, json.dumps(own))}
    assert (await client.post(CALLS, files=form, headers=_bearer(token))).status_code == 201
    (options,) = calls.open.values()
    assert (options.voice, options.speed) == ("lily", 0.75), "what the client says wins"


async def test_only_who_opened_a_call_ends_it(client: httpx.AsyncClient, door: Door) -> None:
    key, other = _key(door), _key(door, name="other")
    operator = _key(door, "operate", "talk", name="operator")
    mine, yours = await _token(client, key), await _token(client, key)
    for ender, status in ((mine, 200), (key, 200), (operator, 200), (yours, 403), (other, 403)):
        place = (await _call(client, mine)).headers["location"]
        assert (await client.delete(place, headers=_bearer(ender))).status_code == status
        await client.delete(place, headers=_bearer(operator))
        assert (await client.delete(place, headers=_bearer(operator))).status_code == 404


async def test_sessions_of_a_key_are_counted(
    client: httpx.AsyncClient, door: Door, engine: StubEngine
) -> None:
    engine.limit = 10
    key = _key(door, limits=Limits(sessions=1))
    token = await _token(client, key)
    place = (await _call(client, key)).headers["location"]
    for credential in (key, token):
        refused = await _call(client, credential)
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "5"
        error = _error(refused)
        assert (error["type"], error["code"]) == ("rate_limit_error", "sessions_limit")
    assert (await client.delete(place, headers=_bearer(key))).status_code == 200
    assert (await _call(client, token)).status_code == 201


@pytest.mark.parametrize("offer", ["nonsense", OFFER])
async def test_a_call_that_fails_takes_no_place(
    client: httpx.AsyncClient, door: Door, engine: StubEngine, offer: str
) -> None:
    engine.limit = 0
    key = _key(door, limits=Limits(sessions=1))
    for _ in range(3):
        headers = {**_bearer(key), **SDP}
        response = await client.post(CALLS, content=offer, headers=headers)
        assert response.status_code in (400, 503), "a full server stays 503"
    assert door.access.open == 0


async def test_a_call_ends_politely_when_the_minutes_are_used_up(
    client: httpx.AsyncClient, door: Door, calls: StubCalls
) -> None:
    key = _key(door, limits=Limits(minutes_a_day=1))
    assert (await _call(client, key)).status_code == 201
    await door.clock.run(62.0)
    ((_, code, message),) = calls.dismissed
    assert code == "minutes_limit"
    assert "for today" in message
    refused = await _call(client, key)
    assert (refused.status_code, _error(refused)["code"]) == (429, "minutes_limit")
    assert 86_000 < int(refused.headers["retry-after"]) <= 86_400 - (door.wall() - BEGIN) + 1


async def test_a_revoked_key_ends_its_calls_and_tokens(
    client: httpx.AsyncClient, door: Door, calls: StubCalls
) -> None:
    token = await _token(client, _key(door))
    assert (await _call(client, token)).status_code == 201
    door.file.revoke("shop")
    await door.clock.run(3.0)
    assert [code for _, code, _ in calls.dismissed] == ["key_ended"]
    assert (await _call(client, token)).status_code == 401


async def test_sessions_are_told_by_webhook(
    tmp_path: Path, engine: StubEngine, calls: StubCalls
) -> None:
    told: list[dict[str, Any]] = []

    class Receiver:
        async def post(self, _headers: Mapping[str, str], body: bytes) -> int:
            told.append(json.loads(body))
            return 200

    webhooks = Webhooks(Receiver(), Secret(bytes(32)))
    door = Door(tmp_path, observer=webhooks.post)
    app = create_app(engine, calls, access=door.access, webhooks=webhooks)
    async with app.router.lifespan_context(app), client_of(app) as client:
        token = await _token(client, _key(door), person="p-1")
        first = (await _call(client, token)).headers["location"].rpartition("/")[2]
        await calls.hang_up(first)
        await _call(client, token)  # the server stops while it is open
    assert [event["type"] for event in told] == ["session.started", "session.ended"] * 2
    key_id = door.file.read()[0].id
    assert told[0]["data"] == {"id": first, "key": key_id, "person": "p-1"}
    assert set(told[1]["data"]) == {"id", "key", "person", "seconds"}


async def test_a_relay_is_not_for_anybody(client: httpx.AsyncClient, door: Door) -> None:
    told = (await client.get("/v1/voices")).json()["ice_servers"]
    assert told, "an open server tells its own machine"
    key = _key(door)
    assert (await client.get("/v1/voices")).json()["ice_servers"] == []
    wrong = await client.get("/v1/voices", headers=_bearer(key + "x"))
    assert wrong.json()["ice_servers"] == []
    token = await _token(client, key)
    assert (await client.get("/v1/voices", headers=_bearer(token))).json()["ice_servers"]


async def test_the_page_and_its_files_need_nothing(client: httpx.AsyncClient, door: Door) -> None:
    _key(door)
    for path in ("/", "/static/page.js", "/healthz", "/v1/voices", "/openapi.json"):
        assert (await client.get(path)).status_code == 200, path
    assert (await client.get("/metrics")).status_code == 401


def test_wishes_are_merged() -> None:
    base = {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
    assert merged(base, {"a": {"c": {"f": 4}}, "e": {"g": 5}}) == {
        "a": {"b": 1, "c": {"d": 2, "f": 4}},
        "e": {"g": 5},
    }
    assert base == {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
