"""Whatever happens in a flood: kills, edits, goods taken away, clocks that are set."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agents.errors import AgentValueError
from agents.rundown.document import Item, Rundown
from agents.rundown.drafting import draft
from agents.rundown.form import rundown_from_json, rundown_to_json
from agents.shop.product import Shop
from agents.shop.sample import sample_shop
from agents.show.director import Director
from tests.agents.show.flood import BEGIN, FloodedRoom
from transport.chat.log import Entry
from web.bench.chatter import Chatter, make_log

SHOP = sample_shop()
RUN = draft(SHOP, "en", now=BEGIN)
QUESTIONS = Rundown(RUN.id, "Questions", "en", (Item("ask", "questions", brief="Ask away."),))
LOG = make_log(SHOP, Chatter(minutes=6.0, rate=2.0))
HOUR = 3600.0


class Attacked(FloodedRoom):
    """A flooded room to which anything is done between two lines."""

    def __init__(self, seed: int = 0, entries: list[Entry] = LOG) -> None:
        super().__init__(list(entries), "en", seed)
        self.shop: Shop = SHOP
        self.rundown = RUN
        self.kills = 0
        self.elapsed = BEGIN  # what the chat's clock shows, which nobody sets

    def kill(self) -> None:
        """Lose the process, and go on with what it left."""
        snapshot = json.loads(json.dumps(self.director.snapshot()))
        self.kills += 1
        self.director = Director(
            self.rundown, self.shop, now=lambda: self.now, random=Random(self.kills)
        )
        self.director.restore(snapshot)
        self.prepared, self.making = None, []

    def delete_on_air(self) -> None:
        """Take the product on air out of the shop."""
        gone = self.director.focus
        self._sell(tuple(one for one in self.shop if one.id != gone))

    def empty(self) -> None:
        """Take all products out of the shop."""
        self._sell(())

    def fill(self) -> None:
        """Put all products back."""
        self._sell(SHOP.products)

    def _sell(self, products: tuple) -> None:  # type: ignore[type-arg]
        self.shop = replace(self.shop, products=products)
        self.director.restock(self.shop)

    def drop_item(self) -> None:
        """Take the item on air out of the rundown."""
        rest = tuple(one for one in self.rundown if one.id != self.director.item.id)
        self._rewrite(replace(self.rundown, items=rest or RUN.items))

    def only_questions(self) -> None:
        """Leave nothing in the rundown but a time for questions."""
        self._rewrite(QUESTIONS)

    def whole(self) -> None:
        """Take the first rundown again."""
        self._rewrite(RUN)

    def _rewrite(self, rundown: Rundown) -> None:
        self.rundown = rundown
        self.director.replace(rundown)

    def hours_on(self) -> None:
        """Set the clock three hours on."""
        self._set(3 * HOUR)

    def hours_back(self) -> None:
        """Set the clock three hours back."""
        self._set(-3 * HOUR)

    def _set(self, seconds: float) -> None:
        self.now += seconds
        for entry in tuple(self.entries):
            self.entries.popleft()
            self.entries.append(replace(entry, at=entry.at + seconds))
        self.asked.clear()

    def play(self) -> None:
        """Hear a few lines."""
        for _ in range(4):
            self.line()


ACTS = ("kill", "delete_on_air", "empty", "fill", "drop_item", "only_questions", "whole",
        "hours_on", "hours_back", "play", "play")  # fmt: skip


@given(st.integers(0, 50), st.lists(st.sampled_from(ACTS), min_size=4, max_size=14))
@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_nothing_is_lost_crashes_or_falls_silent(seed: int, acts: list[str]) -> None:
    room = Attacked(seed)
    room.play()
    for act in acts:
        getattr(room, act)()
        room.play()
    room.whole()
    room.fill()
    room.entries.clear()
    before = len(room.flood.lines)
    for _ in range(60):
        room.line()
    later = [line for _, line in room.flood.lines[before:]]
    assert room.flood.seconds["silence"] == 0.0
    # The rundown goes on, to other items.
    assert len({line.item for line in later if line.kind == "script"}) > 1, acts
    _check_courtesies(room)


def _check_courtesies(room: Attacked) -> None:
    """Whoever came, gave or bought before the log was emptied had one word, and no second."""
    courtesies = [
        event for _, line in room.flood.lines if line.kind in ("greeting", "thanks")
        for event in line.events
    ]  # fmt: skip
    assert len(courtesies) == len(set(courtesies))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=6))
@settings(max_examples=20, deadline=None)
def test_nobody_is_greeted_twice_over_kills_at_random_moments(gaps: list[int]) -> None:
    viewers = {entry.event.id: entry.event.viewer for entry in LOG}
    room = Attacked()
    for gap in gaps:
        for _ in range(gap):
            room.line()
        room.kill()
    room.entries.clear()
    for _ in range(40):
        room.line()
    greeted = [
        viewers[event] for _, line in room.flood.lines if line.kind == "greeting"
        for event in line.events
    ]  # fmt: skip
    assert len(greeted) == len(set(greeted))


def test_pauses_between_courtesies_outlive_a_kill() -> None:
    room = Attacked()
    while not any(line.kind == "thanks" for _, line in room.flood.lines):
        room.line()
    room.kill()
    room.line()
    room.line()
    kinds = [line.kind for _, line in room.flood.lines[-2:]]
    assert "thanks" not in kinds


def test_an_item_does_not_last_for_hours_where_the_clock_is_set_back() -> None:
    room = Attacked(entries=[])
    for _ in range(12):
        room.line()
    item = room.director.item.id
    room.hours_back()
    at = room.now
    while room.director.item.id == item:
        room.line()
        assert room.now - at < 300.0


def test_what_takes_the_place_of_an_item_does_not_last_longer_for_it() -> None:
    room = Attacked(entries=[])
    for _ in range(4):
        room.play()
        room.drop_item()
    item, at = room.director.item, room.now
    while room.director.item.id == item.id:
        room.line()
    assert item.duration is not None
    assert room.now - at < item.duration + 60.0


def test_a_rundown_without_items_is_refused() -> None:
    document = rundown_to_json(RUN) | {"items": []}
    with pytest.raises(AgentValueError, match="items"):
        rundown_from_json(document)
