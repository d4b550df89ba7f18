"""Rooms that come back: after a kill, a closed server, a session that broke, a clock set."""

from itertools import pairwise
from pathlib import Path

import pytest

from agents.rundown.timing import speech_seconds
from pipeline.rooms import commands
from pipeline.rooms.expert import FIRST_SOUND_S
from tests.pipeline.rooms.house import House, small_rundown

SENTENCES = 12


async def on_air(house: House) -> House:
    await house.start()
    await house.rooms.command("room", commands.Start(), "op")
    return house


def scripted(house: House) -> list[tuple[str | None, int | None, bool]]:
    """Return what was heard of the rundown: item, sentence, whether to its end."""
    lines = [heard for heard in house.theatre.opened[-1].heard if heard.line.kind == "script"]
    return [(each.line.item, each.line.sentence, each.whole) for each in lines]


@pytest.mark.parametrize("seconds", [3.2, 7.9, 14.0, 21.7, 33.3])
async def test_a_killed_room_goes_on_at_the_sentence_it_was_in(
    tmp_path: Path, seconds: float
) -> None:
    house = await on_air(House(tmp_path, rundown=small_rundown(SENTENCES)))
    await house.clock.run(seconds)
    running, heard = house.performer.running, scripted(house)
    await house.die()
    later = house.again()
    await later.start()
    await later.clock.run(25)
    state = await later.state()
    assert state.status == "on_air"
    first = later.theatre.opened[-1].heard[0].line
    assert first.kind == "bridge"
    assert speech_seconds(first.text, first.language) < 2.0, "the sentence has been waited for"
    places = [(item, sentence) for item, sentence, _ in scripted(later)]
    whole = [(item, sentence) for item, sentence, told in heard if told]
    if running is not None and running.kind == "script":
        assert places[0] == (running.item, running.sentence)
    wanted = [(item, n) for item in ("bags", "mugs") for n in range(SENTENCES)]
    assert whole + places == wanted[: len(whole) + len(places)]
    await later.rooms.close()


async def test_questions_that_wait_are_answered_by_the_next_process(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    house.host.delay = 1e9
    await house.clock.run(5)
    await house.ask("old", "is it waterproof?")
    await house.clock.run(1)
    await house.die()
    later = house.again()
    await later.start()
    await later.clock.run(15)
    chat = {each.id: each for each in (await later.state()).chat}
    assert chat["old"].status == "spoken"
    assert [asked for asked, _ in later.host.asked] == ["is it waterproof?"]
    await later.rooms.close()


async def test_the_host_is_made_once_the_first_line_is_heard(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    assert house.performer.running is None
    assert house.host.shops == []
    await house.clock.run(3)
    assert house.performer.running is not None
    assert len(house.host.shops) == 1
    await house.rooms.close()


async def test_the_host_is_made_though_nothing_is_heard(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    house.performer.perform(None)
    await house.clock.run(FIRST_SOUND_S - 1)
    assert house.host.shops == []
    await house.clock.run(2)
    assert len(house.host.shops) == 1
    await house.rooms.close()


async def test_questions_older_than_a_minute_are_left(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    await house.clock.run(5)
    house.theatre.stages["room"].perform(None)
    await house.ask("old", "is it waterproof?")
    await house.die()
    await house.clock.run(90)
    later = house.again()
    await later.start()
    await later.clock.run(15)
    assert later.host.asked == []
    assert (await later.state()).chat[-1].status == "unanswered"
    await later.rooms.close()


async def test_a_closed_server_comes_back_too(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    await house.clock.run(11)
    await house.rooms.command("room", commands.Pin(product="mug"), "op")
    await house.rooms.close()
    later = house.again()
    await later.start()
    await later.clock.run(5)
    state = await later.state()
    assert (state.status, state.pinned) == ("on_air", "mug")
    assert {line.id for line in state.lines} > {
        heard.line.id for heard in house.theatre.opened[0].heard
    }
    await later.rooms.close()


async def test_a_session_that_broke_is_opened_again(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    await house.clock.run(6)
    house.theatre.seats = 0
    await house.theatre.break_down("room")
    await house.clock.run(4)
    state = await house.state()
    assert state.status == "failed"
    assert [alert.code for alert in state.alerts if alert.ended_at is None] == ["session_broke"]
    house.theatre.seats = 1
    await house.clock.run(20)
    state = await house.state()
    assert state.status == "on_air"
    assert state.alerts[-1].ended_at is not None
    assert scripted(house)[0][1]
    await house.rooms.close()


async def test_starting_afresh_begins_the_rundown_and_keeps_what_was_said(tmp_path: Path) -> None:
    house = await on_air(House(tmp_path))
    await house.clock.run(20)
    before = {heard.line.id for heard in house.performer.heard}
    await house.rooms.command("room", commands.Stop(now=True), "op")
    await house.rooms.command("room", commands.Start(afresh=True), "op")
    await house.clock.run(10)
    assert [sentence for _, sentence, _ in scripted(house)] != []
    kept = await house.rooms.history("room", "lines", limit=1000)
    assert len(kept) == len({line["id"] for line in kept}) > len(before)
    assert (await house.state()).loop == 1
    await house.rooms.close()


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
async def test_a_clock_that_is_set_changes_no_interval(tmp_path: Path, jump: float) -> None:
    house = await on_air(House(tmp_path))
    await house.clock.run(10)
    house.jumped = jump
    await house.ask("q1", "what does it cost?")
    await house.clock.run(10)
    state = await house.state()
    assert state.chat[-1].status == "spoken"
    assert state.chat[-1].waited_s is not None
    assert state.chat[-1].waited_s < 6
    times = [point.at for point in state.metrics]
    assert [round(b - a, 3) for a, b in pairwise(times)] == [5.0] * 3
    assert all(line.ended_at - line.began_at < 10 for line in state.lines if line.ended_at)
    await house.die()
    later = house.again()
    await later.start()
    await later.clock.run(30)
    assert (await later.state()).status == "on_air"
    sentences = {sentence for _, sentence, _ in scripted(house) + scripted(later)}
    assert sentences == set(range(len(sentences)))
    await later.rooms.close()
