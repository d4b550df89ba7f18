"""Whatever breaks in, the script is heard in order, each sentence once a visit."""

import json
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agents.rundown.document import Rundown, Sentence
from agents.show.line import Line
from agents.show.viewers import ViewerEvent
from tests.agents.show.stage import SHOP, Stage, item, restarted, rundown, stage

_ITEMS = (
    item("hello", 2),
    item("tote", 6, "tote", duration=40.0),
    item("mug", 5, "mug"),
    item("bye", 1),
)
_ASKED = ("How much is it?", "Which colours are there?", "What material is it?", "Is it heavy?")


class Interrupted(RuleBasedStateMachine):
    """A room in which anything happens at any time, and what must have been heard."""

    def __init__(self) -> None:
        super().__init__()
        self.run: Rundown = rundown(*_ITEMS)
        self.on: Stage = stage(self.run)
        self.number = 0
        self.checked = 0
        self.jumps = 0  # how often the first sentence of any item may come next
        self.expected: tuple[str, int] | None = None
        self.broken = False  # something but the script was heard since its last sentence
        self.orders: set[str] = set()
        self.edits = 0

    @initialize(seed=st.integers(0, 1000))
    def begin(self, seed: int) -> None:
        self.on = stage(self.run, seed=seed)
        self.on.fill()

    # What happens

    @rule(count=st.integers(1, 6))
    def lines_are_heard(self, count: int) -> None:
        for _ in range(count):
            self.on.finish()

    @rule(text=st.sampled_from(_ASKED), late=st.booleans())
    def somebody_asks(self, text: str, late: bool) -> None:
        self.number += 1
        event = ViewerEvent(f"e{self.number}", "chat", f"v{self.number}", "Ann", text)
        self.on.director.hear(event)
        if not late:
            self.on.answer()
            self.on.heed()

    @rule(kind=st.sampled_from(["join", "follow", "gift", "order"]))
    def somebody_comes_or_buys(self, kind: str) -> None:
        self.number += 1
        event = ViewerEvent(
            f"e{self.number}", kind, f"v{self.number}", "Ben", product="mug", gift="Rose"  # type: ignore[arg-type]
        )  # fmt: skip
        self.on.director.hear(event)
        if kind == "order":
            self.orders.add(event.id)

    @rule()
    def questions_are_answered(self) -> None:
        self.on.answer()
        self.on.heed()

    @rule()
    def an_operator_speaks(self) -> None:
        self.on.director.say("Here is the operator.")
        self.on.heed()

    @rule()
    def the_prepared_line_is_withdrawn(self) -> None:
        self.on.wake()

    @rule()
    def the_running_line_is_cut(self) -> None:
        self.check()
        if self.on.running is not None and self.on.running.kind != "script":
            self.broken = True  # part of it was heard
        self.on.cut()
        self.on.fill()

    @rule()
    def the_show_is_held_and_goes_on(self) -> None:
        self.on.director.hold()
        self.on.heed()
        self.on.finish()
        self.on.director.go_on()
        self.on.heed()

    @rule()
    def what_cannot_be_said_in_time_is_written(self) -> None:
        self.on.director.overdue()

    @rule()
    def an_offer_is_announced(self) -> None:
        self.on.director.offer("mug")
        self.on.heed()

    @rule()
    def goods_change(self) -> None:
        self.on.director.restock(replace(SHOP, banned=(*SHOP.banned, str(self.number))))
        self.on.heed()

    @rule()
    def the_server_is_killed(self) -> None:
        snapshot = json.loads(json.dumps(self.on.director.snapshot()))
        self.on = restarted(self.on, self.run, SHOP, snapshot, seed=self.number)
        self.on.fill()

    @rule(name=st.sampled_from([each.id for each in _ITEMS]))
    def an_operator_jumps(self, name: str) -> None:
        self._settle()
        self.on.director.jump(name)
        self.jumps += 1
        self.on.heed()

    @rule()
    def an_operator_skips(self) -> None:
        self._settle()
        self.on.director.skip()
        self.jumps += 1
        self.on.heed()

    @precondition(lambda self: self.edits < 5)
    @rule()
    def a_sentence_is_added_at_the_end_of_the_item(self) -> None:
        """An edit behind the place reached changes nothing before it."""
        self.edits += 1
        items = []
        for each in self.run:
            added = Sentence((f"{each.id} says {len(each.script)}.",), True)
            items.append(replace(each, script=(*each.script, added)))
        self.run = replace(self.run, items=tuple(items))
        self.on.director.replace(self.run)

    def _settle(self) -> None:
        """Have all that was heard checked, and what runs heard, before the order is changed."""
        self.on.finish()
        self.check()

    # What must hold

    @invariant()
    def check(self) -> None:
        for at in range(self.checked, len(self.on.heard)):
            line = self.on.heard[at]
            if line.kind == "script":
                self._follows(line)
            elif line.kind == "bridge":
                self._bridges(at)
            else:
                self.broken = True
        self.checked = len(self.on.heard)

    def _follows(self, line: Line) -> None:
        assert line.item is not None
        assert line.sentence is not None
        here = (line.item, line.sentence)
        assert line.text == f"{line.item} says {line.sentence}."
        if self.expected is None or here == self.expected or self._begins_after(here):
            pass
        else:
            assert line.sentence == 0
            assert self.jumps > 0
            self.jumps -= 1
        self.expected = (line.item, line.sentence + 1)
        self.broken = False

    def _begins_after(self, here: tuple[str, int]) -> bool:
        """Say whether a place is the first of the item that follows one that was told."""
        assert self.expected is not None
        item_id, reached = self.expected
        script = len(self.run.item(item_id).script)
        # A sentence added after the item was left, or while its last one was heard, is not said.
        was_told = reached >= script - self.edits
        told = [each.id for each in self.run]
        following = told[(told.index(item_id) + 1) % len(told)]
        return was_told and here == (following, 0)

    def _bridges(self, at: int) -> None:
        assert self.broken, "a bridge without a break"
        if at + 1 < len(self.on.heard):
            # "more" is said where an operator holds the show just then.
            assert self.on.heard[at + 1].kind in ("script", "operator", "more")

    def teardown(self) -> None:
        """What was ordered has been thanked for."""
        for _ in range(300):
            thanked = {each for line in self.on.heard for each in line.events}
            if self.orders <= thanked:
                break
            self.on.finish()
        assert self.orders <= {each for line in self.on.heard for each in line.events}
        self.check()


TestInterrupted = Interrupted.TestCase
TestInterrupted.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
