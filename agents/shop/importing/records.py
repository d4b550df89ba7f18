"""What all formats become: records of named cells."""

from dataclasses import dataclass

from agents.shop.importing.columns import ATTRIBUTE, Column
from agents.shop.importing.result import Problem, shown


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a column of a record."""

    column: Column
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table, or a section of a text.

    Attributes:
        row: as a `Problem` counts them.
        table: name of the table; empty where a file has only one.
    """

    row: int
    cells: tuple[Cell, ...]
    table: str = ""

    def named(self, field: str) -> str:
        """Return the name the file has for a field, or the field's own."""
        found = (cell.column.name for cell in self.cells if cell.column.field == field)
        return next(found, field.removeprefix(ATTRIBUTE))


class Problems:
    """Collects what is wrong with one row; `table` as that of a `Record`."""

    def __init__(self, row: int, table: str = "") -> None:
        self._row = row
        self._table = table
        self.found: list[Problem] = []

    def tell(self, column: str, value: str, message: str) -> None:
        """Add a problem; its column is told with its table."""
        place = ": ".join(part for part in (self._table, shown(column)) if part)
        self.found.append(Problem(self._row, place, shown(value), message))
