"""Varied wordings: a loop says what it says anew each time round."""

from dataclasses import dataclass
from random import Random

from agents.clause import Language
from agents.rundown.document import Item, Sentence
from agents.rundown.marks import plain
from agents.rundown.said import Said
from agents.shop.product import Product, Shop


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence is said as: with marks; `replaced` where it says something else instead."""

    text: str
    citations: tuple[str, ...] = ()
    replaced: bool = False


class Variation:
    """Finds a wording that was not said within the hour."""

    def __init__(self, language: Language, said: Said, random: Random) -> None:
        self._language = language
        self._said = said
        self._random = random

    def sentence(
        self, sentence: Sentence, item: Item, product: Product | None, shop: Shop, now: float
    ) -> Told | None:
        """Word a written sentence; None where nothing fresh is left."""
        if sentence.fixed:
            return Told(sentence.wordings[0])
        for wording in sentence.wordings:
            if self._said.is_fresh(plain(wording), now):
                return Told(wording)
        return None

    def topics(self, item: Item, product: Product | None, shop: Shop, now: float) -> list[str]:
        """Return what an item without a script is to tell, in order."""
        return ["name"] if product else []

    def topic(
        self, topic: str, item: Item, product: Product | None, shop: Shop, now: float
    ) -> Told | None:
        """Tell something of a topic."""
        return None

    def more(self, product: Product | None, shop: Shop, now: float) -> Told | None:
        """Tell something more about a product."""
        return None
