"""Rooms: what they are set to be, whether they are on air, and where they were."""

import json
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from pipeline.store.tables import METADATA, dumped

ROOMS: Final = Table(
    "rooms",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("spec", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("on_air", Boolean, nullable=False),
)
CURSORS: Final = Table(
    "cursors",
    METADATA,
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Float(53), nullable=False),
    Column("document", Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class RoomRow:
    """What is kept of a room: its spec as JSON, the secret of its chat, its mark "on air"."""

    spec: dict[str, Any]
    secret: str
    on_air: bool


def add(connection: Connection, room: str, row: RoomRow) -> None:
    """Add a room. Raises `sqlalchemy.exc.IntegrityError` where the id is taken."""
    connection.execute(
        insert(ROOMS).values(id=room, spec=dumped(row.spec), secret=row.secret, on_air=row.on_air)
    )


def everything(connection: Connection) -> list[RoomRow]:
    """Return all rooms by id."""
    rows = connection.execute(select(ROOMS).order_by(ROOMS.c.id))
    return [RoomRow(json.loads(row.spec), row.secret, row.on_air) for row in rows]


def set_spec(connection: Connection, room: str, spec: dict[str, Any]) -> None:
    """Change what a room is set to be."""
    connection.execute(update(ROOMS).where(ROOMS.c.id == room).values(spec=dumped(spec)))


def set_secret(connection: Connection, room: str, secret: str) -> None:
    """Change the secret of a room's chat."""
    connection.execute(update(ROOMS).where(ROOMS.c.id == room).values(secret=secret))


def mark(connection: Connection, room: str, on_air: bool) -> None:
    """Note whether a room is to be on air."""
    connection.execute(update(ROOMS).where(ROOMS.c.id == room).values(on_air=on_air))


def remove(connection: Connection, room: str) -> None:
    """Delete a room and all that was kept of it."""
    connection.execute(delete(ROOMS).where(ROOMS.c.id == room))


def set_cursor(connection: Connection, room: str, at: float, document: dict[str, Any]) -> None:
    """Keep where a room is."""
    text = dumped(document)
    changed = connection.execute(
        update(CURSORS).where(CURSORS.c.room == room).values(at=at, document=text)
    )
    if not changed.rowcount:
        connection.execute(insert(CURSORS).values(room=room, at=at, document=text))


def cursor(connection: Connection, room: str) -> dict[str, Any] | None:
    """Return where a room was; None where it never was on air."""
    text = connection.execute(select(CURSORS.c.document).where(CURSORS.c.room == room)).scalar()
    return None if text is None else json.loads(text)
