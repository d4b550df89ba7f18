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
TO: Final = r"[ ]?[-–—~～][ ]?"
DAY: Final = (
    "(?:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:s|nesday)?|Thu(?:r(?:s(?:day)?)?)?|Fri(?:day)?"
    "|Sat(?:urday)?|Sun(?:day)?)"
)
MONTH: Final = f"(?:{_either([*MONTHS, *(month[:3] for month in MONTHS), 'Sept'])})"
JOINED: Final = r"[ ]*(?:[-–—~&/,，、|()（）]+|\b(?:to|and|or|through|thru|till)\b)[ ]*"
BEFORE_DAY: Final = (
    rf"(?:{JOINED}{DAY}s?(?![a-z])|,?[ ]+\d{{1,2}}(?:[:.]\d\d|[ ]?[aApP]\.?[mM]|[ ]?[-–]))"
)
DIGIT_MEASURES: Final = "[点日号月年元块岁折秒天时分人件个斤米度周楼层克寸码页条张瓶包盒袋箱]"
"""One character after a digit behind which a dash or a cross joins two measures."""

_CURRENCY: Final = _either(CURRENCIES)
_CODES: Final = _either(name for name in CURRENCIES if name.isalpha())
# "in" is a unit where it touches its number or nothing could follow the preposition.
_INCH: Final = (
    r"in(?:(?<=\din)|(?<=[x×] \d in)|(?<=[x×] \d\d in)"
    r"|(?=\.?[ ]*(?:$|[\n)])|\.[ ]|[ ]?[x×*–-][ ]?\d|[ ]by[ ]\d"
    r"|\.?[ ](?:wide|tall|long|deep|high|thick|across|screen|display|monitor|TV|pizza)\b))"
)
_UNIT: Final = f"(?:{_either(unit for unit in UNITS if unit != 'in')}|{_INCH})"
_SCALE: Final = r"(?:[ ]?(?:thousand|million|billion|trillion)\b|(?:bn|[kKMmB])(?![A-Za-z]))"
_DOMAINS: Final = (
    "com|org|net|cn|io|ai|co|shop|store|app|dev|edu|gov|info|me|uk|de|fr|jp|tv|live|xyz|eu|ca|au"
)
_PATH: Final = r"[A-Za-z0-9/?&=%#_.~:@!$+*,;-]{0,2000}"
# The full stop of an abbreviation, unless it ends the text, or the sentence too.
_DOT: Final = r"(?:\.(?![ ]*(?:$|\n)))?"
_STOP: Final = rf"(?:\.(?![ ]*(?:$|\n)|[ ]+(?!{DAY}|{MONTH})[A-Z][a-z]))?"
_HALF: Final = rf"(?:[mM]|\.[ ]?[mM](?![A-Za-z]){_STOP})(?![A-Za-z])"
_MEASURED: Final = (
    rf"[ ]?(?:(?:{_UNIT}|{_CODES})(?![{LATIN}])|%|{DIGIT_MEASURES}"
    r"|(?!(?:is|was|has|as|this|its|hours|always)\b)[a-z]+s\b|people\b|yuan\b)"
)
_CENTURY: Final = r"(?:1[5-9]|20)"
_DAY_TAIL: Final = "(?:day|ays|Mon|Tue|ues|Wed|eds|Thu|hur|urs|Fri|Sat|Sun)"
_MONTH_CUT: Final = "(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|ept|Oct|Nov|Dec)"
_MONTH_TAIL: Final = f"(?:{_MONTH_CUT}|May|ary|rch|ril|une|uly|ust|ber)"

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
    "sharp": r"(?<=\b[A-G])#(?!\w)",
    "hash": r"#(?=\d)|№[ ]?(?=\d)|\b(?:[Nn]o|NO)\.[ ]?(?=\d)",
    "at": r"@[ ]?(?=[$£€¥￥]?\d)",
    "date": (
        r"(?<!\d)(?P<y1>[12]\d{3})(?P<s1>[-/.])(?P<m1>0?[1-9]|1[0-2])(?P=s1)"
        r"(?P<d1>3[01]|[12]\d|0?[1-9])"
        r"(?!\d|[/.]\d|-(?!\d{4}[-/.]\d|\d{1,2}[/月]\d)\d)"
        r"|(?<![\d/])(?P<m2>0?[1-9]|1[0-2])/(?P<d2>3[01]|[12]\d|0?[1-9])/(?P<y2>[12]\d{3})(?!\d)"
    ),
    "month": (
        rf"\b(?P<n1>{MONTH})\.?[ ](?P<d3>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:.%]\d|\d)"
        rf"(?:{TO}(?P<d5>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:.%/]\d|[\d%]|[ ]?[ap]\.?m))?"
        r"(?:,?[ ](?P<y3>[12]\d{3})(?!\d))?"
        rf"|\b(?P<d4>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?[ ](?P<of>of[ ])?(?P<n2>{MONTH})\b\.?"
        r"(?:,?[ ](?P<y4>[12]\d{3})(?!\d))?"
        rf"|\b(?P<n3>{MONTH})\.?,?[ ](?P<y5>(?:19|20)\d\d)(?![\d.,:%-]\d|\d)"
    ),
    "day": (
        rf"(?<![{LATIN}'])(?P<weekday>{DAY})s?(?![{LATIN}'])"
        rf"(?:(?<=day)|(?<=days)|(?<=Mon|Wed|Sat|Sun)(?:\.(?={BEFORE_DAY}|[ ][a-z]))?|{_STOP})"
    ),
    "months": (
        rf"(?<![{LATIN}'])(?P<mon>{MONTH})(?![{LATIN}'])"
        rf"(?:(?<=Jan|Mar)(?:\.(?={JOINED}{MONTH}))?|(?<={_MONTH_CUT}){_STOP})?"
    ),
    "year": (
        r"(?<!\d)(?P<yzh>\d{4})(?=年|[-–—~～]\d{4}年)"
        r"|(?<!\d)(?P<y6>20[1-3]\d)(?=[新早]?款|[春夏秋冬级届]|赛季|年?版|新年|跨年|国庆|中秋)"
        r"|(?<!\d)(?P<y7>\d\d)(?=年(?:新?款|[春夏秋冬初底末]|上市|上半|下半|\d{1,2}月))"
    ),
    "years": (
        rf"(?<![\w$£€¥￥.,-])(?P<ya>{_CENTURY}\d\d)(?P<dash>[ ]?[-–—~～/][ ]?)"
        rf"(?P<yb>{_CENTURY}\d\d|\d\d)(?![\d:%-]|[.,]\d|{_MEASURED})"
    ),
    "time": (
        r"(?<![\d:])(?P<h>2[0-4]|[01]?\d)[:：](?P<min>[0-5]\d)(?:[:：](?P<sec>[0-5]\d))?(?![\d:]|\.\d)"
        rf"(?:[ ]?(?P<half>[aApP]){_HALF})?"
        rf"|(?<![\d.])(?:(?P<h0>1[0-2]|0?[1-9]){TO})?(?P<h2>1[0-2]|0?[1-9])"
        rf"(?:\.(?P<min2>[0-5]\d))?[ ]?(?P<half2>[aApP]){_HALF}"
    ),
    "phone": (
        r"(?<![\w.-])(?:"
        r"\+\d{1,3}[- ]?\(?\d{1,4}\)?(?:[- ]?\d{2,4}){1,4}"
        r"|(?:1-)?\(?\d{3}\)?[- ]\d{3}-\d{4}"
        r"|\d{3}\.\d{3}\.\d{4}"
        r"|\d{3,4}-\d{3,4}-\d{3,4}"
        r"|(?:\(0\d{2,3}\)[ ]?|0\d{2,3}[- ])\d{3,4}[- ]?\d{4}|0\d{2}-\d{7}"
        r"|\d{3}-\d{7}-\d{7}"
        rf"|\d{{3}}-\d{{4}}(?!{_MEASURED}|\d)"
        r"|1[3-9]\d[- ]?\d{4}[- ]?\d{4}"
        r"|\d{4}(?:[ ]\d{4}){3}"
        r")(?![\d-]|\.\d|[ ]?(?:元|块))"
    ),
    "money": (
        rf"(?<![A-Za-z])(?P<sign>-?)(?P<cur>{_CURRENCY})(?P<neg>[ ]?-?)(?P<a1>{NUMBER})"
        rf"(?:{TO}(?:{_CURRENCY})?(?P<a2>{NUMBER}))?(?P<scale>{_SCALE})?"
        rf"|(?<![\w.])(?P<a3>{NUMBER})(?P<scale2>{_SCALE})?[ ]?(?P<cur2>{_CODES}|[$¢€£¥￥₩₹])"
        r"(?![A-Za-z\d])"
    ),
    "percent": rf"(?:(?P<p1>{NUMBER})%?{TO})?(?P<p2>{NUMBER})[ ]?(?P<of100>[%‰])",
    "feet": (
        r"(?<![\w.])(?P<ft>\d{1,2})['′](?P<inch>\d{1,2})(?:\"|''|”|″)?"
        r"|(?<!['\w.])(?P<ft2>\d{1,2})['′](?=[ ](?:tall|long|wide|high|deep)\b)"
        r"|(?<!['\w.])(?P<ft3>\d{1,3})['′][ ]?[x×][ ]?(?P<ft4>\d{1,3})['′]"
    ),
    "always": r"(?<![\d.])24[x×*/]7(?![\d/.])",
    "fraction": (
        r"(?<![\d/.])(?:(?P<whole>\d{1,4})[ ])?(?P<up>\d{1,3}(?:\.\d{1,2})?)/(?P<low>\d{1,3}|1000)"
        rf"(?![\d/]|\.\d)(?:(?P<points>分(?![之钟]))"
        rf"|[ ]?(?P<part>\"|″|lbs?|oz|kg|km|mi|tsp|tbsp|gal|ft)(?![{LATIN}]))?"
        r"|(?P<whole2>\d{1,4})?(?P<vulgar>[½¼¾⅓⅔⅛⅜⅝⅞⅕])"
    ),
    "ratio": r"(?<![\d:])(?P<r1>\d{1,4})[:：](?P<r2>\d{1,4}(?:\.\d{1,2})?)(?![\d:])",
    "by": (
        r"(?:(?<=[\d\"”″m寸米])|(?<=[\d\"”″m] )|(?<=\d(?:in|ft))|(?<=\d(?:in|ft) )"
        rf"|(?<=\d (?:in|ft) )|(?<=\d[gGLVW])|(?<=\d(?:kg|ml|mL|oz))|(?<=\d{DIGIT_MEASURES}))"
        r"[xX×*][ ]?(?=[$£€¥￥]?\d)"
    ),
    "multiple": rf"(?<![\w.])(?P<mul>{NUMBER})[x×](?![A-Za-z\d])|(?<![\w])[x×](?P<mul2>\d+)(?!\w)",
    "decade": r"(?<!\d)'?(?P<dec>(?:1[1-9]|20)?\d0)'?s\b",
    "discount": r"(?<![\d.])(?P<off>[1-9])\.?(?P<tenth>[1-9])(?=折)",
    "festival": (
        r"(?<![\d.双])(?P<double>11\.11|12\.12)(?=[㐀-鿿])"
        r"|(?<![\d.])(?P<feast>(?:3\.8|5\.1|5\.4|6\.1|8\.1|10\.1))(?=节|假期|长假|黄金周|女神|女王|妇女|儿童|国庆|劳动)"
        r"|(?<![\d.])(?P<sale>618|315|520|818|38|99|88)"
        r"(?=大促|狂欢|购物|年中|期间|活动|预售|当天|女神|女王|妇女|节|主场|特惠|钜惠|红包)"
    ),
    "bargain": r"(?<![\d.])(?P<yuan>\d{1,3})\.(?P<jiao>[1-9])(?=包邮)",
    "hours": (
        r"(?<![\w.])(?P<hh>\d{1,2})[ ]?h(?:rs?)?[ ]?(?P<mm>\d{1,2})[ ]?m(?:ins?)?"
        rf"(?![{LATIN}\d])"
    ),
    "karat": (
        r"(?<![\w.])(?P<kt>\d{1,2})[kK]"
        r"(?=[ -](?:gold|white|yellow|rose|solid)|[白黄纯足玫]?金|玫瑰)"
    ),
    "quantity": (
        rf"(?:(?<![{LATIN}])|(?<=\d[xX]))(?:(?P<q0>{NUMBER})(?:[ ]?(?P<unit0>{_UNIT}))?{TO})?"
        rf"(?P<q>{NUMBER})[ ]?(?P<unit>{_UNIT})(?![{LATIN}\d])(?:\.(?=[ ][a-z]))?"
    ),
    "scaled": (
        r"(?<![\w.])(?P<k>\d+(?:\.\d+)?)(?:(?P<ks>[kKwW])(?![A-Za-z\d])"
        r"|(?P<ms>[MB])(?=\+|[ ]?(?:views|followers|fans|users|subscribers|people|downloads|likes|"
        r"plays|streams|units|sold|sales|customers|reviews|orders|播放|粉丝|用户|观看|点赞|下载)))"
    ),
    "ordinal": r"(?<![\w.])(?P<ord>\d{1,3}(?:,\d{3})*|\d+)(?:st|nd|rd|th)\b",
    "version": r"(?<![\w.])(?P<v>[vV]?)(?P<dots>\d+(?:\.\d+){2,})",
    "prefix": (
        r"(?<![A-Za-z-])(?:mid|pre|post|noon|midnight|[Uu]nder|[Oo]ver|sub)(?=-\d)"
        r"|(?<![A-Za-z])[A-Z]{2,6}(?=-I[IV]{1,2}(?![\w'-]))"
    ),
    "sizes": (
        r"(?<![A-Za-z])(?<![A-Za-z]-)(?P<small>X{0,3}[SL]|M)[-–—~～](?P<large>\d?X{1,3}L|X?[SL]|M)(?![\w-])"
        r"|(?<![A-Za-z])(?P<many>X{3,4})(?P<size>[SL])(?!\w)"
    ),
    "model": (
        r"(?<![A-Za-z0-9])(?=[A-Za-z0-9-]{0,12}[A-Za-z])(?=[A-Za-z0-9-]{0,24}\d)(?!\d+[xX]\d)"
        r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:\.\d+)?"
    ),
    "stars": rf"(?P<starred>{NUMBER})[ ]?[★⭐☆]",
    "number": NUMBER,
    "less": r"(?<=[\d])[ ]?[-–][ ]?(?=\d+(?:\.\d+)?[ ]?=)",
    "range": (
        r"(?:(?<=[\d%°℃℉CFKkmglLBsM元块$€£¢¥￥\"])|(?<=[\d%] )"
        rf"|(?<=\d{DIGIT_MEASURES})|(?<=\d(?:小时|分钟|公斤|公里|厘米|毫升|个月))|(?<=点半)"
        r"|(?<=\dst|\dnd|\drd|\dth)|(?<=\d [aApP][mM])|(?<=[ap]\.m)|(?<=[ap]\.m\.)|(?<=noon|ight))"
        r"(?:(?:(?<=\d[aApP][mM])|(?<=\d [aApP][mM])|(?<=\.[mM]\.)|(?<=noon|ight))[ ])?"
        r"(?:[~～]|[-–](?![-–])|—(?!—))[ ]?"
        r"(?=[$£€¥￥]?-?\.?\d|[上下中]午|早|晚|凌晨|次日|第二天|周[一二三四五六日]"
        rf"|(?:noon|midnight|late|close)\b|{MONTH}\.?[ ]\d)"
        r"|(?:(?<=[周期拜][一二三四五六日天]))[-–—~～](?=[周星礼]|[一二三四五六日天])"
        rf"|(?:(?<={_DAY_TAIL})|(?<={_DAY_TAIL}\.))(?<!oday){TO}(?={DAY}s?(?![{LATIN}]))"
        rf"|(?:(?<={_MONTH_TAIL})|(?<={_MONTH_TAIL}\.)){TO}(?={MONTH}(?![{LATIN}]))"
    ),
    "minus": r"(?<![A-Za-z0-9)\]%])[-–](?=\.?\d)",
    "per": (
        rf"(?:(?<=[\d元块])|(?<=[a-z]{{2}}))/(?P<each>{_UNIT})(?![{LATIN}\d])"
        r"|(?<=[\dA-Za-z])/(?=(?:day|week|month|year|night|person|piece|hour|box|pack|bag|each)\b)"
        r"|(?<=\d)/(?P<short_each>mo|yr|wk|ea|pc)(?![A-Za-z])(?:\.(?=[ ][a-z]))?"
    ),
    "offer": r"(?<=\d)/(?=[$£€])",
    "slash": (rf"(?:(?<=[\d元块角gLm])|(?<=\d[{HAN}]))/(?=[{HAN}])|(?<=[元块角])/(?=\d)"),
    "more": (
        r"(?:(?<=[\d%kKwWMB万千亿岁★])|(?<=\d[个件款人元]))\+(?!\d)"
        rf"(?=[\s,.!?，。！？{HAN}A-Za-z]|$)"
    ),
    "plus": rf"\+(?=[ ]?\d)|(?<=[ ])\+(?=[ ][{LATIN}])|(?<=[{HAN}])[ ]?\+(?=[ ]?[{HAN}])",
    "pluses": r"(?<=[A-Za-z])\+{1,4}(?![\w+])",
    "equals": r"=(?=[ ]?[\d$￥¥£€])",
    "about": r"[≈～~](?=[ ]?[$￥¥£€]?\d)",
    "tolerance": r"±(?=[ ]?\d)",
    "above": r"[>＞≥](?=[ ]?\d)",
    "below": r"[<＜≤](?=[ ]?[$￥¥£€]?\d)",
    "divided": r"÷(?=[ ]?\d)",
    "and": r"&",
    "initials": rf"(?<![{LATIN}])(?:[A-Z]\.)+[A-Z](?![{LATIN}]){_DOT}",
    "short": (
        r"(?<![A-Za-z])(?P<abbr>[Mm]rs?|[Mm]s|[Pp]rof|[Jj]r|[Ss]r|[Ee]\.g|[Ii]\.e|[Vv]s|[Ee]tc"
        r"|[Aa]pprox|[Bb]lvd|[Hh]wy|Apt|Ave|Rd|[Ll]td|[Ii]ncl|[Ee]xcl|[Ee]xt|[Qq]ty)"
        rf"(?![{LATIN}]){_DOT}"
        rf"|(?<![A-Za-z])(?P<abbr2>Ln|Mt|Inc|Co|Corp|Dept|apt)(?=\.){_STOP}"
        r"|(?<![A-Za-z])(?P<abbr3>[Mm]ax|[Mm]in|[Ee]st|[Aa]vg)\.(?=[ ]*[^\sA-Z])"
        rf"|(?<![A-Za-z])(?P<road>St|Dr)(?![{LATIN}'-]){_DOT}"
        r"|(?<![A-Za-z])(?P<with>[wW]/o?)(?![A-Za-z])"
    ),
    "dot": r"(?<=[A-Za-z])\.(?=[a-z])",
    "roman": (
        r"(?<![\w'])(?P<numeral>I{1,3}|IV|VI{0,3}|IX|X(?:I{1,3}|I?V|VI{1,3}|IX)?|XX)(?![\w'-])"
    ),
    "word": rf"[{LATIN}]+(?:['-][{LATIN}]+)*",
    "pause": r"[,，、;；:：.。!！?？…—()（）\n|]+|(?<=\s)[-–](?=\s)",
}
"""Kind -> pattern, the first that fits wins. What a scan may have to give back is bounded."""

# Most signs and pictures begin nothing: they are passed over without trying every kind.
_SIGNS: Final = " ,，、;；:：.。!！?？…—–()（）\n|@#№$£€¢¥￥₩₹+=÷&≈～~±>＞≥<＜≤×*/'½¼¾⅓⅔⅛⅜⅝⅞⅕-"
PATTERN: Final = re.compile(
    rf"(?=[\w{LATIN}{HAN}{_SIGNS}])"
    f"(?:{'|'.join(f'(?P<{kind}>{rule})' for kind, rule in RULES.items())})",
    re.ASCII,  # \b and \w see the edge between a Chinese character and a letter or digit
)
