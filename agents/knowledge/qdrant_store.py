"""`QdrantKnowledge`: knowledge in a Qdrant server, or in its client's local mode.

Each passage is a point with a sparse vector of its words, weighed as BM25 does with Qdrant's own
inverse document frequencies, and a dense one where there is an embedder. The first passage of a
document carries the whole of it. What has the collection's name is an alias, so that a collection
for another embedder is made beside the old one and takes its place in one step.
"""

import threading
import uuid
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

from agents.clause import Language
from agents.errors import AgentError
from agents.knowledge.chunking import Passage, passages
from agents.knowledge.document import (
    Collection,
    Document,
    check_collection,
    check_document,
    document_from_json,
    document_to_json,
)
from agents.knowledge.embedding import Model, told, vectors, worded
from agents.knowledge.store import (
    CANDIDATES,
    Citation,
    Filters,
    Found,
    Fused,
    Ranked,
    check_limit,
    check_search,
    fuse,
    no_document,
)
from agents.knowledge.terms import CHARACTER_WEIGHT, Terms, asked, terms

_WORDS: Final = "words"
_MEANING: Final = "meaning"
_SPACE: Final = uuid.UUID("6f2f2c39-52a1-4f0c-9d55-3c1d0e6b7d11")
_BATCH: Final = 64
_MOST_LISTED: Final = 1000
# BM25 with the mean length of a passage as a constant, since a server tells none.
_K1, _B, _MEAN_LENGTH = 1.2, 0.75, 60.0
_INDEXED: Final = ("collection", "document", "language", "model")


class QdrantKnowledge:
    """A `Knowledge` in Qdrant.

    Args:
        server: its URL, or a client, which is not closed.
        model: what finds by meaning; None finds by words alone. A collection made without it, or
            with another, is made again, which embeds everything.
        collection: its name there.
        key: of the server, if it needs one.

    Raises:
        AgentError: the server cannot be reached, or refuses.
    """

    def __init__(
        self,
        server: str | QdrantClient,
        model: Model | None = None,
        *,
        collection: str = "vivant",
        key: str | None = None,
    ) -> None:
        self._model = model
        self._name = collection
        self._own = isinstance(server, str)
        self._client = (
            QdrantClient(url=server, api_key=key, timeout=20, check_compatibility=False)
            if isinstance(server, str)
            else server
        )
        # Only a server takes calls of several threads.
        self._local = not self._own
        self._lock: AbstractContextManager[Any] = (
            threading.RLock() if self._local else nullcontext()
        )
        with self._calling():
            self._open()

    def put(self, documents: Iterable[Document]) -> None:
        """Keep documents; see `Knowledge`."""
        given = list({(each.collection, each.id): each for each in documents}.values())
        for document in given:
            check_document(document)
        with self._calling():
            self._put(self._name, given)

    def get(self, collection: Collection, document_id: str) -> Document:
        """Return a document; see `Knowledge`."""
        key = (check_collection(collection), document_id)
        with self._calling():
            found = self._client.retrieve(self._name, [_point(*key, 0)], with_payload=True)
        if not found:
            raise no_document(*key)
        return _document(found[0].payload)

    def documents(
        self,
        collection: Collection,
        *,
        language: Language | None = None,
        filters: Filters | None = None,
        after: str = "",
        limit: int = 100,
    ) -> list[Document]:
        """Return documents in the order of their ids; see `Knowledge`."""
        check_limit(limit, _MOST_LISTED)
        wanted = _filter(check_collection(collection), language, filters, number=0)
        with self._calling():
            found = [_document(payload) for payload in self._scroll(self._name, wanted)]
        later = sorted((each for each in found if each.id > after), key=lambda each: each.id)
        return later[:limit]

    def delete(self, collection: Collection, document_ids: Iterable[str]) -> int:
        """Delete documents; see `Knowledge`."""
        check_collection(collection)
        ids = list(dict.fromkeys(document_ids))
        if not ids:
            return 0
        wanted = [
            models.FieldCondition(key="collection", match=models.MatchValue(value=collection)),
            models.FieldCondition(key="document", match=models.MatchAny(any=ids)),
        ]
        heads = [*wanted, models.FieldCondition(key="number", match=models.MatchValue(value=0))]
        with self._calling():
            count = self._client.count(self._name, models.Filter(must=[*heads]), exact=True).count
            self._client.delete(
                self._name, models.FilterSelector(filter=models.Filter(must=[*wanted])), wait=True
            )
        return count

    def search(
        self,
        query: str,
        *,
        collection: Collection | None = None,
        language: Language | None = None,
        filters: Filters | None = None,
        limit: int = 5,
    ) -> list[Found]:
        """Return the documents that answer a query; see `Knowledge`."""
        check_search(query, limit)
        wanted = _filter(
            None if collection is None else check_collection(collection), language, filters
        )
        if not query.strip():
            return []
        sparse = _sparse(asked(query), weighed=False)
        requests = [_request(_WORDS, sparse, wanted)] if sparse.indices else []
        if self._model is not None:
            dense = vectors(self._model, [query])[0]
            requests.append(_request(_MEANING, dense.tolist(), wanted))
        if not requests:
            return []
        with self._calling():
            answers = self._client.query_batch_points(self._name, requests)
            rankings = [[_ranked(point.payload) for point in each.points] for each in answers]
            by_words = rankings[0] if sparse.indices else []
            by_meaning = rankings[-1] if self._model is not None else []
            return self._found(fuse(by_words, by_meaning, limit))

    def embed(self, most: int = 32) -> int:
        """Embed passages that wait for it; see `Knowledge`."""
        if self._model is None:
            return 0
        waiting = models.Filter(
            must=[models.FieldCondition(key="model", match=models.MatchValue(value=""))]
        )
        with self._calling():
            found, _ = self._client.scroll(self._name, scroll_filter=waiting, limit=most)
        payloads = [(str(point.id), point.payload or {}) for point in found]
        made = vectors(self._model, [payload["told"] for _, payload in payloads])
        with self._calling():
            for (point, payload), vector in zip(payloads, made, strict=True):
                self._keep(point, payload, vector)
        return len(payloads)

    def _keep(self, point: str, payload: dict[str, Any], vector: NDArray[np.float32]) -> None:
        """Add a vector to a passage, unless another text has taken its place meanwhile."""
        now = self._client.retrieve(self._name, [point], with_payload=["told"])
        if not now or (now[0].payload or {})["told"] != payload["told"]:
            return
        update = models.PointVectors(id=point, vector={_MEANING: vector.tolist()})
        self._client.update_vectors(self._name, [update])
        model = self._model.name if self._model else ""
        self._client.set_payload(self._name, {"model": model}, points=[point])

    def marked(self, name: str) -> bool:
        """Say whether a mark was made; see `Knowledge`."""
        with self._calling():
            return bool(self._client.retrieve(self._name, [_mark(name)]))

    def mark(self, name: str) -> None:
        """Make a mark; see `Knowledge`."""
        point = models.PointStruct(id=_mark(name), vector={}, payload={"mark": name})
        with self._calling():
            self._client.upsert(self._name, [point], wait=True)

    def close(self) -> None:
        """Close the connection; see `Knowledge`."""
        if self._own:
            self._client.close()

    def _open(self) -> None:
        """Make the collection, or make it again where its vectors are of another embedder."""
        aliases = self._client.get_aliases().aliases
        real = next((a.collection_name for a in aliases if a.alias_name == self._name), None)
        if real is None:
            self._switch(self._create(), None)
        elif not self._fits(real):
            created = self._create()
            documents = [
                _document(p) for p in self._scroll(real, _filter(None, None, None, number=0))
            ]
            for at in range(0, len(documents), _BATCH):
                self._put(created, documents[at : at + _BATCH])
            marks = [
                models.PointStruct(id=_mark(payload["mark"]), vector={}, payload=payload)
                for payload in self._scroll(real, _marks())
            ]
            if marks:
                self._client.upsert(created, marks, wait=True)
            self._switch(created, real)

    def _fits(self, real: str) -> bool:
        """Say whether a collection has vectors of the embedder, and of no other."""
        parameters = self._client.get_collection(real).config.params
        dense = parameters.vectors if isinstance(parameters.vectors, dict) else {}
        if self._model is None:
            return True
        if _MEANING not in dense or dense[_MEANING].size != self._size(self._model):
            return False
        ours = models.MatchAny(any=["", self._model.name])
        other = models.Filter(must_not=[models.FieldCondition(key="model", match=ours), _marks()])
        return self._client.count(real, other, exact=True).count == 0

    def _create(self) -> str:
        name = f"{self._name}-{uuid.uuid4().hex[:12]}"
        dense = {}
        if self._model is not None:
            dense[_MEANING] = models.VectorParams(
                size=self._size(self._model), distance=models.Distance.COSINE
            )
        self._client.create_collection(
            name,
            vectors_config=dense,
            sparse_vectors_config={_WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        if not self._local:
            for field in _INDEXED:
                self._client.create_payload_index(
                    name, field, field_schema=models.PayloadSchemaType.KEYWORD, wait=True
                )
            self._client.create_payload_index(
                name, "number", field_schema=models.PayloadSchemaType.INTEGER, wait=True
            )
        return name

    def _switch(self, created: str, old: str | None) -> None:
        alias = models.CreateAlias(collection_name=created, alias_name=self._name)
        changes: list[Any] = [models.CreateAliasOperation(create_alias=alias)]
        if old is not None:
            gone = models.DeleteAlias(alias_name=self._name)
            changes.insert(0, models.DeleteAliasOperation(delete_alias=gone))
        self._client.update_collection_aliases(changes)
        if old is not None:
            self._client.delete_collection(old)

    def _size(self, model: Model) -> int:
        return int(vectors(model, ["size"]).shape[1])

    def _put(self, name: str, documents: Sequence[Document]) -> None:
        prepared = [(each, passages(each.text, each.language)) for each in documents]
        points = [_point_of(each, part) for each, parts in prepared for part in parts]
        for at in range(0, len(points), _BATCH):
            self._client.upsert(name, points[at : at + _BATCH], wait=True)
        # The new passages stand before the old ones that they do not replace are taken away.
        for document, parts in prepared:
            beyond = _filter(
                document.collection, None, None, document=document.id, least=len(parts)
            )
            self._client.delete(name, models.FilterSelector(filter=beyond), wait=True)

    def _found(self, fused: Sequence[Fused]) -> list[Found]:
        ids = {_point(*each.key, number) for each in fused for number in (0, each.number)}
        if not ids:
            return []
        points = self._client.retrieve(self._name, sorted(ids), with_payload=True)
        payloads = {str(point.id): point.payload or {} for point in points}
        found = []
        for each in fused:
            head = payloads.get(_point(*each.key, 0))
            part = payloads.get(_point(*each.key, each.number))
            if head is None or part is None:
                continue
            document, start, stop = _document(head), part["start"], part["stop"]
            citation = Citation(
                document.collection, document.id, document.title, document.source, start, stop
            )
            passage = document.text[start:stop]
            found.append(Found(document, passage, each.score, citation, each.by_words))
        return found

    def _scroll(self, name: str, wanted: models.Filter) -> Iterator[dict[str, Any]]:
        offset: Any = None
        while True:
            records, offset = self._client.scroll(
                name, scroll_filter=wanted, limit=256, offset=offset, with_payload=True
            )
            yield from (record.payload for record in records if record.payload)
            if offset is None:
                return

    @contextmanager
    def _calling(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except ApiException as error:
                raise AgentError(f"the Qdrant server did not answer as asked: {error}") from error


def _point_of(document: Document, part: Passage) -> models.PointStruct:
    vector: dict[str, Any] = {_WORDS: _sparse(terms(worded(document, part)), weighed=True)}
    payload: dict[str, Any] = {
        "collection": document.collection,
        "document": document.id,
        "language": document.language,
        "metadata": dict(document.metadata),
        "number": part.number,
        "start": part.start,
        "stop": part.stop,
        "model": "",
        "told": told(document, part),
    }
    if part.number == 0:
        payload["whole"] = document_to_json(document)
    return models.PointStruct(
        id=_point(document.collection, document.id, part.number), vector=vector, payload=payload
    )


def _sparse(found: Terms, *, weighed: bool) -> models.SparseVector:
    """Return a sparse vector of terms: in a passage weighed by BM25, in a query all alike."""
    values: dict[int, float] = {}
    for kind, each, share in (
        ("w", found.words, 1.0),
        ("c", found.characters, CHARACTER_WEIGHT),
    ):
        length = _K1 * (1 - _B + _B * len(each) / _MEAN_LENGTH)
        for term, count in Counter(each).items():
            weight = count * (_K1 + 1) / (count + length) if weighed else share
            index = zlib.crc32(f"{kind}{term}".encode())
            values[index] = max(values.get(index, 0.0), weight)
    return models.SparseVector(indices=list(values), values=list(values.values()))


def _request(name: str, query: Any, wanted: models.Filter) -> models.QueryRequest:
    return models.QueryRequest(
        query=query,
        using=name,
        filter=wanted,
        limit=CANDIDATES,
        with_payload=["collection", "document", "number"],
    )


def _filter(
    collection: Collection | None,
    language: Language | None,
    filters: Filters | None,
    *,
    document: str | None = None,
    number: int | None = None,
    least: int | None = None,
) -> models.Filter:
    exact = {
        "collection": collection, "language": language, "document": document, "number": number,
    }  # fmt: skip
    must: list[Any] = [
        models.FieldCondition(key=key, match=models.MatchValue(value=value))
        for key, value in exact.items()
        if value is not None
    ]
    for key, accepted in (filters or {}).items():
        choices = [accepted] if isinstance(accepted, str) else list(accepted)
        must.append(
            models.FieldCondition(key=f"metadata.{key}", match=models.MatchAny(any=choices))
        )
    if least is not None:
        must.append(models.FieldCondition(key="number", range=models.Range(gte=least)))
    return models.Filter(must=must)


def _marks() -> models.Filter:
    empty = models.IsEmptyCondition(is_empty=models.PayloadField(key="mark"))
    return models.Filter(must=[models.Filter(must_not=[empty])])


def _point(collection: str, document_id: str, number: int) -> str:
    return str(uuid.uuid5(_SPACE, f"{collection}/{document_id}/{number}"))


def _mark(name: str) -> str:
    return str(uuid.uuid5(_SPACE, f"mark:{name}"))


def _document(payload: dict[str, Any] | None) -> Document:
    return document_from_json((payload or {})["whole"])


def _ranked(payload: dict[str, Any] | None) -> Ranked:
    known = payload or {}
    return Ranked((known["collection"], known["document"]), known["number"])
