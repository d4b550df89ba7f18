"""Tables: a row of column names, and rows of cells below it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.shop.importing.columns import Column, column
from agents.shop.importing.records import Cell, Problems, Record
from agents.shop.importing.result import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, Problem, shown

# Rows above the column names, such as a title.
_MOST_ABOVE = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `number`: as a spreadsheet counts, from 1."""

    number: int
    cells: Sequence[str]


class Table:
    """Reads a table row by row.

    Args:
        name: of the table, told with its problems; empty where a file has only one.

    Attributes:
        problems: found so far.
        found: whether there was a row of column names.
    """

    def __init__(self, name: str = "") -> None:
        self.problems: list[Problem] = []
        self.found = False
        self._name = name
        self._columns: list[Column | None] = []

    def records(self, rows: Iterable[Row]) -> Iterator[Record]:
        """Return the rows below the column names as records."""
        for taken, row in enumerate(row for row in rows if any(c.strip() for c in row.cells)):
            if not self.found:
                if taken >= _MOST_ABOVE:
                    break
                self._read_head(row)
            elif taken > MOST_ROWS + _MOST_ABOVE:
                self._tell(
                    row.number, "", "", f"and those below are too many; accepted: {MOST_ROWS} rows"
                )
                return
            elif record := self._record(row):
                yield record

    def _read_head(self, row: Row) -> None:
        if not is_head(row.cells):
            return
        self.found = True
        if len(row.cells) > MOST_COLUMNS and any(c.strip() for c in row.cells[MOST_COLUMNS:]):
            self._tell(
                row.number,
                "",
                str(len(row.cells)),
                f"are too many columns; accepted: {MOST_COLUMNS}",
            )
        places: dict[object, str] = {}
        for name in row.cells[:MOST_COLUMNS]:
            found = column(name)
            if found is not None and found.place in places:
                earlier = places[found.place]
                self._tell(row.number, name, name, f"says the same as {earlier!r}, which is used")
                found = None
            elif found is not None:
                places[found.place] = shown(name)
            self._columns.append(found)

    def _record(self, row: Row) -> Record | None:
        beyond = [cell for cell in row.cells[len(self._columns) :] if cell.strip()]
        if beyond:
            wide = len(self._columns)
            message = f"stands beyond the {wide} columns; is a separator or a quote missing?"
            self._tell(row.number, "", beyond[0], message)
            return None
        cells = []
        for found, text in zip(self._columns, row.cells, strict=False):
            if len(text) > LONGEST_CELL:
                name = found.name if found else ""
                self._tell(row.number, name, text, f"is longer than {LONGEST_CELL} characters")
                return None
            if found is not None and text.strip():
                cells.append(Cell(found, text))
        return Record(row.number, tuple(cells), self._name) if cells else None

    def _tell(self, row: int, name: str, value: str, message: str) -> None:
        wrong = Problems(row, self._name)
        wrong.tell(name, value, message)
        self.problems += wrong.found


def is_head(cells: Sequence[str]) -> bool:
    """Say whether a row names columns: a product's id or name, or a policy, and one thing more."""
    known = [found for cell in cells if cell.strip() and (found := column(cell)) and found.known]
    fields = {found.field for found in known}
    return bool(fields & {"id", "name", "policy"}) and len(known) >= 2
