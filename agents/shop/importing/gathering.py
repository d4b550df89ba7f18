"""Records of a file become products and policies, and problems where they cannot."""

from collections import Counter
from collections.abc import Iterable
from datetime import tzinfo

from agents.shop.checks import MOST_PRODUCTS, text_flaw
from agents.shop.importing.columns import policy_key
from agents.shop.importing.reader import Reader
from agents.shop.importing.records import Problems, Record
from agents.shop.importing.result import LONGEST_CELL, Imported, Problem, bounded
from agents.shop.product import Product, Shop, Words


def gather(
    records: Iterable[Record],
    problems: Iterable[Problem],
    shop: Shop | None,
    zone: tzinfo | None,
) -> Imported:
    """Return the products and policies of records; of two with one id the first.

    Args:
        problems: those found before.
        shop: what records that name a product of it start from.
        zone: of times that name none.
    """
    known = {} if shop is None else {product.id: product for product in shop}
    usual = Counter(product.currency for product in known.values()).most_common(1)
    products: dict[str, tuple[Record, Product]] = {}
    policies: dict[str, Words] = {}
    told = list(problems)
    for record in records:
        wrong = Problems(record.row, record.table)
        if any(cell.column.field == "policy" for cell in record.cells):
            _add_policy(record, policies, wrong)
        else:
            reader = Reader(record, wrong, zone, usual[0][0] if usual else None)
            _add_product(reader.product(known), record, products, wrong)
        told += wrong.found
    return Imported(tuple(product for _, product in products.values()), policies, bounded(told))


def _add_product(
    product: Product | None,
    record: Record,
    products: dict[str, tuple[Record, Product]],
    wrong: Problems,
) -> None:
    if product is None:
        return
    if product.id in products:
        first = products[product.id][0]
        place = f"row {first.row}" + (f" of {first.table}" if first.table else "")
        wrong.tell(record.named("id"), product.id, f"is the id of {place} too, which is kept")
    elif len(products) >= MOST_PRODUCTS:
        wrong.tell("", product.id, f"is one too many; accepted: {MOST_PRODUCTS} products")
    else:
        products[product.id] = (record, product)


def _add_policy(record: Record, policies: dict[str, Words], wrong: Problems) -> None:
    reader = Reader(record, wrong)
    name = policy_key(reader.one("policy"))
    text = reader.words("text")
    for cell in record.cells:
        if flaw := text_flaw(cell.column.name, cell.text, LONGEST_CELL):
            wrong.tell(cell.column.name, flaw.value, flaw.message)
    if not name or len(name) > 60:
        wrong.tell(record.named("policy"), name, "is no name; accepted: 1 to 60 characters")
    elif not text:
        wrong.tell(record.named("text"), "", "is empty; a policy needs a text")
    elif set(policies.get(name, {})) & set(text):
        wrong.tell(record.named("policy"), name, "is there twice; the first is kept")
    elif not wrong.found:
        policies[name] = {**policies.get(name, {}), **text}
