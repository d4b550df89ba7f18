"""What an item without a script tells, in order: by its kind, its brief and its duration."""

from random import Random
from typing import Final

from agents.rundown.document import Item
from agents.rundown.said import normalised
from agents.rundown.telling import Telling
from agents.shop.product import Product, Shop

_USUAL: Final = 9  # sentences of a product without a duration
_SENTENCE_S: Final = 5.0
_FEWEST, _MOST = 3, 40
# What is told first and last of a product, by the craft of selling: what it is, what it does for
# you, what it is like, what people ask, then what it costs, and how it is bought.
_LAST: Final = ("stock", "price", "offer", "buy")


def topics_of(
    item: Item, product: Product | None, shop: Shop, telling: Telling, random: Random, *,
    loops: bool,
) -> list[str]:  # fmt: skip
    """Return topics for `Telling`, in order.

    Args:
        loops: whether the rundown begins again after its closing.
    """
    if item.kind == "opening":
        reduced = any(one.offer or one.list_price for one in shop if one.stock != 0)
        teaser = ["teaser"] if reduced else []
        return ["hello", "disclosure", "programme", *teaser, "ask"]
    if item.kind == "questions":
        return ["ask"]
    if item.kind == "closing":
        policies = telling.policies()
        reminder = [random.choice(policies)] if policies else []
        return ["closing", *reminder, "goodbye" if loops else "farewell"]
    if product is None:
        return []
    return _of_product(item, product, telling, random)


def _of_product(item: Item, product: Product, telling: Telling, random: Random) -> list[str]:
    known = telling.topics(product)[1:]
    count = _USUAL if item.duration is None else int(item.duration / _SENTENCE_S)
    count = min(_MOST, max(_FEWEST, count))
    last = [topic for topic in _LAST if topic in known]
    if "offer" in last and item.kind == "product":
        last.remove("price")
    if item.kind == "offer":
        last = [topic for topic in ("offer", "price", "stock", "buy") if topic in known]
        count = min(count, 6)
    wanted = [
        topic for topic in known if topic not in last and _is_wanted(item, product, topic, telling)
    ]
    rest = [topic for topic in known if topic not in last and topic not in wanted]
    points = [topic for topic in rest if telling.kind(product, topic) == "point"]
    others = [topic for topic in rest if topic not in points]
    random.shuffle(others)
    room = max(0, count - 1 - len(last))
    middle = [*wanted, *_mixed(points, others)][:room]
    return ["name", *middle, *last]


def _mixed(points: list[str], others: list[str]) -> list[str]:
    """Return selling points with a detail after every one of them."""
    mixed: list[str] = []
    for number in range(max(len(points), len(others))):
        mixed += points[number : number + 1]
        mixed += others[number : number + 1]
    return mixed


def _is_wanted(item: Item, product: Product, topic: str, telling: Telling) -> bool:
    """Say whether an item's brief asks for a topic by its name or its label."""
    if not item.brief:
        return False
    brief = normalised(item.brief)
    entry = telling.entry(product, topic)
    labels = [] if entry is None else [*entry.label.values(), entry.topic]
    return any(len(normalised(label)) > 1 and normalised(label) in brief for label in labels)
