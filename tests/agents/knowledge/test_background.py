"""A store whose documents are embedded while others work."""

import threading

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentError
from agents.knowledge import Document, Model, SqliteKnowledge
from agents.knowledge.background import EmbeddingInBackground
from tests.agents.embedder import WordEmbedder

WARM = Document("warm", "craft", "Warmth", "All is warm.", "en")


def test_what_is_put_is_found_by_words_first_and_then_by_meaning() -> None:
    known = WordEmbedder(("warm", "cosy"))
    gate = threading.Event()

    def slow(texts: list[str]) -> NDArray[np.float32]:
        if texts != ["cosy"] and texts != ["warm"]:
            assert gate.wait(30)
        return known(texts)

    store = EmbeddingInBackground(SqliteKnowledge(None, Model("slow", slow)))
    store.put([WARM])
    assert [found.document for found in store.search("warm")] == [WARM]
    assert store.search("cosy") == []
    assert not store.settled(timeout=0)
    gate.set()
    assert store.settled(timeout=30)
    assert [found.document for found in store.search("cosy")] == [WARM]
    store.close()


def test_it_catches_up_with_what_was_put_before() -> None:
    inner = SqliteKnowledge(None, Model("groups", WordEmbedder(("warm", "cosy"))))
    inner.put(
        Document(f"d-{number}", "craft", "Warm", f"Warm {number}.", "en") for number in range(40)
    )
    store = EmbeddingInBackground(inner)
    assert store.settled(timeout=30)
    assert store.embed() == 0
    store.close()


def test_an_embedder_that_failed_is_tried_again_with_the_next_change() -> None:
    known, fails = WordEmbedder(("warm", "cosy")), [True]

    def embed(texts: list[str]) -> NDArray[np.float32]:
        if fails and texts != ["cosy"]:
            fails.clear()
            raise AgentError("out of order")
        return known(texts)

    store = EmbeddingInBackground(SqliteKnowledge(None, Model("flaky", embed)))
    assert store.settled(timeout=30)
    store.put([WARM])
    assert store.settled(timeout=30)
    store.put([Document("other", "craft", "Other", "Else.", "en")])
    assert store.settled(timeout=30)
    assert "warm" in [found.document.id for found in store.search("cosy")]
    store.close()


def test_closing_waits_for_nothing_to_be_embedded() -> None:
    inner = SqliteKnowledge(None, Model("groups", WordEmbedder(("warm",))))
    store = EmbeddingInBackground(inner)
    store.put(Document(f"d-{n}", "craft", "Warm", f"Warm {n}.", "en") for n in range(200))
    store.close()
