"""What viewers did: `ChatView`s, and the events themselves for as long as they wait."""

import json
from typing import Any, Final

from sqlalchemy import Column, Connection, Text, insert, select, update

from pipeline.store.tables import Journal, dumped

# `waiting` holds the event itself, as JSON, until nothing is to be said to it any more: a room
# that comes back takes it up again.
CHAT: Final = Journal("chat", Column("waiting", Text, nullable=False, server_default=""))


def take_in(
    connection: Connection, room: str, at: float, view: dict[str, Any], event: dict[str, Any]
) -> None:
    """Add what a viewer did; it waits."""
    connection.execute(
        insert(CHAT.table).values(
            room=room, id=view["id"], at=at, document=dumped(view), waiting=dumped(event)
        )
    )


def settle(connection: Connection, room: str, view: dict[str, Any], *, waits: bool) -> None:
    """Keep what became of it; where it waits no more, the event itself is let go."""
    values: dict[str, Any] = {"document": dumped(view)}
    if not waits:
        values["waiting"] = ""
    table = CHAT.table
    connection.execute(
        update(table).where(table.c.room == room, table.c.id == view["id"]).values(**values)
    )


def waiting(connection: Connection, room: str, since: float) -> list[dict[str, Any]]:
    """Return the events since a moment that wait, oldest first."""
    table = CHAT.table
    rows = connection.execute(
        select(table.c.waiting)
        .where(table.c.room == room, table.c.waiting != "", table.c.at >= since)
        .order_by(table.c.number)
    )
    return [json.loads(row.waiting) for row in rows]
