"""A question read for what a tool's arguments may be made of: numbers, codes, dates, the rest."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from agents.amounts import Mention, normalise
from agents.amounts_en import VALUES
from agents.clause import Language
from agents.concepts import Part, read
from agents.figures import find_amounts

_DIGITS_ZH = {c: str(n) for n, c in enumerate("零一二三四五六七八九")} | {"〇": "0", "幺": "1"}
_DIGITS_EN = {word: str(n) for word, n in VALUES.items() if n < 10 and word not in ("couple",)}

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}", re.ASCII)
_URL = re.compile(r"https?://[^\s<>\"']{1,200}")
_PHONE = re.compile(r"(?<![A-Za-z0-9-])\+?\(?\d(?:[\d().-]|\s(?=[\d(])){5,18}\d")
_ISO_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
# "ORD-2024-001", "#1234", "A 1234", "K9X2".
_CODE = re.compile(
    r"#\s?(?P<hash>\w[\w-]{0,39})"
    r"|(?<![\w.$€£¥-])(?P<apart>[A-Z]{1,4}\s\d{2,12})(?![\w.])"
    r"|(?<![\w.$€£¥-])(?P<whole>(?=[A-Za-z-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?![\w%]|\.\d|:\d)",
    re.ASCII,
)
_DIGIT_WORDS = "|".join(_DIGITS_EN)
# "A one two three", digit by digit.
_SPELT = re.compile(
    rf"(?<!\w)(?P<letters>(?:[b-hj-z]\s|a\s(?=[a-z]\s)|a\s(?=(?:{_DIGIT_WORDS})\b)){{0,4}})"
    rf"(?P<digits>(?:{_DIGIT_WORDS})(?:[\s-]+(?:{_DIGIT_WORDS}))+)(?!\w)"
)
_SPELT_ZH = re.compile(rf"(?P<letters>[a-z]{{0,4}})(?P<digits>[{''.join(_DIGITS_ZH)}]{{3,}})")
# Days and times as they are said, with what ties them together.
_DAY = (
    r"today|tonight|tomorrow|yesterday|(?:this|next|last|coming)\s(?:week(?:end)?|month|year|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas(?:\seve)?|new\syear(?:'s\s(?:eve|day))?|"
    r"(?:(?:the\s)?\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?)?(?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december)(?:\s(?:the\s)?(?:\d{1,2}(?:st|nd|rd|th)?(?!\d)"
    r"|(?:twenty[\s-]|thirty[\s-])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|tenth|eleventh|twelfth|\w{4,6}teenth|twentieth|thirtieth))?(?:,?\s20\d{2})?"
    r"|(?:the\s)\d{1,2}(?:st|nd|rd|th)"
)
_N = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_DAY_ZH = (
    rf"今天|今晚|明天|明晚|后天|大后天|昨天|这周末|周末|[这下上]个?(?:周|星期|礼拜)[一二三四五六日天]?|"
    rf"(?:周|星期|礼拜)[一二三四五六日天]|(?:\d{{4}}年)?{_N}月{_N}[日号]?|{_N}[日号](?!码)|下个月|明年"
)
_HOUR = (
    r"(?:(?:half|quarter|\w+)\s(?:past|to)\s)?(?:\d{1,2}(?:[:.]\d{2})?|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|eleven|twelve)(?:\s(?:thirty|fifteen|forty[\s-]five))?\s?"
    r"(?:[ap]\.?m\b\.?|o'?\s?clock)(?:\s(?:in the|at)\s(?:morning|afternoon|evening|night))?"
    r"|(?:half|quarter)\s(?:past|to)\s\w+|(?<!\d)\d{1,2}:\d{2}(?!\d)|noon|midday|midnight"
    r"|(?:in\sthe\s)?(?:morning|afternoon|evening)"
)
_AT_HOUR = rf"at\s(?:{'|'.join(list(_DIGITS_EN)[1:10])}|ten|eleven|twelve|\d{{1,2}})(?!\s?\w)"
_HOUR_ZH = (
    rf"(?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?{_N}[点时:：](?:半|[一三]刻|{_N}分?)?|"
    r"早上|上午|中午|下午|傍晚|晚上"
)
_DATES = re.compile(rf"(?<!\w)(?:{_DAY})(?!\w)|{_DAY_ZH}|{_ISO_DATE.pattern}")
_TIMES = re.compile(rf"(?<!\w)(?:{_HOUR})(?!\w)|{_HOUR_ZH}|(?<!\w)(?:{_AT_HOUR})")
_ONE = re.compile(r"\bone\b(?!\s(?:of|more|way))|一(?=[个份位张杯瓶盒件间人箱条双])")
_TIE = re.compile(r"\s?(?:,|at|on|around|about|的|大概|左右)?\s?")


@dataclass(frozen=True, slots=True)
class Found:
    """A value found in a question: where it stands, and what an argument may be."""

    start: int
    end: int
    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number found: `kind` as in `agents.amounts.Amount`, "count:peopl", "money:usd"."""

    start: int
    end: int
    value: Fraction
    kind: str


class Heard:
    """One question, and what has been taken of it.

    Attributes:
        text: in its own letters, with one form of every sign, and none that nobody sees.
        parts: its words and concepts, see `agents.concepts.read`.
    """

    def __init__(self, question: str, language: Language) -> None:
        text = unicodedata.normalize("NFKC", question).strip()
        text = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn", "Cc"))
        plain = normalise(text)
        # Where the letters move, as in "1,000", the plain form stands for both.
        self.text = text if len(plain) == len(text) else plain
        self._plain = plain
        self.language = language
        self.parts: tuple[Part, ...] = read(self.text)
        self._taken: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> None:
        """Mark a stretch as used, so that no other argument is made of it."""
        self._taken.append((start, end))

    def is_free(self, start: int, end: int) -> bool:
        """Say whether nothing of a stretch is used yet."""
        return all(end <= a or b <= start for a, b in self._taken)

    def emails(self) -> list[Found]:
        """Return addresses of electronic mail."""
        return self._found(_EMAIL, self.text)

    def urls(self) -> list[Found]:
        """Return addresses of the web."""
        return self._found(_URL, self.text)

    def phones(self) -> list[Found]:
        """Return telephone numbers of seven digits or more, written or spelt."""
        spelt = [f for f in self._spelt() if len(f.value) >= 7 and f.value.isdigit()]
        dates = [(m.start(), m.end()) for m in _ISO_DATE.finditer(self.text)]
        written = self._found(_PHONE, self.text)
        return [f for f in written if (f.start, f.end) not in dates] + spelt

    def codes(self) -> list[Found]:
        """Return what may be a code or a number of an order: "A1234", "a one two three"."""
        apart = [(f.start, f.end) for f in (*self.dates(), *self.times())]
        found = self._spelt()
        for match in _CODE.finditer(self.text):
            value = match[match.lastgroup or "whole"].replace(" ", "")
            found.append(Found(match.start(), match.end(), value))
        return [
            f
            for f in found
            if self.is_free(f.start, f.end) and not _overlaps(f.start, f.end, apart)
        ]

    def dates(self) -> list[Found]:
        """Return days as they are said: "next Friday", "12月3日"."""
        return self._found(_DATES, self._plain)

    def times(self) -> list[Found]:
        """Return times of the day as they are said: "half past seven", "晚上七点"."""
        found = self._joined(self._found(_TIMES, self._plain))
        return [
            Found(f.start + 3, f.end, f.value[3:]) if f.value.lower().startswith("at ") else f
            for f in found
        ]

    def moments(self) -> list[Found]:
        """Return days and times that stand together as one: "tomorrow at 7 pm"."""
        return self._joined([*self.dates(), *self.times()])

    def _joined(self, found: Iterable[Found]) -> list[Found]:
        """Return stretches as one that only small words part: "evening at seven o'clock"."""
        joined: list[Found] = []
        for one in sorted(found, key=lambda f: (f.start, -f.end)):
            last = joined[-1] if joined else None
            if last is not None and one.start < last.end:
                continue
            if last is not None and _TIE.fullmatch(self.text[last.end : one.start]):
                joined[-1] = Found(last.start, one.end, self.text[last.start : one.end])
            else:
                joined.append(one)
        return joined

    def numbers(self) -> list[Number]:
        """Return numbers and amounts, one reading each; times, dates and codes are none."""
        apart = [(f.start, f.end) for f in (*self.dates(), *self.times())]
        found: list[Number] = []
        for mention in find_amounts(self.text):
            end = mention.start + len(_without_unit(mention.text))
            if self.is_free(mention.start, end) and not _overlaps(mention.start, end, apart):
                found.extend(_numbers(mention, end))
        found.extend(self._single())
        return sorted(found, key=lambda n: n.start)

    def rest(self, dull: Iterable[str]) -> list[Found]:
        """Return the stretches that say something and are not used, in their order.

        `dull`: concepts and stems that say nothing here, for the tool itself is named by them.
        """
        known = frozenset(dull) | {"values.on_offer"}
        moments = [(f.start, f.end) for f in self.moments()]
        runs: list[Found] = []
        start = end = gap = -1
        for part in self.parts:
            telling = (
                not part.dull
                and known.isdisjoint(part.keys)
                and not part.is_of("errands")
                and self.is_free(part.start, part.end)
                and not _overlaps(part.start, part.end, moments)
            )
            if not telling:
                # One small word within is kept, "house of cards".
                gap = gap + 1 if part.dull and self.is_free(part.start, part.end) else 2
                continue
            tied = (
                start >= 0
                and gap <= 1
                and not re.search(r"[,.!?;:，。！？；：]", self.text[end : part.start])
            )
            if not tied and start >= 0:
                runs.append(Found(start, end, self.text[start:end]))
            start, end, gap = (start if tied else part.start), part.end, 0
        if start >= 0:
            runs.append(Found(start, end, self.text[start:end]))
        return runs

    def _found(self, pattern: re.Pattern[str], text: str) -> list[Found]:
        spans = (match.span() for match in pattern.finditer(text))
        return [Found(a, b, self.text[a:b]) for a, b in spans if self.is_free(a, b)]

    def _spelt(self) -> list[Found]:
        """Return numbers spelt digit by digit, as figures."""
        found: list[Found] = []
        for match in (*_SPELT.finditer(self._plain), *_SPELT_ZH.finditer(self._plain)):
            letters = re.sub(r"\s", "", match["letters"]).upper()
            words = re.findall(r"[a-z]+", match["digits"])
            digits = [_DIGITS_EN[word] for word in words] or [
                _DIGITS_ZH[c] for c in match["digits"]
            ]
            if self.is_free(*match.span()):
                found.append(Found(match.start(), match.end(), letters + "".join(digits)))
        return found

    def _single(self) -> Iterator[Number]:
        """Yield what counts one thing, which states no amount elsewhere."""
        for match in re.finditer(
            r"\bone\b(?!\s(?:of|more|way))|[一](?=[个份位张杯瓶盒件间人箱条双])", self._plain
        ):
            if self.is_free(*match.span()):
                counted = "" if match[0] == "one" else self._plain[match.end()]
                kind = f"count:{counted}" if counted else "number"
                yield Number(match.start(), match.end(), Fraction(1), kind)


def _numbers(mention: Mention, end: int) -> Iterator[Number]:
    """Yield the likeliest number a mention states; a time, a date and a telephone are none."""
    readings = [r for r in mention.readings if isinstance(r.value, Fraction)]
    usable = [r for r in readings if r.kind not in ("time", "ordinal", "ratio")]
    if usable and not any(r.kind in ("phone", "date") for r in mention.readings):
        best = min(usable, key=lambda r: (r.kind.startswith("money"), r.kind, r.value))
        yield Number(mention.start, end, Fraction(best.value), best.kind)


def _without_unit(text: str) -> str:
    """Return "two" of "two large", whose size another argument may need."""
    number, _, unit = text.rpartition(" ")
    return number if number and unit.isalpha() and unit not in VALUES else text


def _overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)
