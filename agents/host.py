"""The host: answers what people ask, from facts."""

from collections.abc import AsyncIterator

from agents.answer import Wording
from agents.catalogue import Aspect, Catalogue, Persona
from agents.clause import Clause, Language
from agents.history import History
from agents.retrieve import Embedder, Retriever
from agents.smalltalk import FIRST, Intent, classify
from agents.tokens import is_question


class Host:
    """Answers as a persona, from a catalogue."""

    def __init__(
        self, catalogue: Catalogue, persona: Persona, *, embedder: Embedder | None = None
    ) -> None:
        self._retriever = Retriever(catalogue, embedder)
        self._wording = Wording(catalogue, persona)

    def greeting(self, language: Language) -> list[Clause]:
        """Return the clauses a conversation opens with."""
        return self._wording.line("greeting", language)

    async def reply(
        self, question: str, language: Language, history: History
    ) -> AsyncIterator[Clause]:
        """Yield the clauses of the answer; joined they are its text."""
        intent = classify(question, language)
        aspects: list[Aspect] = []
        if intent not in FIRST:
            aspects = [hit.aspect for hit in self._retriever.search(question, language)[:1]]
        if aspects:
            clauses = self._wording.facts(aspects, language, history)
        else:
            kind = _line_kind(intent, question, language)
            clauses = self._wording.line(kind, language, history)
        for clause in clauses:
            yield clause


def _line_kind(intent: Intent | None, question: str, language: Language) -> str:
    if not any(char.isalnum() for char in question):
        return "silence"
    if intent == "injection":
        return "refuse"
    if intent in ("repeat", "chat"):
        return "capabilities"
    if intent is not None:
        return intent
    return "unknown" if is_question(question, language) else "statement"
