"""The JSON form of a shop: what is stored, sent and edited.

Amounts of money are texts ("128.00"), since a JSON number is a binary fraction to most readers;
numbers are read all the same. Fields that hold nothing are left out.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError
from agents.shop.checks import check_shop, product_flaws
from agents.shop.product import Answered, Lists, Offer, Product, Shop, Words

_PRODUCT = (
    "id", "name", "category", "price", "currency", "list_price", "stock", "aliases", "attributes",
    "points", "description", "questions", "offer", "picture", "link",
)  # fmt: skip
_SHOP = ("id", "name", "products", "policies", "banned")
_OFFER = ("price", "condition", "until", "stock")


def shop_to_json(shop: Shop) -> dict[str, Any]:
    """Return a shop as a JSON object."""
    return _filled(
        {
            "id": shop.id,
            "name": dict(shop.name),
            "products": [product_to_json(product) for product in shop],
            "policies": {name: dict(words) for name, words in shop.policies.items()},
            "banned": list(shop.banned),
        }
    )


def product_to_json(product: Product) -> dict[str, Any]:
    """Return a product as a JSON object."""
    return _filled(
        {
            "id": product.id,
            "name": dict(product.name),
            "category": product.category,
            "price": _amount_text(product.price),
            "currency": product.currency,
            "list_price": _amount_text(product.list_price),
            "stock": product.stock,
            "aliases": {language: list(texts) for language, texts in product.aliases.items()},
            "attributes": {name: dict(words) for name, words in product.attributes.items()},
            "points": {language: list(texts) for language, texts in product.points.items()},
            "description": dict(product.description),
            "questions": [
                {"question": dict(each.question), "answer": dict(each.answer)}
                for each in product.questions
            ],
            "offer": None if product.offer is None else _offer_to_json(product.offer),
            "picture": product.picture,
            "link": product.link,
        }
    )


def shop_from_json(value: Any) -> Shop:
    """Read a shop.

    Raises:
        AgentValueError: a field is unknown, missing or not acceptable; it is named, with its value.
    """
    fields = _object(value, "shop", _SHOP)
    products = _array(fields.get("products", []), "shop.products")
    shop = Shop(
        id=_string(fields.get("id"), "shop.id"),
        name=_words(fields.get("name"), "shop.name"),
        products=tuple(
            _product(product, f"shop.products[{number}]") for number, product in enumerate(products)
        ),
        policies=_named_words(fields.get("policies", {}), "shop.policies"),
        banned=_strings(fields.get("banned", []), "shop.banned"),
    )
    check_shop(shop)
    return shop


def product_from_json(value: Any) -> Product:
    """Read a product.

    Raises:
        AgentValueError: a field is unknown, missing or not acceptable; it is named, with its value.
    """
    product = _product(value, "product")
    for flaw in product_flaws(product):
        raise AgentValueError(f"product.{flaw}")
    return product


def _product(value: Any, path: str) -> Product:
    fields = _object(value, path, _PRODUCT)
    questions = _array(fields.get("questions", []), f"{path}.questions")
    offer = fields.get("offer")
    return Product(
        id=_string(fields.get("id"), f"{path}.id"),
        name=_words(fields.get("name"), f"{path}.name"),
        category=_string(fields.get("category", ""), f"{path}.category"),
        price=_amount(fields.get("price"), f"{path}.price"),
        currency=_string(fields.get("currency", "USD"), f"{path}.currency"),
        list_price=_amount(fields.get("list_price"), f"{path}.list_price"),
        stock=_number(fields.get("stock"), f"{path}.stock"),
        aliases=_lists(fields.get("aliases", {}), f"{path}.aliases"),
        attributes=_named_words(fields.get("attributes", {}), f"{path}.attributes"),
        points=_lists(fields.get("points", {}), f"{path}.points"),
        description=_words(fields.get("description", {}), f"{path}.description"),
        questions=tuple(
            _answered(each, f"{path}.questions[{number}]") for number, each in enumerate(questions)
        ),
        offer=None if offer is None else _offer(offer, f"{path}.offer"),
        picture=_string(fields.get("picture", ""), f"{path}.picture"),
        link=_string(fields.get("link", ""), f"{path}.link"),
    )


def _offer(value: Any, path: str) -> Offer:
    fields = _object(value, path, _OFFER)
    price = _amount(fields.get("price"), f"{path}.price")
    if price is None:
        raise AgentValueError(f"{path}.price is missing; an offer needs one")
    until = fields.get("until")
    return Offer(
        price=price,
        condition=_words(fields.get("condition", {}), f"{path}.condition"),
        until=None if until is None else _string(until, f"{path}.until"),
        stock=_number(fields.get("stock"), f"{path}.stock"),
    )


def _answered(value: Any, path: str) -> Answered:
    fields = _object(value, path, ("question", "answer"))
    return Answered(
        _words(fields.get("question"), f"{path}.question"),
        _words(fields.get("answer"), f"{path}.answer"),
    )


def _offer_to_json(offer: Offer) -> dict[str, Any]:
    return _filled(
        {
            "price": _amount_text(offer.price),
            "condition": dict(offer.condition),
            "until": offer.until,
            "stock": offer.stock,
        }
    )


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", {}, [])}


def _amount_text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:f}"


def _object(value: Any, path: str, accepted: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise AgentValueError(f"{path}: {_shown(value)} is not accepted; an object is")
    for name in value:
        if name not in accepted:
            raise AgentValueError(
                f"{path} has {_shown(name)}; accepted fields: {', '.join(accepted)}"
            )
    return value


def _array(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise AgentValueError(f"{path}: {_shown(value)} is not accepted; a list is")
    return list(value)


def _string(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise AgentValueError(f"{path}: {_shown(value)} is not accepted; a text is")
    return value


def _strings(value: Any, path: str) -> tuple[str, ...]:
    return tuple(
        _string(text, f"{path}[{number}]") for number, text in enumerate(_array(value, path))
    )


def _number(value: Any, path: str) -> int | None:
    if value is None or type(value) is int:
        return value
    raise AgentValueError(f"{path}: {_shown(value)} is not accepted; a whole number is, or null")


def _amount(value: Any, path: str) -> Decimal | None:
    if value is None:
        return None
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            return Decimal(str(value))
        except InvalidOperation:
            pass
    raise AgentValueError(f"{path}: {_shown(value)} is no amount; accepted: such as '19.90'")


def _by_language(value: Any, path: str) -> Mapping[Language, Any]:
    if not isinstance(value, Mapping) or any(name not in LANGUAGES for name in value):
        raise AgentValueError(
            f"{path}: {_shown(value)} is not accepted; an object with {' or '.join(LANGUAGES)} is"
        )
    return value


def _words(value: Any, path: str) -> Words:
    return {
        language: _string(text, f"{path}.{language}")
        for language, text in _by_language(value, path).items()
    }


def _lists(value: Any, path: str) -> Lists:
    return {
        language: _strings(texts, f"{path}.{language}")
        for language, texts in _by_language(value, path).items()
    }


def _named_words(value: Any, path: str) -> Mapping[str, Words]:
    if not isinstance(value, Mapping):
        raise AgentValueError(f"{path}: {_shown(value)} is not accepted; an object is")
    return {
        _string(name, path): _words(words, f"{path}.{_shown(name)}")
        for name, words in value.items()
    }


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
