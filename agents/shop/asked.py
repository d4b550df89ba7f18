"""What a question about goods asks: of which topics, with which words, in which manner."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from agents.clause import LANGUAGES
from agents.shop.data import shop_data
from agents.shop.features import neutral_units
from agents.shop.lexicon import (
    COLOURS,
    GOODS,
    MATERIALS,
    PROPERTIES,
    SIZES,
    TOPICS,
    Reading,
    Sense,
    read,
)
from agents.shop.measures import kinds_asked, kinds_given
from agents.shop.numbers import budget_in, figures_in, ordinal_in, size_in
from agents.shop.spelling import meant

_DATA = shop_data("questions")
_PATTERNS = {
    name: {lang: re.compile("|".join(texts[lang])) for lang in LANGUAGES}
    for name, texts in _DATA["patterns"].items()
}

_SENDING = re.compile(r"[到寄发送收]|\b(?:get|reach|receive|send|sent|order|come)\b")
_AMOUNT = re.compile(
    r"多少(?![钱块元米刀一件个双套瓶盒斤两钱银价啊呀呢的吧了拿卖入])[\u3400-\u9fff]"
)
# Manners of asking that mean one topic, and topics that the words for it only seem to ask for.
_IMPLIED = {
    "pays_on_arrival": ("payment", frozenset({"shipping", "buy", "price"})),
    "refund": (
        "returns",
        frozenset({"shipping", "shipping_cost", "price", "payment", "restock", "stock"}),
    ),
    "broken": ("returns", frozenset({"shipping", "stock", "buy"})),
    "counts_stock": ("stock", frozenset({"contents"})),
    "counts_named": ("stock", frozenset({"contents"})),
}
_DELIVERING = frozenset({"shipping", "shipping_cost", "returns"})
# "Does it go yellow", "会发黄吗": no colour to choose.
_BECOMING = frozenset({
    "go", "goes", "turn", "turns", "become", "becomes", "get", "gets", "going", "turning", "发",
    "变", "泛", "掉",
})  # fmt: skip
# "重不重", "防水不" ask what "重吗" and "防水吗" do.
_WHETHER = re.compile(r"([\u3400-\u9fff])不\1|(?<=[\u3400-\u9fff])[不没](?=[呀啊?？\s]*$)")


@dataclass(frozen=True)
class Asked:
    """A question, read.

    Attributes:
        named: units that name a product, and say nothing of what is asked.
    """

    reading: Reading
    named: frozenset[int] = frozenset()

    def without(self, named: frozenset[int]) -> "Asked":
        """Return what is asked beside a name: "rain" of "rain jacket" asks for nothing."""
        kept = tuple(
            sense
            for sense in self.reading.senses
            if not set(range(sense.first, sense.last + 1)) <= named
        )
        return Asked(Reading(self.reading.text, self.reading.units, kept), named)

    def matches(self, name: str) -> bool:
        """Say whether the question is of a manner: "have", "which", "cheapest"..."""
        return any(_PATTERNS[name][lang].search(self.reading.text) for lang in LANGUAGES)

    def place(self, name: str) -> int | None:
        """Return where, in characters, what shows a manner begins; None where nothing does."""
        found = [_PATTERNS[name][lang].search(self.reading.text) for lang in LANGUAGES]
        return min((match.start() for match in found if match), default=None)

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics asked for, in order; those that are only hinted at where there are no others.

        "How much is the shipping" asks for shipping, "how much is it" for a price.
        """
        senses = self.reading.of(TOPICS)
        # "Dishwasher" asks for that property rather than for care in general.
        narrow = {(s.first, s.last) for s in self.reading.of(PROPERTIES) if not s.weak}
        strong = [s for s in senses if not s.weak and (s.first, s.last) not in narrow]
        if {s.name for s in strong} & _DELIVERING:
            # "If I order now, when does it ship" asks for no way to order.
            strong = [s for s in strong if s.name != "buy"]
        chosen = strong or ([] if self.properties else senses)
        if self.implied:
            apart = frozenset().union(*(_IMPLIED[name][1] for name in self._implying))
            more = (s.name for s in strong if s.name not in apart)
            return tuple(dict.fromkeys([*self.implied, *more]))
        return tuple(dict.fromkeys(s.name for s in sorted(chosen, key=lambda s: s.first)))

    @cached_property
    def implied(self) -> tuple[str, ...]:
        """The topics that a manner of asking means outright: returns of "when is my refund due"."""
        return tuple(dict.fromkeys(_IMPLIED[name][0] for name in self._implying))

    @cached_property
    def _implying(self) -> tuple[str, ...]:
        names = [name for name in _IMPLIED if self.matches(name)]
        others = {s.name for s in self.reading.of(TOPICS) if not s.weak} - {"stock", "contents"}
        # "How many colours do you have" counts colours, and "how many lamps" what is named.
        plain = not others and not self.reading.names(PROPERTIES)
        counted = {"counts_stock"} if plain else set()
        counted |= {"counts_named"} if plain and self.named and not self.rest() else set()
        return tuple(one for one in names if not one.startswith("counts_") or one in counted)

    @cached_property
    def hints(self) -> frozenset[str]:
        """The topics that are only hinted at."""
        return frozenset(s.name for s in self.reading.of(TOPICS) if s.weak) - set(self.topics)

    @cached_property
    def properties(self) -> frozenset[str]:
        """The properties asked for."""
        return frozenset(s.name for s in self.reading.of(PROPERTIES) if not s.weak)

    @cached_property
    def weak_properties(self) -> frozenset[str]:
        """The properties only hinted at."""
        return frozenset(s.name for s in self.reading.of(PROPERTIES) if s.weak) - self.properties

    @cached_property
    def colours(self) -> frozenset[str]:
        """The colours named, where they may be what is asked for.

        "In copper" asks for a colour, "does it fit in a copper pot" does not.
        """
        named = self.reading.names(COLOURS)
        turns = any(
            self.reading.units[s.first - 1].text in _BECOMING
            for s in self.reading.of(COLOURS)
            if s.first
        )
        if not named or "colour" in self.topics or not (self.says_more or turns):
            return named
        return frozenset(s.name for s in self.reading.of(COLOURS) if self._is_choice(s))

    def _is_choice(self, sense: Sense) -> bool:
        units = self.reading.units
        before = units[sense.first - 1].text if sense.first else ""
        if before in _BECOMING:
            return False
        return units[sense.first].is_han or before in ("in", "a", "the", "any", "or", "")

    @cached_property
    def materials(self) -> frozenset[str]:
        """The materials named."""
        return self.reading.names(MATERIALS)

    @cached_property
    def sizes(self) -> frozenset[str]:
        """The sizes named by letters or words."""
        senses = self.reading.of(SIZES)
        # One letter is a size only where sizes are what is asked: "in M", "M码", "size m".
        return frozenset(s.name for s in senses if self._is_size(s))

    def _is_size(self, sense: Sense) -> bool:
        unit = self.reading.units[sense.first]
        if sense.size > 1 or len(unit.text) > 1:
            return True
        if unit.is_han:
            return True
        before = self.reading.units[sense.first - 1].text if sense.first else ""
        return before in ("in", "size", "a", "an", "the", "有", "码", "", "穿", "or", "do")

    @cached_property
    def size_number(self) -> str:
        """The number of a size that is asked for, "43" of "size 43" or "43码"; "" for none."""
        return size_in(self.reading.text)

    @cached_property
    def goods(self) -> frozenset[str]:
        """The kinds of thing named."""
        return self.reading.names(GOODS)

    @cached_property
    def budget(self) -> Decimal | None:
        """The most that may be spent, where that is said."""
        return budget_in(self.reading.text)

    @cached_property
    def ordinal(self) -> int | None:
        """Which of the products is pointed at by its number, from 1; -1 is the last."""
        return ordinal_in(self.reading.text)

    @cached_property
    def neutral(self) -> frozenset[int]:
        """The units that name nothing: particles, courtesies, those who are addressed."""
        return neutral_units(self.reading)

    @cached_property
    def known(self) -> frozenset[int]:
        """The units that belong to a concept."""
        return frozenset(
            at for sense in self.reading.senses for at in range(sense.first, sense.last + 1)
        )

    def rest(self) -> list[int]:
        """Return the units that neither a concept, nor a name, nor a courtesy explains."""
        units = self.reading.units
        return [
            at
            for at in range(len(units))
            if at not in self.known and at not in self.named and at not in self.neutral
        ]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of quantity its form asks for: a duration or a length of "how long"."""
        return kinds_asked(self.reading.text)

    @cached_property
    def stated(self) -> frozenset[str]:
        """The kinds of quantity that whoever asks states: mass of "can a 90 kg man sit on it"."""
        return kinds_given(self.reading.text) - {"number", "frequency"}

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """The numbers in figures that are named."""
        return figures_in(self.reading.text)

    @cached_property
    def tells_of_goods(self) -> bool:
        """Whether a hint such as "how long" asks of something other than sending things."""
        return self.says_more and not _SENDING.search(self.reading.text)

    @cached_property
    def asks_amount(self) -> bool:
        """Whether "how much" asks for an amount of something rather than a price: "多少面"."""
        amount = _AMOUNT.search(self.reading.text)
        return bool(self.says_more or self.kinds or amount or self.asks_extreme)

    @cached_property
    def asks_extreme(self) -> bool:
        """Whether the highest or lowest figure of something is asked for: "最高能调到多少"."""
        return self.matches("extreme") and self.matches("amount")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Things asked about that no concept is, "the wick", "墨水": parts, if of no product."""
        units, rest = self.reading.units, self.rest()
        found: list[str] = []
        for at in rest:
            before = units[at - 1].text if at else ""
            if (
                not units[at].is_han
                and before in ("the", "its", "their")
                and len(units[at].text) > 2
            ):
                found.append(units[at].key)
        start = next((at for at in range(len(units)) if at not in self.neutral), len(units))
        run = [at for at in rest if units[at].is_han and start <= at < start + 4]
        if len(run) > 1 and run == list(range(start, start + len(run))):
            found.append("".join(units[at].text for at in run))
        return tuple(found)

    @cached_property
    def only_hints(self) -> bool:
        """Whether topics are but hinted at, beside several words that nothing explains."""
        strong = any(not sense.weak for sense in self.reading.of(TOPICS, PROPERTIES))
        valued = self.colours or self.sizes or self.size_number or self.materials
        words = [at for at in self.rest() if not self.reading.units[at].is_han]
        return not strong and not valued and not self.kinds and len(words) > 1

    @cached_property
    def says_more(self) -> bool:
        """Whether a telling word is there that no concept explains: "硬度" of "硬度多少"."""
        units, rest = self.reading.units, self.rest()
        return any(
            at + 1 in rest and units[at + 1].is_han if units[at].is_han else len(units[at].text) > 3
            for at in rest
        )


def asked(
    question: str, known: frozenset[str] = frozenset(), own: frozenset[str] = frozenset()
) -> Asked:
    """Read a question, words misspelt as they are meant: "warrenty".

    Args:
        own: words the merchant's attributes are called by.
        known: keys of words that are right as they are, such as those of products' names.
    """
    query = Asked(read(question))
    text = query.reading.text
    plain_form = _WHETHER.sub(lambda found: f"{found[1] or ''}吗", text)
    if plain_form != text and len(read(plain_form).senses) > len(query.reading.senses):
        query, text = Asked(read(plain_form)), plain_form
    for at in reversed(query.rest()):
        unit = query.reading.units[at]
        if unit.is_han or unit.key in known:
            continue
        before = query.reading.units[at - 1].text if at else ""
        word = meant(unit.key, unit.text, before, own)
        if word:
            text = text[: unit.start] + word + text[unit.end :]
    return query if text == query.reading.text else Asked(read(text))
