"""How a learnt policy comes to decide, and how it is stopped."""

import json
from random import Random

import numpy as np
import pytest

from agents.brain import Brain, Figures, Limits, Outcome, Situation
from agents.brain.book import LEARNT_FROM, Book
from agents.brain.gate import Gate
from agents.errors import AgentValueError
from tests.agents.brain.rooms import Moment, situation

NOW = Figures(1000.0, viewers=100, viewers_before=100, item_s=90.0, clicks=3.0, orders=0.5)
ROOM = situation(thanks_due=3)


class Room:
    """A room in which one kind of action sells more than all others."""

    def __init__(self, sells: str | None, seed: int = 1) -> None:
        self.moment = Moment()
        self.sells = sells
        self.usual = 3.0
        self.random = np.random.default_rng(seed)
        self.brain = Brain(
            Limits(offers_per_hour=60),
            "learnt",
            random=Random(seed),
            now=self.moment,
            # What differs always from the rules is seldom seen while they decide.
            book=Book(gate=Gate(least_effective=10.0)),
        )

    def live(self, decisions: int) -> list[str]:
        """Decide and learn so often; return the kinds of actions taken."""
        return [self.once() for _ in range(decisions)]

    def once(self) -> str:
        self.moment.now += 200.0
        decision = self.brain.decide(NOW, ROOM)
        orders = self.usual + (15.0 if decision.action == self.sells else 0.0)
        outcome = Outcome(float(self.random.poisson(orders)), viewers=100)
        assert self.brain.learn(decision.id, outcome) == pytest.approx(outcome.reward)
        return decision.action


@pytest.fixture(scope="module")
def learnt() -> Room:
    """A room in which a learnt policy has come to decide. Tests go on in copies of it."""
    room = Room("repeat")
    room.live(LEARNT_FROM)
    (candidate, rules) = room.brain.book.reports()
    assert (candidate.name, candidate.stage, candidate.live) == ("learnt/1", "estimated", False)
    assert (rules.name, rules.live) == ("rules", True)
    assert "judged at 400" in candidate.reason["en"]
    room.live(820)
    return room


@pytest.fixture
def room(learnt: Room) -> Room:
    copy = Room("repeat", seed=2)
    copy.moment.now = learnt.moment.now
    copy.brain.restore(json.loads(json.dumps(learnt.brain.snapshot())))
    return copy


def test_a_better_policy_comes_to_decide(room: Room) -> None:
    live = room.brain.book.reports()[0]
    assert (live.stage, live.live, live.passed) == ("live", True, True)
    assert live.estimate is not None
    assert live.rules is not None
    assert live.estimate > live.rules
    assert "it may decide" in live.reason["en"]
    decision = room.brain.decide(NOW, ROOM)
    assert (decision.by, decision.policy) == ("learnt", live.name)
    kinds = room.live(100)
    assert kinds.count("repeat") > 60


def test_a_policy_that_is_no_better_is_refused() -> None:
    room = Room(None)
    room.live(LEARNT_FROM + 1700)
    reports = room.brain.book.reports()
    assert [report.stage for report in reports if report.live] == [""]
    refused = next(report for report in reports if report.stage == "refused")
    assert not refused.passed
    with pytest.raises(AgentValueError, match="has not passed"):
        room.brain.book.let(refused.name, True, 0.0)


def test_rules_take_over_when_they_would_do_better(room: Room) -> None:
    assert room.brain.book.deciding().name != "rules/1"
    # What the rules would do, and the learnt policy seldom does, sells from now on.
    room.sells = "thank"
    room.live(1500)
    fallen = next(r for r in room.brain.book.reports() if r.stage == "fell back")
    assert not fallen.passed


def test_rules_take_over_when_results_fall(room: Room) -> None:
    before = room.brain.book.deciding().name
    room.sells, room.usual = None, 0.0
    room.live(250)
    reports = {report.name: report for report in room.brain.book.reports()}
    assert (reports[before].stage, reports["rules"].live) == ("fell back", True)


def test_an_operator_takes_a_policy_off_and_lets_it_again(room: Room) -> None:
    book = room.brain.book
    name = book.deciding().name
    book.let(name, False, room.moment.now)
    assert book.deciding().name == "rules/1"
    assert room.brain.decide(NOW, ROOM).by == "rules"
    book.let(name, True, room.moment.now)
    assert book.deciding().name == name
    with pytest.raises(AgentValueError, match="no policy"):
        book.let("learnt/99", True, 0.0)


def test_killing_stops_a_learnt_policy_at_once(room: Room) -> None:
    decision = room.brain.decide(NOW, ROOM)
    room.brain.kill()
    assert not room.brain.due()
    assert room.brain.decide(NOW, ROOM).action == "keep"
    assert room.brain.forbids(decision.chosen, NOW, ROOM) in ("off", "")
    if decision.action != "keep":
        assert room.brain.forbids(decision.chosen, NOW, ROOM) == "off"


def test_it_goes_on_after_a_restart(room: Room) -> None:
    kept = json.loads(json.dumps(room.brain.snapshot()))
    again = Room("repeat")
    again.moment.now = room.moment.now
    again.brain.restore(kept)
    first, second = (each.brain.book.reports()[0] for each in (room, again))
    assert (first.name, first.live, first.estimate) == (second.name, second.live, second.estimate)
    assert again.brain.decide(NOW, ROOM).id == f"d{LEARNT_FROM + 821}"
    view = room.brain.decide(NOW, ROOM), again.brain.decide(NOW, ROOM)
    assert view[0].propensities == pytest.approx(view[1].propensities)


def test_rules_alone_try_nothing_out() -> None:
    room = Room("repeat")
    room.brain.choose("rules")
    decision = room.brain.decide(NOW, ROOM)
    assert (decision.propensity, decision.by) == (1.0, "rules")
    room.live(30)
    # All of it teaches; but nothing can be said of a policy that would do something else.
    assert room.brain.book.learner.effect.seen == 30


def test_rules_that_learn_try_things_out_with_known_chances() -> None:
    decision = Room(None).brain.decide(NOW, ROOM)
    assert sum(decision.propensities) == pytest.approx(1.0)
    assert min(decision.propensities) >= 0.06 - 1e-12


@pytest.mark.parametrize("broken", [{}, {"number": "x", "since": 0}, {"number": 1, "since": 0}])
def test_what_is_no_snapshot_of_a_book_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(AgentValueError):
        Book().restore(broken)


def test_outcomes_are_waited_for_and_learnt_once() -> None:
    room = Room(None)
    decision = room.brain.decide(NOW, Situation())
    assert not room.brain.matured()
    assert room.brain.learn("d99", Outcome(1.0)) is None
    room.brain.dropped(decision.id)
    assert room.brain.learn(decision.id, Outcome(1.0)) is None
