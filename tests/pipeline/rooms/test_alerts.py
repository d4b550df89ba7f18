"""What goes wrong on air is told once, and the room stays on air."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest_asyncio

from pipeline.errors import StoreError
from pipeline.events import SessionFailed
from pipeline.rooms import commands
from pipeline.rooms.service import Change
from pipeline.rooms.state import AlertView
from tests.pipeline.rooms.house import House, small_rundown, with_stock


@pytest_asyncio.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Return a house whose room is on air."""
    made = House(tmp_path)
    await made.start()
    await made.rooms.command("room", commands.Start(), "op")
    await made.clock.run(3)
    yield made
    await made.rooms.close()


async def alerts(house: House, code: str) -> list[AlertView]:
    return [each for each in (await house.state()).alerts if each.code == code]


async def pragma(house: House, pages: int) -> None:
    await house.store.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={pages}"))


async def fill(house: House) -> int:
    """Have viewers write until there is no room; return how many events were kept."""
    for number in range(1000):
        try:
            await house.ask(f"q{number}", "x" * 1900)
        except StoreError:
            return number
    raise AssertionError("there is room without an end")


async def test_a_full_disk_refuses_viewers_and_not_the_show(house: House) -> None:
    pages = await house.store.read(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one())
    await pragma(house, pages)
    kept = await fill(house)
    (alert,) = await alerts(house, "database_full")
    assert alert.ended_at is None
    await house.clock.run(30)
    assert len(house.performer.heard) > 4
    state = await house.state()
    assert state.status == "on_air"
    assert {chat.id for chat in state.chat} == {f"q{number}" for number in range(kept)}
    await pragma(house, 1_000_000)
    await house.clock.run(10)
    assert all(each.ended_at for each in await alerts(house, "database_full"))
    kept_alerts = await house.store.read(
        lambda c: c.exec_driver_sql("select count(*) from alerts").scalar_one()
    )
    assert kept_alerts == len((await house.state()).alerts)
    history = await house.rooms.history("room", "lines", limit=1000)
    assert {each["id"] for each in history} >= {h.line.id for h in house.performer.heard}
    await house.ask("later", "again?")


async def test_silence_is_told_while_it_lasts(house: House) -> None:
    house.performer.perform(None)
    house.performer.hush()
    await house.clock.run(15)
    (alert,) = await alerts(house, "silence")
    assert alert.ended_at is None
    show = house.rooms._rooms["room"].show
    assert show is not None
    house.performer.perform(show.prompter)
    await house.clock.run(5)
    (alert,) = await alerts(house, "silence")
    assert alert.ended_at is not None


async def test_a_failing_model_is_told_until_it_works_again(house: House) -> None:
    for _ in range(3):
        house.trouble("the endpoint does not answer")
    (alert,) = await alerts(house, "model_failing")
    assert (alert.message, alert.ended_at) == ("the endpoint does not answer", None)
    house.trouble(None)
    (alert,) = await alerts(house, "model_failing")
    assert alert.ended_at is not None


async def test_a_voice_that_is_stood_in_for_is_told(house: House) -> None:
    house.performer.monitor.event(SessionFailed("voice_fallback", "kokoro speaks for endpoint"))
    assert [each.message for each in await alerts(house, "voice_fallback")] == [
        "kokoro speaks for endpoint"
    ]
    house.performer.monitor.event(SessionFailed("voice_restored", "endpoint speaks again"))
    (alert,) = await alerts(house, "voice_fallback")
    assert alert.ended_at is not None


async def test_banned_words_are_never_spoken(house: House) -> None:
    await house.rooms.command("room", commands.Say(text="It is a miracle. Look at it."), "op")
    await house.clock.run(20)
    said = [heard.line.text for heard in house.performer.heard]
    assert "Look at it." in said
    assert not any("miracle" in text for text in said)
    (alert,) = await alerts(house, "line_left_out")
    assert "miracle" in str(alert.values["text"])


async def test_viewers_are_counted_though_no_fact_holds_their_number(house: House) -> None:
    for number in range(40):
        name = f"Viewer 7{chr(65 + number % 26)}"
        await house.does("join", f"j{number}", viewer=f"v{number}", name=name)
    await house.clock.run(60)
    said = [heard.line.text for heard in house.performer.heard if heard.line.kind == "greeting"]
    # Of a crowd nobody says how many; figures in names are no figures of the shop either.
    assert any("and many more" in text and "7" in text for text in said)
    assert await alerts(house, "line_left_out") == []


async def test_a_line_that_fails_is_told_and_passed(house: House) -> None:
    await house.rooms.command("room", commands.Say(text="An unspeakable one."), "op")
    await house.clock.run(20)
    assert len(await alerts(house, "line_failed")) == 1
    assert len(house.performer.heard) > 3


async def test_late_pictures_are_told(house: House) -> None:
    house.theatre.viewers = 1  # who gets none: this theatre makes no pictures
    await house.clock.run(10)
    assert [each.ended_at for each in await alerts(house, "pictures_late")] == [None]
    house.theatre.viewers = 0
    await house.clock.run(10)
    assert all(each.ended_at for each in await alerts(house, "pictures_late"))


async def test_a_flood_is_told(house: House) -> None:
    for number in range(400):
        await house.does("like", f"l{number}")
    assert [each.ended_at for each in await alerts(house, "flood")] == [None]
    await house.clock.run(20)
    assert all(each.ended_at for each in await alerts(house, "flood"))


async def test_the_end_of_a_rundown_is_told(tmp_path: Path) -> None:
    house = House(tmp_path, rundown=replace(small_rundown(2), loops=False))
    await house.start()
    await house.rooms.command("room", commands.Start(), "op")
    await house.clock.run(200)
    codes = {each.code for each in (await house.state()).alerts if each.ended_at is None}
    assert codes <= {"rundown_over"}
    await house.rooms.close()


async def test_an_alert_is_taken_off_the_board(house: House) -> None:
    house.trouble("broken")
    (alert,) = await alerts(house, "model_failing")
    await house.rooms.command("room", commands.Acknowledge(alert=alert.id), "op")
    assert await alerts(house, "model_failing") == []
    house.trouble("broken still")
    assert await alerts(house, "model_failing") == []


async def test_stock_and_offers_change_at_once(house: House) -> None:
    await house.does("order", "o1", product="bag", amount=2.0)
    bag = next(each for each in (await house.state()).products if each.id == "bag")
    assert (bag.stock, bag.orders, bag.offer_price) == (8, 2, "99.00")
    assert (await house.rooms.shops.get("shop")).product("bag").stock == 8
    (order,) = await house.rooms.history("room", "orders")
    assert (order["product"], order["amount"]) == ("bag", 2.0)
    await house.rooms.shops.put(with_stock(await house.rooms.shops.get("shop"), "mug", 0))
    await house.clock.run(2)
    assert house.host.shops[-1].product("mug").stock == 0
    mug = next(each for each in (await house.state()).products if each.id == "mug")
    assert mug.stock == 0


async def test_an_offer_ends_at_its_moment(house: House) -> None:
    ends = datetime.fromtimestamp(house.moments.wall() + 20, UTC).isoformat()
    offer = {"price": "99.00", "until": ends}
    await house.rooms.shops.change_product("shop", "bag", Change({"offer": offer}))
    await house.clock.run(10)
    assert (await house.state()).products[0].offer_price == "99.00"
    await house.clock.run(12)
    assert (await house.state()).products[0].offer_price is None
    assert house.host.shops[-1].product("bag").offer is None
    offer["until"] = datetime.fromtimestamp(house.moments.wall() + 3000, UTC).isoformat()
    await house.rooms.shops.change_product("shop", "bag", Change({"offer": offer}))
    assert (await house.state()).products[0].offer_price == "99.00"
    house.jumped = 3600.0  # the machine's clock is set: by it the offer is over
    await house.clock.run(2)
    assert (await house.state()).products[0].offer_price is None
