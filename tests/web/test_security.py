"""Other sites' pages, other names of this machine, and the headers of every answer."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from tests.transport.access.doors import Door
from tests.web.doors import guarded, handshake
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app
from web.security import HEADERS, LOOPBACK, host_name

SHOP = "https://shop.example"
BODY: dict[str, object] = {"websocket.http.response": {}}


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


@pytest.mark.parametrize(
    ("origin", "passes"),
    [
        (None, True),
        ("http://testserver", True),
        (SHOP, True),
        ("https://evil.example", False),
        ("http://testserver.evil.example", False),
        ("http://testserver:81", False),
        ("null", False),
        ("http://[", False),
        ("", False),
    ],
)
async def test_a_websocket_of_another_sites_page_is_refused(
    door: Door, origin: str | None, passes: bool
) -> None:
    headers = {} if origin is None else {"Origin": origin}
    app = guarded(door.access, origins=[SHOP])
    first, *_ = await handshake(app, headers=headers, extensions=BODY)
    if passes:
        assert first["type"] == "websocket.accept"
    else:
        assert (first["type"], first["status"]) == ("websocket.http.response.start", 403)
        (closed,) = await handshake(app, headers=headers)
        assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


async def test_a_right_token_does_not_make_up_for_a_wrong_origin(door: Door) -> None:
    _, key = door.file.create("shop", ["talk"])
    door.clock._now += 1.0
    start, _ = await handshake(
        guarded(door.access),
        headers={"Origin": "https://evil.example", "Authorization": f"Bearer {key}"},
        extensions=BODY,
    )
    assert start["status"] == 403


async def test_every_answer_has_the_headers(door: Door) -> None:
    door.file.create("shop", ["talk"])
    door.clock._now += 1.0
    engine = StubEngine()
    app = create_app(engine, StubCalls(engine), access=door.access, hosts=["testserver"])
    async with client_of(app) as client:
        answers = [
            await client.get("/"),
            await client.get("/healthz"),
            await client.get("/metrics"),
            await client.post("/v1/realtime/calls", headers={"Origin": "https://evil.example"}),
            await client.get("/", headers={"Host": "evil.example"}),
            await client.request("BREW", "/"),
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 403, 421, 405]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "strict-transport-security" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


async def test_nobody_puts_the_page_into_a_frame(door: Door) -> None:
    async with client_of(guarded(door.access)) as client:
        headers = (await client.get("/")).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    ("url", "strict"),
    [
        ("https://vivant.example", True),
        ("http://vivant.example", False),
        ("https://localhost:8443", False),
        ("https://127.0.0.1", False),
    ],
)
async def test_tls_once_is_tls_always(door: Door, url: str, strict: bool) -> None:
    async with client_of(guarded(door.access)) as client:
        headers = (await client.get(f"{url}/")).headers
    assert ("strict-transport-security" in headers) is strict


@pytest.mark.parametrize(
    ("host", "passes"),
    [
        ("localhost", True),
        ("localhost:8080", True),
        ("LOCALHOST:8080", True),
        ("127.0.0.1:8080", True),
        ("[::1]:8080", True),
        ("evil.example", False),
        ("evil.example:8080", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("127.0.0.2", False),
        ("[::2]", False),
        ("[::1].evil.example", False),
        ("localhost@evil.example", False),
        ("", False),
    ],
)
async def test_only_this_machines_names_without_a_key(door: Door, host: str, passes: bool) -> None:
    app = guarded(door.access, hosts=LOOPBACK)
    async with client_of(app) as client:
        response = await client.get("/", headers={"Host": host})
    first, *_ = await handshake(app, headers={"Host": host}, extensions=BODY)
    if passes:
        assert (response.status_code, first["type"]) == (200, "websocket.accept")
    else:
        assert (response.status_code, first["status"]) == (421, 421)
        assert response.json()["error"]["code"] == "misdirected_request"
        assert "localhost" in response.json()["error"]["message"]


@given(host=st.text(st.characters(max_codepoint=255), max_size=40))
def test_a_host_is_read_whatever_it_is(host: str) -> None:
    name = host_name(Headers({"host": host}))
    if name in LOOPBACK:
        assert host.lower().startswith(tuple(LOOPBACK))


def test_two_hosts_are_none() -> None:
    raw = [(b"host", b"localhost"), (b"host", b"evil.example")]
    assert host_name(Headers(raw=raw)) == ""
    assert host_name(Headers({})) == ""


async def test_pages_of_allowed_origins_may_ask_with_a_token(door: Door) -> None:
    _, key = door.file.create("shop", ["talk"])
    door.clock._now += 1.0
    engine = StubEngine()
    app = create_app(engine, StubCalls(engine), access=door.access, origins=[SHOP])
    asks = {
        "Origin": SHOP,
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization, if-match",
    }
    path = "/v1/realtime/calls"
    async with client_of(app) as client:
        preflight = await client.options(path, headers=asks)
        assert preflight.status_code == 200, "a preflight carries no credential"
        assert preflight.headers["access-control-allow-origin"] == SHOP
        other = await client.options(path, headers={**asks, "Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers
        refused = await client.post(path, headers={"Origin": SHOP})
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == SHOP, "the page can read why"
        headers = {
            "Origin": SHOP,
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/sdp",
        }
        taken = await client.post(path, content="v=0\r\n", headers=headers)
        assert taken.status_code == 201
        assert "Location" in taken.headers["access-control-expose-headers"]
    await door.access.close()
