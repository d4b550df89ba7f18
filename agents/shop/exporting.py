"""A shop's products as CSV: what a spreadsheet edits, and `importing` reads back."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Final

from agents.clause import LANGUAGES
from agents.shop.product import Product, Shop

_FIRST: Final = ("id", "name_en", "name_zh", "category", "price", "currency", "list_price", "stock")
_OFFER: Final = (
    "offer_price", "offer_until", "offer_stock", "offer_condition_en", "offer_condition_zh",
)  # fmt: skip
_LAST: Final = ("description_en", "description_zh", "picture", "link")
# A spreadsheet takes cells that begin so for formulas.
_FORMULA: Final = ("=", "+", "@")


def products_to_csv(shop: Shop) -> str:
    """Return a shop's products as CSV, a row each, with a mark of UTF-8 for spreadsheets.

    Columns that no product fills are left out. Cells that a spreadsheet would take for a formula
    begin with an apostrophe.
    """
    rows = [_row(product) for product in shop]
    filled = {name for row in rows for name, text in row.items() if text}
    columns = [*_FIRST[:2], *(name for name in _columns(rows) if name in filled)]
    written = io.StringIO()
    writer = csv.DictWriter(
        written, list(dict.fromkeys(columns)), restval="", extrasaction="ignore"
    )
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _safe(text) for name, text in row.items()})
    return "\ufeff" + written.getvalue()


def _columns(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the columns in the order of a form: known ones first and last, others between."""
    found = dict.fromkeys(name for row in rows for name in row)
    inner = [name for name in found if name not in (*_FIRST, *_OFFER, *_LAST)]
    return [*_FIRST, *_OFFER, *inner, *_LAST]


def _row(product: Product) -> dict[str, str]:
    row = {
        "id": product.id,
        "category": product.category,
        "price": "" if product.price is None else f"{product.price:f}",
        "currency": product.currency,
        "list_price": "" if product.list_price is None else f"{product.list_price:f}",
        "stock": "" if product.stock is None else str(product.stock),
        "picture": product.picture,
        "link": product.link,
    }
    for name, words in (("name", product.name), ("description", product.description)):
        row |= {f"{name}_{language}": words.get(language, "") for language in LANGUAGES}
    if product.offer is not None:
        offer = product.offer
        row |= {
            "offer_price": f"{offer.price:f}",
            "offer_until": offer.until or "",
            "offer_stock": "" if offer.stock is None else str(offer.stock),
        }
        row |= {f"offer_condition_{lang}": text for lang, text in offer.condition.items()}
    for name, words in product.attributes.items():
        row |= {f"{name}_{language}": text for language, text in words.items()}
    for name, lists in (("point", product.points), ("alias", product.aliases)):
        for language in LANGUAGES:
            for number, text in enumerate(lists.get(language, ()), 1):
                row[f"{name}_{number}_{language}"] = text
    for number, each in enumerate(product.questions, 1):
        for name, words in (("question", each.question), ("answer", each.answer)):
            row |= {f"{name}_{number}_{language}": text for language, text in words.items()}
    return row


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
