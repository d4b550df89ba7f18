"""`EmbeddingInBackground`: a store whose documents are embedded while others work."""

import logging
import os
import sys
import threading
from collections.abc import Iterable

from agents.clause import Language
from agents.errors import AgentError
from agents.knowledge.document import Collection, Document
from agents.knowledge.store import Filters, Found, Knowledge

_LOG = logging.getLogger(__name__)
_NICE = 10


class EmbeddingInBackground:
    """A `Knowledge` over another one; a thread of its own embeds what was put.

    Args:
        store: closed with this.
    """

    def __init__(self, store: Knowledge) -> None:
        self._store = store
        self._changed = threading.Condition()
        # Whether something waits, and whether it was put since the thread last looked.
        self._waiting, self._again = True, False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="knowledge", daemon=True)
        self._thread.start()

    def put(self, documents: Iterable[Document]) -> None:
        """Keep documents; see `Knowledge`."""
        self._store.put(documents)
        with self._changed:
            self._waiting = self._again = True
            self._changed.notify_all()

    def get(self, collection: Collection, document_id: str) -> Document:
        """Return a document; see `Knowledge`."""
        return self._store.get(collection, document_id)

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
        return self._store.documents(
            collection, language=language, filters=filters, after=after, limit=limit
        )

    def delete(self, collection: Collection, document_ids: Iterable[str]) -> int:
        """Delete documents; see `Knowledge`."""
        return self._store.delete(collection, document_ids)

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
        return self._store.search(
            query, collection=collection, language=language, filters=filters, limit=limit
        )

    def embed(self, most: int = 32) -> int:
        """Embed passages that wait for it; see `Knowledge`."""
        return self._store.embed(most)

    def marked(self, name: str) -> bool:
        """Say whether a mark was made; see `Knowledge`."""
        return self._store.marked(name)

    def mark(self, name: str) -> None:
        """Make a mark; see `Knowledge`."""
        self._store.mark(name)

    def settled(self, timeout: float | None = None) -> bool:
        """Wait until all that was put has been embedded; say whether it was within `timeout` s."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting or self._closed, timeout)

    def close(self) -> None:
        """Finish the batch at work and close the store; what is left is embedded next time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()
        self._store.close()

    def _run(self) -> None:
        if sys.platform == "linux":
            # Rooms on air come first.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while self._awaits():
            try:
                # One by one, since a host that answers waits for the same embedder.
                while not self._closed and self._store.embed(most=1):
                    pass
            except AgentError:
                # The next change tries again; words find all the same.
                _LOG.exception("documents could not be embedded")
            with self._changed:
                if not self._again:
                    self._waiting = False
                    self._changed.notify_all()

    def _awaits(self) -> bool:
        """Wait for something to embed; return whether there is, and the store is not closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            self._again = False
            return not self._closed
