"""Rooms, shops, rundowns and pictures are kept, on both databases."""

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image

from agents.show.viewers import ViewerEvent
from pipeline.clock import SystemClock
from pipeline.errors import ConfigurationError
from pipeline.rooms import commands
from pipeline.rooms.errors import RecordNotFoundError, RecordTakenError
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.service import Change
from pipeline.rooms.state import RoomSpec
from pipeline.store import open_store
from tests.pipeline.rooms.house import House
from tests.pipeline.store.conftest import cluster as cluster
from tests.pipeline.store.conftest import url as url


@pytest.fixture
def picture() -> bytes:
    """Return a small PNG."""
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 30, 30)).save(file, "PNG")
    return file.getvalue()


async def test_a_room_lives_on_either_database(url: str, tmp_path: Path, picture: bytes) -> None:
    first = House(tmp_path, store=open_store(url), clock=SystemClock(), seconds=lambda _: 0.05)  # type: ignore[arg-type]
    await first.rooms.start()
    await first.rooms.shops.change_product("shop", "mug", Change({"price": "21.50"}))
    await first.rooms.shops.put_picture("shop", "mug", picture)
    secret = await first.rooms.renew_secret("room")
    await first.rooms.command("room", commands.Start(), "op")
    events = [ViewerEvent(f"e{n}", "order", "v1", product="bag") for n in range(5)]
    receipts = await asyncio.gather(*(first.rooms.hear("room", events) for _ in range(4)))
    told = [receipt.status for each in receipts for receipt in each]
    assert sorted(told) == ["known"] * 15 + ["taken"] * 5
    while len(await first.rooms.history("room", "lines")) < 5:
        await first.moments.sleep(0.05)
    heard = [each.line.id for each in first.theatre.opened[0].heard]
    await first.rooms.close()

    second = House(tmp_path, store=open_store(url), clock=SystemClock(), seconds=lambda _: 0.05)  # type: ignore[arg-type]
    await second.rooms.start()
    shop = await second.rooms.shops.get("shop")
    assert (str(shop.product("mug").price), shop.product("bag").stock) == ("21.50", 5)
    assert await second.rooms.shops.picture("shop", "mug") == picture
    assert await second.rooms.secret("room") == secret
    while (await second.state()).status != "on_air":
        await second.moments.sleep(0.05)
    orders = await second.rooms.history("room", "orders", limit=2)
    assert [each["id"] for each in orders] == ["e4", "e3"]
    earlier = await second.rooms.history("room", "orders", before="e3", limit=9)
    assert [each["id"] for each in earlier] == ["e2", "e1", "e0"]
    lines = await second.rooms.history("room", "lines", limit=1000)
    assert {each["id"] for each in lines} >= set(heard)
    await second.rooms.command("room", commands.Stop(now=True), "op")
    await second.rooms.delete("room")
    with pytest.raises(RecordNotFoundError):
        await second.rooms.history("room", "orders")
    await second.rooms.close()


async def test_rooms_are_made_and_changed(tmp_path: Path) -> None:
    house = House(tmp_path)
    await house.start()
    spec = RoomSpec(id="other", title="Other", shop="shop", rundown="run")
    await house.rooms.create(spec)
    with pytest.raises(RecordTakenError):
        await house.rooms.create(spec)
    for wrong in ({"shop": "none"}, {"rundown": "none"}, {"size": "big"}):
        with pytest.raises(ConfigurationError):
            await house.rooms.update(spec.model_copy(update=wrong))
    await house.rooms.update(spec.model_copy(update={"title": "New"}))
    assert [each.title for each in await house.rooms.specs()] == ["New", "Room"]
    await house.rooms.close()


async def test_the_preview_shows_what_comes_next(tmp_path: Path) -> None:
    house = House(tmp_path)
    await house.start()
    await house.rooms.command("room", commands.Start(), "op")
    await house.clock.run(3)
    assert await house.rooms.preview("room") == b"a still"
    _, changes = house.stills[-1]
    assert changes["card"]["name"] == "Tea mug"  # type: ignore[index]
    await house.rooms.close()


@pytest.mark.parametrize("name", ["../x", "", ".x", "A", "x/y", "x" * 90])
def test_a_picture_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    pictures = Pictures(tmp_path)
    with pytest.raises(ConfigurationError, match="a picture is named"):
        pictures.path("shop", name)
    assert pictures.read("shop", name) is None


def test_what_is_no_picture_is_refused(tmp_path: Path, picture: bytes) -> None:
    pictures = Pictures(tmp_path)
    for data in (b"", b"GIF89a", picture[:30], b"x" * (8 * 1024 * 1024 + 1)):
        with pytest.raises(ConfigurationError, match="accepted: JPEG, PNG or WebP"):
            pictures.write("shop", "mug", data)
    assert pictures.write("shop", "mug", picture) == "mug.png"
    assert pictures.read("shop", "mug.png") == picture
