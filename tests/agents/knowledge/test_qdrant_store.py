"""What is particular to Qdrant."""

import pytest
from qdrant_client import QdrantClient

from agents.errors import AgentError
from agents.knowledge import Document, Model
from agents.knowledge.qdrant_store import QdrantKnowledge
from tests.agents.embedder import WordEmbedder
from tests.fakes.qdrant_server import qdrant_server

WARM = Document("warm", "craft", "Warmth", "All is warm.", "en")


def test_a_server_that_is_not_there_is_told(unused_tcp_port: int) -> None:
    with pytest.raises(AgentError, match="the Qdrant server did not answer as asked"):
        QdrantKnowledge(f"http://127.0.0.1:{unused_tcp_port}")


def test_what_a_server_filters_by_is_indexed() -> None:
    with qdrant_server() as (url, indexes):
        QdrantKnowledge(url).close()
    fields = ["collection:keyword", "document:keyword", "language:keyword", "model:keyword"]
    assert indexes == [*fields, "number:integer"]


def test_a_collection_for_another_embedder_takes_the_place_of_the_old_one() -> None:
    client = QdrantClient(":memory:")
    QdrantKnowledge(client, collection="ours").put([WARM])
    (before,) = client.get_collections().collections
    QdrantKnowledge(client, Model("groups", WordEmbedder(("warm",))), collection="ours")
    (after,) = client.get_collections().collections
    assert after.name != before.name
    assert [alias.collection_name for alias in client.get_aliases().aliases] == [after.name]
    client.close()


def test_two_names_are_two_stores() -> None:
    client = QdrantClient(":memory:")
    ours, theirs = (QdrantKnowledge(client, collection=name) for name in ("ours", "theirs"))
    ours.put([WARM])
    assert theirs.documents("craft") == []
    client.close()
