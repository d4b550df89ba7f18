"""What a product costs at a moment."""

from dataclasses import replace
from decimal import Decimal

import pytest

from agents.errors import AgentValueError
from agents.shop.pricing import effective_price, moment, offer_in_force
from agents.shop.product import Offer, Product

END = "2030-01-01T20:00:00+08:00"
OFFER = Offer(Decimal(26), {"en": "for members"}, END, 80)
CUP = Product("cup", {"en": "Cup"}, price=Decimal(32), currency="USD", stock=260, offer=OFFER)


def test_an_offer_holds_to_its_last_moment() -> None:
    end = moment(END)
    now = effective_price(CUP, end)
    assert now is not None
    assert (now.amount, now.currency, now.before) == (Decimal(26), "USD", Decimal(32))
    assert (now.ends, now.left) == (end, 80)
    assert now.offer == OFFER
    assert now.reduction_percent == 18.75
    later = effective_price(CUP, end + 0.001)
    assert later is not None
    assert (later.amount, later.before, later.offer, later.left) == (Decimal(32), None, None, 260)


@pytest.mark.parametrize(
    "changed",
    [
        replace(CUP, offer=None),
        replace(CUP, stock=0),
        replace(CUP, offer=replace(OFFER, stock=0)),
        replace(CUP, price=None),
    ],
)
def test_an_offer_does_not_hold(changed: Product) -> None:
    assert offer_in_force(changed, 0.0) is None


def test_a_product_without_a_price_costs_nothing_that_could_be_said() -> None:
    assert effective_price(replace(CUP, price=None, offer=None), 0.0) is None


def test_a_lasting_reduction_is_told_with_or_without_an_offer() -> None:
    reduced = replace(CUP, list_price=Decimal(40))
    with_offer = effective_price(reduced, 0.0)
    without = effective_price(replace(reduced, offer=None), 0.0)
    assert with_offer is not None
    assert without is not None
    assert (with_offer.before, without.before) == (Decimal(40), Decimal(40))
    assert (with_offer.amount, without.amount) == (Decimal(26), Decimal(32))


def test_no_more_are_left_than_there_are() -> None:
    price = effective_price(replace(CUP, stock=3), 0.0)
    assert price is not None
    assert price.left == 3


@pytest.mark.parametrize("text", ["tonight", "2030-01-01", "2030-01-01T20:00", ""])
def test_a_moment_has_a_zone(text: str) -> None:
    with pytest.raises(AgentValueError, match="is no time; accepted: ISO 8601 with a time zone"):
        moment(text)
