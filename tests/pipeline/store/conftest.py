"""Stores on both databases."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from pipeline.store import Store, open_store
from tests.pipeline.store.postgresql import Cluster, running

_names = count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Return a running PostgreSQL."""
    with running() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rooms.db"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.create(f"rooms{next(_names)}")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return an open store."""
    opened = open_store(url)
    yield opened
    opened.close_now()
