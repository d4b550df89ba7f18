"""What viewers call themselves, made fit to be spoken: a name, and nothing else."""

import re
import unicodedata

from agents.regulation.regulation import Regulation
from agents.smalltalk import is_injection

_MOST_LETTERS, _MOST_HAN = 16, 12
_MARKUP = re.compile(r"<[^>]*>?|&\w+;|\[[^\]]*\]\([^)]*\)|\{[^}]*\}?|```.*?(?:```|$)", re.DOTALL)
_LINK = re.compile(
    r"(?:https?:|www\.)\S*|\S+@\S+\.\S+"
    r"|\S+\.(?:com|net|org|cn|io|shop|xyz|top|vip|me|co|app|ly|cc|info|tv|store|site|link)\b\S*"
    r"|\b\w+ dot (?:com|net|cn|shop)\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\+?\d[\d\s().-]{3,}\d|\d{5,}|[零一二三四五六七八九〇幺两]{5,}")
_CONTACT = re.compile(
    r"\b(?:whats ?app|telegram|wechat|weixin|vx|qq|line id|insta(?:gram)?|tiktok|discord|dm me|"
    r"call me|text me|add me|follow me|phone|tel|free iphone|promo code|coupon code)\b"
    r"|[加➕+][我v]|微信|威信|薇信|扣扣|企鹅号|私信|私聊|联系我|电话|手机号|代购|返利|兼职|刷单|优惠码",
    re.IGNORECASE,
)
# A name asks for nothing and states nothing.
_TALKS = re.compile(
    r"\b(?:ignore|disregard|forget|system|assistant|prompt|instructions?|say|repeat|tell|announce|"
    r"pretend|act as|you are|you're|must|should|admin(?:istrator)?|moderator|developer|override|"
    r"free|price|discount|buy|sell|click|visit|https?|refund|scam|sold out|\$\s?\d|please|reveal|"
    r"print|output|call|dial|text|execute|sudo|null|undefined|read this|host|official|"
    r"staff|support)\b"
    r"|\d\s*(?:%|(?:percent|off|usd|dollars?|bucks|cents|euros?|eur|pounds?|gbp|quid|yuan|rmb|cny|"
    r"sgd|cad|hkd)\b)|[$€£¥₩]\s?\d|[\d一二三四五六七八九十百]\s*(?:块|折|包邮|美元|美金|刀|欧)|包邮|秒杀"
    r"|忽略|无视|忘记|系统|指令|提示词|请说|跟我|念|重复|大声|宣布|免费|价格|打折|半价|不要钱|退款|假货|骗"
    r"|骗子|客服|官方|管理员|主播说|主播请|扮演|你是|你现在|必须|点击|链接|购买|下单|只要|元|块钱|赠送|送你",
    re.IGNORECASE,
)
_KEPT = re.compile(r"[^\w\s'’·.-]+")
_REGULATION = Regulation()


def clean_name(name: str) -> str:
    """Return a viewer's name as it may be spoken; "" where nothing is left to call them by.

    Without markup, links, ways to reach anybody, long numbers, pictures; nothing that is no name
    but an order, a claim or an insult. At most 16 letters or 12 Chinese characters.
    """
    text = unicodedata.normalize("NFKC", name[:200])
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C" or c in " \t")
    text = _MARKUP.sub(" ", text)
    text = _DIGITS.sub(" ", _LINK.sub(" ", text))
    if _CONTACT.search(text) or _TALKS.search(text) or is_injection(text):
        return ""
    if _REGULATION.check(text, "zh"):
        return ""
    text = re.sub(r"[\s_]+", " ", _KEPT.sub(" ", text)).strip(" .-'’·")
    text = _shortened(text)
    return text if re.search(r"[^\W\d_]", text) else ""


def _shortened(text: str) -> str:
    """Cut a name to what is heard as one, between words where it has any."""
    if re.search(r"[\u3400-\u9fff]", text):
        return text.replace(" ", "")[:_MOST_HAN]
    if len(text) <= _MOST_LETTERS:
        return text
    head = text[: _MOST_LETTERS + 1].rsplit(" ", 1)[0]
    return head[:_MOST_LETTERS].strip(" .-'’·")
