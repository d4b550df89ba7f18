"""What operators see of a room on air is what its host does: pace, place, and what came of chat."""

from pathlib import Path

from agents.show.pace import PACES
from pipeline.rooms import commands
from pipeline.rooms.state import ChatView
from tests.pipeline.rooms.house import House


async def chat_of(house: House) -> dict[str, ChatView]:
    """Return what viewers did, by id."""
    return {each.id: each for each in (await house.state()).chat}


async def test_the_pace_is_the_one_the_host_speaks_at(house: House) -> None:
    assert (await house.state()).pace == "usual"
    await house.rooms.command("room", commands.Pace(pace="quick"), "op")
    assert (await house.state()).pace == "quick"
    room = house.rooms._rooms["room"]
    assert room.show is not None
    room.show.change_pace("calm")  # as the operations brain does, between two commands
    await house.clock.run(10)
    assert (await house.state()).pace == "calm"


async def test_a_room_that_comes_back_speaks_at_the_pace_it_had(tmp_path: Path) -> None:
    house = House(tmp_path)
    await house.start()
    await house.rooms.command("room", commands.Start(), "op")
    await house.rooms.command("room", commands.Pace(pace="quick"), "op")
    await house.clock.run(5)
    await house.die()
    later = house.again()
    await later.start()
    await later.clock.run(5)
    assert (await later.state()).pace == "quick"
    assert later.performer.options.speed == PACES["quick"]
    await later.rooms.close()


async def test_the_place_in_the_item_stays_while_a_question_is_answered(house: House) -> None:
    await house.clock.run(20)
    await house.ask("q1", "is it heavy?")
    while house.performer.running is None or house.performer.running.kind != "answer":
        await house.clock.run(0.5)
    said = [heard.line for heard in house.performer.heard if heard.line.kind == "script"]
    assert said[-1].sentence
    current = (await house.state()).current
    assert current is not None
    assert current.sentence == said[-1].sentence


async def test_what_joins_an_answer_on_its_way_is_answered_with_it(house: House) -> None:
    await house.clock.run(5)
    await house.ask("q1", "how much is it?")
    while house.performer.running is None or house.performer.running.kind != "answer":
        await house.clock.run(0.5)
    await house.ask("q2", "how much is it?", viewer="v2")
    assert (await chat_of(house))["q2"].status == "merged"
    while house.performer.running is not None and house.performer.running.kind == "answer":
        await house.clock.run(0.1)
    chat = await chat_of(house)
    assert (chat["q2"].status, chat["q2"].answer) == ("spoken", chat["q1"].answer)
    await house.ask("q3", "how much is it?", viewer="v3")  # it has just been answered
    chat = await chat_of(house)
    assert (chat["q3"].status, chat["q3"].merged_with) == ("spoken", "q1")
    assert chat["q3"].answer == chat["q1"].answer


async def test_remarks_that_are_met_with_no_word_wait_no_longer(house: House) -> None:
    house.host.delay = 7.0  # so that what is asked meanwhile is more than can be answered
    await house.clock.run(5)
    for number in range(8):
        await house.ask(f"q{number}", f"is it {number * 7919} wide?", viewer=f"v{number}")
    await house.ask("talk", "I love your voice so much")
    assert (await chat_of(house))["talk"].status == "waiting"
    await house.clock.run(60)
    assert (await chat_of(house))["talk"].status == "none"
