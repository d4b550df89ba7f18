"""Vectors of passages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.errors import AgentError
from agents.knowledge.chunking import Passage
from agents.knowledge.document import Document
from agents.meaning import Embedder

_BATCH = 32
_SHORT = 40


@dataclass(frozen=True, slots=True)
class Model:
    """An embedder and its name. Stores embed again what another model embedded."""

    name: str
    embed: Embedder


def told(document: Document, passage: Passage) -> str:
    """Return what is embedded of a passage: its title stands for what it leaves unsaid."""
    return f"{document.title}\n{passage.text}"


def worded(document: Document, passage: Passage) -> str:
    """Return what is searched for words: short metadata too, such as "opener"."""
    short = [value for value in document.metadata.values() if len(value) <= _SHORT]
    return "\n".join([told(document, passage), *short])


def vectors(model: Model, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return float32 [n, d], rows of length one.

    Raises:
        AgentError: the embedder gives something else.
    """
    parts = [
        np.asarray(model.embed(list(texts[at : at + _BATCH])), np.float32)
        for at in range(0, len(texts), _BATCH)
    ]
    stacked = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
    if stacked.ndim != 2 or len(stacked) != len(texts):
        raise AgentError(f"the embedder {model.name!r} gave {stacked.shape} for {len(texts)} texts")
    return stacked
