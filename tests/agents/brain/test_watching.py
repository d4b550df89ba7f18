"""What `Watch` counts."""

from decimal import Decimal

import pytest

from agents.brain import Outcome, Watch
from agents.brain.outcome import REWARD_S
from agents.errors import AgentValueError
from agents.rundown.document import Item, Rundown
from agents.shop.product import Offer, Product, Shop
from agents.show.viewers import ViewerEvent, ViewerKind
from tests.agents.brain.rooms import Moment

SHOP = Shop(
    "shop",
    {"en": "Shop"},
    (
        Product(
            "bag", {"en": "the bag"}, price=Decimal(100), stock=3,
            points={"en": ("It is light.", "It is strong.")},
            offer=Offer(Decimal(80), until="1970-01-01T01:00:00+00:00", stock=5),
        ),
        Product("mug", {"en": "the mug"}, price=Decimal(10), offer=Offer(Decimal(9), until="soon")),
    ),
)  # fmt: skip
RUNDOWN = Rundown(
    "r", "r", "en", (Item("i1", "product", product="bag"), Item("i2", "offer", product="bag"))
)


class Audience:
    def __init__(self) -> None:
        self.moment = Moment(1000.0)
        self.watch = Watch(self.moment)
        self.number = 0

    def does(self, kind: ViewerKind, viewer: str = "v1", product: str | None = None) -> None:
        self.number += 1
        event = ViewerEvent(f"e{self.number}", kind, viewer, product=product)
        self.watch.hear(event, 20.0 if kind == "order" else 0.0)

    def wait(self, seconds: float) -> None:
        self.moment.now += seconds


def test_rates_are_of_the_last_minute_and_viewers_of_two_before() -> None:
    room = Audience()
    for number in range(4):
        room.does("join", f"v{number}")
    room.wait(120.0)
    room.does("leave", "v0")
    room.does("chat")
    room.does("voice")
    room.does("click", product="bag")
    figures = room.watch.figures(waiting=2)
    assert (figures.viewers, figures.viewers_before, figures.waiting) == (3, 4, 2)
    assert figures.change == pytest.approx(-0.25)
    assert (figures.questions, figures.clicks, figures.joins) == (2.0, 1.0, 0.0)
    assert figures.dwell_s == pytest.approx(120.0)
    room.wait(61.0)
    assert room.watch.figures().questions == 0.0


def test_what_the_platform_tells_of_viewers_goes_first() -> None:
    room = Audience()
    room.does("join")
    room.watch.count(250)
    assert room.watch.figures().viewers == 250


def test_products_are_known_by_their_time_on_air() -> None:
    room = Audience()
    room.watch.shown("bag", "i1")
    room.does("click", product="bag")
    room.does("click", product="mug")
    room.does("order", product="bag")
    room.wait(120.0)
    situation = room.watch.situation(SHOP, RUNDOWN)
    bag, mug = situation.goods
    assert (bag.draws, bag.sells, bag.off_air_s) == (0.5, 0.5, 0.0)
    assert (mug.draws, mug.sells, mug.off_air_s, mug.clicks) == (None, None, None, 0.2)
    assert (bag.item, mug.item, situation.points) == ("i1", None, 2)
    assert (bag.discount_percent, bag.offer_until, bag.offer_stock) == (20.0, 3600.0, 5)
    # An end that cannot be read has passed.
    assert mug.offer_until == 0.0
    room.watch.shown("mug", None)
    room.wait(30.0)
    assert room.watch.situation(SHOP, RUNDOWN).goods[0].off_air_s == 30.0
    assert room.watch.figures().item_s == 30.0


def test_what_the_host_does_is_counted() -> None:
    room = Audience()
    for _ in range(3):
        room.does("gift")
    assert room.watch.situation(SHOP, RUNDOWN).thanks_due == 3
    room.watch.courteous(2)
    assert room.watch.situation(SHOP, RUNDOWN).thanks_due == 1
    room.watch.offered("bag")
    room.watch.thanked()
    room.watch.repeated()
    room.watch.paced("quick")
    room.wait(40.0)
    figures, situation = room.watch.figures(), room.watch.situation(SHOP, RUNDOWN, held=True)
    assert {figures.since_offer_s, figures.since_thank_s, figures.since_repeat_s} == {40.0}
    assert (figures.since_pace_s, figures.pace) == (40.0, "quick")
    assert (situation.thanks_due, situation.offers_in_hour, situation.held) == (0, 1, True)
    assert situation.goods[0].since_offer_s == 40.0
    room.wait(3600.0)
    assert room.watch.offers_in_hour == 0


def test_outcomes_are_of_their_window() -> None:
    room = Audience()
    for number in range(50):
        room.does("join", f"v{number}")
    room.wait(1.0)
    since = room.moment.now
    room.wait(1.0)
    room.does("order", product="bag")
    room.does("leave", "v1")
    room.wait(REWARD_S)
    room.does("order", product="bag")
    outcome = room.watch.outcome(since)
    assert (outcome.orders, outcome.left, outcome.viewers) == (1.0, 1.0, 50)
    assert outcome.discounts == pytest.approx(0.2)
    # Two orders by one viewer who left raise what a stay is worth a little.
    assert outcome.stay_worth == pytest.approx((2.0 + 0.03 * 200.0) / 201.0)
    worth = 1.0 - 0.2 - outcome.stay_worth
    assert outcome.reward == pytest.approx(worth * 2.0 / (REWARD_S / 60.0))


def test_rewards_are_bounded() -> None:
    assert Outcome(1e6, viewers=1).reward == 50.0
    with pytest.raises(AgentValueError, match="orders"):
        Outcome(-1.0)
