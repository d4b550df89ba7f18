"""What outlives the process, in SQLite or PostgreSQL."""

from pipeline.store.errors import Trouble as Trouble
from pipeline.store.store import Store as Store
from pipeline.store.store import open_database as open_database
from pipeline.store.store import open_store as open_store
