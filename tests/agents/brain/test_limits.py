"""No sequence of figures leads to an action that the merchant forbids."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.brain import Action, Figures, Limits, Situation
from agents.errors import AgentValueError
from tests.agents.brain.rooms import (
    BAG,
    LAMP,
    MUG,
    Moment,
    brain,
    figures,
    situation,
    situations,
)

NOW = Figures(1000.0, viewers=100, item_s=70.0)
OFFER = Action("offer", "lamp")
SWITCH = Action("switch", "lamp", "i1")


def only(**changes: object) -> Situation:
    lamp = replace(LAMP, **changes)  # type: ignore[arg-type]
    return situation(goods=(lamp, MUG, BAG))


@pytest.mark.parametrize(
    ("action", "room", "limit"),
    [
        (OFFER, only(), ""),
        (OFFER, only(discount_percent=0.0), "no_offer"),
        (OFFER, only(discount_percent=50.1), "most_discount_percent"),
        (OFFER, only(discount_percent=50.0), ""),
        (OFFER, only(offer_until=1000.0), "offer_expired"),
        (OFFER, only(offer_until=1000.1), ""),
        (OFFER, only(offer_stock=0), "offer_sold_out"),
        (OFFER, only(stock=0), "sold_out"),
        (OFFER, situation(offers_in_hour=12), "offers_per_hour"),
        (OFFER, situation(offers_in_hour=11), ""),
        (OFFER, situation(held=True), "held"),
        (OFFER, situation(cut=True), "cut"),
        (OFFER, situation(taken_over=True), "taken_over"),
        (Action("offer", "boat"), situation(), "unknown_product"),
        (SWITCH, situation(), ""),
        (SWITCH, only(stock=0), "sold_out"),
        (SWITCH, only(item=None), "unknown_item"),
        (SWITCH, situation(pinned=True), "pinned"),
        (SWITCH, situation(product="lamp"), "on_air"),
        (Action("pace", pace="usual"), situation(), "same_pace"),
        (Action("pace", pace="calm"), situation(), ""),
        (Action("repeat"), situation(points=0), "no_points"),
        (Action("thank"), situation(), "nobody_to_thank"),
        (Action("keep"), situation(cut=True, held=True), ""),
    ],
)
def test_each_limit_has_a_name(action: Action, room: Situation, limit: str) -> None:
    assert Limits().forbids(action, NOW, room) == limit


def test_an_item_is_left_after_its_least_time() -> None:
    limits = Limits(least_item_s=70.1)
    assert limits.forbids(SWITCH, NOW, situation()) == "least_item_s"
    assert not limits.forbids(SWITCH, replace(NOW, item_s=70.1), situation())


@pytest.mark.parametrize(
    "wrong",
    [{"offers_per_hour": 61}, {"most_discount_percent": float("nan")}, {"least_item_s": -1.0}],
)
def test_a_limit_outside_its_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(AgentValueError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["rules", "learnt"])
@given(
    seen=st.lists(st.tuples(figures(), situations()), min_size=1, max_size=6),
    offers=st.integers(0, 3),
    discount=st.floats(0.0, 100.0),
    least=st.floats(0.0, 600.0),
)
@settings(max_examples=60, deadline=None)
def test_no_figures_lead_to_what_is_forbidden(
    policy: str,
    seen: Sequence[tuple[Figures, Situation]],
    offers: int,
    discount: float,
    least: float,
) -> None:
    limits = Limits(offers, discount, least)
    deciding = brain(limits, policy)
    announced = 0
    for now, room in seen:
        decision = deciding.decide(now, room)
        assert not limits.forbids(decision.chosen, now, room)
        announced += decision.action == "offer"
    # The clock stands still: all of it happens within one hour.
    assert announced <= offers


def test_offers_of_the_last_hour_count() -> None:
    moment = Moment()
    deciding = brain(Limits(offers_per_hour=1), now=moment)
    keen = replace(MUG, clicks=9.0, discount_percent=20.0)
    room = situation(goods=(LAMP, keen))
    assert deciding.decide(NOW, room).action == "offer"
    moment.now += 3599.0
    assert deciding.decide(NOW, room).refused == "offers_per_hour"
    moment.now += 2.0
    assert deciding.decide(NOW, room).action == "offer"


def test_the_kill_switch_works_at_once() -> None:
    deciding = brain()
    falling = Figures(1000.0, viewers=50, viewers_before=100, item_s=100.0)
    decided = deciding.decide(falling, situation())
    assert decided.action == "switch"
    deciding.kill()
    assert not deciding.due()
    assert deciding.forbids(decided.chosen, falling, situation()) == "off"
    assert deciding.decide(falling, situation()).action == "keep"
    deciding.choose("rules")
    assert deciding.decide(falling, situation()).action == "switch"
