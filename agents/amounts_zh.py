"""Amounts stated in Chinese words, or in figures with Chinese units."""

import re
from fractions import Fraction

from agents.amounts import Mention, Scanner, mention

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "兩": 2, "幺": 1, "俩": 2, "仨": 3}
_DIGITS |= {c: n for n, c in enumerate("壹贰叁肆伍陆柒捌玖", 1)}
_SCALES = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

_HAN = f"[{''.join(_DIGITS)}{''.join(_SCALES)}{''.join(_BIG)}]"
_N = rf"(?:\d+(?:\.\d+)?[万亿]?|{_HAN}+(?:点{_HAN}+)?)"

# Words written with numerals that state no amount.
_IDIOMS = re.compile(
    rf"(?<!{_HAN})(?:十分(?![钟鐘之])|千万(?![元块人个份])|万一|万分|三文鱼|四季|七喜|五香|三明治|二维码|百事|千层|五花|四川"
    r"|一[些下起定样樣直般边邊共旦切会會遍]|[有差早快晚]一?点(?![钟鐘半])|一点(?![钟鐘半整\d零一二三四五])|万事|百姓"
    r"|统一|唯一|之一|[那这這]一|一一|独一无二|千里|三三两两|七嘴八舌|五颜六色|十全十美|八卦|两口|零食)"
)
_PERCENT = re.compile(rf"百分之(?P<n>百|{_N})|(?P<f>\d+(?:\.\d+)?)\s?%|百分百")
_DATE = re.compile(
    rf"(?:{_N}年)?{_N}月(?:{_N}[日号號]?)?|{_N}[日号號](?!码|碼|线|楼)|(?:星期|礼拜|禮拜|周|週)[一二三四五六日天末]"
    r"|明天|昨天|后天|後天|前天|[下上]周|[下上]个?(?:月|星期)|明年|去年|春节|春節|圣诞|國慶|国庆|中秋|元旦"
)
_TIME = re.compile(
    rf"(?P<part>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|今晚|晚间)?(?P<h>{_N})[点點时時](?![间間候])"
    rf"(?:(?P<q>半|[一三]刻)|(?P<m>{_N})分?|[钟鐘整])?|(?P<noon>正午|午夜|零点)"
)
_MONEY = re.compile(
    rf"(?P<n>{_N})\s?(?:个|多)?(?P<unit>美元|美金|刀|欧元|歐元|英镑|人民币|块钱|块|塊錢|塊|元|圆)"
    rf"(?:(?P<t>{_HAN}|\d)(?![十百千万\d])(?:[毛角])?)?"
    rf"|[¥￥]\s?(?P<y>\d+(?:\.\d+)?)|(?P<s>{_N})[毛角]"
)
_DISCOUNT = re.compile(rf"(?P<n>{_N})折|半价|半價")
_SPAN = re.compile(
    rf"(?P<n>{_N}|半|个半)个?(?P<unit>分钟|分鐘|小时|小時|钟头|秒钟?|天|周|星期|月|年)(?:(?P<half>半))?"
)
_MEASURE = re.compile(
    rf"(?P<n>{_N})(?P<unit>英寸|寸|公里|千米|米|厘米|公斤|斤|克|岁|歲|倍|成|个|個|款|种|種|份|张|張|片|位|次|只|家|人|名|层|層|号|號|条|杯|瓶|盒)?"
)
_MORNING = ("凌晨", "早上", "早晨", "上午")


def scan_chinese(scanner: Scanner) -> None:
    """Take every amount stated in Chinese out of a normalised text."""
    if not re.search(r"[\u3400-\u9fff¥]", scanner.text):
        return
    scanner.take(re.compile(rf"(?P<d>[{''.join(_DIGITS)}]{{3,}})"), _digit_run)
    scanner.take(_PERCENT, _percent)
    scanner.take(_DATE, lambda m: mention(m[0], ("date", m[0])))
    scanner.take(_IDIOMS, lambda _: True)
    scanner.take(_MONEY, _money)
    scanner.take(_SPAN, _span)
    scanner.take(_TIME, _time)
    scanner.take(_DISCOUNT, _discount)
    scanner.take(_MEASURE, _measure)


def value(text: str) -> Fraction:
    """Return the number a Chinese numeral or a figure stands for."""
    if text[0].isdigit():
        scale = _BIG.get(text[-1], 1)
        return Fraction(text.rstrip("万亿")) * scale
    whole, _, decimals = text.partition("点")
    number = Fraction(_whole(whole))
    if decimals:
        digits = "".join(str(_DIGITS.get(c, 0)) for c in decimals)
        number += Fraction(int(digits), 10 ** len(digits))
    return number


def _whole(text: str) -> int:
    if all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total = section = digit = 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _SCALES:
            section += (digit or 1) * _SCALES[char]
            digit = 0
        else:
            total = (total + section + digit or 1) * _BIG[char]
            section = digit = 0
    # A digit after 百 or 千 without its place stands one place lower: 一百二 is 120.
    if digit and len(text) > 1 and text[-2] in "百千佰仟":
        digit *= _SCALES[text[-2]] // 10
    return total + section + digit


def _digit_run(match: re.Match[str]) -> Mention | bool:
    digits = "".join(str(_DIGITS[c]) for c in match["d"])
    following = match.string[match.end() : match.end() + 1]
    if following and following in "十百千万点":
        return False
    readings: list[tuple[str, int | str | Fraction]] = [("number", int(digits))]
    if len(digits) >= 7:
        readings = [("phone", digits)]
    return mention(match[0], *readings)


def _percent(match: re.Match[str]) -> Mention | bool:
    text = match["n"] or match["f"] or "百"
    return mention(match[0], ("percent", 100 if text == "百" else value(text)))


def _money(match: re.Match[str]) -> Mention | bool:
    if match["y"]:
        return mention(match[0], ("money:cny", Fraction(match["y"])))
    if match["s"]:
        return mention(match[0], ("money", value(match["s"]) / 10))
    amount = value(match["n"])
    if match["t"]:
        amount += value(match["t"]) / 10
    unit = match["unit"]
    kind = "money"
    if unit in ("美元", "美金", "刀"):
        kind = "money:usd"
    elif unit in ("欧元", "歐元"):
        kind = "money:eur"
    elif unit == "英镑":
        kind = "money:gbp"
    elif unit == "人民币":
        kind = "money:cny"
    return mention(match[0], (kind, amount))


def _span(match: re.Match[str]) -> Mention | bool:
    text, unit = match["n"], match["unit"]
    amount = Fraction(1, 2) if text == "半" else Fraction(3, 2) if text == "个半" else value(text)
    if match["half"]:
        amount += Fraction(1, 2)
    if unit in ("分钟", "分鐘"):
        return mention(match[0], ("minutes", amount))
    if unit in ("小时", "小時", "钟头"):
        return mention(match[0], ("minutes", amount * 60))
    if unit.startswith("秒"):
        return mention(match[0], ("minutes", amount / 60))
    if text in ("一", "半") and unit == "天":
        return True
    kind = {"天": "days", "周": "weeks", "星期": "weeks", "月": "months"}.get(unit, "years")
    return mention(match[0], (kind, amount))


def _time(match: re.Match[str]) -> Mention | bool:
    if match["noon"]:
        return mention(match[0], ("time", 720 if match["noon"] == "正午" else 0))
    text = match["h"]
    hour = value(text.partition("点")[0])
    minute = Fraction(0)
    if "点" in text:
        minute = value(text.partition("点")[2])
    elif match["m"]:
        minute = value(match["m"])
    elif match["q"]:
        minute = Fraction({"半": 30, "一刻": 15, "三刻": 45}[match["q"]])
    readings = _clock_readings(match["part"], hour, minute)
    if match["m"] and not match["part"]:
        # 九点九 may as well be a decimal.
        digits = match["m"]
        readings.append(("number", value(f"{text}点{digits}") if text[0] in _DIGITS else hour))
    return mention(match[0], *readings)


def _clock_readings(
    part: str | None, hour: Fraction, minute: Fraction
) -> list[tuple[str, Fraction | int | str]]:
    if part in _MORNING:
        return [("time", hour % 24 * 60 + minute)]
    late = (hour if hour >= 12 else hour + 12) % 24 * 60 + minute
    if part == "中午":
        return [("time", (hour if hour > 10 else hour + 12) * 60 + minute)]
    if part:
        return [("time", late)]
    return [("time", hour % 24 * 60 + minute), ("time", late)]


def _discount(match: re.Match[str]) -> Mention | bool:
    if not match["n"]:
        return mention(match[0], ("discount", 50))
    amount = value(match["n"])
    return mention(match[0], ("discount", amount * 10 if amount < 10 else amount))


def _measure(match: re.Match[str]) -> Mention | bool:
    text, unit = match["n"], match["unit"]
    if text == "一" and unit not in ("英寸", "寸", "公里", "米", "倍", "成"):
        return True
    kinds = {None: "number", "英寸": "inches", "寸": "inches", "成": "percent", "倍": "times"}
    kind = kinds.get(unit, f"count:{unit}")
    amount = value(text)
    return mention(match[0], (kind, amount * 10 if unit == "成" else amount))
