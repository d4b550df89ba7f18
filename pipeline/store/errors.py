"""Why the database does not take what it is given."""

from typing import Final, Literal

from sqlalchemy.exc import DBAPIError

Trouble = Literal["full", "lost", "failed"]

WORDS: Final[dict[Trouble, str]] = {
    "full": "the disk of the database is full",
    "lost": "the database cannot be reached",
    "failed": "the database does not take what it is given",
}
# What SQLite says of a disk that is full, or that a limit keeps from growing.
_FULL: Final = ("disk is full", "disk i/o error", "disk quota")
# Classes of SQLSTATE: 53 insufficient resources (53100 disk full); 08 connection; 57P operator.
_FULL_STATE: Final = "53"
_LOST_STATES: Final = ("08", "57P")


def trouble_of(error: Exception) -> Trouble | None:
    """Return what is wrong with the database, None where the error is about what was asked."""
    if isinstance(error, DBAPIError):
        return _of_driver(_first(error))
    # A driver's socket fails with the system's own errors.
    return "lost" if isinstance(error, OSError) else None


def _first(error: DBAPIError) -> DBAPIError:
    """Return what it began with: a full disk ends the transaction, so undoing a part fails too."""
    before: BaseException | None = error
    while before is not None:
        if isinstance(before, DBAPIError):
            error = before
        before = before.__context__
    return error


def _of_driver(error: DBAPIError) -> Trouble | None:
    text, state = str(error.orig).lower(), _state(error)
    if any(word in text for word in _FULL) or state.startswith(_FULL_STATE):
        return "full"
    if error.connection_invalidated or state.startswith(_LOST_STATES):
        return "lost"
    kind = type(error.orig).__name__
    if kind == "InterfaceError":  # pg8000: there is no connection, or it has ended
        return "lost"
    return "failed" if kind in ("OperationalError", "DatabaseError") and not state else None


def _state(error: DBAPIError) -> str:
    """Return the SQLSTATE that PostgreSQL gave, empty where there is none."""
    first = error.orig.args[0] if error.orig is not None and error.orig.args else None
    return str(first.get("C", "")) if isinstance(first, dict) else ""
