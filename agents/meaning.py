"""Finds the fact nearest in meaning, and knows when a question lies elsewhere."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from agents.catalogue import Catalogue, Fact
from agents.clause import Language
from agents.words import sentences

# Maps n texts to float32 [n, d], rows of length one.
Embedder = Callable[[list[str]], NDArray[np.float32]]

# Keywords of a fact that are embedded together as what people ask.
_KEYWORDS = 4
# The best of the sentences from elsewhere that a fact must beat, on average.
_RIVALS = 2


class Meaning:
    """Embeddings of the facts in one language, beside sentences that are about none of them.

    The similarities of sentence embeddings are high throughout and shift with every question, so
    a fact is near only by comparison: with the other facts, and with talk from elsewhere.

    Args:
        apart: by how much (in cosine) a fact must be nearer than elsewhere.
        lead: by how much it must be nearer than the next fact.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        language: Language,
        embedder: Embedder,
        *,
        apart: float = 0.018,
        lead: float = 0.012,
    ) -> None:
        self._facts = catalogue.facts
        self._embedder = embedder
        self._apart = apart
        self._lead = lead
        asked = [" ".join(f.whole.keywords[language][:_KEYWORDS]) for f in catalogue]
        told = [f"{f.topic[language]}: {f.whole.texts[language][0]}" for f in catalogue]
        self._vectors = (embedder(asked) + embedder(told)) / 2
        self._elsewhere = embedder(list(sentences(f"elsewhere_{language}")))

    def nearest(self, question: str) -> Fact | None:
        """Return the fact a question is about; None where it is about none of them."""
        vector = self._embedder([question])[0]
        near = self._vectors @ vector
        best, *others = np.argsort(-near)
        rivals = np.sort(self._elsewhere @ vector)[-_RIVALS:]
        if near[best] - rivals.mean() < self._apart:
            return None
        if others and near[best] - near[others[0]] < self._lead:
            return None
        return self._facts[int(best)]
