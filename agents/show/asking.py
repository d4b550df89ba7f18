"""What a viewer's question is about, as far as a few words tell: for merging and for naming it."""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from agents.clause import Language
from agents.shop.product import Product, Shop


class Asked(NamedTuple):
    """What is asked of what.

    Attributes:
        product: id of the product; "" for the shop as a whole.
        attribute: "price", "size", "colour", "shipping"... as `Product.attributes`; never empty.
    """

    product: str
    attribute: str


# Tells what a text asks for, in a language, while a product (its id, or None) is on air; None
# where it does not know.
Key = Callable[[str, Language, str | None], Asked | None]

# Words that ask for an attribute, most telling first.
_CUES: Final[tuple[tuple[str, str, str], ...]] = (
    ("offer", r"\b(?:discounts?|coupons?|offers?|deals?|on sale|cheaper|promo\w*)\b",
     "优惠|打折|折扣|便宜|活动价|券|满减"),
    ("shipping", r"\b(?:shipping|ship|ships|deliver\w*|postage|arrives?)\b",
     "包邮|运费|发货|快递|物流|几天到|邮费|送到"),
    ("returns", r"\b(?:returns?|refunds?|exchange|send (?:it|them) back)\b", "退货|退换|退款|换货"),
    ("warranty", r"\b(?:warranty|guarantee\w*|breaks?|repairs?)\b", "保修|质保|坏了|维修"),
    ("price", r"\b(?:how much|prices?|costs?|expensive)\b",
     "多少钱|价格|价钱|几块|什么价|贵不贵|怎么卖"),
    ("size", r"\b(?:sizes?|how (?:big|large|tall|wide|long|deep)|dimensions?|fits?|measure\w*)\b",
     "尺寸|多大|尺码|大小|多长|多高|多宽|码数"),
    ("colour", r"\b(?:colou?rs?)\b|\bin (?:black|white|red|blue|green|pink|grey|brown|beige)\b",
     "颜色|什么色|几种色|黑色|白色|红色"),
    ("material", r"\b(?:materials?|made (?:of|from)|fabric|leather|cotton)\b",
     "材质|什么料|面料|什么做的|材料"),
    ("weight", r"\b(?:weights?|how heavy|weigh)\b", "多重|重量|几斤|重不重"),
    ("care", r"\b(?:wash\w*|clean\w*|care)\b", "怎么洗|清洗|机洗|保养"),
    ("origin", r"\b(?:where .*\bmade|made in|origin|come from)\b", "产地|哪里产|哪里生产|国产"),
    ("stock", r"\b(?:in stock|stock|how many (?:are )?left|sold out|available)\b",
     "有货|库存|还有吗|现货|卖完|还剩"),
    ("contents", r"\b(?:in the box|come with|comes with|included?|contents)\b",
     "包含|里面有|配件|送什么"),
)  # fmt: skip

_PATTERNS: Final[Mapping[Language, tuple[tuple[str, re.Pattern[str]], ...]]] = {
    "en": tuple((name, re.compile(english)) for name, english, _ in _CUES),
    "zh": tuple((name, re.compile(f"{english}|{chinese}")) for name, english, chinese in _CUES),
}
# What holds for the shop where nobody names a product.
_OF_SHOP: Final = frozenset({"shipping", "returns", "payment"})


class CueKey:
    """A `Key` that looks for names of products and words that ask for an attribute."""

    def __init__(self, shop: Shop) -> None:
        named = [
            (name.casefold(), product.id)
            for product in shop
            for name in _names(product)
            if len(name) > 1
        ]
        self._names = sorted(named, key=lambda each: -len(each[0]))

    def __call__(self, text: str, language: Language, focus: str | None) -> Asked | None:
        """Return what a text asks for; `focus`: the product on air, which "it" means."""
        plain = text.casefold()
        attribute = next(
            (name for name, pattern in _PATTERNS[language] if pattern.search(plain)), None
        )
        if attribute is None:
            return None
        product = next((product for name, product in self._names if _holds(plain, name)), None)
        if product is None and attribute not in _OF_SHOP:
            product = focus
        return Asked(product or "", attribute)


def _names(product: Product) -> list[str]:
    aliases = [alias for texts in product.aliases.values() for alias in texts]
    return [*product.name.values(), *aliases]


def _holds(text: str, name: str) -> bool:
    if name.isascii():
        return re.search(rf"\b{re.escape(name)}s?\b", text) is not None
    return name in text
