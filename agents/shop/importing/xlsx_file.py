"""XLSX workbooks (ECMA-376), read by openpyxl within bounds."""

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, tzinfo
from typing import Any, Final

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from agents.errors import AgentValueError
from agents.shop.importing.gathering import gather
from agents.shop.importing.records import Record
from agents.shop.importing.result import (
    MOST_COLUMNS,
    MOST_ROWS,
    Imported,
    Problem,
    failed,
)
from agents.shop.importing.tables import Row, Table
from agents.shop.product import Shop

MOST_UNPACKED: Final = 64 * 1024 * 1024
_MOST_PARTS: Final = 2000
_MOST_RATIO: Final = 200
_MOST_SHEETS: Final = 20
# Parts this small may be packed as tightly as they like.
_SMALL: Final = 1024 * 1024
_SIGN: Final = re.compile(r"\[\$([^\]-]{1,4})|([$€£¥₩₹元])")
# What the reader of a foreign format answers damaged files with.
_BROKEN: Final = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, OSError, EOFError, SyntaxError,
    LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError,
    AssertionError,
)  # fmt: skip


def import_xlsx(data: bytes, shop: Shop | None, zone: tzinfo | None) -> Imported:
    """Read a workbook: every sheet that is shown and has a row of column names."""
    try:
        sheets = xlsx_sheets(data)
    except AgentValueError as error:
        return failed(str(error))
    records: list[Record] = []
    problems: list[Problem] = []
    found = False
    for title, rows in sheets.items():
        table = Table(title if len(sheets) > 1 else "")
        records += table.records(rows)
        problems += table.problems
        found = found or table.found
    if not found:
        return failed(
            "no sheet has a row of column names; accepted: such as id, name, price, stock"
        )
    return gather(records, problems, shop, zone)


def xlsx_sheets(data: bytes) -> dict[str, list[Row]]:
    """Return the rows of each sheet that is shown, by its title.

    Raises:
        AgentValueError: it is no workbook, has a password, is damaged, or unpacks to too much.
    """
    check_archive(data)
    try:
        with warnings.catch_warnings():
            # Of extensions such as data validation, which are nothing to an import.
            warnings.simplefilter("ignore")
            return _sheets(data)
    except _BROKEN as error:
        raise AgentValueError(
            f"the workbook cannot be read: {type(error).__name__}; is it damaged?"
        ) from error


def check_archive(data: bytes) -> None:
    """Refuse an archive that would unpack to far more than it is.

    Raises:
        AgentValueError: it is none, is encrypted, or is too large unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
        raise AgentValueError(
            "the file is no workbook; accepted: .xlsx, not .xls and without a password"
        ) from error
    if len(parts) > _MOST_PARTS:
        raise AgentValueError(f"the workbook has {len(parts)} parts; accepted: {_MOST_PARTS}")
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED:
        raise AgentValueError(
            f"the workbook unpacks to {unpacked / 2**20:.0f} MiB; "
            f"accepted: {MOST_UNPACKED // 2**20} MiB"
        )
    for part in parts:
        if part.flag_bits & 1:
            raise AgentValueError("the workbook has a password; accepted: workbooks without one")
        if part.file_size > max(_SMALL, _MOST_RATIO * part.compress_size):
            raise AgentValueError(
                f"a part of the workbook is packed {_MOST_RATIO} times and more, as no sheet is"
            )


def _sheets(data: bytes) -> dict[str, list[Row]]:
    # Formulas are read as such, since their values are what some program once made of them.
    workbook = openpyxl.load_workbook(
        io.BytesIO(data), read_only=True, data_only=False, keep_links=False
    )
    try:
        sheets = [
            sheet
            for sheet in workbook.worksheets
            if isinstance(sheet, ReadOnlyWorksheet) and sheet.sheet_state == "visible"
        ]
        return {sheet.title: list(_rows(sheet)) for sheet in sheets[:_MOST_SHEETS]}
    finally:
        workbook.close()


def _rows(sheet: Any) -> Iterator[Row]:
    # A sheet may claim any size, so it is asked for no more than is accepted.
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_row=MOST_ROWS + 40, max_col=MOST_COLUMNS + 1)
    for number, cells in enumerate(rows, 1):
        yield Row(number, [_text(cell) for cell in cells])


def _text(cell: Any) -> str:
    """Return a cell as it would be typed; a formula as one, which is then refused."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        number = repr(int(value)) if float(value).is_integer() else repr(value)
        return _sign(cell.number_format) + number
    if isinstance(value, datetime):
        return value.isoformat(sep="T")
    if isinstance(value, date):
        return value.isoformat()
    if cell.data_type == "f":
        text = str(getattr(value, "text", value))
        return text if text.startswith("=") else f"={text}"
    return str(value)


def _sign(style: str | None) -> str:
    """Return the currency sign that a number is shown with, if any."""
    match = _SIGN.search(style or "")
    return (match[1] or match[2] or "") if match else ""
