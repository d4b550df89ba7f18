"""How items become beats, and beats become words."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from agents.clause import Clause, Language
from agents.clauses import cut
from agents.rundown.document import Item, Rundown
from agents.rundown.marks import marked_clauses, plain
from agents.rundown.said import Said
from agents.rundown.timing import LONGEST_S, speech_seconds
from agents.rundown.variation import Told, Variation
from agents.shop.product import Product, Shop
from agents.show.cursor import Beat, Piece, Visit

_MOST_LEFT: Final = 200
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Left:
    """A sentence that was not said this time round.

    Attributes:
        item: id of the item.
        sentence: which of its sentences, from 0.
        at: seconds since the epoch.
        replaced: whether another sentence about the product was said instead.
        message: why, in English.
    """

    item: str
    sentence: int
    at: float
    replaced: bool
    message: str


class Scripting:
    """Words the beats of items, each as it was not said within the hour."""

    def __init__(
        self, rundown: Rundown, shop: Shop, variation: Variation, said: Said,
        now: Callable[[], float], random: Random,
    ) -> None:  # fmt: skip
        self.rundown = rundown
        self.shop = shop
        self.language: Language = rundown.language
        self.left: list[Left] = []
        self._variation = variation
        self._said = said
        self._now = now
        self._random = random

    def plan(self, item: Item) -> list[Beat]:
        """Return the beats of a visit to an item."""
        if item.script:
            return [Beat(sentence) for sentence in item.script]
        topics = self._variation.topics(item, self.product(item), self.shop, self._now())
        return [Beat(topic=topic) for topic in topics]

    def product(self, item: Item) -> Product | None:
        """Return an item's product, None where it has none or the shop no longer holds it."""
        return next((one for one in self.shop if one.id == item.product), None)

    def named(self, topic: str) -> list[Product]:
        """Return the products that a topic of the whole shop names: those of the rundown."""
        ids = dict.fromkeys(one.product for one in self.rundown if one.product)
        products = [one for one in self.shop if one.id in ids and one.stock != 0]
        if topic == "teaser":
            products = [one for one in products if one.offer or one.list_price]
            self._random.shuffle(products)
            return products[:1]
        if len(products) > _MOST_NAMED:
            at = self._random.randrange(len(products))
            products = [*products[at:], *products[:at]][:_MOST_NAMED]
        return products

    def word(self, visit: Visit, number: int) -> list[Piece]:
        """Word a beat: the pieces it is said in, none where it is left out this time."""
        told = self._told(visit, number)
        if told is None:
            return []
        text = plain(told.text)
        self._said.add(text, self._now())
        clauses = marked_clauses(told.text, self.language)
        groups = _in_time(clauses, self.language)
        return [
            Piece(visit.number, number, part, len(groups), text, group, told.citations)
            for part, group in enumerate(groups)
        ]

    def _told(self, visit: Visit, number: int) -> Told | None:
        item, beat = visit.item, visit.beats[number]
        product = self.product(item)
        if beat.sentence is None:
            named = self.named(beat.topic)
            return self._variation.topic(beat.topic, product, self.shop, self._now(), named)
        told = self._variation.sentence(beat.sentence, product, self.shop, self._now())
        if told is None or told.replaced:
            self._note(item, number, replaced=told is not None)
        return told

    def _note(self, item: Item, number: int, *, replaced: bool) -> None:
        message = "every wording was said within the hour or may not be said"
        self.left.append(Left(item.id, number, self._now(), replaced, message))
        del self.left[:-_MOST_LEFT]


def _in_time(clauses: tuple[Clause, ...], language: Language) -> list[tuple[Clause, ...]]:
    """Return clauses in groups none of which takes longer than a break-in can wait."""
    groups: list[list[Clause]] = []
    for clause in clauses:
        group = groups[-1] if groups else []
        text = "".join(one.text for one in [*group, clause])
        if not groups or speech_seconds(text, language) > LONGEST_S:
            groups.append([clause])
        else:
            group.append(clause)
    return [tuple(group) for group in groups]


def sentences_of(text: str, language: Language) -> list[str]:
    """Return a text in parts that are said as a line each, none longer than about 12 s."""
    lines: list[str] = []
    for clause in cut(text, language):
        whole = (lines[-1] if lines else "") + clause
        ended = bool(lines) and lines[-1].rstrip()[-1:] in ".!?。！？\n"
        if not lines or ended or speech_seconds(whole, language) > LONGEST_S:
            lines.append(clause)
        else:
            lines[-1] = whole
    return [line.strip() for line in lines if line.strip()]
