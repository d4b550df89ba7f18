"""A room on air: it speaks its rundown, answers, obeys, and everybody who watches sees the same."""

import asyncio

import pytest

from pipeline.rooms import commands
from pipeline.rooms.errors import CommandRefusedError, RecordInUseError, RecordNotFoundError
from pipeline.rooms.state import RoomChange, RoomState
from tests.pipeline.rooms.house import House


async def test_it_speaks_its_rundown_sentence_by_sentence(house: House) -> None:
    await house.clock.run(40)
    said = [heard.line for heard in house.performer.heard if heard.line.kind == "script"]
    assert len(said) > 5
    assert [line.sentence for line in said] == list(range(len(said)))
    assert all(heard.whole for heard in house.performer.heard)
    state = await house.state()
    assert state.status == "on_air"
    assert state.stream == "room"
    assert state.current is not None
    assert state.current.id == "bags"
    assert state.lines[-1].text == house.performer.heard[-1].line.text
    assert len(await house.rooms.history("room", "lines")) >= len(house.performer.heard)


async def test_a_question_is_answered_after_the_running_line(house: House) -> None:
    await house.clock.run(5)
    running = house.performer.running
    await house.ask("q1", "what does it cost?")
    assert (await house.state()).chat[-1].status == "waiting"
    await house.clock.run(12)
    lines = [heard.line for heard in house.performer.heard]
    place = lines.index(running)  # type: ignore[arg-type]
    answer = lines[place + 1]
    assert answer.kind == "answer"
    assert answer.events == ("q1",)
    assert house.host.asked == [("what does it cost?", "bag")]
    chat = (await house.state()).chat[-1]
    assert (chat.status, chat.line) == ("spoken", answer.id)
    assert "what does it cost?" in chat.answer
    assert chat.waited_s is not None
    assert 0 < chat.waited_s < 6


async def test_the_host_reads_all_goods_before_they_are_asked_for(house: House) -> None:
    await house.clock.run(1)
    assert house.host.read[0] == "bag", "what is on air next comes first"
    assert sorted(house.host.read) == sorted(product.id for product in house.shop)


async def test_all_who_watch_see_the_same(house: House) -> None:
    first, second = house.rooms.watch("room"), house.rooms.watch("room")
    states = [await anext(first), await anext(second)]
    await house.clock.run(20)
    await house.ask("q1", "is it heavy?")
    await house.clock.run(20)
    for watching, state in zip((first, second), states, strict=True):
        assert isinstance(state, RoomState)
        fields = state.model_dump(mode="json")
        number = 0
        while number < house.rooms._rooms["room"].board.number:
            change = await anext(watching)
            assert isinstance(change, RoomChange)
            apply(fields, change)
            number = change.number
        await watching.aclose()
        assert fields == (await house.state()).model_dump(mode="json")


def apply(fields: dict[str, object], change: RoomChange) -> None:
    """Apply a change as a page does."""
    if change.key is None:
        fields[change.field] = change.value
        return
    entries = fields[change.field]
    assert isinstance(entries, list)
    key = "at" if change.field == "metrics" else "id"
    for place, entry in enumerate(entries):
        if str(entry[key]) == change.key:
            entries[place] = change.value
            return
    entries.append(change.value)


async def test_who_reads_too_slowly_is_given_the_state_again(house: House) -> None:
    slow = house.rooms.watch("room")
    assert isinstance(await anext(slow), RoomState)
    await house.clock.run(400)
    told = await anext(slow)
    assert isinstance(told, RoomState)
    assert told == await house.state()
    await slow.aclose()
    assert house.rooms._rooms["room"].board.watchers == 0


async def test_operators_lead_it(house: House) -> None:
    async def order(command: commands.Command) -> RoomState:
        await house.rooms.command("room", command, "op")
        return await house.state()

    await house.clock.run(4)
    await order(commands.Jump(item="mugs"))
    await house.clock.run(6)
    assert house.performer.heard[-1].line.item == "mugs"
    await order(commands.Say(text="A word from the house."))
    await house.clock.run(8)
    assert "A word from the house." in [heard.line.text for heard in house.performer.heard]
    assert (await order(commands.Pin(product="bag"))).pinned == "bag"
    await house.clock.run(5)
    assert house.performer.shown["card"]["name"] == "Canvas bag"  # type: ignore[index]
    assert (await order(commands.Mute())).muted
    assert house.performer.muted
    await order(commands.Hold())
    await house.clock.run(10)
    assert (await house.state()).held
    held = [h.line for h in house.performer.heard if h.line.kind == "script"]
    await house.clock.run(60)
    assert [h.line for h in house.performer.heard if h.line.kind == "script"] == held
    await order(commands.GoOn())
    await house.clock.run(20)
    assert len([h for h in house.performer.heard if h.line.kind == "script"]) > len(held)


async def test_a_cut_is_at_once_and_comes_back_with_the_sentence(house: House) -> None:
    await house.clock.run(5)
    running = house.performer.running
    assert running is not None
    await house.rooms.command("room", commands.Cut(), "op")
    assert house.performer.running is None
    assert house.performer.card == ""
    assert (await house.state()).cut
    await house.clock.run(30)
    assert house.performer.running is None
    await house.rooms.command("room", commands.Uncut(), "op")
    await house.clock.run(10)
    assert house.performer.card is None
    again = [h for h in house.performer.heard if h.line.text == running.text]
    assert [h.whole for h in again] == [False, True]


async def test_it_stops_at_the_end_of_the_sentence_and_stays_off(house: House) -> None:
    await house.clock.run(5)
    performer = house.performer
    stopping = house.rooms.command("room", commands.Stop(), "op")
    task = asyncio.create_task(stopping)
    await house.clock.run(10)
    await task
    assert all(heard.whole for heard in performer.heard)
    assert (await house.state()).status == "off"
    with pytest.raises(CommandRefusedError, match="the room is off"):
        await house.rooms.command("room", commands.Skip(), "op")
    await house.rooms.close()
    later = house.again()
    await later.start()
    await later.clock.run(5)
    assert (await later.state()).status == "off"
    await later.rooms.close()


async def test_what_is_not_there_is_told(house: House) -> None:
    for command in (
        commands.Jump(item="nothing"),
        commands.Pin(product="nothing"),
        commands.Answer(event="nothing"),
        commands.Acknowledge(alert="a99"),
    ):
        with pytest.raises(RecordNotFoundError, match=r"'nothing'|'a99'"):
            await house.rooms.command("room", command, "op")
    with pytest.raises(RecordNotFoundError):
        await house.rooms.state("other")
    with pytest.raises(RecordInUseError):
        await house.rooms.delete("room")
    with pytest.raises(RecordInUseError, match="room"):
        await house.rooms.shops.delete("shop")
    with pytest.raises(CommandRefusedError, match="on_air"):
        await house.rooms.command("room", commands.Start(), "op")
