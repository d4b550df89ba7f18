"""What pages are offered: identities with stills, scenes, styles."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from avatar.spec import HOSTS, SCENES, ready
from motion.style import STYLES
from pipeline.configuration import PictureSettings
from pipeline.looks import Looks
from pipeline.prepared import still_path
from tests.web.fakes import StubCalls, StubEngine, client_of
from web.app import create_app

PATH = "/v1/looks"
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


async def test_a_server_may_offer_no_choice(client: httpx.AsyncClient) -> None:
    assert (await client.get(PATH)).status_code == 404
