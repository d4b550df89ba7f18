"""The figures of a room as bounded numbers that a policy can learn from.

Every entry lies in -1 to 1. Counts and rates go through log(1 + x) / log(1 + most), so that twice
as much is the same step in a small room and a large one; what is over `most` counts as `most`.
"""

import math
from typing import Final

from agents.brain.figures import Figures, Good, Situation

# What each entry of a room's context says, in the languages of reasons. Order is that of `context`.
CONTEXT: Final[dict[str, dict[str, str]]] = {
    "viewers": {"en": "how many watch", "zh": "在线人数"},
    "change": {"en": "how the number of viewers changes", "zh": "人数变化"},
    "dwell": {"en": "how long viewers stay", "zh": "停留时长"},
    "joins": {"en": "how many come in", "zh": "进房人数"},
    "questions": {"en": "how much is asked", "zh": "提问频率"},
    "clicks": {"en": "how much is clicked", "zh": "点击频率"},
    "orders": {"en": "how much is ordered", "zh": "下单频率"},
    "gifts": {"en": "how much is given", "zh": "礼物频率"},
    "item": {"en": "how long the item has been on air", "zh": "本段时长"},
    "since_offer": {"en": "how long ago an offer was announced", "zh": "距上次优惠的时间"},
    "since_thank": {"en": "how long ago viewers were thanked", "zh": "距上次感谢的时间"},
    "since_repeat": {"en": "how long ago a selling point was repeated", "zh": "距上次重复卖点"},
    "calm": {"en": "a calm pace", "zh": "慢语速"},
    "quick": {"en": "a quick pace", "zh": "快语速"},
    "thanks_due": {"en": "how many wait to be thanked", "zh": "待感谢人数"},
}  # fmt: skip
_LEAST_DWELL_S: Final = 30.0
# And of a product's.
PRODUCT: Final[dict[str, dict[str, str]]] = {
    "clicked": {"en": "how much it is clicked", "zh": "它的点击"},
    "ordered": {"en": "how much it is ordered", "zh": "它的下单"},
    "draws": {"en": "how it draws clicks when it is on air", "zh": "它讲解时的点击"},
    "sells": {"en": "how it sells when it is on air", "zh": "它讲解时的成交"},
    "renewed": {"en": "how many have come since it was on air", "zh": "它讲完后来了多少新观众"},
    "rested": {"en": "how long it has been off air", "zh": "它多久没讲了"},
    "new": {"en": "that it has not been shown yet", "zh": "它还没讲过"},
    "discount": {"en": "its discount", "zh": "它的折扣"},
    "reminded": {"en": "how long ago its offer was announced", "zh": "它的优惠多久没提了"},
    "price": {"en": "its price", "zh": "它的价格"},
}


def logged(value: float, most: float) -> float:
    """Return log(1 + value) / log(1 + most), 0 to 1."""
    return min(math.log1p(max(value, 0.0)) / math.log1p(most), 1.0)


def context(figures: Figures, situation: Situation) -> dict[str, float]:
    """Return a room's context, by the names of `CONTEXT`, each -1 to 1."""
    heads = max(figures.viewers, 1)
    values = (
        logged(figures.viewers, 10_000),
        max(-1.0, min(2.0 * figures.change, 1.0)),
        logged(figures.dwell_s, 3600),
        logged(100.0 * figures.joins / heads, 100),
        logged(100.0 * figures.questions / heads, 100),
        logged(100.0 * figures.clicks / heads, 100),
        logged(100.0 * figures.orders / heads, 20),
        logged(100.0 * figures.gifts / heads, 20),
        logged(figures.item_s, 1800),
        _ago(figures.since_offer_s, 1800),
        _ago(figures.since_thank_s, 600),
        _ago(figures.since_repeat_s, 600),
        float(figures.pace == "calm"),
        float(figures.pace == "quick"),
        logged(situation.thanks_due, 30),
    )
    return dict(zip(CONTEXT, values, strict=True))


def product_context(good: Good | None, figures: Figures, situation: Situation) -> dict[str, float]:
    """Return a product's context, by the names of `PRODUCT`, each 0 to 1; of None, zeros.

    Rates are of a hundred viewers; prices are set against the dearest here.
    """
    if good is None:
        return dict.fromkeys(PRODUCT, 0.0)
    share = 100.0 / max(figures.viewers, 1)
    dearest = max((other.price or 0.0 for other in situation.goods), default=0.0)
    values = (
        logged(share * good.clicks, 100),
        logged(share * good.orders, 20),
        logged(share * (good.draws or 0.0), 100),
        logged(share * (good.sells or 0.0), 20),
        renewed(good.off_air_s, figures),
        1.0 if good.off_air_s is None else logged(good.off_air_s, 7200),
        float(good.sells is None),
        good.discount_percent / 100.0,
        _ago(good.since_offer_s, 1800),
        (good.price or 0.0) / dearest if dearest else 0.0,
    )
    return dict(zip(PRODUCT, values, strict=True))


def renewed(seconds: float | None, figures: Figures) -> float:
    """Return which share of the viewers have come within so many seconds, 0 to 1; None is ever.

    As if viewers came and went at a steady rate, so that time in the room is exponential.
    """
    if seconds is None:
        return 1.0
    return 1.0 - math.exp(-min(seconds / max(figures.dwell_s, _LEAST_DWELL_S), 50.0))


def _ago(seconds: float | None, most: float) -> float:
    """Return how long ago, 0 to 1; what never was is 1."""
    return 1.0 if seconds is None else logged(seconds, most)
