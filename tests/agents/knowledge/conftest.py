"""The stores that the contract holds for."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from qdrant_client import QdrantClient

from agents.knowledge import Knowledge, Model, SqliteKnowledge
from agents.knowledge.qdrant_store import QdrantKnowledge
from tests.fakes.qdrant_server import qdrant_server

# Opens the same store again and again, with a model or without.
Open = Callable[[Model | None], Knowledge]


# A real server is tested where one is named.
SERVER = os.environ.get("VIVANT_QDRANT_URL", "")
STORES = ["sqlite", "qdrant-local", "qdrant-http", *(["qdrant-server"] if SERVER else [])]


@pytest.fixture(params=STORES)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Return what opens one store, fresh at first."""
    if request.param == "sqlite":
        yield lambda model: SqliteKnowledge(tmp_path / "knowledge.db", model)
    elif request.param == "qdrant-local":
        client = QdrantClient(":memory:")
        yield lambda model: QdrantKnowledge(client, model)
        client.close()
    elif request.param == "qdrant-http":
        with qdrant_server() as (url, _):
            yield lambda model: QdrantKnowledge(url, model)
    else:
        name = f"test-{uuid4().hex}"
        yield lambda model: QdrantKnowledge(SERVER, model, collection=name)
        client = QdrantClient(url=SERVER)
        for alias in client.get_aliases().aliases:
            if alias.alias_name == name:
                client.delete_collection(alias.collection_name)
        client.close()


@pytest.fixture
def store(reopen: Open) -> Iterator[Knowledge]:
    """Return an empty store that finds by words alone."""
    opened = reopen(None)
    yield opened
    opened.close()
