"""How Mandarin reads numbers, dates and money. Numbers are spelled by `cn2an`."""

from functools import lru_cache
from typing import Final

import cn2an

from avatar.voice.reading import Sign
from avatar.voice.spoken import Language
from avatar.voice.units import Currency, Unit

LONGEST: Final = 16
_DIGITS: Final = "零一二三四五六七八九"
_SCALES: Final = {"thousand": "千", "million": "百万", "billion": "十亿", "trillion": "万亿"}
_SIGNS: Final[dict[Sign, str]] = {
    "about": "约",
    "above": "大于",
    "and": "和",
    "at": "艾特",
    "below": "小于",
    "by": "乘",
    "divided by": "除以",
    "dot": "点",
    "equals": "等于",
    "minus": "负",
    "number": "第",
    "or more": "多",
    "per": "每",
    "plus": "加",
    "plus or minus": "正负",
    "times": "倍",
    "to": "到",
}


@lru_cache(maxsize=4096)
def _spell(number: str) -> str:
    said = str(cn2an.an2cn(number, "low"))
    said = said.removeprefix("一") if said.startswith("一十") else said
    return "两" + said[1:] if said[:2] in ("二千", "二万", "二亿") else said


class MandarinReader:
    """See `Reader`."""

    language: Language = "zh"

    def cardinal(self, number: str) -> str:
        """See `Reader`."""
        whole, _, rest = number.partition(".")
        if len(whole) > LONGEST or (len(whole) > 1 and whole.startswith("0")):
            return self.digits(number)
        said = _spell(whole or "0")
        return f"{said}点{self.digits(rest)}" if rest else said

    def counted(self, number: str) -> str:
        """See `Reader`."""
        return "两" if number == "2" else self.cardinal(number)

    def digits(self, number: str) -> str:
        """See `Reader`."""
        return "".join("点" if digit == "." else _DIGITS[int(digit)] for digit in number)

    def telephone(self, number: str) -> str:
        """See `Reader`."""
        return self.digits(number).replace("一", "幺")

    year = digits

    def model(self, number: str) -> str:
        """See `Reader`."""
        short = "." in number or len(number) <= 2 or (len(number) == 3 and number.endswith("00"))
        return self.cardinal(number) if short else self.digits(number)

    def ordinal(self, number: str) -> str:
        """See `Reader`."""
        return "第" + self.cardinal(number)

    def decade(self, number: str) -> str:
        """See `Reader`."""
        century = f"{self.digits(number[:-2])}" if number[:-2] else ""
        return f"{century}{self.cardinal(number[-2:])}年代"

    def money(self, numbers: tuple[str, ...], scale: str, currency: Currency) -> str:
        """See `Reader`."""
        said = "到".join(self.counted(number) for number in numbers)
        return said + _SCALES.get(scale, "") + currency.chinese

    def percent(self, numbers: tuple[str, ...]) -> str:
        """See `Reader`."""
        if numbers == ("100",):
            return "百分之百"
        return "百分之" + "到".join(self.cardinal(number) for number in numbers)

    def time(self, hour: int, minute: int, second: int | None, half: str) -> str:
        """See `Reader`."""
        said = {"am": "上午", "pm": "下午"}.get(half, "") + self.counted(str(hour)) + "点"
        if minute:
            said += f"{'零' if minute < 10 else ''}{self.cardinal(str(minute))}分"
        if second:
            said += f"{self.cardinal(str(second))}秒"
        return said

    def date(self, year: int | None, month: int, day: int | None) -> str:
        """See `Reader`."""
        said = f"{self.cardinal(str(month))}月" + (f"{self.cardinal(str(day))}日" if day else "")
        return f"{self.digits(str(year))}年{said}" if year else said

    def fraction(self, whole: str, upper: str, lower: str) -> str:
        """See `Reader`."""
        if not whole and int(upper) > int(lower):
            return f"{self.cardinal(upper)}比{self.cardinal(lower)}"
        parts = "百" if lower == "100" else self.cardinal(lower)
        said = f"{parts}分之{self.cardinal(upper)}"
        return f"{self.cardinal(whole)}又{said}" if whole else said

    def quantity(self, number: str, unit: Unit) -> str:
        """See `Reader`."""
        return self.counted(number) + unit.chinese

    def sign(self, sign: Sign) -> str:
        """See `Reader`."""
        return _SIGNS[sign]
