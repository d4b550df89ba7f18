"""The knowledge bases: products, styling, the craft of hosting and good cases, and their search."""

from agents.knowledge.document import COLLECTIONS, Collection, Document
from agents.knowledge.embedding import Model
from agents.knowledge.sqlite_store import SqliteKnowledge
from agents.knowledge.store import Citation, Filters, Found, Knowledge

__all__ = [
    "COLLECTIONS",
    "Citation",
    "Collection",
    "Document",
    "Filters",
    "Found",
    "Knowledge",
    "Model",
    "SqliteKnowledge",
]
