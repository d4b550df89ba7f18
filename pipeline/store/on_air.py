"""The database of live rooms as a server opens it, before it loads anything else."""

from pipeline.configuration import Configuration
from pipeline.store import Store, open_store
from pipeline.store import rooms as room_tables


def open_rooms_store(configuration: Configuration) -> Store:
    """Open the database of live rooms. Blocks.

    Raises:
        ConfigurationError: the URL is not accepted, or the database is of a newer version.
        StoreError: it cannot be opened, or another server has it.
    """
    return open_store(configuration.rooms.database_url)


def were_on_air(store: Store) -> list[str]:
    """Return the rooms that come back on air by themselves: a server that has any hurries. Blocks.

    Raises:
        StoreError: the database cannot be read.
    """
    rows = store.read_now(room_tables.everything)
    return [str(row.spec["id"]) for row in rows if row.on_air]
