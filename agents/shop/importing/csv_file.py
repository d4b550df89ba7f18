"""CSV (RFC 4180, and what spreadsheets make of it)."""

import codecs
import csv
import io
from collections.abc import Callable, Iterator
from datetime import tzinfo
from typing import Final

from agents.errors import AgentValueError
from agents.shop.importing.columns import column
from agents.shop.importing.gathering import gather
from agents.shop.importing.result import Imported, Problem, failed
from agents.shop.importing.tables import Row, Table
from agents.shop.product import Shop

_SEPARATORS: Final = (",", ";", "\t")


def import_csv(data: bytes, shop: Shop | None, zone: tzinfo | None) -> Imported:
    """Read a CSV file: UTF-8, with or without a mark, UTF-16 with one, or GB 18030."""
    try:
        text = decoded(data)
    except AgentValueError as error:
        return failed(str(error))
    table, broken = Table(), list[Problem]()
    records = list(table.records(csv_rows(text, broken, _is_known)))
    if not table.found and not broken:
        return failed(
            "no row of column names was found; accepted: such as id, name, price, stock, "
            "separated by commas, semicolons or tabs"
        )
    return gather(records, [*table.problems, *broken], shop, zone)


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a mark, or GB 18030.

    Raises:
        AgentValueError: it is none of these, or holds NUL characters.
    """
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise AgentValueError("the file holds NUL characters; accepted: text")
        return text
    raise AgentValueError("the file is no text; accepted: UTF-8, UTF-16 with a mark, GB 18030")


def csv_rows(text: str, broken: list[Problem], is_known: Callable[[str], bool]) -> Iterator[Row]:
    """Return the rows of a CSV text; one that cannot be read is told to `broken`, and ends it.

    Args:
        is_known: whether a text is a known name of a column, by which the separator is found.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=_separator(text, is_known), strict=True)
    number = 0
    try:
        for cells in reader:
            number += 1
            yield Row(number, cells)
    except csv.Error as error:
        message = f"cannot be read, nor what follows: {error}; are quotes doubled and closed?"
        broken.append(Problem(number + 1, "", "", message))


def _separator(text: str, is_known: Callable[[str], bool]) -> str:
    """Return the separator by which most columns of the first lines are known."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:20]

    def known(separator: str) -> int:
        names = (line.split(separator) for line in lines)
        return max((sum(is_known(n.strip().strip('"')) for n in row) for row in names), default=0)

    return max(_SEPARATORS, key=known)


def _is_known(name: str) -> bool:
    found = column(name)
    return found is not None and found.known
