"""How numbers without a unit are said, and the dash between two of them."""

import re
from collections.abc import Iterator
from typing import Final

from avatar.voice.grammar import TO
from avatar.voice.place import Place, after, before, plain, whole
from avatar.voice.reading import Reader
from avatar.voice.rules_name import model

_MEASURE: Final = re.compile(
    rf"(?:{TO}\d+(?:\.\d+)?)?(?![ ]?(?:年级|次元|次方|人转|人世界|人组))"
    "[ ]?(?:小时|分钟|公斤|公里|个月|口味|星期|毫升|毫米|厘米|英寸|平米|平方|立方|千克|"
    "[个位件只条张瓶杯份盒包袋箱斤天年次种套台块元倍双对本支枚颗粒片层间家米人周千万亿点折架朵篇"
    "场岁页排把根束串桶罐板卷门款部首句遍趟顿餐碗勺滴步床室厅房卫口秒毛角升克寸尺节集组副幅吨座"
    "辆户批项样圈笔名])"
)
_YEAR_BEFORE: Final = re.compile(
    r"(?:\b(?:in|since|by|until|till|from|year|of|before|after|during|early|late|mid|spring|summer|"
    r"autumn|fall|winter|around|circa|established|founded|copyright|class|happy)[ ]+)$",
    re.IGNORECASE,
)
_YEAR_SURELY: Final = re.compile(r"(?:\bQ[1-4][ ]+|\bFY[ ]?|©[ ]*|\b[Ee]st\.[ ]+)$")
_YEAR_AFTER: Final = re.compile(
    r"[ ](?:collection|edition|models?|season|lineup|vintage|version|calendar|MacBook|iPad)\b"
)
_COUNTED_AFTER: Final = re.compile(
    r"[ ]?(?:[a-z]{2,20}[ ])?(?!(?:is|was|has|as|this|its)\b)[a-z]+s\b|[ ]?%|[ ]?(?:yuan|people)\b"
)
_CALL_BEFORE: Final = re.compile(
    r"(?:\b(?:call|dial|phone|text(?: ['\"]?[A-Za-z]{2,10}['\"]? to)?|hotline|tel)\W{1,3}"
    r"|(?:拨打|拨|电话|致电|热线|手机号?)[:：]?[ ]?)$",
    re.IGNORECASE,
)
_CODE_BEFORE: Final = re.compile(
    r"(?:\b(?:pin|code|passcode|zip|zip code|ending in|ends in|last four(?: digits)?|"
    r"(?:order|card|tracking|account|booking|confirmation|invoice|reference|serial|ticket)"
    r" (?:number|no\.?|num|#|id)|sku)\W{0,3}(?:is |are )?[\d-]{0,12}"
    r"|(?:尾号|验证码|密码|取件码|提取码|邀请码|优惠码|单号|编号|房号|工号|学号|会员号|卡号|账号|货号|"
    r"QQ群?|微信号?|群号|口令|邮编|区号|代码|暗号|分机)(?:是|为|号)?[:： ]{0,2}[\d-]{0,12}|\d转)$",
    re.IGNORECASE,
)
_ORDER_BEFORE: Final = re.compile(
    r"\b(?:order|tracking|booking|invoice|confirmation|ticket)[ ]+(?:#[ ]?)?$", re.IGNORECASE
)
_TYPED_BEFORE: Final = re.compile(r"(?:扣|刷|打|敲|回复|公屏|弹幕|双击)个?[ ]?$")
_SHOUTED_BEFORE: Final = re.compile(r"(?:^|[，。！!,\s]|主播|老铁们?|家人们)$")
_TALLIED: Final = re.compile("[ ]?[折元块分多个%万]")
_SERVICE: Final = re.compile("11[0249]|12306|123(?:15|45|48|33|66|77)|10086|10010|955\\d\\d")
_EMERGENCY_BEFORE: Final = re.compile("(?:打|报警|急救|火警)[:：]?[ ]?$")
_EMERGENCY_AFTER: Final = re.compile("[ ]?(?:报警|火警|急救|查号)")
_ROOM_AFTER: Final = re.compile("室|号房|路(?:公交|车)|电话|热线")
_HEIGHT_BEFORE: Final = re.compile(r"\d米$")
_BORN_AFTER: Final = re.compile("后(?![天面来续台])")
_USED_AFTER: Final = re.compile("新(?![款品人年鲜])")
# Behind these, digits are a name: RTX 4090, Boeing 737, room 305.
_NAME_BEFORE: Final = re.compile(
    r"(?:\b(?:[B-DF-HJ-NP-TV-XZ]{2,3}|AMD|EOS|MSI|DJI|ROG|Ryzen|Boeing|Airbus|Porsche|Peugeot|"
    r"GeForce|Radeon|[Rr]oom|[Ff]light|[Ss]uite|[Rr]oute|[Hh]ighway|[Hh]wy\.?|[Ii]nterstate|"
    r"[Bb]us)[ ])$"
)
_STREET_AFTER: Final = re.compile(
    r"(?: (?:[NSEW]\.?|[A-Z][a-z]+)){1,2} (?:St|Ave|Rd|Blvd|Dr|Ln|Hwy|Street|Avenue|Road|Drive|"
    r"Lane|Way|Boulevard|Highway|Court|Place)\b"
)
_SCORE_BEFORE: Final = re.compile(
    r"(?:比分|打成|战平|总分|获胜|大胜|击败|战胜)[^\d\n]{0,6}\d{1,3}[ ]?$"
)
_WON_AFTER: Final = re.compile(r"\d{1,3}[ ]?(?:完胜|获胜|取胜|险胜|大胜|战胜|击败|领先)")
_SPENT_BEFORE: Final = re.compile(r"满\d{1,5}元?$")
_DASHED_BEFORE: Final = re.compile(
    r"(?:\bSKU|取件码|货号|型号|编号|座位号?|单号)[是为:： ]{0,2}[\d-]{1,12}$"
)
_SALE_DAYS: Final = {"11.11": "eleven eleven", "12.12": "twelve twelve"}
_LONG: Final = 7
_MOST_DIGITS: Final = 60


def number(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say a number as its neighbourhood wants it: a count, a code, a year, a name."""
    written = match.group()[:_MOST_DIGITS]
    value = plain(written)
    if written.isdigit() and _is_code(match, written):
        return whole(match, reader.telephone(written))
    if reader.language == "zh":
        return whole(match, _chinese(match, value, reader))
    return whole(match, _english(match, value, reader))


def _is_code(match: re.Match[str], digits: str) -> bool:
    ahead = before(match)
    if _CALL_BEFORE.search(ahead) or (len(digits) >= 3 and _CODE_BEFORE.search(ahead)):
        return True
    return len(digits) > _LONG and not re.match("[ ]?[元块个人次年万亿]", after(match))


def _english(match: re.Match[str], value: str, reader: Reader) -> str:
    ahead, behind = before(match), after(match, 40)
    if value in _SALE_DAYS:
        return _SALE_DAYS[value]
    if not value.isdigit() or len(value) < 3:
        return reader.cardinal(value)
    counted = _COUNTED_AFTER.match(behind)
    if len(value) >= 5 and _ORDER_BEFORE.search(ahead) and not counted:
        return reader.digits(value)
    if _STREET_AFTER.match(behind) or (_NAME_BEFORE.search(ahead) and not counted):
        return reader.model(value)
    year = len(value) == 4 and 1100 <= int(value) < 2100
    if year and _YEAR_SURELY.search(ahead):
        return reader.year(value)
    named = _YEAR_BEFORE.search(ahead) or _YEAR_AFTER.match(behind)
    return reader.year(value) if year and named and not counted else reader.cardinal(value)


def _chinese(match: re.Match[str], value: str, reader: Reader) -> str:
    ahead, behind = before(match), after(match)
    if re.search("第[ ]?$", ahead):
        return reader.cardinal(value)
    measured = _MEASURE.match(behind)
    if not measured and value.isdigit() and _is_spelled(value, ahead, behind):
        return reader.telephone(value)
    if value.isdigit() and len(value) in (3, 4) and _ROOM_AFTER.match(behind):
        return reader.telephone(value)
    if len(value) == 2 and not measured and _HEIGHT_BEFORE.search(ahead):
        return reader.digits(value)
    if re.fullmatch(r"\d[05]", value) and _BORN_AFTER.match(behind):
        return reader.digits(value)
    if re.fullmatch(r"[89]\d", value) and _USED_AFTER.match(behind):
        return reader.digits(value)
    if value.isdigit() and len(value) >= 3 and _NAME_BEFORE.search(ahead) and not measured:
        return reader.model(value)
    return reader.counted(value) if measured else reader.cardinal(value)


def _is_spelled(value: str, ahead: str, behind: str) -> bool:
    """Tell whether a number is known by its digits: 666, 12306, and 110 where one calls it."""
    if _SERVICE.fullmatch(value):
        called = _EMERGENCY_BEFORE.search(ahead) or _EMERGENCY_AFTER.match(behind)
        return len(value) > 3 or bool(called)
    if len(set(value)) > 1 or len(value) < 2 or _TALLIED.match(behind):
        return False
    shouted = value.startswith("666") and _SHOUTED_BEFORE.search(ahead)
    return bool(shouted or _TYPED_BEFORE.search(ahead))


def between(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say the dash between two numbers, days or months."""
    ahead = before(match)
    if _DASHED_BEFORE.search(ahead):
        return whole(match, "杠" if reader.language == "zh" else "dash")
    if reader.language == "zh":
        if _SCORE_BEFORE.search(ahead) or _WON_AFTER.match(after(match)):
            return whole(match, "比")
        if _SPENT_BEFORE.search(ahead):
            return whole(match, "减")
    return whole(match, reader.sign("to"))


def scaled(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 10k, 2.5M views, 3w; 4K is a name."""
    value, scale = match["k"], match["ks"] or match["ms"]
    if (scale == "K" and value in ("2", "4", "5", "6", "8")) or scale == "W":
        return model(match, reader)
    if reader.language == "en" and match["ms"]:
        return whole(match, f"{reader.cardinal(value)} {'million' if scale == 'M' else 'billion'}")
    times = {"w": 10_000, "M": 1_000_000, "B": 1_000_000_000}.get(scale, 1000)
    return whole(match, reader.cardinal(f"{float(value) * times:.0f}"))


def telephone(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say a telephone number."""
    plus = f"{reader.sign('plus')} " if match.group().startswith("+") else ""
    return whole(match, plus + reader.telephone(re.sub(r"\D", "", match.group())))


def ordinal(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 21st."""
    return whole(match, reader.ordinal(plain(match["ord"])))


def discount(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say 7.5折 and 75折 as 七五折."""
    return whole(match, reader.digits(match["off"] + match["tenth"]))


def festival(match: re.Match[str], reader: Reader) -> Iterator[Place]:
    """Say a shopping day by its name: 双十一, 五一, 六幺八."""
    if match["double"]:
        return whole(match, "双" + reader.cardinal(match["double"][:2]))
    if match["feast"]:
        return whole(match, "".join(map(reader.cardinal, match["feast"].split("."))))
    return whole(match, reader.telephone(match["sale"]))
