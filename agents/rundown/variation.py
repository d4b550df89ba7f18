"""Varied wordings: a loop says what it says anew each time round.

A written sentence is said in one of its wordings, then in one made of them by rule, then as a
sentence of the same fact told from the shop, then as another about the same product; and where
nothing is fresh, it is left out this time. What is marked fixed is said as it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from agents.clause import Language
from agents.rundown.document import Item, Sentence
from agents.rundown.marks import plain
from agents.rundown.placeholders import filled, places_in, values_of
from agents.rundown.planning import topics_of
from agents.rundown.rewording import rewordings
from agents.rundown.said import Said, normalised
from agents.rundown.telling import Core, Telling
from agents.rundown.timing import LONGEST_S, speech_seconds
from agents.shop.product import Product, Shop

# Says whether a sentence may be spoken, mended where it must be; None for not.
Mend = Callable[[str, Language], str | None]

_DRAWS: Final = 40
_REWORDED: Final = 400  # wordings made by rule that are looked at
_CACHED_S: Final = 20.0  # seconds for which what holds at a moment is taken to hold


def allow_all(text: str, language: Language) -> str | None:
    """Return the text as it is."""
    del language
    return text


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence is said as.

    Attributes:
        text: with marks.
        citations: ids of the facts it rests on, where they are known.
        replaced: whether it says something else than what was written.
    """

    text: str
    citations: tuple[str, ...] = ()
    replaced: bool = False


class Variation:
    """Finds wordings that were not said within the hour.

    Args:
        language: of the rundown.
        said: what was said; only asked here, whoever speaks a sentence adds it.
        mend: what every sentence goes through; what may not be said is passed over.
        loops: whether the rundown begins again after its closing.
    """

    def __init__(
        self,
        language: Language,
        said: Said,
        random: Random,
        mend: Mend = allow_all,
        *,
        loops: bool = True,
    ) -> None:
        self.loops = loops
        self._language = language
        self._said = said
        self._random = random
        self._mend = mend
        self._telling: tuple[Shop, float, Telling] | None = None

    def sentence(
        self, sentence: Sentence, product: Product | None, shop: Shop, now: float
    ) -> Told | None:
        """Word a written sentence; None where nothing fresh is left, or it cannot be said now."""
        values = values_of(product, shop, self._language, now)
        usable = []
        for wording in sentence.wordings:
            text = filled(wording, values)
            if text is not None:
                usable.append(self._conditional(text, wording, values))
        cited = (product.id,) if product is not None and usable else ()
        if sentence.fixed:
            allowed = self._allowed(usable[0]) if usable else None
            return None if allowed is None else Told(allowed, cited)
        for text in self._fresh(usable, now):
            return Told(text, cited)
        for text in self._fresh(self._reworded(usable), now):
            return Told(text, cited)
        if product is None or not usable:
            return None
        if told := self._same_fact(sentence, product, shop, now):
            return told
        other = self.more(product, shop, now)
        return None if other is None else Told(other.text, other.citations, replaced=True)

    def topics(self, item: Item, product: Product | None, shop: Shop, now: float) -> list[str]:
        """Return what an item without a script is to tell, in order."""
        telling = self._at(shop, now)
        return topics_of(item, product, shop, telling, self._random, loops=self.loops)

    def topic(
        self, topic: str, product: Product | None, shop: Shop, now: float,
        products: Sequence[Product] = (),
    ) -> Told | None:  # fmt: skip
        """Tell something of a topic, None where nothing fresh is left of it.

        Args:
            products: those a topic of the whole shop names.
        """
        telling = self._at(shop, now)

        def draw() -> Core | None:
            if product is not None and topic in telling.topics(product):
                return telling.about(product, topic, self._random)
            if topic in telling.topics_of_shop():
                return telling.of_shop(topic, self._random, products)
            return None

        return self._drawn(draw, now)

    def more(self, product: Product | None, shop: Shop, now: float) -> Told | None:
        """Tell something more about a product, or of the shop where there is none."""
        telling = self._at(shop, now)
        topics = telling.policies() if product is None else telling.topics(product)[1:]
        if not topics:
            return None

        def draw() -> Core | None:
            topic = self._random.choice(topics)
            if product is None:
                return telling.of_shop(topic, self._random)
            return telling.about(product, topic, self._random)

        return self._drawn(draw, now)

    # Drawing

    def _drawn(self, draw: Callable[[], Core | None], now: float) -> Told | None:
        for _ in range(_DRAWS):
            core = draw()
            if core is None:
                continue
            text = self._allowed(core.text)
            if text is None or speech_seconds(plain(text), self._language) > LONGEST_S:
                continue
            if self._said.is_fresh(text, now):
                return Told(text, core.citations)
        return None

    def _fresh(self, texts: Iterable[str], now: float) -> Iterator[str]:
        for text in texts:
            if not self._said.is_fresh(text, now):
                continue
            allowed = self._allowed(text)
            if allowed is not None and self._said.is_fresh(allowed, now):
                yield allowed

    def _reworded(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield wordings made by rule, of each text in turn."""
        made = [rewordings(text, self._language, self._random) for text in texts]
        for _ in range(_REWORDED):
            for each in list(made):
                text = next(each, None)
                if text is None:
                    made.remove(each)
                elif speech_seconds(plain(text), self._language) <= LONGEST_S:
                    yield text

    def _same_fact(
        self, sentence: Sentence, product: Product, shop: Shop, now: float
    ) -> Told | None:
        """Tell the fact a sentence states in words of our own, where it is clear which it is."""
        telling = self._at(shop, now)
        text = normalised(sentence.wordings[0])
        places = {place for wording in sentence.wordings for place in places_in(wording)}
        if places & {"price", "before"}:
            known = [one for one in ("offer", "price") if one in telling.topics(product)]
            return self.topic(known[0], product, shop, now) if known else None
        for topic in telling.topics(product)[1:]:
            entry = telling.entry(product, topic)
            value = normalised(entry.value.get(self._language, "")) if entry else ""
            if entry is not None and len(value) > 3 and value in text:
                return self.topic(topic, product, shop, now)
        return None

    def _conditional(self, text: str, wording: str, values: dict[str, str]) -> str:
        """Return a text that names the price of an offer with the condition it holds under."""
        places = places_in(wording)
        if "price" not in places or "condition" in places or "condition" not in values:
            return text
        stated = {"en": " The condition: {}.", "zh": "条件是：{}。"}[self._language]
        return text + stated.format(values["condition"])

    def _allowed(self, text: str) -> str | None:
        mended = self._mend(plain(text), self._language)
        if mended is None:
            return None
        # A sentence that was mended loses its marks: nobody knows where they would stand.
        return text if mended == plain(text) else mended

    def _at(self, shop: Shop, now: float) -> Telling:
        if self._telling is not None:
            known, at, telling = self._telling
            if known is shop and 0.0 <= now - at < _CACHED_S:
                return telling
        telling = Telling(shop, self._language, now)
        self._telling = (shop, now, telling)
        return telling
