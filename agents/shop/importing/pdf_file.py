"""PDF (ISO 32000): product sheets of "Field: value" lines, and tables where they read as lines.

What a page shows is not what it says: text that is a picture cannot be read, and tables with cells
of several lines are not told apart. Spreadsheets are the better source.
"""

import re
from datetime import tzinfo
from typing import Final

from agents.errors import AgentValueError
from agents.pdf import pdf_pages
from agents.shop.importing.columns import Column, has_han
from agents.shop.importing.gathering import gather
from agents.shop.importing.records import Record
from agents.shop.importing.result import Imported, Problem, failed
from agents.shop.importing.sections import Section, field_of, is_policies, policy_record
from agents.shop.importing.tables import Row, Table, is_head
from agents.shop.product import Shop

_GAP: Final = re.compile(r"\s{2,}|\t|\s*\|\s*")
_LONGEST_TITLE: Final = 60


def import_pdf(data: bytes, shop: Shop | None, zone: tzinfo | None) -> Imported:
    """Read a PDF file. Rows of its problems are pages."""
    try:
        pages = pdf_pages(data)
    except AgentValueError as error:
        return failed(str(error))
    if not any(page.strip() for page in pages):
        return failed("the PDF holds no text; accepted: PDFs whose text can be selected")
    reader = _Reader()
    for number, page in enumerate(pages, 1):
        for line in page.splitlines():
            if line.strip():
                reader.read(number, line.strip())
    records = reader.finish()
    if not records and not reader.problems:
        return failed(
            "no product was found in the PDF; accepted: lines such as 'Price: $39', or a table "
            "with a line of column names"
        )
    return gather(records, reader.problems, shop, zone)


class _Reader:
    """Reads pages line by line."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._records: list[Record] = []
        self._section: Section | None = None
        self._title: tuple[int, str] | None = None
        self._policies = False
        self._rows: list[Row] = []

    def read(self, page: int, line: str) -> None:
        """Take the next line."""
        cells = _GAP.split(line)
        if is_head(cells) and len(cells) > 1:
            self._end()
            self._rows = [Row(page, cells)]
        elif self._rows and len(cells) == len(self._rows[0].cells):
            self._rows.append(Row(page, cells))
        elif self._rows and len(cells) > 1:
            message = "does not have as many cells as the table has columns; is one empty?"
            self.problems.append(Problem(page, "", line[:60], message))
        else:
            self._end_table()
            self._line(page, line)

    def finish(self) -> list[Record]:
        """Return the records of all pages."""
        self._end()
        return sorted(self._records, key=lambda record: record.row)

    def _line(self, page: int, line: str) -> None:
        if is_policies(line.rstrip(":：")):
            self._end()
            self._policies = True
            return
        found = field_of(line)
        if self._policies and found:
            self._records.append(policy_record(page, found[0].key, found[1], found[0].language))
        elif self._policies:
            self._policies = False
            self._title = (page, line)
        elif found:
            self._field(page, line, *found)
        elif self._section is not None and not self._begins(line):
            self._go_on(self._section, line)
        else:
            self._end()
            self._title = (page, line)

    def _field(self, page: int, line: str, column: Column, text: str) -> None:
        if self._section is not None and column.field in ("id", "name"):
            given = [cell.column.place for cell in self._section.cells]
            titled = column.field == "name" and bool(self._section.title) and len(given) > 1
            if column.place in given or titled:
                self._end()
        if self._section is None:
            if not column.known:
                return
            row, title = self._title or (page, "")
            self._section, self._title = Section(row, title), None
        if not self._section.ask(line):
            self._section.add(column, text)

    def _begins(self, line: str) -> bool:
        """Say whether a line looks like the name of the next product rather than like more text."""
        ended = line.endswith((".", "。", ",", "，", ";", "；", "!", "！"))
        few = len(line) <= 20 if has_han(line) else len(line.split()) <= 6
        return (
            few
            and not ended
            and len(line) <= _LONGEST_TITLE
            and line[:1].isupper() | has_han(line[:1])
        )

    def _go_on(self, section: Section, line: str) -> None:
        """Take a line that goes on with the field before."""
        if section.questions:
            section.answer(line)
        elif section.cells:
            last = section.cells.pop()
            gap = "" if has_han(line) else " "
            section.add(last.column, f"{last.text}{gap}{line}".strip())

    def _end(self) -> None:
        self._end_table()
        record = self._section.record() if self._section else None
        if record is not None:
            self._records.append(record)
        self._section, self._title, self._policies = None, None, False

    def _end_table(self) -> None:
        if self._rows:
            table = Table()
            self._records += table.records(self._rows)
            self.problems += table.problems
        self._rows = []
