"""Places in a script that are filled when it is spoken: "{price}" is what is paid just then."""

import re
from collections.abc import Mapping
from typing import Final

from agents.clause import Language
from agents.shop.money import say_moment, say_money
from agents.shop.phrases import bare
from agents.shop.pricing import effective_price
from agents.shop.product import Product, Shop

# What may stand in braces: what is paid now; what it costs without the offer, or did before; the
# product's name; how many there are; how many at the offer's price; when the offer ends; under
# what condition it holds; the shop's name.
PLACES: Final = ("price", "before", "name", "stock", "left", "until", "condition", "shop")
_PLACE: Final = re.compile(r"\{([^{}\s]{1,40})\}")


def places_in(text: str) -> list[str]:
    """Return the names in braces in a text, in order, known or not."""
    return _PLACE.findall(text)


def values_of(
    product: Product | None, shop: Shop, language: Language, now: float
) -> dict[str, str]:
    """Return what places are filled with; those that hold nothing now are left out.

    Args:
        now: seconds since the epoch, by which offers hold or have ended.
    """
    values = {"shop": shop.name.get(language) or next(iter(shop.name.values()))}
    if product is None:
        return values
    values["name"] = product.named(language)
    if product.stock is not None:
        values["stock"] = str(product.stock)
    price = effective_price(product, now)
    if price is None:
        return values
    values["price"] = say_money(price.amount, price.currency, language)
    if price.before is not None:
        values["before"] = say_money(price.before, price.currency, language)
    if price.offer is None:
        return values
    if price.offer.stock is not None and price.left is not None:
        values["left"] = str(price.left)
    if price.offer.until is not None:
        values["until"] = say_moment(price.offer.until, language)
    condition = price.offer.condition
    if condition:
        said = condition.get(language) or next(iter(condition.values()))
        values["condition"] = bare(said)
    return values


def filled(text: str, values: Mapping[str, str]) -> str | None:
    """Return a text with its places filled, None where one of them holds nothing now."""
    if any(name not in values for name in places_in(text)):
        return None
    return _PLACE.sub(lambda match: values[match[1]], text)
