"""`SqliteKnowledge`: knowledge in one file, searched by FTS5 and by vectors."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.clause import Language
from agents.errors import AgentError, AgentValueError
from agents.knowledge.chunking import Passage, passages
from agents.knowledge.document import Collection, Document, check_collection, check_document
from agents.knowledge.embedding import Model, vectors, worded
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

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS documents (
    collection TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    language TEXT NOT NULL, metadata TEXT NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, document TEXT NOT NULL,
    number INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    model TEXT NOT NULL DEFAULT '', vector BLOB,
    UNIQUE (collection, document, number),
    FOREIGN KEY (collection, document) REFERENCES documents (collection, id) ON DELETE CASCADE
);
CREATE VIRTUAL TABLE IF NOT EXISTS passage_terms USING fts5 (
    words, characters, tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER IF NOT EXISTS passages_deleted AFTER DELETE ON passages BEGIN
    DELETE FROM passage_terms WHERE rowid = old.id;
END;
CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY) WITHOUT ROWID;
"""
# More terms than a question has only make a search slow.
_MOST_TERMS: Final = 64
_MOST_LISTED: Final = 1000


@dataclass(slots=True)
class _Vectors:
    """All vectors of the model, as the database holds them at `version`."""

    version: tuple[int, int] = (-1, -1)
    ids: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    rows: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))


class SqliteKnowledge:
    """A `Knowledge` in one SQLite file, or in memory. Several processes may have it open.

    Args:
        path: of the file, made where there is none; None for memory.
        model: what finds by meaning; None finds by words alone. What another embedded is embedded
            again.

    Raises:
        AgentError: the file cannot be opened, or is no such database.
    """

    def __init__(self, path: Path | None = None, model: Model | None = None) -> None:
        self._model = model
        self._lock = threading.RLock()
        self._writes = 0
        self._vectors = _Vectors()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path or ":memory:", timeout=10, isolation_level=None, check_same_thread=False
            )
            self._database.row_factory = sqlite3.Row
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise AgentError(f"the knowledge base {path} cannot be opened: {error}") from error

    def put(self, documents: Iterable[Document]) -> None:
        """Keep documents; see `Knowledge`."""
        given = list(documents)
        for document in given:
            check_document(document)
        prepared = [(document, _prepared(document)) for document in given]
        with self._changing() as database:
            for document, parts in prepared:
                _delete(database, document.collection, document.id)
                database.execute(
                    "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", _stored(document)
                )
                for part, found in parts:
                    cursor = database.execute(
                        "INSERT INTO passages (collection, document, number, start, stop)"
                        " VALUES (?, ?, ?, ?, ?)",
                        (document.collection, document.id, part.number, part.start, part.stop),
                    )
                    database.execute(
                        "INSERT INTO passage_terms (rowid, words, characters) VALUES (?, ?, ?)",
                        (cursor.lastrowid, " ".join(found.words), " ".join(found.characters)),
                    )

    def get(self, collection: Collection, document_id: str) -> Document:
        """Return a document; see `Knowledge`."""
        rows = self._read(
            "SELECT * FROM documents WHERE collection = ? AND id = ?",
            (check_collection(collection), document_id),
        )
        if not rows:
            raise no_document(collection, document_id)
        return _document(rows[0])

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
        where, values = _where(check_collection(collection), language, filters)
        rows = self._read(
            f"SELECT d.* FROM documents d WHERE {where} AND d.id > ? ORDER BY d.id LIMIT ?",
            (*values, after, limit),
        )
        return [_document(row) for row in rows]

    def delete(self, collection: Collection, document_ids: Iterable[str]) -> int:
        """Delete documents; see `Knowledge`."""
        check_collection(collection)
        with self._changing() as database:
            return sum(_delete(database, collection, each) for each in document_ids)

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
        if collection is not None:
            check_collection(collection)
        where = _where(collection, language, filters)
        if not query.strip():
            return []
        vector = vectors(self._model, [query])[0] if self._model else None
        with self._lock:
            by_words = self._by_words(query, *where)
            by_meaning = [] if vector is None else self._by_meaning(vector, *where)
            found = (self._found(each) for each in fuse(by_words, by_meaning, limit))
            return [each for each in found if each is not None]

    def embed(self, most: int = 32) -> int:
        """Embed passages that wait for it; see `Knowledge`."""
        if self._model is None:
            return 0
        rows = self._read(
            "SELECT p.id, p.start, p.stop, d.title, d.text FROM passages p"
            " JOIN documents d ON d.collection = p.collection AND d.id = p.document"
            " WHERE p.model != ? LIMIT ?",
            (self._model.name, most),
        )
        if not rows:
            return 0
        texts = [f"{row['title']}\n{row['text'][row['start'] : row['stop']]}" for row in rows]
        made = vectors(self._model, texts)
        with self._changing() as database:
            # Numbers of passages are never used again, so one that is gone by now stays away.
            database.executemany(
                "UPDATE passages SET model = ?, vector = ? WHERE id = ?",
                [
                    (self._model.name, vector.tobytes(), row["id"])
                    for row, vector in zip(rows, made, strict=True)
                ],
            )
        return len(rows)

    def marked(self, name: str) -> bool:
        """Say whether a mark was made; see `Knowledge`."""
        return bool(self._read("SELECT 1 FROM marks WHERE name = ?", (name,)))

    def mark(self, name: str) -> None:
        """Make a mark; see `Knowledge`."""
        with self._changing() as database:
            database.execute("INSERT OR IGNORE INTO marks VALUES (?)", (name,))

    def close(self) -> None:
        """Close the file; see `Knowledge`."""
        with self._lock:
            self._database.close()

    def _by_words(self, query: str, where: str, values: Sequence[str]) -> list[Ranked]:
        match = _match(query)
        if not match:
            return []
        rows = self._read(
            "SELECT p.collection, p.document, p.number FROM passage_terms t"
            " JOIN passages p ON p.id = t.rowid"
            " JOIN documents d ON d.collection = p.collection AND d.id = p.document"
            f" WHERE passage_terms MATCH ? AND {where}"
            " ORDER BY bm25(passage_terms, 1.0, ?), p.id LIMIT ?",
            (match, *values, CHARACTER_WEIGHT, CANDIDATES),
        )
        return [_ranked(row) for row in rows]

    def _by_meaning(
        self, vector: NDArray[np.float32], where: str, values: Sequence[str]
    ) -> list[Ranked]:
        known = self._all_vectors()
        if not len(known.ids):
            return []
        rows = self._read(
            "SELECT p.id, p.collection, p.document, p.number FROM passages p"
            " JOIN documents d ON d.collection = p.collection AND d.id = p.document"
            f" WHERE {where}",
            values,
        )
        wanted = {row["id"]: row for row in rows}
        near = known.rows @ vector
        order = [int(known.ids[at]) for at in np.argsort(-near, kind="stable")]
        return [_ranked(wanted[each]) for each in order if each in wanted][:CANDIDATES]

    def _all_vectors(self) -> _Vectors:
        """Return the vectors of the model, read again where anybody has changed the file."""
        foreign = self._database.execute("PRAGMA data_version").fetchone()[0]
        version = (self._writes, foreign)
        if self._vectors.version != version:
            name = self._model.name if self._model else ""
            rows = self._read(
                "SELECT id, vector FROM passages WHERE model = ? AND vector IS NOT NULL"
                " ORDER BY collection, document, number",
                (name,),
            )
            self._vectors = _Vectors(
                version,
                np.array([row["id"] for row in rows], np.int64),
                np.array([np.frombuffer(row["vector"], np.float32) for row in rows], np.float32),
            )
        return self._vectors

    def _found(self, fused: Fused) -> Found | None:
        rows = self._read(
            "SELECT d.*, p.start, p.stop FROM documents d JOIN passages p"
            " ON d.collection = p.collection AND d.id = p.document"
            " WHERE d.collection = ? AND d.id = ? AND p.number = ?",
            (*fused.key, fused.number),
        )
        if not rows:
            return None
        document, start, stop = _document(rows[0]), rows[0]["start"], rows[0]["stop"]
        return Found(
            document,
            document.text[start:stop],
            fused.score,
            Citation(
                document.collection, document.id, document.title, document.source, start, stop
            ),
            fused.by_words,
        )

    def _read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._database.execute(statement, tuple(values)).fetchall()
            except sqlite3.Error as error:
                raise AgentError(f"the knowledge base cannot be read: {error}") from error

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Hold the lock and a transaction that is kept whole or not at all."""
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield self._database
                except BaseException:
                    self._database.execute("ROLLBACK")
                    raise
                self._database.execute("COMMIT")
            except sqlite3.Error as error:
                raise AgentError(f"the knowledge base cannot be written: {error}") from error
            self._writes += 1


def _prepared(document: Document) -> list[tuple[Passage, Terms]]:
    parts = passages(document.text, document.language)
    return [(part, terms(worded(document, part))) for part in parts]


def _match(query: str) -> str:
    """Return a query of FTS5; empty where nothing in it can be searched for."""
    found = asked(query)
    columns = {"words": found.words, "characters": found.characters}
    return " OR ".join(
        f"{name} : ({' OR '.join(quoted)})"
        for name, each in columns.items()
        if (quoted := [f'"{term}"' for term in each][:_MOST_TERMS])
    )


def _delete(database: sqlite3.Connection, collection: str, document_id: str) -> int:
    return database.execute(
        "DELETE FROM documents WHERE collection = ? AND id = ?", (collection, document_id)
    ).rowcount


def _where(
    collection: Collection | None, language: Language | None, filters: Filters | None
) -> tuple[str, list[str]]:
    """Return a condition on documents `d`, and its values."""
    parts, values = ["1"], list[str]()
    for name, wanted in (("collection", collection), ("language", language)):
        if wanted is not None:
            parts.append(f"d.{name} = ?")
            values.append(wanted)
    for key, accepted in (filters or {}).items():
        choices = [accepted] if isinstance(accepted, str) else list(accepted)
        marks = ", ".join("?" * len(choices))
        parts.append(
            "EXISTS (SELECT 1 FROM json_each(d.metadata) m"
            f" WHERE m.key = ? AND m.value IN ({marks}))"
        )
        values += [key, *choices]
    if len(values) > 200:
        raise AgentValueError(f"the search has {len(values)} conditions; accepted: 200")
    return " AND ".join(parts), values


def _stored(document: Document) -> tuple[str, ...]:
    metadata = json.dumps(dict(document.metadata), ensure_ascii=False)
    return (
        document.collection, document.id, document.title, document.text, document.language,
        metadata, document.source,
    )  # fmt: skip


def _document(row: sqlite3.Row) -> Document:
    return Document(
        row["id"], row["collection"], row["title"], row["text"], row["language"],
        json.loads(row["metadata"]), row["source"],
    )  # fmt: skip


def _ranked(row: sqlite3.Row) -> Ranked:
    return Ranked((row["collection"], row["document"]), row["number"])
