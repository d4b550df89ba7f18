"""Rooms as tests like them: a few products, a clock that stands still, any figures."""

from random import Random

from hypothesis import strategies as st

from agents.brain import Brain, Figures, Good, Limits, Situation

LAMP = Good(
    "lamp", {"en": "the lamp", "zh": "台灯"}, "i1",
    clicks=4.0, orders=1.0, draws=4.0, sells=1.0, off_air_s=900.0, discount_percent=20.0,
)  # fmt: skip
MUG = Good("mug", {"en": "the mug", "zh": "杯子"}, "i2", draws=2.0, sells=0.3, off_air_s=0.0)
BAG = Good("bag", {"en": "the bag", "zh": "包"}, "i3", discount_percent=30.0)


class Moment:
    """A clock that stands where it is put."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def brain(limits: Limits | None = None, policy: str = "rules", now: Moment | None = None) -> Brain:
    return Brain(limits or Limits(), policy, random=Random(1), now=now or Moment())


def situation(**changes: object) -> Situation:
    given: dict[str, object] = {"product": "mug", "item": "i2", "goods": (LAMP, MUG, BAG)}
    return Situation(**{**given, **changes})  # type: ignore[arg-type]


_rates = st.floats(0.0, 500.0)
_seconds = st.floats(0.0, 90_000.0)
_counts = st.integers(0, 5000)


def figures() -> st.SearchStrategy[Figures]:
    return st.builds(
        Figures,
        at=_seconds,
        viewers=_counts,
        viewers_before=_counts,
        dwell_s=_seconds,
        joins=_rates,
        questions=_rates,
        clicks=_rates,
        orders=_rates,
        gifts=_rates,
        waiting=st.integers(0, 100),
        item_s=st.floats(0.0, 1000.0),
        since_offer_s=st.none() | _seconds,
        since_thank_s=st.none() | _seconds,
        since_repeat_s=st.none() | _seconds,
        since_pace_s=st.none() | _seconds,
        pace=st.sampled_from(["calm", "usual", "quick"]),
    )


def goods(product: str) -> st.SearchStrategy[Good]:
    return st.builds(
        Good,
        product=st.just(product),
        name=st.sampled_from([{}, {"en": product}, {"zh": "货", "en": product}]),
        item=st.none() | st.just(f"item-{product}"),
        clicks=_rates,
        orders=_rates,
        draws=st.none() | _rates,
        sells=st.none() | _rates,
        off_air_s=st.none() | _seconds,
        price=st.none() | _rates,
        discount_percent=st.floats(0.0, 100.0),
        offer_until=st.none() | _seconds,
        offer_stock=st.none() | st.integers(0, 3),
        since_offer_s=st.none() | _seconds,
        stock=st.none() | st.integers(0, 3),
    )


def situations() -> st.SearchStrategy[Situation]:
    products = ("a", "b", "c", "d", "e")
    return st.builds(
        Situation,
        product=st.none() | st.sampled_from(products),
        item=st.none() | st.just("i"),
        goods=st.tuples(*[goods(product) for product in products]),
        offers_in_hour=st.integers(0, 20),
        thanks_due=st.integers(0, 20),
        points=st.integers(0, 3),
        held=st.booleans(),
        cut=st.booleans(),
        taken_over=st.booleans(),
        pinned=st.booleans(),
    )
