"""What rules decide, and the reasons they give."""

from dataclasses import replace

import pytest

from agents.brain import Decision, Figures, Limits, Pace, Situation
from tests.agents.brain.rooms import BAG, LAMP, MUG, brain, situation

CALM = Figures(1000.0, viewers=100, viewers_before=100, item_s=70.0)


def decide(figures: Figures, room: Situation | None = None) -> Decision:
    return brain().decide(figures, room or situation())


def test_when_viewers_go_what_is_wanted_most_comes() -> None:
    decision = decide(Figures(1000.0, viewers=82, viewers_before=100, item_s=70.0))
    assert (decision.action, decision.detail) == ("switch", {"product": "lamp", "item": "i1"})
    assert (decision.by, decision.policy, decision.propensity) == ("rules", "rules/1", 1.0)
    assert decision.reason["en"] == (
        "Viewers fell by 18 % in two minutes, and of the others the lamp is wanted most "
        "(4 clicks and 1 orders a minute): switch to it."
    )
    assert "下降了18%" in decision.reason["zh"]
    assert "台灯" in decision.reason["zh"]


def test_nothing_is_done_without_a_cause() -> None:
    decision = decide(CALM)
    assert decision.action == "keep"
    assert "nothing calls for a change" in decision.reason["en"]


def test_what_is_sold_out_leaves_the_air() -> None:
    sold_out = replace(MUG, stock=0)
    decision = decide(CALM, situation(goods=(LAMP, sold_out, BAG)))
    assert decision.detail["product"] == "lamp"
    assert "the mug is sold out" in decision.reason["en"]


def test_clicks_without_orders_call_for_the_offer() -> None:
    mug = replace(MUG, clicks=6.0, orders=0.4, discount_percent=25.0)
    decision = decide(CALM, situation(goods=(LAMP, mug, BAG)))
    assert (decision.action, decision.detail) == ("offer", {"product": "mug"})
    assert "clicked 6 times a minute but ordered only 0.4" in decision.reason["en"]
    assert "立减25%" in decision.reason["zh"]


def test_newcomers_hear_a_selling_point_again() -> None:
    decision = decide(replace(CALM, viewers=130))
    assert decision.action == "repeat"
    assert "grew by 30 %" in decision.reason["en"]


def test_viewers_are_thanked() -> None:
    decision = decide(CALM, situation(thanks_due=7))
    assert decision.action == "thank"
    assert "7 viewers" in decision.reason["en"]


def test_nobody_is_thanked_at_large_while_questions_wait() -> None:
    decision = decide(replace(CALM, waiting=4), situation(thanks_due=30))
    assert decision.action == "keep"


@pytest.mark.parametrize(
    ("waiting", "pace", "then"), [(8, "usual", "quick"), (0, "quick", "usual")]
)
def test_the_pace_follows_the_questions(waiting: int, pace: Pace, then: Pace) -> None:
    decision = decide(replace(CALM, waiting=waiting, pace=pace))
    assert decision.detail == {"pace": then}


def test_what_has_had_its_time_gives_way() -> None:
    decision = decide(replace(CALM, item_s=200.0))
    assert decision.detail["product"] == "lamp"
    assert "3.3 minutes without an order" in decision.reason["en"]


def test_a_wish_that_a_limit_forbids_is_told_with_the_limit() -> None:
    falling = replace(CALM, viewers=50, item_s=90.0)
    decision = brain(Limits(least_item_s=100.0)).decide(falling, situation())
    assert (decision.action, decision.refused) == ("keep", "least_item_s")
    assert "switch to the lamp" in decision.reason["en"]
    assert "不允许" in decision.reason["zh"]
