"""What tables share: their registry, and journals of what happened in rooms."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.schema import SchemaItem

METADATA: Final = MetaData()
# Row numbers: SQLite counts by itself only in a column of exactly this type.
NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
# Rows that one sweep deletes of one room's journal: the writer must not stand still for long.
SWEPT: Final = 2000


def dumped(document: object) -> str:
    """Return JSON as it is kept."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


class Journal:
    """A table of what happened in rooms, in order; entries are JSON documents with an id.

    All methods take the connection of a transaction.
    """

    def __init__(self, name: str, *more: SchemaItem) -> None:
        self.table = Table(
            name,
            METADATA,
            Column("number", NUMBER, primary_key=True, autoincrement=True),
            Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False),
            Column("id", Text, nullable=False),
            Column("at", Float(53), nullable=False),
            Column("document", Text, nullable=False),
            *more,
            Index(f"{name}_of_room", "room", "number"),
            Index(f"{name}_by_id", "room", "id", unique=True),
        )

    def add(
        self, connection: Connection, room: str, entry: str, at: float, document: object
    ) -> None:
        """Add an entry. Raises `sqlalchemy.exc.IntegrityError` where the id is taken."""
        connection.execute(
            insert(self.table).values(room=room, id=entry, at=at, document=dumped(document))
        )

    def put(
        self, connection: Connection, room: str, entry: str, at: float, document: object
    ) -> None:
        """Change an entry, or add it where there is none of its id."""
        changed = connection.execute(
            update(self.table)
            .where(self.table.c.room == room, self.table.c.id == entry)
            .values(document=dumped(document))
        )
        if not changed.rowcount:
            self.add(connection, room, entry, at, document)

    def known(self, connection: Connection, room: str, entries: Sequence[str]) -> set[str]:
        """Return those of the ids that are in the journal."""
        rows = connection.execute(
            select(self.table.c.id).where(
                self.table.c.room == room, self.table.c.id.in_(list(entries))
            )
        )
        return {row.id for row in rows}

    def newest(
        self, connection: Connection, room: str, limit: int, before: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the newest entries, those before the entry `before`, newest first."""
        query = select(self.table.c.document).where(self.table.c.room == room)
        if before is not None:
            number = (
                select(self.table.c.number)
                .where(self.table.c.room == room, self.table.c.id == before)
                .scalar_subquery()
            )
            query = query.where(self.table.c.number < number)
        rows = connection.execute(query.order_by(self.table.c.number.desc()).limit(limit))
        return [json.loads(row.document) for row in rows]

    def count(self, connection: Connection, room: str) -> int:
        """Return how many entries a room has."""
        query = select(func.count()).where(self.table.c.room == room)
        return int(connection.execute(query).scalar_one())

    def sweep(self, connection: Connection, room: str, oldest: float, most: int) -> int:
        """Delete entries from before `oldest`, and all but the newest `most`; return how many.

        At most 2000 go at a time; the next sweep takes on.
        """
        table = self.table
        last = (
            select(table.c.number)
            .where(table.c.room == room)
            .order_by(table.c.number.desc())
            .offset(most)
            .limit(1)
        )
        limit = connection.execute(last).scalar()
        old = table.c.at < oldest
        doomed = old if limit is None else old | (table.c.number <= limit)
        chosen = (
            select(table.c.number)
            .where(table.c.room == room, doomed)
            .order_by(table.c.number)
            .limit(SWEPT)
        )
        gone = connection.execute(delete(table).where(table.c.number.in_(chosen)))
        return int(gone.rowcount)
