"""Rooms over HTTP: set, started, told what to do, and read; nobody writes over anybody."""

import json

import pytest

from pipeline.rooms import commands
from tests.web.rooms.house import House

SPEC = {"id": "evening", "title": "An evening", "shop": "demo", "rundown": "demo"}


async def test_a_room_is_made_listed_changed_and_deleted(stage: House) -> None:
    made = await stage.client.post("/v1/rooms", json=SPEC)
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/rooms/evening"
    listed = (await stage.get("rooms"))["data"]
    assert [(room["id"], room["status"]) for room in listed] == [
        ("demo", "off"),
        ("evening", "off"),
    ]
    changed = await stage.send("PUT", "rooms/evening", {**SPEC, "title": "Late"})
    assert changed["title"] == (await stage.get("rooms/evening"))["title"] == "Late"
    await stage.send("DELETE", "rooms/evening", None)
    await stage.get("rooms/evening", 404)


async def test_an_id_is_taken_once(stage: House) -> None:
    refused = await stage.send("POST", "rooms", {**SPEC, "id": "demo"}, 409)
    assert refused["error"]["param"] == "id"


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"title": ""}, "title"),
        ({"id": "../x"}, "id"),
        ({"autopilot": "yes"}, "autopilot"),
        ({"limits": {"offers_per_hour": 61}}, "limits.offers_per_hour"),
        ({"limits": {"offers_per_hour": "6"}}, "limits.offers_per_hour"),
        ({"colour": "red"}, "colour"),
        ({"language": "fr"}, "language"),
    ],
)
async def test_a_field_that_is_not_accepted_is_named(
    stage: House, changes: dict[str, object], param: str
) -> None:
    error = (await stage.send("POST", "rooms", {**SPEC, **changes}, 400))["error"]
    assert error["param"] == param
    assert "accepted" in error["message"]


async def test_two_operators_do_not_write_over_each_other(stage: House) -> None:
    shown = await stage.client.get("/v1/rooms/demo")
    tag, body = shown.headers["ETag"], shown.json()
    first = await stage.client.put(
        "/v1/rooms/demo", json={**body, "title": "Mine"}, headers={"If-Match": tag}
    )
    assert first.status_code == 200
    second = await stage.client.put(
        "/v1/rooms/demo", json={**body, "title": "Theirs"}, headers={"If-Match": tag}
    )
    assert second.status_code == 412
    assert second.json()["error"]["param"] == "If-Match"
    assert "read it again" in second.json()["error"]["message"]
    again = {"If-Match": first.headers["ETag"]}
    third = await stage.client.put("/v1/rooms/demo", json={**body, "title": "B"}, headers=again)
    assert third.status_code == 200
    assert (await stage.client.delete("/v1/rooms/demo", headers=again)).status_code == 412


async def test_a_command_reaches_the_room_with_the_key_of_who_sent_it(stage: House) -> None:
    told = await stage.send("POST", "rooms/demo/commands", {"type": "start", "afresh": True}, 202)
    assert told["type"] == "start"
    await stage.send("POST", "rooms/demo/commands", {"type": "pin", "product": "tea-mug"}, 202)
    assert stage.rooms.room("demo").told == [
        (commands.Start(afresh=True), "local"),
        (commands.Pin(product="tea-mug"), "local"),
    ]
    assert (await stage.get("rooms/demo/state"))["pinned"] == "tea-mug"
    assert (await stage.get("rooms"))["data"][0]["status"] == "on_air"


@pytest.mark.parametrize(
    ("command", "status", "param"),
    [
        ({}, 400, "type"),
        ({"type": "dance"}, 400, "type"),
        ({"type": "jump"}, 400, "item"),
        ({"type": "jump", "item": "bag", "now": 1}, 400, "now"),
        ({"type": "say", "text": ""}, 400, "text"),
        ({"type": "take_over", "on": "yes"}, 400, "on"),
        ({"type": "skip"}, 409, None),
    ],
)
async def test_a_command_that_is_not_carried_out(
    stage: House, command: dict[str, object], status: int, param: str | None
) -> None:
    error = (await stage.send("POST", "rooms/demo/commands", command, status))["error"]
    assert error["param"] == param
    assert "accepted" in error["message"] or param in error["message"]
    assert stage.rooms.room("demo").told == []


async def test_every_command_is_taken(stage: House) -> None:
    await stage.send("POST", "rooms/demo/commands", {"type": "start"}, 202)
    fields: dict[str, dict[str, object]] = {
        "jump": {"item": "mug"},
        "pin": {"product": "tea-mug"},
        "say": {"text": "hello"},
        "take_over": {"on": True},
        "autopilot": {"autopilot": "off"},
        "offer": {"product": "canvas-bag"},
        "pace": {"pace": "quick"},
        "acknowledge": {"alert": "a"},
    }
    left = {"start", "stop", "answer", "dismiss"}
    for kind in commands.COMMAND_TYPES:
        if kind not in left:
            body = {"type": kind, **fields.get(kind, {})}
            await stage.send("POST", "rooms/demo/commands", body, 202)


async def test_what_comes_next_can_be_seen(stage: House) -> None:
    response = await stage.client.get("/v1/rooms/demo/preview")
    assert response.headers["content-type"] == "image/jpeg"
    assert response.content.startswith(b"\xff\xd8\xff")


async def test_history_is_read_page_by_page(stage: House) -> None:
    events = [{"id": f"m{n}", "kind": "chat", "text": f"hello {n}"} for n in range(5)]
    await stage.send("POST", "rooms/demo/chat", {"events": events})
    page = await stage.get("rooms/demo/history", params={"limit": 2})
    assert [entry["id"] for entry in page["data"]] == ["m4", "m3"]
    rest = await stage.get("rooms/demo/history", params={"before": page["before"], "limit": 9})
    assert [entry["id"] for entry in rest["data"]] == ["m2", "m1", "m0"]
    assert rest["before"] is None
    lines = await stage.client.get("/v1/rooms/demo/history", params={"format": "jsonl"})
    assert lines.headers["content-type"].startswith("application/jsonl")
    assert [json.loads(line)["id"] for line in lines.text.splitlines()][-1] == "m0"
    for params in ({"kind": "secrets"}, {"limit": "0"}, {"limit": "x"}, {"format": "xml"}):
        error = (await stage.get("rooms/demo/history", 400, params=params))["error"]
        assert error["param"] in params


async def test_a_recording_is_begun_and_ended(stage: House) -> None:
    await stage.send("POST", "rooms/demo/recording", {"on": True}, 409)
    await stage.send("POST", "rooms/demo/commands", {"type": "start"}, 202)
    assert (await stage.send("POST", "rooms/demo/recording", {"on": True}))["name"] == "demo-1"
    assert (await stage.send("POST", "rooms/demo/recording", {"on": False}))["on"] is False
    await stage.send("POST", "rooms/demo/recording", {"on": 1}, 400)
