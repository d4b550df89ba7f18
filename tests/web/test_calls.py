"""Opening and ending calls over HTTP."""

import json
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from pipeline.options import TurnSettings
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app
from web.body import BODY_LIMIT
from web.errors import RequestRefusedError, refuse

PATH = "/v1/realtime/calls"
OFFER = "v=0\r\ns=offer\r\n"
SHOP = "https://shop.example"
SDP = {"Content-Type": "application/sdp"}


def _error(response: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = response.json()["error"]
    assert set(error) == {"type", "code", "message", "param"}
    return error


async def _post_form(client: httpx.AsyncClient, session: object) -> httpx.Response:
    form = {"sdp": (None, OFFER), "session": (None, json.dumps(session))}
    return await client.post(PATH, files=form)


async def test_an_offer_is_answered_with_its_place(
    client: httpx.AsyncClient, calls: StubCalls
) -> None:
    response = await client.post(PATH, content=OFFER, headers=SDP)
    assert response.status_code == 201
    assert response.headers["content-type"].startswith("application/sdp")
    assert response.text.startswith("v=0")
    assert response.headers["location"] == f"{PATH}/{next(iter(calls.open))}"


async def test_the_place_hangs_up_once(client: httpx.AsyncClient, calls: StubCalls) -> None:
    place = (await client.post(PATH, content=OFFER, headers=SDP)).headers["location"]
    assert (await client.delete(place)).status_code == 200
    assert not calls.open
    again = await client.delete(place)
    assert again.status_code == 404
    assert _error(again)["param"] == "call_id"


async def test_hanging_up_by_post(client: httpx.AsyncClient, calls: StubCalls) -> None:
    place = (await client.post(PATH, content=OFFER, headers=SDP)).headers["location"]
    assert (await client.post(f"{place}/hangup")).status_code == 200
    assert not calls.open


async def test_a_form_carries_offer_and_session(
    client: httpx.AsyncClient, calls: StubCalls
) -> None:
    session = {
        "type": "realtime",
        "model": "any",
        "audio": {
            "input": {
                "transcription": {"language": "zh"},
                "turn_detection": {"type": "server_vad", "silence_duration_ms": 500},
            },
            "output": {"voice": "lily", "speed": 1.25},
        },
        "avatar": {
            "name": "lin",
            "scene": {"name": "shop", "caption": "Hello"},
            "style": "lively",
            "framing": "head",
            "size": "360x640",
        },
    }
    response = await _post_form(client, session)
    assert response.status_code == 201
    (options,) = calls.open.values()
    assert (options.voice, options.language, options.speed) == ("lily", "zh", 1.25)
    assert (options.avatar, options.scene, options.style) == ("lin", "shop", "lively")
    assert options.scene_changes == {"caption": "Hello"}
    assert options.framing == "head"
    assert options.turn == TurnSettings(silence_duration_ms=500)
    assert options.video is not None
    assert (options.video.width, options.video.height) == (360, 640)


async def test_the_query_wins_over_the_session(client: httpx.AsyncClient, calls: StubCalls) -> None:
    form = {"sdp": (None, OFFER), "session": (None, '{"audio": {"output": {"voice": "lily"}}}')}
    response = await client.post(f"{PATH}?voice=joe&size=none&model=x", files=form)
    assert response.status_code == 201
    (options,) = calls.open.values()
    assert options.voice == "joe"
    assert options.video is None


async def test_the_engine_decides_where_nobody_wishes(
    client: httpx.AsyncClient, calls: StubCalls
) -> None:
    await client.post(PATH, content=OFFER, headers=SDP)
    (options,) = calls.open.values()
    assert (options.voice, options.language) == (None, "auto")
    assert options.video is not None
    assert (options.video.width, options.video.height) == (540, 960)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("voice=nobody", "joe, lily"),
        ("language=fr", "auto, en, zh"),
        ("framing=feet", "head, half, full"),
        ("style=../calm", "a-z, 0-9"),
        ("scene=", "a-z, 0-9"),
        ("speed=fast", "a number"),
        ("speed=nan", "a number"),
        ("speed=9", "0.5 to 2.0"),
        ("size=540", "540x960"),
        ("size=541x960", "even numbers"),
        ("size=8000x8000", "64 to 4096"),
        ("avatar=../mia", "a-z, 0-9"),
        ("colour=red", "voice, language"),
        ("voice=joe&voice=lily", "one value"),
    ],
)
async def test_a_wish_that_cannot_be_met(
    client: httpx.AsyncClient, calls: StubCalls, query: str, names: str
) -> None:
    response = await client.post(f"{PATH}?{query}", content=OFFER, headers=SDP)
    assert response.status_code == 400
    error = _error(response)
    assert error["type"] == "invalid_request_error"
    assert names in error["message"]
    assert not calls.open


@pytest.mark.parametrize(
    ("session", "param"),
    [
        ([], "session"),
        ({"type": "transcription"}, "session.type"),
        ({"colour": "red"}, "session.colour"),
        ({"audio": 3}, "session.audio"),
        ({"audio": {"output": {"voice": {"id": "x"}}}}, "voice"),
        ({"audio": {"output": {"speed": True}}}, "session.audio.output.speed"),
        ({"avatar": {"name": ""}}, "session.avatar.name"),
        ({"avatar": {"hat": "red"}}, "session.avatar.hat"),
        ({"avatar": ["mia"]}, "session.avatar"),
        ({"avatar": {"scene": 3}}, "session.avatar.scene"),
        ({"avatar": {"scene": {"name": 3}}}, "session.avatar.scene.name"),
        ({"avatar": {"framing": 3}}, "session.avatar.framing"),
    ],
)
async def test_a_session_that_is_wrong(
    client: httpx.AsyncClient, calls: StubCalls, session: object, param: str
) -> None:
    response = await _post_form(client, session)
    assert response.status_code == 400
    assert _error(response)["param"] == param
    assert not calls.open


async def test_turn_detection_can_be_off(client: httpx.AsyncClient, calls: StubCalls) -> None:
    await _post_form(client, {"audio": {"input": {"turn_detection": None}}})
    assert next(iter(calls.open.values())).turn is None


@pytest.mark.parametrize("text", ["{", "[" * 50_000, '"x"', "nul"])
async def test_a_session_that_is_no_json_object(client: httpx.AsyncClient, text: str) -> None:
    form = {"sdp": (None, OFFER), "session": (None, text)}
    response = await client.post(PATH, files=form)
    assert response.status_code == 400
    assert _error(response)["param"] == "session"


async def test_a_form_without_an_offer(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, files={"session": (None, "{}")})
    assert response.status_code == 400
    assert _error(response)["param"] == "sdp"


@pytest.mark.parametrize("boundary", ["", "; boundary=x"])
async def test_a_form_that_is_broken(client: httpx.AsyncClient, boundary: str) -> None:
    headers = {"Content-Type": f"multipart/form-data{boundary}"}
    response = await client.post(PATH, content=b"--y\r\nwhat", headers=headers)
    assert response.status_code == 400
    _error(response)


async def test_a_bad_offer(client: httpx.AsyncClient, engine: StubEngine) -> None:
    response = await client.post(PATH, content="hello", headers=SDP)
    assert response.status_code == 400
    assert _error(response)["code"] == "bad_offer"
    assert engine.sessions == 0


async def test_an_offer_that_is_no_text(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, content=b"v=0\xff\xfe", headers=SDP)
    assert response.status_code == 400
    assert "UTF-8" in _error(response)["message"]


@pytest.mark.parametrize("kind", ["application/json", "text/plain", ""])
async def test_another_type_of_body(client: httpx.AsyncClient, kind: str) -> None:
    response = await client.post(PATH, content=OFFER, headers={"Content-Type": kind})
    assert response.status_code == 415
    assert "application/sdp" in response.headers["accept-post"]
    assert _error(response)["code"] == "unsupported_media_type"


async def test_a_body_that_says_it_is_too_big(client: httpx.AsyncClient) -> None:
    response = await client.post(PATH, content=b"v" * (BODY_LIMIT + 1), headers=SDP)
    assert response.status_code == 413
    assert str(BODY_LIMIT) in _error(response)["message"]


async def test_a_body_that_grows_too_big(client: httpx.AsyncClient) -> None:
    async def endless() -> Any:
        while True:
            yield b"v" * 65_536

    response = await client.post(PATH, content=endless(), headers=SDP)
    assert response.status_code == 413


async def test_a_full_server_says_when_to_come_back(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    for _ in range(engine.limit):
        assert (await client.post(PATH, content=OFFER, headers=SDP)).status_code == 201
    response = await client.post(PATH, content=OFFER, headers=SDP)
    assert response.status_code == 503
    assert response.headers["retry-after"] == "7"
    assert _error(response)["code"] == "server_full"


async def test_another_method(client: httpx.AsyncClient) -> None:
    response = await client.get(PATH)
    assert response.status_code == 405
    assert _error(response)["code"] == "method_not_allowed"


async def test_a_page_of_another_site_opens_nothing(
    client: httpx.AsyncClient, calls: StubCalls
) -> None:
    foreign = {**SDP, "Origin": "https://elsewhere.example"}
    assert (await client.post(PATH, content=OFFER, headers=foreign)).status_code == 403
    assert not calls.open
    own = {**SDP, "Origin": "http://testserver"}
    assert (await client.post(PATH, content=OFFER, headers=own)).status_code == 201


@pytest.mark.parametrize("origin", ["http://[", "null", "http://", "https://testserver.example"])
async def test_an_origin_that_is_not_ours_opens_nothing(
    client: httpx.AsyncClient, calls: StubCalls, origin: str
) -> None:
    response = await client.post(PATH, content=OFFER, headers={**SDP, "Origin": origin})
    assert response.status_code == 403
    response = await client.post(PATH, content=OFFER, headers={**SDP, "Origin": "", "Host": ""})
    assert response.status_code == 403
    assert not calls.open


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_an_allowed_site_may_ask_first(
    engine: StubEngine, calls: StubCalls, method: str
) -> None:
    asking = {
        "Origin": SHOP,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization, content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    async with client_of(create_app(engine, calls, origins=[SHOP])) as client:
        answer = await client.options(PATH, headers=asking)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == SHOP
        assert method in answer.headers["access-control-allow-methods"]
        assert "content-type" in answer.headers["access-control-allow-headers"].lower()
        assert answer.headers["access-control-allow-private-network"] == "true"
        foreign = await client.options(PATH, headers={**asking, "Origin": "https://x.example"})
        assert foreign.status_code == 400
        assert "access-control-allow-origin" not in foreign.headers


async def test_nobody_may_ask_where_no_site_is_allowed(client: httpx.AsyncClient) -> None:
    asking = {"Origin": SHOP, "Access-Control-Request-Method": "POST"}
    answer = await client.options(PATH, headers=asking)
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


async def test_an_allowed_site_can_read_the_answer_and_hang_up(
    engine: StubEngine, calls: StubCalls
) -> None:
    async with client_of(create_app(engine, calls, origins=[SHOP])) as client:
        headers = {**SDP, "Origin": SHOP}
        answer = await client.post(PATH, content=OFFER, headers=headers)
        assert answer.status_code == 201
        assert answer.headers["access-control-allow-origin"] == SHOP
        exposed = answer.headers["access-control-expose-headers"]
        assert "Location" in exposed
        ended = await client.delete(answer.headers["location"], headers={"Origin": SHOP})
        assert ended.status_code == 200
        assert ended.headers["access-control-allow-origin"] == SHOP
        assert not calls.open
        refused = await client.post(PATH, content="hello", headers=headers)
        assert refused.status_code == 400
        assert refused.headers["access-control-allow-origin"] == SHOP
        own = await client.get("/healthz", headers={"Origin": "https://x.example"})
        assert "access-control-allow-origin" not in own.headers


@pytest.mark.parametrize("prefix", ["/vivant", "/a/b/"])
async def test_the_place_is_under_the_prefix_of_the_application(
    engine: StubEngine, calls: StubCalls, prefix: str
) -> None:
    app = create_app(engine, calls)
    served = httpx.ASGITransport(app, root_path=prefix.rstrip("/"))
    async with httpx.AsyncClient(transport=served, base_url="http://testserver") as client:
        place = prefix.rstrip("/") + PATH
        answer = await client.post(place, content=OFFER, headers=SDP)
        assert answer.status_code == 201
        assert answer.headers["location"] == f"{place}/{next(iter(calls.open))}"
        assert (await client.delete(answer.headers["location"])).status_code == 200


@pytest.mark.parametrize(
    "session",
    [
        '{"\\ud800": 1}',
        '{"audio": {"output": {"voice": "\\ud800"}}}',
        '{"avatar": {"name": "\\udfff"}}',
        '{"audio": {"output": {"speed": 1%s}}}' % ("0" * 400),
        '{"avatar": {"size": 1%s}}' % ("0" * 400),
        '{"audio": {"input": {"turn_detection": {"threshold": 1%s}}}}' % ("0" * 400),
        '{"avatar": ' + "[" * 900 + "]" * 900 + "}",
        '{"audio": {"output": {"speed": NaN}}}',
    ],
)
async def test_a_session_that_cannot_be_quoted_is_refused(
    client: httpx.AsyncClient, calls: StubCalls, session: str
) -> None:
    form = {"sdp": (None, OFFER), "session": (None, session)}
    response = await client.post(PATH, files=form)
    assert response.status_code == 400
    assert _error(response)["code"] != "internal_error"
    assert not calls.open


def test_a_refusal_can_quote_what_has_no_form_in_utf_8() -> None:
    request = Request({"type": "http", "method": "POST", "path": PATH, "headers": []})
    response = refuse(request, RequestRefusedError(400, "no '\ud800' is known", param="\udfff"))
    assert json.loads(bytes(response.body))["error"]["message"] == "no '?' is known"


async def test_an_allowed_site_opens_calls(engine: StubEngine, calls: StubCalls) -> None:
    app = create_app(engine, calls, origins=["https://shop.example"])
    async with client_of(app) as client:
        headers = {**SDP, "Origin": "https://shop.example"}
        assert (await client.post(PATH, content=OFFER, headers=headers)).status_code == 201


async def test_stopping_closes_calls_and_engine(engine: StubEngine, calls: StubCalls) -> None:
    app = create_app(engine, calls)
    async with app.router.lifespan_context(app):
        assert not calls.closed
    assert calls.closed
    assert engine.closed
