"""What pages are offered: identities with stills, scenes, styles."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from avatar.body.prepare import asset_path
from avatar.spec import HOSTS, SCENES, ready
from motion.style import STYLES
from pipeline.configuration import PictureSettings
from pipeline.errors import AvatarPreparingError
from pipeline.folders import avatar_folder
from pipeline.looks import Looks
from pipeline.prepared import still_path
from pipeline.preparing import Preparing
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app
from web.calls import PATH as CALLS

PATH = "/v1/looks"
OFFER = "v=0\r\ns=offer\r\n"
SDP = {"Content-Type": "application/sdp"}
JPEG = b"\xff\xd8 a picture"


@pytest.fixture
async def shop(
    engine: StubEngine, calls: StubCalls, tmp_path: Path
) -> AsyncIterator[httpx.AsyncClient]:
    looks = Looks(tmp_path, PictureSettings(avatar="lin", scene="shop", style="calm"))
    looks.avatars.copy("mia", "anna")
    looks.styles.copy("lively", "livelier")
    path = still_path(ready("lin"), tmp_path)
    path.parent.mkdir()
    path.write_bytes(JPEG)
    async with client_of(create_app(engine, calls, looks=looks)) as client:
        yield client


async def test_everything_is_listed_with_what_is_usual(shop: httpx.AsyncClient) -> None:
    told = (await shop.get(PATH)).json()
    assert [avatar["name"] for avatar in told["avatars"]] == [*HOSTS, "anna"]
    assert all(avatar["title"] for avatar in told["avatars"])
    assert told["scenes"] == list(SCENES)
    assert told["styles"] == [*STYLES, "livelier"]
    assert told["framings"] == ["head", "half", "full"]
    assert told["default"] == {"avatar": "lin", "scene": "shop", "style": "calm"}


async def test_a_still_is_where_the_list_says(shop: httpx.AsyncClient) -> None:
    listed = await shop.get(PATH)
    pictures = {avatar["name"]: avatar["picture"] for avatar in listed.json()["avatars"]}
    assert pictures["mia"] is None
    answer = await shop.get(str(listed.url.join(pictures["lin"])))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content == JPEG
    again = await shop.get(str(answer.url), headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["mia", "nobody", "..", "%2e%2e%2fsecret"])
async def test_a_still_that_is_not_there(shop: httpx.AsyncClient, name: str) -> None:
    assert (await shop.get(f"{PATH}/avatars/{name}/still")).status_code == 404


async def test_who_can_be_called_at_once_is_told(
    engine: StubEngine, calls: StubCalls, tmp_path: Path
) -> None:
    looks = Looks(tmp_path, drawn=True)
    path = asset_path(ready("lin"), avatar_folder(tmp_path))
    path.parent.mkdir()
    path.touch()
    async with client_of(create_app(engine, calls, looks=looks)) as client:
        told = (await client.get(PATH)).json()
    assert [avatar["name"] for avatar in told["avatars"] if avatar["ready"]] == ["lin"]


async def test_a_call_to_a_new_host_waits_until_they_can_be_seen(
    engine: StubEngine, calls: StubCalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = asyncio.Event()
    asked: list[str] = []

    async def ready_of(_: Preparing, name: str) -> None:
        asked.append(name)
        await built.wait()

    monkeypatch.setattr(Preparing, "ready", ready_of)
    app = create_app(engine, calls, looks=Looks(tmp_path, drawn=True))
    async with client_of(app) as client, asyncio.TaskGroup() as group:
        calling = group.create_task(client.post(f"{CALLS}?avatar=lin", content=OFFER, headers=SDP))
        silent = await client.post(f"{CALLS}?avatar=lin&size=none", content=OFFER, headers=SDP)
        assert silent.status_code == 201  # and has not waited
        assert asked == ["lin"]
        assert not calling.done()
        assert len(calls.open) == 1
        built.set()
    assert calling.result().status_code == 201
    assert {options.avatar for options in calls.open.values()} == {"lin"}


async def test_a_call_does_not_wait_for_ever(
    engine: StubEngine, calls: StubCalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(_: Preparing, name: str) -> None:
        raise AvatarPreparingError(name)

    monkeypatch.setattr(Preparing, "ready", late)
    app = create_app(engine, calls, looks=Looks(tmp_path, drawn=True))
    async with client_of(app) as client:
        answer = await client.post(f"{CALLS}?avatar=lin", content=OFFER, headers=SDP)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    error = answer.json()["error"]
    assert (error["code"], error["param"]) == ("avatar_preparing", "avatar")
    assert "'lin' is being prepared" in error["message"]
    assert not calls.open


async def test_a_server_may_offer_no_choice(client: httpx.AsyncClient) -> None:
    assert (await client.get(PATH)).status_code == 404
