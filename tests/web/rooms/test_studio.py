"""Hosts, scenes, recordings and settings over HTTP."""

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pipeline.atelier import Atelier
from pipeline.errors import ConfigurationError
from tests.web.rooms.house import House, bearer, guarded, house
from web.rooms.recordings import TICKET_S, Tickets


async def test_a_scene_is_made_changed_seen_and_deleted(stage: House) -> None:
    made = await stage.send("POST", "scenes/mine", {"base": "shop", "framing": "head"}, 201)
    assert (made["name"], made["framing"]) == ("mine", "head")
    await stage.send("POST", "scenes/mine", {}, 409)
    shown = await stage.client.get("/v1/scenes/mine")
    changed = await stage.client.put(
        "/v1/scenes/mine", json={"move": "drift"}, headers={"If-Match": shown.headers["ETag"]}
    )
    assert (changed.json()["framing"], changed.json()["move"]) == ("head", "drift")
    stale = await stage.client.put(
        "/v1/scenes/mine", json={"move": "still"}, headers={"If-Match": shown.headers["ETag"]}
    )
    assert stale.status_code == 412
    assert "mine" in (await stage.get("looks"))["scenes"]
    picture = await stage.client.get("/v1/scenes/mine/picture")
    assert picture.headers["content-type"] == "image/jpeg"
    await stage.client.get("/v1/scenes/mine/picture")
    assert len(stage.engine.stills) == 1  # drawn once, until it changes
    await stage.send("DELETE", "scenes/mine", None)
    await stage.get("scenes/mine", 404)


def jpeg(colour: str) -> bytes:
    """Return a small picture."""
    made = BytesIO()
    Image.new("RGB", (64, 96), colour).save(made, "JPEG")
    return made.getvalue()


def backgrounds(folder: Path) -> list[Path]:
    """Return the pictures of scenes that are kept."""
    return list(folder.rglob("backgrounds/*/*.jpg"))


async def test_a_picture_is_put_behind_the_host(stage: House, tmp_path: Path) -> None:
    async def put(name: str, data: bytes, status: int, kind: str = "image/jpeg") -> dict[str, Any]:
        answer = await stage.client.put(
            f"/v1/scenes/{name}/picture", content=data, headers={"Content-Type": kind}
        )
        assert answer.status_code == status, answer.text
        told: dict[str, Any] = answer.json()
        return told

    await stage.send("POST", "scenes/mine", {"base": "shop"}, 201)
    made = await put("mine", jpeg("red"), 200)
    assert made["background"] == {"type": "picture", "source": "own", "blur": 0.0}
    assert str(tmp_path) not in json.dumps(await stage.get("scenes/mine"))
    await stage.client.get("/v1/scenes/mine/picture")
    await put("mine", jpeg("blue"), 200)
    await stage.client.get("/v1/scenes/mine/picture")
    assert len(stage.engine.stills) == 2, "another picture is drawn anew"
    # What the editor sends back keeps the picture; so does a scene that is made of this one.
    kept = await stage.send("PUT", "scenes/mine", {"background": {**made["background"], "blur": 1}})
    assert kept["background"] == {"type": "picture", "source": "own", "blur": 1.0}
    await stage.send("POST", "scenes/other", {"base": "mine"}, 201)
    await stage.send("DELETE", "scenes/mine", None)
    assert (await stage.client.get("/v1/scenes/other/picture")).status_code == 200
    assert backgrounds(tmp_path), "the other one shows it still"
    await stage.send("DELETE", "scenes/other", None)
    await put("studio", jpeg("red"), 400)
    await put("nowhere", jpeg("red"), 404)
    await stage.send("POST", "scenes/mine", {}, 201)
    await put("mine", b"GIF89a", 400)
    await put("mine", b"\xff\xd8\xff no picture", 400)
    assert (await stage.get("scenes/mine"))["background"]["type"] == "gradient"
    assert (await put("mine", b"text", 415, "text/plain"))["error"]["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {"background": {"type": "picture", "source": "own"}},
        {"framing": "feet"},
        {"background": {"type": "picture", "source": "/etc/passwd"}},
        {"logo": "../../secret.png"},
        {"base": "nowhere"},
        {"base": 7},
        {"kind": "avatar"},
        {"name": "other"},
    ],
)
async def test_a_scene_names_no_file_and_no_field_that_is_not_there(
    stage: House, fields: dict[str, object]
) -> None:
    await stage.send("POST", "scenes/mine", fields, 400)
    await stage.get("scenes/mine", 404)


async def test_what_comes_with_the_program_stays(stage: House) -> None:
    await stage.send("PUT", "scenes/studio", {"framing": "head"}, 400)
    await stage.send("DELETE", "scenes/studio", None, 400)
    await stage.send("DELETE", "avatars/mia", None, 400)
    assert (await stage.get("avatars/mia"))["name"] == "mia"
    await stage.get("avatars/nobody", 404)


async def test_a_host_is_made_and_changed_elsewhere(
    stage: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def create(_: Atelier, name: str, sentence: str, base: str) -> dict[str, object]:
        if sentence == "nothing":
            raise ConfigurationError("sentence is 'nothing'; accepted: who it is")
        return {"avatar": name, "unused": ["shiny"], "base": base}

    async def edit(_: Atelier, name: str, instruction: str, save_as: str | None) -> object:
        refused = instruction == "fly"
        return {"avatar": name, "refused": refused, "why": "", "saved": save_as}

    async def prepare(_: Atelier, name: str) -> None:
        del name

    for name, double in (("create", create), ("edit", edit), ("prepare", prepare)):
        monkeypatch.setattr(Atelier, name, double)
    told = await stage.send("POST", "avatars", {"name": "ada", "sentence": "a tall woman"}, 201)
    assert (told["avatar"], told["ready"], told["unused"]) == ("ada", True, ["shiny"])
    await stage.send("POST", "avatars", {"name": "mia", "sentence": "x"}, 409)
    for body, param in (
        ({"name": "../x", "sentence": "x"}, "name"),
        ({"name": "ada", "sentence": ""}, "sentence"),
        ({"name": "ada", "sentence": "x" * 501}, "sentence"),
        ({"name": "ada", "sentence": "x", "photo": "/etc/passwd"}, "photo"),
    ):
        error = (await stage.send("POST", "avatars", body, 400))["error"]
        assert error["param"] == param
    await stage.send("POST", "avatars", {"name": "ada", "sentence": "nothing"}, 400)
    asked = {"instruction": "a red blazer", "save_as": "mia-red"}
    edited = await stage.client.post("/v1/avatars/mia/edit", json=asked)
    assert edited.headers["Location"] == "/v1/avatars/mia-red"
    refused = await stage.send("POST", "avatars/mia/edit", {"instruction": "fly"})
    assert refused["refused"] is True
    await stage.send("POST", "avatars/nobody/edit", {"instruction": "fly"}, 404)


def _films(folder: Path) -> Path:
    films = folder / "egress" / "recordings"
    films.mkdir(parents=True)
    for number, name in enumerate(("demo-1.mp4", "demo-2.mp4", "demo-2.2.mp4", "a b.mp4")):
        (films / name).write_bytes(bytes(range(100)))
        os.utime(films / name, (1000 + number, 1000 + number))
    (films / ".demo-3.mp4.partial").write_bytes(b"x")
    (films / "link.mp4").symlink_to("/etc/hostname")
    return films


async def test_recordings_are_listed_fetched_by_pieces_and_deleted(stage: House) -> None:
    films = _films(stage.folder)
    listed = (await stage.get("recordings"))["data"]
    assert [each["name"] for each in listed] == ["demo-2.2", "demo-2", "demo-1"]
    assert listed[2] | {"seconds": 0} == {
        "name": "demo-1",
        "size": 100,
        "made": "1970-01-01T00:16:40+00:00",
        "seconds": 0,
        "url": "/v1/recordings/demo-1",
    }
    part = await stage.client.get("/v1/recordings/demo-1", headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, bytes(range(10, 20)))
    assert part.headers["content-type"] == "video/mp4"
    for name in ("link", "..", "%2e%2e", "demo-9", ".demo-3"):
        assert (await stage.client.get(f"/v1/recordings/{name}")).status_code == 404, name
    await stage.send("DELETE", "recordings/demo-1", None)
    assert not (films / "demo-1.mp4").exists()
    await stage.send("DELETE", "recordings/demo-1", None, 404)


async def test_a_player_without_a_key_has_an_address_for_one_film(tmp_path: Path) -> None:
    access, keys = guarded(tmp_path)
    _films(tmp_path)
    async with house(tmp_path, access) as stage:
        operating = bearer(keys["operate"])
        link = await stage.client.post("/v1/recordings/demo-1/link", headers=operating)
        url = link.json()["url"]
        assert (await stage.client.get(url)).content == bytes(range(100))
        other = url.replace("demo-1", "demo-2")
        for wrong in (other, url[:-1] + "0" * 2, "/v1/recordings/demo-1?ticket=1.2"):
            assert (await stage.client.get(wrong)).status_code == 401, wrong
        assert (await stage.client.get("/v1/recordings/demo-1")).status_code == 401
        assert (await stage.client.get(url.replace("GET", ""), headers=operating)).is_success
        assert (await stage.client.delete(url)).status_code == 401
        talking = bearer(keys["talk"])
        assert (await stage.client.get("/v1/recordings/demo-1", headers=talking)).status_code == 403


def test_a_ticket_ends() -> None:
    now = 1000.0
    tickets = Tickets(lambda: now)
    ticket, until = tickets.make("film")
    assert until == 1000 + TICKET_S
    assert tickets.admit("film", ticket)
    assert not tickets.admit("film2", ticket)
    assert not tickets.admit("film", f"{until + 1}.{ticket.partition('.')[2]}")
    now = float(until)
    assert not tickets.admit("film", ticket)


async def test_settings_hold_no_secret(stage: House) -> None:
    told = await stage.get("settings")
    assert told["voices"] == ["tone", "hum"]
    assert told["database"] == "sqlite"
    assert "url" not in json.dumps(told)


async def test_a_learnt_policy_goes_live(stage: House) -> None:
    listed = (await stage.get("settings/policy"))["data"]
    assert [policy["live"] for policy in listed] == [True, False]
    await stage.send("POST", "settings/policy", {"name": "learnt-1", "live": True})
    assert (await stage.get("settings/policy"))["data"][1]["live"] is True
    await stage.send("POST", "settings/policy", {"name": "none", "live": True}, 404)
    await stage.send("POST", "settings/policy", {"name": "learnt-1", "live": 1}, 400)


@pytest.mark.parametrize("scope", [None, "talk", "watch", "publish"])
async def test_rooms_are_for_who_operates(tmp_path: Path, scope: str | None) -> None:
    access, keys = guarded(tmp_path)
    async with house(tmp_path, access) as stage:
        headers = bearer(keys[scope]) if scope else {}
        wanted = 403 if scope else 401
        for method, path in (
            ("GET", "rooms"),
            ("GET", "rooms/demo/state"),
            ("GET", "rooms/demo/events"),
            ("POST", "rooms/demo/commands"),
            ("PUT", "shops/demo/products/tea-mug/picture"),
            ("POST", "shops/demo/import"),
            ("GET", "knowledge/craft"),
            ("POST", "rooms/demo/replay"),
            ("GET", "settings"),
            ("DELETE", "avatars/mia"),
        ):
            response = await stage.client.request(method, f"/v1/{path}", headers=headers)
            assert response.status_code == wanted, path
        # What tags of a page show needs no key.
        for path in ("shops/demo/products/tea-mug/picture", "avatars/mia/picture"):
            assert (await stage.client.get(f"/v1/{path}", headers=headers)).status_code == 404
