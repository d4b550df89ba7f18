"""The tables' version, and the steps that bring an older database up to date."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Column, Connection, Integer, Table, func, insert, inspect, select, update

from pipeline.errors import ConfigurationError
from pipeline.store import (
    alerts,
    chat,
    decisions,
    lines,
    metrics,
    orders,
    policies,
    rooms,
    rundowns,
    shops,
)
from pipeline.store.tables import METADATA

Step = Callable[[Connection], None]

_GROUPS: Final = (
    rooms,
    shops,
    rundowns,
    chat,
    orders,
    lines,
    decisions,
    metrics,
    policies,
    alerts,
)  # fmt: skip  (each puts its tables into METADATA)

VERSION = Table("schema_version", METADATA, Column("version", Integer, nullable=False))


def _first(connection: Connection) -> None:
    METADATA.create_all(connection)


# Step n brings version n to n + 1. A step is never changed once it has shipped: a change of the
# tables is a new step, and `_first` makes the tables as they are now only on an empty database.
STEPS: Final[tuple[Step, ...]] = (_first,)


def migrate(connection: Connection, steps: Sequence[Step] = STEPS) -> None:
    """Bring the tables up to date, within the caller's transaction.

    Raises:
        ConfigurationError: the database is of a newer version than this one knows.
    """
    if not inspect(connection).has_table(VERSION.name):
        METADATA.create_all(connection)
        connection.execute(insert(VERSION).values(version=len(steps)))
        return
    version = connection.execute(select(func.max(VERSION.c.version))).scalar_one() or 0
    if version > len(steps):
        raise ConfigurationError(
            f"the database is of version {version}; accepted: up to {len(steps)} by this server"
        )
    for step in steps[version:]:
        step(connection)
    connection.execute(update(VERSION).values(version=len(steps)))
