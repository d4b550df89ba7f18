"""`Rules`: what a good room manager does, each rule with its reason in figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import KEEP, REPEAT, THANK, Action, most_promising
from agents.brain.figures import Figures, Good, Situation
from agents.brain.policy import Reason, View, certain, floored

NAME: Final = "rules/1"
# Questions that wait, from which on nobody's time is spent on thanking everybody.
_MANY_WAITING: Final = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """What a rule would have done, and why."""

    action: Action
    reason: Reason


@dataclass(frozen=True, slots=True)
class Rules:
    """The first rule that has something to say and is allowed to is followed.

    Attributes:
        floor: least probability of an allowed action. 0 follows the rules alone; above it they
            try other things now and then, without which nothing can be learnt or estimated.
    """

    floor: float = 0.0

    @property
    def name(self) -> str:
        """Name and version."""
        return NAME

    def propensities(self, view: View) -> NDArray[np.float64]:
        """Return the probability of each action [n]."""
        wish, _ = _choose(view)
        return floored(certain(view.actions.index(wish.action), len(view.actions)), self.floor)

    def reason(self, view: View, index: int) -> Reason:
        """Return the rule's reason, or that the action is being tried out."""
        wish, missed = _choose(view)
        if view.actions[index] != wish.action:
            return tried(view.actions[index], view.situation)
        if missed is None:
            return wish.reason
        before = phrase(missed.action, view.situation)
        return {
            "en": f"{wish.reason['en']} (Wished for, but not allowed: {before['en']}.)",
            "zh": f"{wish.reason['zh']}（本想{before['zh']}，但不允许。）",
        }

    def missed(self, view: View) -> Action | None:
        """Return the action that a rule before the one followed would have taken; None for none."""
        _, missed = _choose(view)
        return missed.action if missed else None


def _choose(view: View) -> tuple[Wish, Wish | None]:
    """Return the wish that is followed, and the first of those before it that is not allowed."""
    missed: Wish | None = None
    for wish in wishes(view.figures, view.situation):
        if wish.action in view.actions:
            return wish, missed
        missed = missed or wish
    return Wish(KEEP, _steady(view.figures)), missed


def advised(figures: Figures, situation: Situation, actions: Sequence[Action]) -> Action:
    """Return which of the allowed actions the rules would take."""
    wished = (wish.action for wish in wishes(figures, situation))
    return next((action for action in wished if action in actions), KEEP)


def wishes(figures: Figures, situation: Situation) -> Iterator[Wish]:
    """Yield what the rules would like, the most urgent first."""
    good = situation.on_air
    best = best_other(situation)
    if best is not None:
        yield from _leave(figures, good, best)
    yield from _thank(figures, situation)
    if good is not None:
        yield from _offer(figures, good)
    yield from _pace(figures)
    if good is not None:
        yield from _repeat(figures, good)
    if best is not None:
        yield from _move_on(figures, good, best)


def best_other(situation: Situation) -> Good | None:
    """Return the product most wanted beside that on air, of those that can be switched to."""
    others = [
        good
        for good in situation.goods
        if good.product != situation.product and good.item is not None and not good.is_sold_out
    ]
    return most_promising(others, situation)


def _leave(figures: Figures, good: Good | None, best: Good) -> Iterator[Wish]:
    """Sold out, or viewers go while something else draws them."""
    action = Action("switch", best.product, best.item)
    if good is not None and good.is_sold_out:
        yield Wish(
            action,
            {
                "en": f"{_the(good, 'en')} is sold out: switch to {_the(best, 'en')}.",
                "zh": f"{_the(good, 'zh')}已售罄：切换到{_the(best, 'zh')}。",
            },
        )
    if figures.change <= -0.1 and figures.item_s >= 60.0:
        fall = round(-100.0 * figures.change)
        yield Wish(
            action,
            {
                "en": f"Viewers fell by {fall} % in two minutes, and of the others "
                f"{_the(best, 'en')} is wanted most{_rate(best, 'en')}: switch to it.",
                "zh": f"两分钟内在线人数下降了{fall}%，其他商品中{_the(best, 'zh')}最受关注"
                f"{_rate(best, 'zh')}：切换到它。",
            },
        )


def _thank(figures: Figures, situation: Situation) -> Iterator[Wish]:
    due, since = situation.thanks_due, figures.since_thank_s
    if figures.waiting >= _MANY_WAITING:
        return  # the time is theirs who ask; who gives or buys is thanked in their turn
    if due and (since is None or since >= (60.0 if due >= 10 else 120.0)):
        people = "viewer waits" if due == 1 else "viewers wait"
        yield Wish(
            THANK,
            {
                "en": f"{due} {people} to be thanked for gifts, follows or orders: thank them.",
                "zh": f"有{due}位观众送礼、关注或下单后还没感谢：感谢他们。",
            },
        )


def _offer(figures: Figures, good: Good) -> Iterator[Wish]:
    """Clicked but not bought: the offer may tip the scales."""
    rested = good.since_offer_s is None or good.since_offer_s >= 300.0
    if good.discount_percent and rested and figures.item_s >= 30.0 and good.clicks >= 1.0:
        if good.clicks < 4.0 * good.orders:
            return
        yield Wish(
            Action("offer", good.product),
            {
                "en": f"{_the(good, 'en')} is clicked {_number(good.clicks)} times a minute but "
                f"ordered only {_number(good.orders)}: announce its offer, "
                f"{_number(good.discount_percent)} % off.",
                "zh": f"{_the(good, 'zh')}每分钟被点击{_number(good.clicks)}次，"
                f"却只有{_number(good.orders)}单：宣布它的优惠，立减{_number(good.discount_percent)}%。",
            },
        )


def _pace(figures: Figures) -> Iterator[Wish]:
    """Quicker where many questions wait, calmer where few come and viewers stay, else as usual."""
    if figures.since_pace_s is not None and figures.since_pace_s < 120.0:
        return
    if figures.waiting >= 6 and figures.pace != "quick":
        yield Wish(
            Action("pace", pace="quick"),
            {
                "en": f"{figures.waiting} questions wait for an answer: speak quicker.",
                "zh": f"有{figures.waiting}个问题在等待回答：加快语速。",
            },
        )
    if figures.waiting <= 2 and figures.pace != "usual":
        yield Wish(
            Action("pace", pace="usual"),
            {
                "en": f"Only {figures.waiting} questions wait: back to the usual pace.",
                "zh": f"只有{figures.waiting}个问题在等待：恢复正常语速。",
            },
        )


def _repeat(figures: Figures, good: Good) -> Iterator[Wish]:
    """Those who have just come have not heard why they should buy it."""
    rested = figures.since_repeat_s is None or figures.since_repeat_s >= 120.0
    if figures.change >= 0.1 and figures.item_s >= 60.0 and rested:
        rise = round(100.0 * figures.change)
        yield Wish(
            REPEAT,
            {
                "en": f"Viewers grew by {rise} % in two minutes and have not heard why to buy "
                f"{_the(good, 'en')}: repeat a selling point.",
                "zh": f"两分钟内在线人数增加了{rise}%，新观众还没听过{_the(good, 'zh')}的卖点："
                "重复一次。",
            },
        )


def _move_on(figures: Figures, good: Good | None, best: Good) -> Iterator[Wish]:
    """It has had its time, and another one sells better."""
    if good is None or figures.item_s < 120.0:
        return
    here = good.clicks + 4.0 * good.orders
    there = (best.draws or 0.0) + 4.0 * (best.sells or 0.0)
    minutes = _number(figures.item_s / 60.0)
    action = Action("switch", best.product, best.item)
    if good.orders == 0.0 and good.clicks < 1.0:
        yield Wish(
            action,
            {
                "en": f"{_the(good, 'en')} has been on air for {minutes} minutes without an order: "
                f"switch to {_the(best, 'en')}.",
                "zh": f"{_the(good, 'zh')}已讲{minutes}分钟，没有订单：切换到{_the(best, 'zh')}。",
            },
        )
    elif there > 1.2 * here or figures.item_s >= 300.0:
        yield Wish(
            action,
            {
                "en": f"{_the(good, 'en')} has been on air for {minutes} minutes and now sells "
                f"{_number(good.orders)} a minute; {_the(best, 'en')} is next by what viewers "
                f"want{_rate(best, 'en')}: switch to it.",
                "zh": f"{_the(good, 'zh')}已讲{minutes}分钟，现在每分钟{_number(good.orders)}单；"
                f"接下来最受关注的是{_the(best, 'zh')}{_rate(best, 'zh')}：切换到它。",
            },
        )


def _steady(figures: Figures) -> Reason:
    return {
        "en": f"{figures.viewers} viewers, {_number(figures.orders)} orders and "
        f"{_number(figures.clicks)} clicks a minute: nothing calls for a change.",
        "zh": f"在线{figures.viewers}人，每分钟{_number(figures.orders)}单、"
        f"{_number(figures.clicks)}次点击：无需调整。",
    }


def phrase(action: Action, situation: Situation) -> Reason:
    """Return an action in words, as an order."""
    good = situation.good(action.product) or Good(action.product or "?")
    paces = {"calm": "慢", "usual": "正常", "quick": "快"}
    words: dict[str, tuple[str, str]] = {
        "keep": ("go on as now", "保持现状"),
        "switch": (f"switch to {_the(good, 'en')}", f"切换到{_the(good, 'zh')}"),
        "offer": (f"announce the offer on {_the(good, 'en')}", f"宣布{_the(good, 'zh')}的优惠"),
        "pace": (f"speak at a {action.pace} pace", f"改用{paces.get(action.pace or '', '')}语速"),
        "repeat": ("repeat a selling point", "重复一个卖点"),
        "thank": ("thank viewers", "感谢观众"),
    }
    english, chinese = words[action.kind]
    return {"en": english, "zh": chinese}


def tried(action: Action, situation: Situation) -> Reason:
    """Return that an action is tried out."""
    words = phrase(action, situation)
    return {
        "en": f"Tried out, to learn what comes of it: {words['en']}.",
        "zh": f"尝试一次，看看效果：{words['zh']}。",
    }


def _the(good: Good, language: str) -> str:
    """Return a product's name as a sentence has it."""
    return next(
        (name for key, name in good.name.items() if key == language),
        next(iter(good.name.values()), good.product),
    )


def _rate(good: Good, language: str) -> str:
    """Return what is known of how a product is wanted, in brackets; empty for nothing."""
    if good.clicks or good.orders:
        clicks, orders = _number(good.clicks), _number(good.orders)
        if language == "en":
            return f" ({clicks} clicks and {orders} orders a minute)"
        return f"（每分钟{clicks}次点击、{orders}单）"
    if good.sells is None:
        return " (not shown yet)" if language == "en" else "（还没讲过）"
    if language == "en":
        return f" ({_number(good.sells)} orders a minute when it was on air)"
    return f"（讲解时每分钟{_number(good.sells)}单）"


def _number(value: float) -> str:
    """Return a figure with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
