"""The grammar of what is written with digits and signs: one pattern for all of it, by kind."""

import re
from collections.abc import Iterable
from typing import Final

from avatar.voice.reading_en import MONTHS
from avatar.voice.units import CURRENCIES, UNITS


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


LATIN: Final = "A-Za-zÀ-ÖØ-öø-ɏ"
HAN: Final = "㐀-䶿一-鿿"
NUMBER: Final = r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"
_CURRENCY: Final = _either(CURRENCIES)
_CODES: Final = _either(name for name in CURRENCIES if name.isalpha())
_UNIT: Final = _either(UNITS)
_TO: Final = r"[ ]?[-–—~～][ ]?"
_MONTH: Final = _either([*MONTHS, *(month[:3] for month in MONTHS), "Sept"])
_SCALE: Final = r"(?:[ ]?(?:thousand|million|billion|trillion)\b|(?:bn|[kKMmB])(?![A-Za-z]))"
_DOMAINS: Final = (
    "com|org|net|cn|io|ai|co|shop|store|app|dev|edu|gov|info|me|uk|de|fr|jp|tv|live|xyz|eu|ca|au"
)
_PATH: Final = r"[A-Za-z0-9/?&=%#_.~:@!$+*,;-]{0,2000}"

RULES: Final = {
    "han": rf"[{HAN}]+",
    "link": (
        r"(?:https?://|ftp://|www\.)(?P<host>[A-Za-z0-9.-]{0,253})(?:[/?#:]" + _PATH + ")?"
        rf"|(?<![\w@.-])(?P<bare>(?:[A-Za-z0-9-]{{1,63}}\.){{1,4}}(?:{_DOMAINS}))"
        rf"(?![A-Za-z0-9-]|\.[A-Za-z])(?:/{_PATH})?"
    ),
    "mail": (
        r"(?<![\w.+-])(?P<user>[A-Za-z0-9._+-]{1,64})@"
        r"(?P<server>(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24})"
    ),
    "handle": rf"[@#](?=[{LATIN}{HAN}])",
    "hash": r"#(?=\d)|№[ ]?(?=\d)|\b[Nn]o\.[ ]?(?=\d)",
    "date": (
        r"(?<!\d)(?P<y1>[12]\d{3})(?P<s1>[-/.])(?P<m1>0?[1-9]|1[0-2])(?P=s1)"
        r"(?P<d1>3[01]|[12]\d|0?[1-9])(?!\d|[-/.]\d)"
        r"|(?<![\d/])(?P<m2>0?[1-9]|1[0-2])/(?P<d2>3[01]|[12]\d|0?[1-9])/(?P<y2>[12]\d{3})(?!\d)"
    ),
    "month": (
        rf"\b(?P<n1>{_MONTH})\.?[ ](?P<d3>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:.%]\d|\d)"
        r"(?:,?[ ](?P<y3>[12]\d{3})(?!\d))?"
        rf"|\b(?P<d4>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?[ ](?:of[ ])?(?P<n2>{_MONTH})\b\.?"
        r"(?:,?[ ](?P<y4>[12]\d{3})(?!\d))?"
    ),
    "year": r"(?<!\d)(?P<yzh>\d{4})(?=年)",
    "time": (
        r"(?<![\d:])(?P<h>2[0-4]|[01]?\d)[:：](?P<min>[0-5]\d)(?:[:：](?P<sec>[0-5]\d))?(?![\d:])"
        r"(?:[ ]?(?P<half>[aApP])\.?[mM]\b\.?)?"
        r"|(?<![\d.])(?P<h2>1[0-2]|0?[1-9])[ ]?(?P<half2>[aApP])\.?[mM]\b\.?(?![a-z])"
    ),
    "phone": (
        r"(?<![\w.-])(?:"
        r"\+\d{1,3}[- ]?\(?\d{1,4}\)?(?:[- ]?\d{2,4}){1,4}"
        r"|(?:1-)?\(?\d{3}\)?[- ]\d{3}-\d{4}"
        r"|\d{3,4}-\d{3,4}-\d{3,4}"
        r"|0\d{2,3}-\d{7,8}"
        rf"|\d{{3}}-\d{{4}}(?![ ]?(?:{_UNIT}|%|元|块|{_CODES})|\d)"
        r"|1[3-9]\d[- ]?\d{4}[- ]?\d{4}"
        r")(?![\d-]|\.\d|[ ]?(?:元|块))"
    ),
    "money": (
        rf"(?<![A-Za-z])(?P<sign>-?)(?P<cur>{_CURRENCY})(?P<neg>[ ]?-?)(?P<a1>{NUMBER})"
        rf"(?:{_TO}(?:{_CURRENCY})?(?P<a2>{NUMBER}))?(?P<scale>{_SCALE})?"
        rf"|(?<![\w.])(?P<a3>{NUMBER})(?P<scale2>{_SCALE})?[ ]?(?P<cur2>{_CODES}|[€£])(?![A-Za-z])"
    ),
    "percent": rf"(?:(?P<p1>{NUMBER})%?{_TO})?(?P<p2>{NUMBER})[ ]?%",
    "feet": r"(?<![\w.])(?P<ft>\d{1,2})['′](?P<inch>\d{1,2})(?:\"|''|”|″)?",
    "fraction": (
        r"(?<![\d/.])(?:(?P<whole>\d{1,4})[ ])?(?P<up>\d{1,3})/(?P<low>\d{1,3})(?![\d/]|\.\d)"
        r"|(?P<whole2>\d{1,4})?(?P<vulgar>[½¼¾⅓⅔⅛⅜⅝⅞⅕])"
    ),
    "ratio": r"(?<![\d:])(?P<r1>\d{1,4})[:：](?P<r2>\d{1,4})(?![\d:])",
    "by": r"(?:(?<=[\d\"”″m])|(?<=[\d\"”″m] ))[xX×*][ ]?(?=\d)",
    "multiple": rf"(?<![\w.])(?P<mul>{NUMBER})[x×](?![A-Za-z\d])|(?<![\w])[x×](?P<mul2>\d+)(?!\w)",
    "decade": r"(?<!\d)'?(?P<dec>(?:1[1-9]|20)?\d0)'?s\b",
    "discount": r"(?<![\d.])(?P<off>[1-9])\.(?P<part>\d)(?=折)",
    "quantity": (
        rf"(?:(?<![{LATIN}])|(?<=\d[xX]))(?P<q>{NUMBER})[ ]?(?P<unit>{_UNIT})(?![{LATIN}\d])"
    ),
    "scaled": r"(?<![\w.])(?P<k>\d+(?:\.\d+)?)(?P<ks>[kKwW])(?![A-Za-z\d])",
    "ordinal": r"(?<![\w.])(?P<ord>\d{1,3}(?:,\d{3})*|\d+)(?:st|nd|rd|th)\b",
    "version": r"(?<![\w.])\d+(?:\.\d+){2,}",
    "model": (
        r"(?<![A-Za-z0-9])(?=[A-Za-z0-9-]{0,12}[A-Za-z])(?=[A-Za-z0-9-]{0,24}\d)(?!\d+[xX]\d)"
        r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:\.\d+)?"
    ),
    "number": NUMBER,
    "minus": r"(?<![A-Za-z0-9)\]%])[-–](?=\.?\d)",
    "range": r"(?:(?<=[\d%°CFKkmglLBs\"])|(?<=[\d%] ))[-–—~～][ ]?(?=[$£€¥￥]?\d)",
    "per": (
        rf"(?<=[\d元块{LATIN}])/(?P<each>{_UNIT})(?![{LATIN}\d])"
        r"|(?<=[\dA-Za-z])/(?=(?:day|week|month|year|night|person|piece|hour)\b)"
    ),
    "slash": rf"(?<=[\d元块角])/(?=[{HAN}])",
    "more": rf"(?<=\d)\+(?![\d])(?=[\s,.!?，。！？{HAN}A-Za-z]|$)",
    "plus": r"\+(?=[ ]?\d)",
    "equals": r"=(?=[ ]?[\d$￥¥£€])",
    "about": r"[≈～~](?=[ ]?\d)",
    "tolerance": r"±(?=[ ]?\d)",
    "above": r"[>＞≥](?=[ ]?\d)",
    "below": r"[<＜≤](?=[ ]?\d)",
    "divided": r"÷(?=[ ]?\d)",
    "and": r"&",
    "initials": rf"(?<![{LATIN}])(?:[A-Z]\.){{2,}}(?:[A-Z](?![{LATIN}]))?",
    "short": (
        r"(?<![A-Za-z])(?P<abbr>[Mm]r|[Mm]rs|[Dd]r|[Ee]\.g|[Ii]\.e|[Vv]s|[Ee]tc|[Aa]pprox)"
        r"(?![A-Za-z])\.?|(?<![A-Za-z])(?P<with>w/o?)(?![A-Za-z])"
    ),
    "dot": r"(?<=[A-Za-z])\.(?=[a-z])",
    "word": rf"[{LATIN}]+(?:['-][{LATIN}]+)*",
    "pause": r"[,，、;；:：.。!！?？…—()（）\n|]+|(?<=\s)[-–](?=\s)",
}
"""Kind -> pattern, the first that fits wins. What a scan may have to give back is bounded."""

# Most signs and pictures begin nothing: they are passed over without trying every kind.
_START: Final = (
    r"(?=[\w ,，、;；:：.。!！?？…—–()（）\n|@#№$£€¥￥₩₹+=÷&≈～~±>＞≥<＜≤×*/'½¼¾⅓⅔⅛⅜⅝⅞⅕-])"
)
PATTERN: Final = re.compile(
    f"{_START}(?:{'|'.join(f'(?P<{kind}>{rule})' for kind, rule in RULES.items())})"
)
