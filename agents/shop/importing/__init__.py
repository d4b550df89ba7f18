"""Merchants' files become products and policies; what cannot be read is told by row and column."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Final

from agents.shop.importing.csv_file import import_csv
from agents.shop.importing.markdown_file import import_markdown
from agents.shop.importing.pdf_file import import_pdf
from agents.shop.importing.result import MOST_BYTES, Imported, Problem, failed
from agents.shop.importing.xlsx_file import import_xlsx
from agents.shop.product import Shop

__all__ = ["ENDINGS", "MOST_BYTES", "Imported", "Problem", "import_file", "merge"]

_Importer = Callable[[bytes, Shop | None, tzinfo | None], Imported]
_IMPORTERS: Final[Mapping[str, _Importer]] = {
    "csv": import_csv,
    "tsv": import_csv,
    "xlsx": import_xlsx,
    "xlsm": import_xlsx,
    "md": import_markdown,
    "markdown": import_markdown,
    "pdf": import_pdf,
}
ENDINGS: Final = tuple(_IMPORTERS)


def import_file(
    name: str, data: bytes, shop: Shop | None = None, *, zone: tzinfo | None = None
) -> Imported:
    """Read a merchant's file. It never raises: whatever is wrong is a `Problem`.

    Args:
        name: of the file; its ending tells the format. Nothing is opened by it.
        data: its bytes, at most `MOST_BYTES`.
        shop: what the file is imported into. A record of a product it has changes what the record
            names and keeps the rest ("-" takes a value away). Without it, a record stands alone.
        zone: of times that name none; None does not accept such times.
    """
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    importer = _IMPORTERS.get(ending)
    if importer is None:
        accepted = ", ".join(f".{ending}" for ending in ENDINGS)
        return failed("is no file that can be read; accepted: " + accepted, value=name)
    if len(data) > MOST_BYTES:
        size = f"{len(data) / 2**20:.1f} MiB"
        return failed(f"is too large; accepted: {MOST_BYTES // 2**20} MiB", value=size)
    if not data.strip():
        return failed("the file is empty")
    return importer(data, shop, zone)


def merge(shop: Shop, imported: Imported) -> Shop:
    """Return a shop with what was imported: products replaced by id, new ones at the end."""
    products = {product.id: product for product in shop}
    products |= {product.id: product for product in imported.products}
    policies = {
        name: {**shop.policies.get(name, {}), **words} for name, words in imported.policies.items()
    }
    return replace(shop, products=tuple(products.values()), policies={**shop.policies, **policies})
