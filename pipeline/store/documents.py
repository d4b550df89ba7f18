"""Tables of JSON documents by id."""

import json
from typing import Any

from sqlalchemy import Column, Connection, Table, Text, delete, insert, select, update

from pipeline.store.tables import METADATA, dumped


class Documents:
    """A table of documents. All methods take the connection of a transaction."""

    def __init__(self, name: str) -> None:
        self.table = Table(
            name,
            METADATA,
            Column("id", Text, primary_key=True),
            Column("document", Text, nullable=False),
        )

    def everything(self, connection: Connection) -> list[dict[str, Any]]:
        """Return all, by id."""
        rows = connection.execute(select(self.table.c.document).order_by(self.table.c.id))
        return [json.loads(row.document) for row in rows]

    def get(self, connection: Connection, key: str) -> dict[str, Any] | None:
        """Return one, None where there is none."""
        query = select(self.table.c.document).where(self.table.c.id == key)
        text = connection.execute(query).scalar()
        return None if text is None else json.loads(text)

    def put(self, connection: Connection, key: str, document: dict[str, Any]) -> None:
        """Keep one, in the place of the one of its id."""
        text = dumped(document)
        changed = connection.execute(
            update(self.table).where(self.table.c.id == key).values(document=text)
        )
        if not changed.rowcount:
            connection.execute(insert(self.table).values(id=key, document=text))

    def remove(self, connection: Connection, key: str) -> bool:
        """Delete one; return whether there was one."""
        return bool(connection.execute(delete(self.table).where(self.table.c.id == key)).rowcount)
