"""What a question about goods asks: of which topics, with which words, in which manner."""

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from importlib import resources
from itertools import pairwise

from agents.clause import LANGUAGES
from agents.shop.lexicon import (
    COLOURS,
    GOODS,
    MATERIALS,
    PROPERTIES,
    SIZES,
    TOPICS,
    Reading,
    Sense,
    Unit,
    read,
    single_words,
)
from agents.shop.measures import kinds_asked, kinds_given
from agents.tokens import COMMON_WORDS, STOP_WORDS, distance, stem

_DATA = json.loads((resources.files("agents") / "data" / "shop_questions.json").read_text("utf-8"))
_PATTERNS = {
    name: {lang: re.compile("|".join(texts[lang])) for lang in LANGUAGES}
    for name, texts in _DATA["patterns"].items()
}
_NEUTRAL_EN = frozenset(stem(word) for word in _DATA["neutral_en"].split()) | {
    stem(word) for word in STOP_WORDS
}
_NEUTRAL_ZH = sorted(_DATA["neutral_zh"].split("|"), key=len, reverse=True)

# Single characters that are never part of a telling word.
_PARTICLES = frozenset(
    "的了吗呢吧啊呀哦嘛么是有没不也都就还很太这那哪我你他她它和跟与在要想能会好可以给对"
)

_BOUND = re.compile(
    r"(?:under|below|less than|cheaper than|up to|within|at most|no more than|max|"
    r"budget(?: of| is)?)"
    r"\s*(?:[$€£¥]|usd|rmb)?\s?(?P<en>\d+(?:\.\d+)?)"
    r"|(?P<zh>\d+(?:\.\d+)?|[一二三四五六七八九两]?[十百千]+)\s?(?:块钱?|元|美元|美金|欧元?|英?镑|刀|米)?\s?"
    r"(?:以内|以下|之内|之下|内的|左右|预算)"
    r"|(?:预算|不超过|低于|不到|小于)\s?(?P<zh2>\d+(?:\.\d+)?|[一二三四五六七八九两]?[十百千]+)"
)
_HAN_NUMBERS = {"十": 10, "百": 100, "千": 1000}
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}
_ORDINAL = re.compile(
    r"\b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,2}(?:st|nd|rd|th))"
    r" (?:one|product|item|link|thing)\b"
    r"|\b(?:number|no\.?|item|link|product|#)\s?(?P<number>\d{1,2}|one|two|three|four|five|six)\b"
    r"|(?<![\w$])#(?P<hash>\d{1,2})\b"
    r"|第(?P<han>[一二三四五六七八九十两\d]{1,3})[个款件号种双套条只支瓶盒]"
    r"|(?P<link>[一二三四五六七八九十\d]{1,3})号(?:链接|款|商品|宝贝|产品|链)?(?!码|线|楼|电池|色)"
    r"|链接(?P<link2>[一二三四五六七八九十\d]{1,2})|(?P<end>最后[一]?[个款件])"
)
_SIZE_NUMBER = re.compile(
    r"\b(?:sizes?|eu|us|uk)\s?(?:an?\s)?(?:eu |us |uk )?(\d{2}(?:\.5)?|\d(?:\.5)?)\b"
    r"|(?<![\d.])(\d{1,3}(?:\.5)?)\s?(?:的?码(?!数)|号(?![链款商宝产]))"
)
_SENDING = re.compile(r"[到寄发送收]|\b(?:get|reach|receive|send|sent|order|come)\b")
_AMOUNT = re.compile(
    r"多少(?![钱块元米刀一件个双套瓶盒斤两钱银价啊呀呢的吧了拿卖入])[\u3400-\u9fff]"
)
# Letters of a word that may be a slip of the pen.
_SHORTEST_SLIP = 6
_LONG_SLIP = 8
_EVERYDAY = frozenset(stem(word) for word in COMMON_WORDS)
_AFTER_HOW = (
    "much", "many", "long", "heavy", "large", "thick", "wide", "tall", "high", "deep", "warm",
    "bright", "fast", "soon", "loud", "often",
)  # fmt: skip
_FIGURES = re.compile(r"(?<![\d.])\d{1,6}(?:\.\d{1,2})?(?![\d.])")
# "Does it go yellow", "会发黄吗": no colour to choose.
_BECOMING = frozenset({
    "go", "goes", "turn", "turns", "become", "becomes", "get", "gets", "going", "turning", "发",
    "变", "泛", "掉",
})  # fmt: skip
# "重不重", "防水不" ask what "重吗" and "防水吗" do.
_WHETHER = re.compile(r"([\u3400-\u9fff])不\1|(?<=[\u3400-\u9fff])[不没](?=[呀啊?？\s]*$)")
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


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
        chosen = strong or ([] if self.properties else senses)
        return tuple(dict.fromkeys(s.name for s in sorted(chosen, key=lambda s: s.first)))

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
        match = _SIZE_NUMBER.search(self.reading.text)
        return next(filter(None, match.groups()), "") if match else ""

    @cached_property
    def goods(self) -> frozenset[str]:
        """The kinds of thing named."""
        return self.reading.names(GOODS)

    @cached_property
    def budget(self) -> Decimal | None:
        """The most that may be spent, where that is said."""
        match = _BOUND.search(self.reading.text)
        if match is None:
            return None
        text = match["en"] or match["zh"] or match["zh2"]
        return _number(text)

    @cached_property
    def ordinal(self) -> int | None:
        """Which of the products is pointed at by its number, from 1; -1 is the last."""
        match = _ORDINAL.search(self.reading.text)
        if match is None:
            return None
        if match["end"] or match["word"] == "last":
            return -1
        if match["word"]:
            words = _DATA["ordinals"]["en"]
            digits = re.match(r"\d+", match["word"])
            return int(digits[0]) if digits else words.index(match["word"]) + 1
        text = match["number"] or match["hash"] or match["han"] or match["link"] or match["link2"]
        if text in _WORDS:
            return _WORDS[text]
        return int(_number(text)) if text else None

    @cached_property
    def neutral(self) -> frozenset[int]:
        """The units that name nothing: particles, courtesies, those who are addressed."""
        units = self.reading.units
        found = {at for at, unit in enumerate(units) if not unit.is_han and unit.key in _NEUTRAL_EN}
        text = "".join(unit.text if unit.is_han else "\0" for unit in units)
        at = 0
        while at < len(text):
            word = next((w for w in _NEUTRAL_ZH if text.startswith(w, at)), "")
            found.update(range(at, at + len(word)))
            at += max(1, len(word))
        return frozenset(found)

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
        return frozenset(map(Decimal, _FIGURES.findall(self.reading.text)))

    @cached_property
    def tells_of_goods(self) -> bool:
        """Whether a hint such as "how long" asks of something other than sending things."""
        return self.says_more and not _SENDING.search(self.reading.text)

    @cached_property
    def asks_amount(self) -> bool:
        """Whether "how much" asks for an amount of something rather than a price: "多少面"."""
        amount = _AMOUNT.search(self.reading.text)
        return bool(self.says_more or self.kinds or amount)

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


def asked(question: str, known: frozenset[str] = frozenset()) -> Asked:
    """Read a question, words misspelt as they are meant: "warrenty".

    Args:
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
        meant = _meant(unit.key) if len(unit.text) >= _SHORTEST_SLIP else ""
        meant = meant or _slipped(unit.text, before)
        if meant:
            text = text[: unit.start] + meant + text[unit.end :]
    return query if text == query.reading.text else Asked(read(text))


@lru_cache(maxsize=1024)
def _meant(key: str) -> str:
    """Return the one word of shopping that a word may be a slip for; "" for none."""
    if key in _EVERYDAY:
        return ""
    allowed = 1 if len(key) < _LONG_SLIP else 2
    near = sorted(
        (distance(key, word), word)
        for word in single_words()
        if word[:2] == key[:2] and abs(len(word) - len(key)) <= allowed
        if distance(key, word) <= allowed
    )
    alone = len(near) == 1 or (len(near) > 1 and near[0][0] < near[1][0])
    return near[0][1] if alone else ""


@lru_cache(maxsize=1024)
def _slipped(word: str, before: str) -> str:
    """Return what a short word is a slip for: "pirce", "coolor", "how mutch"; "" for nothing.

    Letters that have changed places, or been doubled, make no other word as a rule; others are
    only mended where few words can stand.
    """
    if len(word) < 4 or stem(word) in _EVERYDAY or stem(word) in single_words():
        return ""
    turned = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    single = {word[:at] + word[at + 1 :] for at in range(len(word) - 1) if word[at] == word[at + 1]}
    meant = sorted(w for w in turned | single if stem(w) in single_words())
    if meant:
        return meant[0]
    after_how = [one for one in _AFTER_HOW if before == "how" and distance(word, one) == 1]
    return after_how[0] if after_how else ""


def features(reading: Reading) -> frozenset[str]:
    """Return what a text is about: its concepts, its telling words, pairs of its characters."""
    concepts = {f"{s.group}.{s.name}" for s in reading.senses}
    # In which words a concept is asked for tells more than which it is.
    concepts |= {
        f"{s.group}.{s.name}={''.join(u.key for u in reading.units[s.first : s.last + 1])}"
        for s in reading.senses
        if not s.weak
    }
    known = {at for s in reading.senses for at in range(s.first, s.last + 1)}
    neutral = Asked(reading).neutral
    units = reading.units
    words = {
        unit.key
        for at, unit in enumerate(units)
        if not unit.is_han and at not in known and at not in neutral and len(unit.key) > 1
    }
    pairs = {
        left.text + right.text
        for at, (left, right) in enumerate(pairwise(units))
        if _pairs(left, right)
        and not (at in neutral and left.text in _PARTICLES)
        and not (at + 1 in neutral and right.text in _PARTICLES)
        and not {at, at + 1} <= neutral
        and not (at in known or at + 1 in known)
    }
    return frozenset(concepts | words | pairs)


def characters(reading: Reading) -> frozenset[str]:
    """Return the Chinese characters of a text that tell something."""
    neutral = Asked(reading).neutral
    return frozenset(
        unit.text
        for at, unit in enumerate(reading.units)
        if unit.is_han and at not in neutral and unit.text not in _PARTICLES
    )


def _pairs(left: Unit, right: Unit) -> bool:
    return left.is_han and right.is_han and left.end == right.start


def _number(text: str) -> Decimal:
    """Return a number in figures or in Chinese below ten thousand."""
    if text[0].isdigit():
        return Decimal(text)
    total = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        else:
            total += (digit or 1) * _HAN_NUMBERS[char]
            digit = 0
    return Decimal(total + digit)
