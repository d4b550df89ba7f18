"""Whether the figures of a text are a shop's own, each of the product it is said of."""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from agents.amounts import Amount, Mention, held_amounts
from agents.catalogue import Fact
from agents.clause import LANGUAGES
from agents.figures import find_amounts
from agents.shop.assortment import Assortment
from agents.shop.lexicon import plain
from agents.shop.product import Shop

# Beside these a price may be the one before a reduction.
_WAS = re.compile(
    r"instead of|down from|\bwas\b|\bwere\b|used to|originally|regular|list price|\bbefore\b"
    r"|\bfrom\b|rather than|\boff\b|\bsave|usual|normal"
    r"|原价|之前|平时|原来|本来|日常|划线|平常|市场价|省|降"
)
# Counting things spoken of is no statement about them: "these two", "两款".
_SPOKEN = frozenset({"count:款", "count:种", "count:位", "count:次", "ordinal"})


class FigureCheck:
    """Checks texts against a shop as it is at the moment they are spoken.

    Args:
        now: seconds since the epoch; what an offer said is false once it has ended.
        before: a check of the shop as it was: what has not changed is not read again.
    """

    def __init__(
        self, shop: Shop, now: Callable[[], float], before: "FigureCheck | None" = None
    ) -> None:
        self._now = now
        known = None if before is None else before._assortment
        self._assortment: Assortment = Assortment(shop, now(), known)
        self._held: dict[str, frozenset[Amount]] = {}

    def prepare(self) -> None:
        """Read every product, which otherwise the first text waits for. Blocks for a moment."""
        for fact_id in (*self._assortment.ids, *self._shopwide):
            self._holds(fact_id)

    def restock(self, shop: Shop) -> None:
        """Check against a changed shop from now on."""
        self._assortment = Assortment(shop, self._now(), self._assortment)
        self._held = {}

    def false(self, text: str, focus: str | None = None) -> list[str]:
        """Return the amounts of a text that are not true of what it is said of.

        Args:
            focus: id of the product on air, which is meant beside those that are named.
        """
        ends = self._assortment.changes_at
        if ends is not None and self._now() > ends:
            self.restock(self._assortment.shop)
        mentions = _stated(text)
        if not mentions:
            return []
        spoken = plain(text)
        ids = [p.id for p in self._assortment.shop if _is_named(self._names(p.id), spoken)]
        if focus in self._assortment and focus not in ids:
            ids.append(str(focus))
        meant = ids or self._assortment.ids
        held = frozenset().union(*map(self._holds, [*meant, *self._shopwide]))
        held |= _count(len(self._assortment))
        false = [m.text for m in mentions if not m.is_held_by(held)]
        if len(meant) == 1:
            false += self._stale(meant[0], spoken, mentions)
        return false

    @property
    def _shopwide(self) -> list[str]:
        return [entry.id for entry in self._assortment.policies]

    def _names(self, product_id: str) -> tuple[str, ...]:
        fact = self._assortment.fact(product_id)
        return _names_of(fact)

    def _holds(self, fact_id: str) -> frozenset[Amount]:
        if fact_id not in self._held:
            self._held[fact_id] = _held_by(self._assortment.fact(fact_id))
        return self._held[fact_id]

    def _stale(self, product_id: str, spoken: str, mentions: Sequence[Mention]) -> list[str]:
        """Return prices from before a reduction that are said as if they held."""
        sheet = self._assortment.sheet(product_id)
        price = sheet.price
        holds = price is None or price.before in (None, sheet.amount)
        if price is None or price.before is None or holds or _WAS.search(spoken):
            return []
        return [
            m.text
            for m in mentions
            if any(
                r.kind.startswith("money") and r.value == Fraction(price.before) for r in m.readings
            )
        ]


def _stated(text: str) -> list[Mention]:
    """Return the amounts a text states, but for days and for counting on one's fingers."""
    return [m for m in find_amounts(text) if not all(_is_spoken(r) for r in m.readings)]


def _count(products: int) -> frozenset[Amount]:
    """Return how the number of products may be said."""
    kinds = ("number", "count:product", "count:item", "count:款", "count:个", "count:种")
    return frozenset(Amount(kind, Fraction(products)) for kind in kinds)


def _is_spoken(reading: Amount) -> bool:
    if reading.kind == "date":
        return not re.search(r"\d", str(reading.value))
    small = isinstance(reading.value, Fraction) and reading.value <= 10
    return reading.kind in _SPOKEN and small


def _held_by(fact: Fact) -> frozenset[Amount]:
    return held_amounts(m for text in _texts(fact) for m in _amounts(text))


@lru_cache(maxsize=8192)
def _amounts(text: str) -> tuple[Mention, ...]:
    return find_amounts(text)


def _texts(fact: Fact) -> list[str]:
    texts = [text for language in LANGUAGES for text in fact.sentences(language)]
    return [*texts, *_names_of(fact)]


def _names_of(fact: Fact) -> tuple[str, ...]:
    names: Iterable[str] = (
        name for lang in LANGUAGES for name in (fact.topic[lang], *fact.whole.keywords[lang])
    )
    return tuple(dict.fromkeys(plain(name) for name in names))


def _is_named(names: Sequence[str], spoken: str) -> bool:
    for name in names:
        if name.isascii():
            if re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", spoken):
                return True
        elif name in spoken:
            return True
    return False
