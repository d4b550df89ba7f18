"""A host that repeats what it was asked, word by word, after a while."""

from collections.abc import AsyncIterator

from agents.clause import Clause, Language
from agents.history import History
from pipeline.clock import Clock


class EchoHost:
    """Answers a question with two clauses that repeat it. Takes `delay` seconds to think."""

    def __init__(self, clock: Clock, delay: float = 0.05) -> None:
        self.delay = delay
        self.asked: list[str] = []
        self._clock = clock

    def greeting(self, language: Language) -> list[Clause]:
        return [Clause("Hello.", language)]

    async def reply(
        self, question: str, language: Language, history: History
    ) -> AsyncIterator[Clause]:
        del history
        self.asked.append(question)
        await self._clock.sleep_until(self._clock.now() + self.delay)
        yield Clause("You asked me this,", language, citations=("fact",))
        yield Clause(f" {question}", language)
