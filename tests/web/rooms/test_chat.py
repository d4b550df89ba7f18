"""Chat comes in signed, once, or with a key; over a WebSocket it is answered as it comes."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.web.rooms.house import House, bearer, guarded, house
from tests.web.whole import whole_app
from transport.chat.ingest import ID, SIGNATURE, TIMESTAMP, TOLERANCE_S, sign

CHAT = "/v1/rooms/demo/chat"
EVENT = {"id": "m1", "kind": "chat", "viewer": "v1", "name": "Lena", "text": "how much?"}


def _signed(
    secret: str, body: bytes, name: str = "msg_1", at: float | None = None
) -> dict[str, str]:
    moment = time.time() if at is None else at
    return {"Content-Type": "application/json", **sign(secret, name, moment, body)}


async def test_events_are_taken_once(stage: House) -> None:
    receipts = (await stage.send("POST", "rooms/demo/chat", EVENT))["data"]
    assert receipts == [{"id": "m1", "status": "taken"}]
    again = {"events": [EVENT, {"id": "m2", "kind": "like", "amount": 9}]}
    told = (await stage.send("POST", "rooms/demo/chat", again))["data"]
    assert [each["status"] for each in told] == ["known", "taken"]
    assert [event.id for event in stage.rooms.room("demo").events] == ["m1", "m2"]


async def test_a_platform_sends_its_own_form(stage: House) -> None:
    message = {"cmd": "DANMU_MSG", "info": [[], "多少钱", [5, "小雨"]], "msg_id": "9"}
    response = await stage.client.post(CHAT, params={"adapter": "bilibili"}, json=message)
    assert response.json()["data"] == [{"id": "bilibili-9", "status": "taken"}]
    nothing = await stage.client.post(CHAT, params={"adapter": "bilibili"}, json={"cmd": "X"})
    assert nothing.json()["data"] == []
    unknown = await stage.client.post(CHAT, params={"adapter": "myspace"}, json=message)
    assert unknown.status_code == 400
    assert unknown.json()["error"]["param"] == "adapter"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({**EVENT, "kind": "shout"}, "kind"),
        ({**EVENT, "text": "  "}, None),
        ({**EVENT, "text": "x" * 2001}, "text"),
        ({**EVENT, "amount": -1}, "amount"),
        ({**EVENT, "at": 5}, "at"),
        ({"events": []}, None),
        ({"events": [EVENT, {"kind": "join"}]}, "events.1.id"),
    ],
)
async def test_what_is_no_event_is_refused_and_nothing_of_it_is_kept(
    stage: House, body: dict[str, object], param: str | None
) -> None:
    error = (await stage.send("POST", "rooms/demo/chat", body, 400))["error"]
    assert error["param"] == param
    assert stage.rooms.room("demo").events == []


async def test_a_body_that_is_too_large(stage: House) -> None:
    headers = {"Content-Type": "application/json"}
    response = await stage.client.post(CHAT, content=b" " * 600_000, headers=headers)
    assert response.status_code == 413


async def test_a_signature_lets_in_whoever_has_the_secret(tmp_path: Path) -> None:
    access, keys = guarded(tmp_path)
    async with house(tmp_path, access) as stage:
        body = json.dumps(EVENT).encode()
        secret = await stage.rooms.secret("demo")
        good = await stage.client.post(CHAT, content=body, headers=_signed(secret, body))
        assert good.status_code == 200
        assert good.json()["data"][0]["status"] == "taken"
        operating = await stage.client.post(CHAT, json=EVENT, headers=bearer(keys["operate"]))
        assert operating.json()["data"][0]["status"] == "known"
        made = await stage.client.post(f"{CHAT}/secret", headers=bearer(keys["operate"]))
        new = made.json()["secret"]
        assert new != secret
        old = await stage.client.post(CHAT, content=body, headers=_signed(secret, body, "msg_2"))
        assert old.status_code == 401
        again = await stage.client.post(CHAT, content=body, headers=_signed(new, body, "msg_3"))
        assert again.status_code == 200


async def test_nobody_else_is_let_in(tmp_path: Path) -> None:
    access, keys = guarded(tmp_path)
    async with house(tmp_path, access) as stage:
        for headers, status in (
            ({}, 401),
            (bearer("vk_wrong"), 401),
            (bearer(keys["talk"]), 403),
            (bearer(keys["publish"]), 403),
        ):
            response = await stage.client.post(CHAT, json=EVENT, headers=headers)
            assert response.status_code == status, headers
        # A ticket is for films; here it opens nothing.
        response = await stage.client.post(CHAT, params={"ticket": "x"}, json=EVENT)
        assert response.status_code == 403
        assert (await stage.client.post(f"{CHAT}/secret")).status_code == 401
        assert stage.rooms.room("demo").events == []


Change = Callable[[dict[str, str]], dict[str, str]]


@pytest.mark.parametrize(
    "change",
    [
        lambda h: {**h, SIGNATURE: "v1,AAAA"},
        lambda h: {**h, SIGNATURE: ""},
        lambda h: {**h, ID: "msg_2"},
        lambda h: {**h, ID: ""},
        lambda h: {**h, TIMESTAMP: str(int(h[TIMESTAMP]) + 1)},
        lambda h: {**h, TIMESTAMP: "now"},
        lambda h: {k: v for k, v in h.items() if k != TIMESTAMP},
    ],
)
async def test_a_signature_that_was_tampered_with(stage: House, change: Change) -> None:
    body = json.dumps(EVENT).encode()
    headers = change(_signed(await stage.rooms.secret("demo"), body))
    response = await stage.client.post(CHAT, content=body, headers=headers)
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "invalid_signature"
    assert stage.rooms.room("demo").events == []


async def test_a_changed_body_and_an_old_message(stage: House) -> None:
    secret, body = await stage.rooms.secret("demo"), json.dumps(EVENT).encode()
    changed = await stage.client.post(CHAT, content=body + b" ", headers=_signed(secret, body))
    assert changed.status_code == 401
    for moment in (time.time() - TOLERANCE_S - 5, time.time() + TOLERANCE_S + 5):
        old = _signed(secret, body, at=moment)
        response = await stage.client.post(CHAT, content=body, headers=old)
        assert response.status_code == 401


async def test_a_message_is_taken_once_and_again_where_it_failed(stage: House) -> None:
    secret = await stage.rooms.secret("demo")
    wrong = json.dumps({**EVENT, "kind": "x"}).encode()
    failed = await stage.client.post(CHAT, content=wrong, headers=_signed(secret, wrong))
    assert failed.status_code == 400
    body = json.dumps(EVENT).encode()
    headers = _signed(secret, body)
    assert (await stage.client.post(CHAT, content=body, headers=headers)).status_code == 200
    replayed = await stage.client.post(CHAT, content=body, headers=headers)
    assert replayed.status_code == 409
    assert replayed.json()["error"]["code"] == "replayed"


async def test_a_room_that_is_not_there(stage: House) -> None:
    await stage.send("POST", "rooms/nowhere/chat", EVENT, 404)
    body = json.dumps(EVENT).encode()
    headers = _signed("whsec_" + "A" * 32, body)
    response = await stage.client.post("/v1/rooms/nowhere/chat", content=body, headers=headers)
    assert response.status_code == 404


def test_over_a_websocket_each_message_has_its_receipts(tmp_path: Path) -> None:
    with TestClient(whole_app(tmp_path)) as client, client.websocket_connect(CHAT) as socket:
        socket.send_json({"id": "7", "events": [EVENT]})
        told = socket.receive_json()
        assert told == {"type": "receipts", "id": "7", "data": [{"id": "m1", "status": "taken"}]}
        for message, code in (
            ("{", "bad_json"),
            (json.dumps({**EVENT, "kind": "x"}), "invalid_value"),
            ("[]", "invalid_payload"),
            ("x" * 600_000, "request_too_large"),
        ):
            socket.send_text(message)
            refused = socket.receive_json()
            assert (refused["type"], refused["error"]["code"]) == ("error", code)
        socket.send_json(EVENT)
        assert socket.receive_json()["data"] == [{"id": "m1", "status": "known"}]
        for name in ({"a": 1}, None, "x" * 201):
            socket.send_json({"id": name, "events": [EVENT]})
            refused = socket.receive_json()
            assert (refused["id"], refused["error"]["param"]) == (None, "id")
        socket.send_json({"id": 8, "events": "none"})
        refused = socket.receive_json()
        assert (refused["type"], refused["id"]) == ("error", 8)


def test_a_websocket_is_refused_before_it_opens(tmp_path: Path) -> None:
    access, keys = guarded(tmp_path)
    with TestClient(whole_app(tmp_path, access=access)) as client:
        for path, headers in (
            (CHAT, {}),
            (CHAT, bearer(keys["talk"])),
            ("/v1/rooms/nowhere/chat", bearer(keys["operate"])),
            (f"{CHAT}?adapter=myspace", bearer(keys["operate"])),
            (CHAT, sign("whsec_" + "A" * 32, "m", time.time(), b"")),
        ):
            with (
                pytest.raises((WebSocketDisconnect, httpx.HTTPError, RuntimeError)),
                client.websocket_connect(path, headers=headers),
            ):
                pass
        with client.websocket_connect(CHAT, headers=bearer(keys["operate"])) as socket:
            socket.send_json(EVENT)
            assert socket.receive_json()["type"] == "receipts"


async def test_answers_in_writing_are_told_once(stage: House) -> None:
    from web.rooms.written import written_answers

    room = stage.rooms.room("demo")
    await stage.send("POST", "rooms/demo/chat", {**EVENT, "platform": "twitch"})
    answers = written_answers(stage.rooms, "demo")
    first: asyncio.Task[dict[str, Any]] = asyncio.create_task(anext(answers))
    for _ in range(10):
        await asyncio.sleep(0)
    assert room.watchers == 1
    view = room.state.chat[0].model_copy(update={"status": "written", "answer": "99 yuan"})
    room.add("chat", view)
    room.add("chat", view)
    async with asyncio.timeout(5):
        told = await first
    assert told == {
        "event": "m1",
        "name": "Lena",
        "platform": "twitch",
        "question": "how much?",
        "text": "99 yuan",
    }
    second = asyncio.create_task(anext(answers, None))
    room.end()
    async with asyncio.timeout(5):
        assert await second is None
