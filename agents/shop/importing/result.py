"""What an import brings: products, policies, and every problem by row and column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from agents.shop.product import Product, Words

MOST_BYTES: Final = 10 * 1024 * 1024
MOST_ROWS: Final = 5000
MOST_COLUMNS: Final = 200
LONGEST_CELL: Final = 8000
MOST_PROBLEMS: Final = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not taken.

    Attributes:
        row: as a spreadsheet counts, from 1; a line of a text; a page of a PDF; 0 for the file
            as a whole.
        column: the column's name as it stands in the file; empty for the row as a whole.
        value: what stands there, shortened.
        message: what is wrong with it, and what is accepted.
    """

    row: int
    column: str
    value: str
    message: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read from a file. A row with a problem is left out, the others are here."""

    products: tuple[Product, ...] = ()
    policies: Mapping[str, Words] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def failed(message: str, *, row: int = 0, column: str = "", value: str = "") -> Imported:
    """Return the result of a file that cannot be read at all."""
    return Imported(problems=(Problem(row, column, shown(value), message),))


def bounded(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return at most `MOST_PROBLEMS` problems, in the order of rows; the last tells of the rest."""
    ordered = sorted(problems, key=lambda problem: problem.row)
    if len(ordered) <= MOST_PROBLEMS:
        return tuple(ordered)
    rest = len(ordered) - MOST_PROBLEMS
    return (*ordered[:MOST_PROBLEMS], Problem(0, "", "", f"{rest} more problems are not listed"))


def shown(value: str) -> str:
    """Return a value fit to be shown: short, and without control characters."""
    plain = "".join(c if c.isprintable() else "\ufffd" for c in value[:61])
    return plain if len(plain) <= 60 else plain[:57] + "..."
