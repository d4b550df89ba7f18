"""Figures that are said of the shop and are not its own."""

from dataclasses import replace
from decimal import Decimal

import pytest

from agents.shop.pricing import moment
from agents.shop.truth import FigureCheck
from tests.agents.shop.measure import NOW, shop

SHOP = shop("outdoor")


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("The Nimbus Two-Person Tent is $249 now, down from $289.", []),
        ("The Nimbus Two-Person Tent is $199 now.", ["$199"]),
        ("The Beacon Headlamp is $249.", ["$249"]),
        ("The tent keeps its $289 price: the Nimbus Two-Person Tent.", ["$289"]),
        ("云团双人帐篷现在249美元。", []),
        ("云团双人帐篷只要九十九美元。", ["九十九美元"]),
        ("灯塔头灯亮度400流明。", []),
        ("灯塔头灯亮度900流明。", ["900"]),
        ("Shipping is $7, and nothing from $80.", []),
        ("These two are lovely, see you tomorrow.", []),
        ("There are 500 left of the Beacon Headlamp.", ["500 left"]),
    ],
)
def test_each_figure_is_of_what_it_is_said_of(text: str, false: list[str]) -> None:
    assert FigureCheck(SHOP, lambda: NOW).false(text) == false


def test_an_offer_that_has_ended_is_no_fact_any_more() -> None:
    times = [NOW]
    check = FigureCheck(SHOP, lambda: times[0])
    text = "The Nimbus Two-Person Tent is $249."
    assert check.false(text) == []
    times[0] = moment("2027-01-31T20:00:01+08:00")
    assert check.false(text) == ["$249"]


def test_a_changed_price_counts_at_once() -> None:
    check = FigureCheck(SHOP, lambda: NOW)
    tent = replace(SHOP.product("headlamp"), price=Decimal("29.00"))
    check.restock(replace(SHOP, products=(tent,)))
    assert check.false("The Beacon Headlamp is $29.") == []
    assert check.false("The Beacon Headlamp is $34.90.") == ["$34.90"]


def test_a_check_made_after_another_holds_what_has_changed_and_what_has_not() -> None:
    before = FigureCheck(SHOP, lambda: NOW)
    before.prepare()
    lamp = replace(SHOP.product("headlamp"), price=Decimal("29.00"))
    goods = (lamp if each.id == lamp.id else each for each in SHOP)
    after = FigureCheck(replace(SHOP, products=tuple(goods)), lambda: NOW, before)
    after.prepare()
    assert after.false("The Beacon Headlamp is $29.") == []
    assert after.false("The Beacon Headlamp is $34.90.") == ["$34.90"]
    assert after.false("The Nimbus Two-Person Tent is $249 now, down from $289.") == []
    assert before.false("The Beacon Headlamp is $34.90.") == []
