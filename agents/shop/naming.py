"""Which products somebody names: in whole, in part, by kind, misspelt, or in the other language."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pypinyin import lazy_pinyin

from agents.mending import Mender
from agents.shop.grammar import is_function_run, is_function_word, names_here
from agents.shop.lexicon import GOODS, TOPICS, Reading, Sense, Unit, read
from agents.shop.product import Product
from agents.shop.sheet import names_of
from agents.tokens import Token, same_sound

# Candidates that come this near the best are meant as well, or it is open which one is.
_NEAR = 0.8
# Evidence that part of a name needs, in units of one telling word.
_LEAST = 0.6
# What a kind of thing counts beside a word of the name itself.
_KIND = 0.8
# What words count that may as well ask for a property.
_SIDE = 0.5
# After these a single Chinese character is the name of a thing: "这灯", "把椅".
_BEFORE_NAME = frozenset("这那个款把盏只件的和跟与")


@dataclass(frozen=True, slots=True)
class Named:
    """Products that are named.

    Attributes:
        ids: those meant, in the order of the shop; several where it is open which.
        units: which units of the text name them.
        whole: whether a whole name or alias is there.
    """

    ids: tuple[str, ...] = ()
    units: frozenset[int] = frozenset()
    whole: bool = False


class Names:
    """The names of a shop's products."""

    def __init__(self, products: Sequence[Product]) -> None:
        self._order = [product.id for product in products]
        self._readings = {
            product.id: [read(name) for name in dict.fromkeys([*names_of(product), product.id])]
            for product in products
        }
        self._goods = {
            product.id: self._kinds_of(product, self._readings[product.id]) for product in products
        }
        self._starts: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._words: dict[str, set[str]] = {}
        self._own: dict[str, set[str]] = {}
        self._heads: dict[str, set[str]] = {}
        self._runs: dict[str, set[str]] = {}
        for product_id, readings in self._readings.items():
            for reading in readings:
                self._learn(product_id, reading)
        self._spread = Counter(kind for kinds in self._goods.values() for kind in kinds)
        self._mender = Mender(
            key for key in self._words if key.isascii() and not is_function_word(key)
        )

    @staticmethod
    def _kinds_of(product: Product, readings: Iterable[Reading]) -> frozenset[str]:
        """Return what kinds of thing a product is: the head of its names, and its category."""
        kinds = set(read(product.category).names(GOODS))
        for reading in readings:
            goods = reading.of(GOODS)
            # "Phone Case" is no phone: the last of its nouns is what it is.
            last = max((sense.last for sense in goods), default=-1)
            kinds.update(sense.name for sense in goods if sense.last == last)
        return frozenset(kinds)

    def _learn(self, product_id: str, reading: Reading) -> None:
        keys = tuple(unit.key for unit in reading.units)
        if not keys:
            return
        self._starts.setdefault(keys[0], []).append((keys, product_id))
        self._own.setdefault(product_id, set()).update(keys)
        self._heads.setdefault(product_id, set()).add(keys[-1])
        for unit in reading.units:
            if not unit.is_han and (len(unit.key) > 1 or unit.key.isdigit()):
                self._words.setdefault(unit.key, set()).add(product_id)
        for run in _han_runs(reading.units):
            for size in range(2, len(run) + 1):
                for at in range(len(run) - size + 1):
                    self._runs.setdefault(run[at : at + size], set()).add(product_id)

    @property
    def words(self) -> frozenset[str]:
        """The keys of all words that names are made of."""
        return frozenset(self._words)

    def holds(self, run: str) -> bool:
        """Say whether Chinese characters stand in a name together."""
        return run in self._runs

    def ends_with(self, run: str) -> bool:
        """Say whether a longer Chinese name ends with some characters."""
        return any(
            name.endswith(run) and len(name) > len(run)
            for one in self._runs.get(run, ())
            for reading in self._readings[one]
            for name in _han_runs(reading.units)
        )

    def kinds(self, product_id: str) -> frozenset[str]:
        """Return what kinds of thing a product is."""
        return self._goods[product_id]

    def of_kind(self, kind: str) -> list[str]:
        """Return the products that are a kind of thing."""
        return [product_id for product_id in self._order if kind in self._goods[product_id]]

    def find(self, reading: Reading) -> Named:
        """Return the products a text names."""
        whole = self._whole(reading)
        if whole.ids:
            return whole
        part = self._part(reading, reading.units)
        if part.ids:
            return part
        return self._misheard(reading)

    def units_of(self, reading: Reading, ids: Iterable[str]) -> frozenset[int]:
        """Return the units of a text that name some products."""
        places = (self._covered(reading, reading.units, one) for one in ids)
        return frozenset().union(*places)

    def mentioned(self, reading: Reading) -> list[str]:
        """Return products named one after the other, "the mug or the teapot", in that order."""
        whole = self._whole(reading, apart=True)
        if len(whole.ids) > 1:
            return list(whole.ids)
        found: dict[str, None] = dict.fromkeys(whole.ids)
        for part in _split(reading):
            named = self.find(part)
            if len(named.ids) == 1:
                found.setdefault(named.ids[0])
        return list(found)

    def _whole(self, reading: Reading, apart: bool = False) -> Named:
        """Return products one of whose names stands there whole, the longest at each place."""
        units = reading.units
        spans: list[tuple[int, int, str]] = []
        for at, unit in enumerate(units):
            for keys, product_id in self._starts.get(unit.key, ()):
                end = at + len(keys)
                if tuple(u.key for u in units[at:end]) != keys:
                    continue
                if len(keys) == 1 and not self._telling(reading, at, product_id):
                    continue
                spans.append((at, end, product_id))
        kept = [one for one in spans if not any(_holds(other, one) for other in spans)]
        places = {(start, end) for start, end, _ in kept}
        if len(places) > 1 and not apart:
            kept = self._narrowed(kept)
        ids = [product_id for _, _, product_id in sorted(kept, key=lambda s: s[0])]
        covered = frozenset(
            at
            for start, end, product_id in kept
            for at in range(self._begins(units, start, product_id), end)
        )
        if not ids:
            return Named()
        if not apart:
            ids = self._by_rest(reading, list(dict.fromkeys(ids)), covered)
        return Named(tuple(dict.fromkeys(ids)), covered, True)

    def _begins(self, units: Sequence[Unit], start: int, product_id: str) -> int:
        """Return where a name begins of which other words stand before a short form of it."""
        own = self._own[product_id]
        while start and not units[start - 1].is_han and units[start - 1].key in own:
            if is_function_word(units[start - 1].text):
                break
            start -= 1
        return start

    def _narrowed(self, spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Where one product is named by every place, it alone is meant: "the Dawn flask"."""
        counts = Counter(product_id for _, _, product_id in {(s, e, p) for s, e, p in spans})
        most = max(counts.values())
        return [one for one in spans if most == 1 or counts[one[2]] == most]

    def _by_rest(self, reading: Reading, ids: list[str], covered: frozenset[int]) -> list[str]:
        """Where several share a name, let the other words decide: "the small mug"."""
        if len(ids) < 2:
            return ids
        scores = self._scores(reading, reading.units, covered)
        best = max(scores.get(product_id, 0.0) for product_id in ids)
        return [one for one in ids if scores.get(one, 0.0) >= best - 1e-9] if best else ids

    def _is_of(self, units: Sequence[Unit], at: int, product_id: str) -> bool:
        """Say whether an English word of a text may be one of a product's name."""
        return names_here(units, at, self._own[product_id], self._heads[product_id])

    def _telling(self, reading: Reading, at: int, product_id: str) -> bool:
        """Say whether one unit alone may be a name: it is no word that only asks."""
        unit = reading.units[at]
        if unit.is_han:
            before = reading.units[at - 1].text if at else ""
            if not at or (before in _BEFORE_NAME and reading.units[at - 1].end == unit.start):
                return True
            return any(s.group == GOODS and s.first == s.last == at for s in reading.senses)
        named = len(unit.text) > 1 and self._is_of(reading.units, at, product_id)
        return named and not any(
            s.group == TOPICS and not s.weak and s.first <= at <= s.last for s in reading.senses
        )

    def _part(self, reading: Reading, units: Sequence[Unit]) -> Named:
        """Return the products that the words of a text name best."""
        scores = self._scores(reading, units)
        best = max(scores.values(), default=0.0)
        if best < _LEAST:
            return Named()
        ids = [one for one in self._order if scores.get(one, 0.0) >= best * _NEAR]
        covered = {at for one in ids for at in self._covered(reading, units, one)}
        return Named(tuple(ids), frozenset(covered))

    def _scores(
        self, reading: Reading, units: Sequence[Unit], beside: frozenset[int] = frozenset()
    ) -> dict[str, float]:
        """Return how much of a text names each product."""
        base: dict[str, float] = {}
        side: dict[str, float] = {}
        asks = {at for s in reading.of(TOPICS) if not s.weak for at in range(s.first, s.last + 1)}
        senses = [s for s in reading.senses if s.group not in (GOODS, TOPICS)]
        valued = {at for s in senses for at in range(s.first, s.last + 1)}
        for at, unit in enumerate(units):
            if at in beside or unit.is_han or at in asks:
                continue
            for one in self._words.get(unit.key, ()):
                if not self._is_of(units, at, one):
                    continue
                weight = self._rarity(len(self._words[unit.key]))
                target = side if at in valued else base
                target[one] = target.get(one, 0.0) + weight * (_SIDE if at in valued else 1.0)
        for start, run in _placed_runs(units):
            for at, text in self._longest_runs(run):
                span = range(start + at, start + at + len(text))
                if any(place in beside for place in span):
                    continue
                target = side if all(p in valued or p in asks for p in span) else base
                for one in self._runs[text]:
                    weight = self._rarity(len(self._runs[text])) * len(text) / 2
                    target[one] = target.get(one, 0.0) + weight
        for kind in reading.names(GOODS):
            for one in self.of_kind(kind):
                base[one] = base.get(one, 0.0) + _KIND * self._rarity(self._spread[kind])
        known = base if not beside else set(base) | set(side)
        return {one: base.get(one, 0.0) + side.get(one, 0.0) for one in known}

    def _rarity(self, count: int) -> float:
        total = len(self._order)
        return 1.0 if total < 2 else 1.0 - 0.4 * math.log(count) / math.log(total)

    def _longest_runs(self, run: str) -> list[tuple[int, str]]:
        """Return the parts of names within a run of characters, longest first and apart."""
        found: list[tuple[int, str]] = []
        at = 0
        while at < len(run) - 1:
            size = next(
                (n for n in range(len(run) - at, 1, -1) if run[at : at + n] in self._runs), 0
            )
            if size and not is_function_run(run[at : at + size]):
                found.append((at, run[at : at + size]))
            at += max(1, size)
        return found

    def _covered(self, reading: Reading, units: Sequence[Unit], product_id: str) -> set[int]:
        places = {
            at
            for at, unit in enumerate(units)
            if not unit.is_han
            and product_id in self._words.get(unit.key, ())
            and self._is_of(units, at, product_id)
        }
        for start, run in _placed_runs(units):
            for at, text in self._longest_runs(run):
                if product_id in self._runs[text]:
                    places.update(range(start + at, start + at + len(text)))
        for sense in reading.of(GOODS):
            if sense.name in self._goods[product_id]:
                places.update(range(sense.first, sense.last + 1))
        return places

    def _misheard(self, reading: Reading) -> Named:
        """Return the products whose names sound or look like what stands there."""
        known = {at for s in reading.senses for at in range(s.first, s.last + 1)}
        mended = list(reading.units)
        for at, unit in enumerate(reading.units):
            if at in known or unit.is_han or len(unit.text) < 4:
                continue
            guess = self._mender.mend([Token(unit.key, unit.text, False)])
            if len(guess) == 1 and guess[0].key != unit.key:
                mended[at] = Unit(guess[0].key, guess[0].exact, unit.start, unit.end)
        for at in range(len(mended) - 1):
            # "Tooth brush" is one word to whoever named it.
            whole = read(mended[at].text + mended[at + 1].text).units
            joined = whole[0] if len(whole) == 1 and not whole[0].is_han else None
            if joined and joined.key in self._words and mended[at].key not in self._words:
                mended[at] = Unit(joined.key, joined.text, mended[at].start, mended[at + 1].end)
                mended[at + 1] = mended[at]
        if mended != list(reading.units):
            found = self._part(Reading(reading.text, tuple(mended), reading.senses), mended)
            if found.ids:
                return found
        return self._homophone(reading, known)

    def _homophone(self, reading: Reading, known: set[int]) -> Named:
        """Return the product of whose Chinese name a homophone is there."""
        for start, run in _placed_runs(reading.units):
            for size in range(len(run), 1, -1):
                for at in range(len(run) - size + 1):
                    places = range(start + at, start + at + size)
                    if all(place in known for place in places):
                        continue
                    if is_function_run(run[at : at + size]):
                        continue
                    ids = self._sounding(run[at : at + size])
                    if ids:
                        found = tuple(one for one in self._order if one in ids)
                        return Named(found, frozenset(places))
        return Named()

    def _sounding(self, heard: str) -> set[str]:
        sound = tuple(lazy_pinyin(heard))
        for run, ids in self._runs.items():
            if len(run) != len(heard) or run == heard:
                continue
            wrong = [(a, b) for a, b in zip(run, heard, strict=True) if a != b]
            if len(run) == 2 and (len(wrong) > 1 or not same_sound(*wrong[0])):
                continue
            if len(wrong) < len(run) and tuple(lazy_pinyin(run)) == sound:
                return ids
        return set()


def _holds(other: tuple[int, int, str], one: tuple[int, int, str]) -> bool:
    """Say whether a longer name covers this one."""
    longer = other[1] - other[0] > one[1] - one[0]
    return longer and other[0] <= one[0] and one[1] <= other[1]


def _han_runs(units: Sequence[Unit]) -> list[str]:
    return [run for _, run in _placed_runs(units)]


def _placed_runs(units: Sequence[Unit]) -> list[tuple[int, str]]:
    """Return runs of Chinese characters that follow each other, and the unit each begins at."""
    found: list[tuple[int, str]] = []
    for at, unit in enumerate(units):
        if not unit.is_han:
            continue
        joins = found and at and units[at - 1].is_han and units[at - 1].end == unit.start
        if joins:
            found[-1] = (found[-1][0], found[-1][1] + unit.text)
        else:
            found.append((at, unit.text))
    return found


def _split(reading: Reading) -> list[Reading]:
    """Cut a text where one thing may end and another begin."""
    pieces = re.split(
        r"\b(?:or|and|vs\.?|versus|than|between|with|compared to)\b"
        r"|[,，、?？]|和|跟|与|还是|比|或者",
        reading.text,
    )
    return [read(piece) for piece in pieces if piece.strip()]


def sense_units(senses: Iterable[Sense]) -> set[int]:
    """Return the units that some senses take."""
    return {at for sense in senses for at in range(sense.first, sense.last + 1)}
