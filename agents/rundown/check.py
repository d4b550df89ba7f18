"""What is wrong with a rundown, item by item and sentence by sentence."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from agents.clause import Language
from agents.errors import AgentValueError
from agents.rundown.document import Item, Rundown
from agents.rundown.gestures import GESTURES
from agents.rundown.marks import check_marks, plain
from agents.rundown.placeholders import PLACES, filled, places_in, values_of
from agents.rundown.timing import LONGEST_S, speech_seconds
from agents.shop.product import Product, Shop

_SLACK: Final = 1.1  # by how much a script may exceed its item's duration


class Flaw(Protocol):
    """What a checker of words finds, told as a text."""

    def __str__(self) -> str: ...


# Returns what may not be said in a text, as `agents.regulation.regulation.Regulation.check`.
Regulate = Callable[[str, Language], Sequence[Flaw]]
# Returns the figures of a text that are not the shop's, where a product (its id) is shown; as
# `agents.shop.truth.FigureCheck.false`.
FalseFigures = Callable[[str, str | None], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a rundown.

    Attributes:
        item: id of the item, "" for the rundown itself.
        sentence: which sentence of its script, from 0; None for the item itself.
        message: what is wrong, with the value, and what is accepted.
    """

    item: str
    sentence: int | None
    message: str


def check(
    rundown: Rundown,
    shop: Shop,
    regulation: Regulate | None = None,
    false_figures: FalseFigures | None = None,
    *,
    actions: Collection[str] = GESTURES,
    now: float = 0.0,
) -> list[Problem]:
    """Return what is wrong with a rundown that is to be spoken for a shop, empty for nothing.

    Args:
        regulation: finds words that may not be said.
        false_figures: finds figures the shop does not hold.
        actions: gestures that are known.
        now: seconds since the epoch, by which offers hold or have ended.
    """
    problems = [] if rundown.items else [Problem("", None, "no items; accepted is one at least")]
    seen: set[str] = set()
    for item in rundown:
        if item.id in seen:
            problems.append(Problem(item.id, None, f"the id {item.id!r} is used twice"))
        seen.add(item.id)
        problems += [Problem(item.id, None, told) for told in _of_item(item, shop, actions)]
        product = _product(shop, item)
        for number, sentence in enumerate(item.script):
            for wording in sentence.wordings:
                found = [*_of_wording(wording, rundown.language, product, shop, now)]
                found += _words(
                    wording, rundown.language, product, shop, now, regulation, false_figures
                )
                problems += [Problem(item.id, number, told) for told in dict.fromkeys(found)]
        problems += _of_time(item, rundown.language, product, shop, now)
    return problems


def _of_item(item: Item, shop: Shop, actions: Collection[str]) -> Iterator[str]:
    if item.kind in ("product", "offer") and item.product is None:
        yield f"an item of kind {item.kind!r} needs a product; known are {_known(shop)}"
    if item.product is not None and _product(shop, item) is None:
        yield f"no product {item.product[:60]!r} in the shop; known are {_known(shop)}"
    if item.action and item.action not in actions:
        yield f"action {item.action[:60]!r}; accepted are {', '.join(actions)}"
    if not item.script and not item.brief.strip() and item.kind != "questions":
        yield "neither a script nor a brief; accepted: a sentence at least, or what to bring across"
    if item.brief.strip() and not item.script and item.kind in ("product", "offer"):
        product = _product(shop, item)
        if product is not None and product.price is None:
            yield f"the product {product.id!r} is not for sale, so a brief has no price to tell"


def _of_wording(
    wording: str, language: Language, product: Product | None, shop: Shop, now: float
) -> Iterator[str]:
    if not plain(wording):
        yield f"{wording[:60]!r} says nothing; accepted is a sentence"
        return
    yield from check_marks(wording)
    for place in places_in(wording):
        if place not in PLACES:
            accepted = ", ".join("{" + name + "}" for name in PLACES)
            yield f"{{{place}}} is no place to fill; accepted are {accepted}"
        elif place != "shop" and product is None:
            yield f"{{{place}}} needs a product, and the item has none"
    values = values_of(product, shop, language, now)
    seconds = speech_seconds(plain(filled(wording, values) or wording), language)
    if seconds > LONGEST_S:
        yield (
            f"{plain(wording)[:60]!r}... takes about {seconds:.0f} s to say; accepted are "
            f"{LONGEST_S:.0f} s at most, so that questions need not wait longer: part it"
        )


def _words(
    wording: str, language: Language, product: Product | None, shop: Shop, now: float,
    regulation: Regulate | None, false_figures: FalseFigures | None,
) -> Iterator[str]:  # fmt: skip
    said = filled(wording, values_of(product, shop, language, now))
    text = plain(wording if said is None else said)
    if regulation is not None:
        yield from (str(flaw) for flaw in regulation(text, language))
    if false_figures is not None:
        for figure in false_figures(text, product.id if product else None):
            yield (
                f"no fact of the shop holds {figure!r}, so the sentence would be left out on air; "
                "accepted are figures of its products"
            )


def _of_time(
    item: Item, language: Language, product: Product | None, shop: Shop, now: float
) -> Iterator[Problem]:
    if item.duration is None or not item.script:
        return
    values = values_of(product, shop, language, now)
    seconds = 0.0
    for sentence in item.script:
        text = filled(sentence.wordings[0], values) or sentence.wordings[0]
        seconds += speech_seconds(plain(text), language)
    if seconds > item.duration * _SLACK:
        message = (
            f"duration {item.duration:g} s is shorter than the script, which takes about "
            f"{seconds:.0f} s; accepted is that or longer, or none"
        )
        yield Problem(item.id, None, message)


def _product(shop: Shop, item: Item) -> Product | None:
    if item.product is None:
        return None
    try:
        return shop.product(item.product)
    except AgentValueError:
        return None


def _known(shop: Shop) -> str:
    return ", ".join(product.id for product in list(shop)[:20]) or "none"
