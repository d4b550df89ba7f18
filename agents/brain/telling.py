"""What weighed most in a learnt policy's decision, in words."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.brain.actions import Action
from agents.brain.context import CONTEXT, PRODUCT
from agents.brain.features import PRODUCTS, SHARED
from agents.brain.figures import Situation
from agents.brain.policy import Reason
from agents.brain.rules import phrase

# How many features a reason names, and the least part of the whole that is worth a word.
_NAMED: Final = 3
_LEAST: Final = 0.1
_OF: Final[dict[str, dict[str, str]]] = {
    "stay": {"en": "of what is on air, {}", "zh": "当前商品：{}"},
    "switch": {"en": "of what would come, {}", "zh": "目标商品：{}"},
    "offer": {"en": "of the offer, {}", "zh": "优惠：{}"},
    "repeat": {"en": "of repeating, {}", "zh": "重复卖点：{}"},
    "thank": {"en": "of thanking, {}", "zh": "感谢：{}"},
    "calm": {"en": "of a calm pace, {}", "zh": "慢语速：{}"},
    "quick": {"en": "of a quick pace, {}", "zh": "快语速：{}"},
}
_PLAIN: Final[dict[str, dict[str, str]]] = {
    "advised": {"en": "that the rules advise it", "zh": "规则也这样建议"},
    "stay": {"en": "what going on is worth here", "zh": "继续讲解的一般效果"},
    "switch": {"en": "what a switch is worth here", "zh": "切换的一般效果"},
    "offer": {"en": "what an offer is worth here", "zh": "优惠的一般效果"},
    "repeat": {"en": "what repeating is worth here", "zh": "重复卖点的一般效果"},
    "thank": {"en": "what thanks are worth here", "zh": "感谢的一般效果"},
    "calm": {"en": "what a calm pace is worth here", "zh": "慢语速的一般效果"},
    "quick": {"en": "what a quick pace is worth here", "zh": "快语速的一般效果"},
    "stay.newcomers": {
        "en": "how many have come since it came on air",
        "zh": "开讲后来了多少新观众",
    },
    "stay.sells.newcomers": {
        "en": "that it sells and many have come since it came on air",
        "zh": "它好卖，而且开讲后来了不少新观众",
    },
    "offer.spent": {"en": "how many offers were announced this hour", "zh": "本小时已宣布的优惠数"},
    "offer.newcomers": {
        "en": "how many have not heard of the offer's product",
        "zh": "还有多少人没听过优惠商品",
    },
    "stay.fades": {"en": "that clicks on what is on air fade", "zh": "当前商品的点击在减退"},
    "offer.on_air": {"en": "that the offer is of what is on air", "zh": "优惠的正是当前商品"},
    **{
        f"stay.after_{seconds}_s": {
            "en": f"that it has been on air for over {seconds} seconds",
            "zh": f"它已讲了{seconds}秒以上",
        }
        for seconds in (60, 120, 240)
    },
}


def feature_words(place: int) -> Reason:
    """Return what a feature tells, as part of a sentence."""
    if place >= len(SHARED):
        offered = place >= len(SHARED) + PRODUCTS
        return {
            "en": "how this product's offer did here" if offered else "how this product did here",
            "zh": "该商品的优惠以往的效果" if offered else "该商品以往的效果",
        }
    name = SHARED[place]
    if name in _PLAIN:
        return {"en": _PLAIN[name]["en"], "zh": _PLAIN[name]["zh"]}
    kind, _, rest = name.partition(".")
    figure = rest.removesuffix(".renewed") if "." in rest else rest
    words = PRODUCT.get(figure) or CONTEXT.get(figure, {"en": figure, "zh": figure})
    frame = _OF.get(kind, {"en": "{}", "zh": "{}"})
    return {"en": frame["en"].format(words["en"]), "zh": frame["zh"].format(words["zh"])}


def weighed(parts: NDArray[np.float64]) -> Reason:
    """Return the features that speak most for an action; empty where none does.

    Args:
        parts: what each feature adds to the action's worth over that of the other [size].
    """
    whole = float(np.abs(parts).sum())
    order = [place for place in np.argsort(-parts)[:_NAMED] if parts[place] > _LEAST * whole]
    words = list({each["en"]: each for each in map(feature_words, order)}.values())
    return {
        "en": ", then ".join(each["en"] for each in words),
        "zh": "，其次是".join(each["zh"] for each in words),
    }


def explain(
    action: Action,
    other: Action,
    situation: Situation,
    worth: tuple[float, float],
    parts: NDArray[np.float64],
) -> Reason:
    """Return a learnt policy's reason.

    Args:
        other: the best of the other actions.
        worth: what is expected of the action and of the other.
        parts: what each feature adds to the difference [size].
    """
    this, that = phrase(action, situation), phrase(other, situation)
    ahead = worth[0] - worth[1]
    english = f"{this['en'][0].upper()}{this['en'][1:]}: "
    chinese = f"{this['zh']}："
    if ahead < 0.0:
        return {
            "en": f"{english}tried out, to learn more of it; to {that['en']} is expected to bring "
            f"{-ahead:.2f} orders more of a hundred viewers a minute.",
            "zh": f"{chinese}尝试一次以了解效果；预计{that['zh']}每百人每分钟会多{-ahead:.2f}单。",
        }
    found = weighed(parts)
    for_it = f" What speaks for it most: {found['en']}." if found["en"] else ""
    grounds = f"主要依据：{found['zh']}。" if found["zh"] else ""
    return {
        "en": f"{english}expected to bring {ahead:.2f} orders more of a hundred viewers a minute "
        f"than to {that['en']}.{for_it}",
        "zh": f"{chinese}预计比{that['zh']}每百人每分钟多{ahead:.2f}单。{grounds}",
    }
