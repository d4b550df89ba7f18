"""`Knowledge`: what a store of documents does, whichever database it is in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from agents.clause import Language
from agents.errors import AgentValueError
from agents.knowledge.document import Collection, Document

# What metadata must be: a value, or one of several.
Filters = Mapping[str, str | Sequence[str]]
MOST_FOUND: Final = 100
LONGEST_QUERY: Final = 1000
# How many passages each way of searching brings to the fusion.
CANDIDATES: Final = 50
# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
# Learning Methods", 2009.
_RANK_OFFSET: Final = 60


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a passage stands: characters `start` to `stop` of a document's text."""

    collection: Collection
    document: str
    title: str
    source: str
    start: int
    stop: int

    def __str__(self) -> str:
        return f"{self.collection}/{self.document}#{self.start}-{self.stop}"


@dataclass(frozen=True, slots=True)
class Found:
    """A document found.

    Attributes:
        passage: the part of its text that answers best.
        score: for the order of one search only; more is better.
        citation: where the passage stands.
        by_words: whether the passage has words of the query; else it is near in meaning alone.
    """

    document: Document
    passage: str
    score: float
    citation: Citation
    by_words: bool


class Knowledge(Protocol):
    """A store of documents. Safe to use from several threads.

    What is put or deleted is found by its words, or not, by every search that begins afterwards;
    by its meaning once it has been embedded, which `embed` does and nothing waits for
    (`background.EmbeddingInBackground` sees to it). Calls block for milliseconds, `search` for
    as long as the embedder needs for the query.
    """

    def put(self, documents: Iterable[Document]) -> None:
        """Keep documents; one of the same collection and id is replaced.

        Raises:
            AgentValueError: one is not acceptable; none is kept then.
        """

    def get(self, collection: Collection, document_id: str) -> Document:
        """Return a document.

        Raises:
            AgentValueError: there is none of that id.
        """

    def documents(
        self,
        collection: Collection,
        *,
        language: Language | None = None,
        filters: Filters | None = None,
        after: str = "",
        limit: int = 100,
    ) -> list[Document]:
        """Return documents in the order of their ids, those after the id `after`."""

    def delete(self, collection: Collection, document_ids: Iterable[str]) -> int:
        """Delete documents; return how many there were."""

    def search(
        self,
        query: str,
        *,
        collection: Collection | None = None,
        language: Language | None = None,
        filters: Filters | None = None,
        limit: int = 5,
    ) -> list[Found]:
        """Return the documents that answer a query, best first, each with its best passage.

        BM25 over words and, where the store has an embedder, nearness in meaning are fused by
        reciprocal ranks.

        Args:
            query: up to 1000 characters; a blank one finds nothing.
            collection, language, filters: what documents must be of; None for any.
            limit: 1 to 100.
        """

    def embed(self, most: int = 32) -> int:
        """Embed up to `most` passages that have no vector of the embedder yet.

        Returns how many were embedded; 0 where none is left, or there is no embedder.
        """

    def marked(self, name: str) -> bool:
        """Say whether a mark was made, such as that the shipped knowledge was loaded."""

    def mark(self, name: str) -> None:
        """Make a mark that lasts as long as the store."""

    def close(self) -> None:
        """Give the database back. Nothing else may be called afterwards."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in the order of one way of searching. `key`: of its document."""

    key: tuple[str, str]
    number: int


@dataclass(frozen=True, slots=True)
class Fused:
    """A document in the order of all ways together, and the number of its best passage."""

    key: tuple[str, str]
    number: int
    score: float
    by_words: bool


def fuse(by_words: Sequence[Ranked], by_meaning: Sequence[Ranked], limit: int) -> list[Fused]:
    """Return the best documents of two rankings of passages."""
    scores: dict[Ranked, float] = {}
    for ranking in (by_words, by_meaning):
        for place, ranked in enumerate(ranking, 1):
            scores[ranked] = scores.get(ranked, 0.0) + 1 / (_RANK_OFFSET + place)
    worded = set(by_words)
    best: dict[tuple[str, str], Fused] = {}
    # Equal scores are ordered by key, so that every store answers alike.
    for ranked, score in sorted(scores.items(), key=lambda s: (-s[1], s[0].key, s[0].number)):
        best.setdefault(
            ranked.key, Fused(ranked.key, ranked.number, score, by_words=ranked in worded)
        )
    return list(best.values())[:limit]


def check_search(query: str, limit: int) -> None:
    """Refuse a search beyond the bounds.

    Raises:
        AgentValueError: the query is too long, or the limit not accepted.
    """
    if len(query) > LONGEST_QUERY:
        raise AgentValueError(
            f"the query has {len(query)} characters; accepted: {LONGEST_QUERY} at most"
        )
    check_limit(limit, MOST_FOUND)


def check_limit(limit: int, most: int) -> None:
    """Refuse a limit.

    Raises:
        AgentValueError: it is not within 1 and `most`.
    """
    if not 1 <= limit <= most:
        raise AgentValueError(f"limit is {limit}; accepted: 1 to {most}")


def no_document(collection: str, document_id: str) -> AgentValueError:
    """Return the error of a document that is not there."""
    return AgentValueError(f"no document {document_id[:80]!r} in {collection}")
