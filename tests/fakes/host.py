"""A host that repeats what it was asked, word by word, after a while."""

import json
from collections.abc import AsyncIterator

from agents.brief import PLAIN, Brief
from agents.clause import Clause, Language
from agents.history import History
from agents.tools import ToolCall
from pipeline.clock import Clock


class EchoHost:
    """Answers a question with two clauses that repeat it. Takes `delay` seconds to think.

    Where it has tools it calls the first, with the question as argument "q", until that has
    answered; then it says what it was answered. "please" before the question has it say so first.
    """

    follows_instructions = False

    def __init__(self, clock: Clock, delay: float = 0.05) -> None:
        self.delay = delay
        self.asked: list[str] = []
        self.briefs: list[Brief] = []
        self._clock = clock

    def greeting(self, language: Language) -> list[Clause]:
        return [Clause("Hello.", language)]

    async def reply(
        self, question: str, language: Language, history: History, brief: Brief = PLAIN
    ) -> AsyncIterator[Clause | ToolCall]:
        self.asked.append(question)
        self.briefs.append(brief)
        await self._clock.sleep_until(self._clock.now() + self.delay)
        if outputs := history.unanswered():
            yield Clause(f"It says {outputs[-1].text}.", language)
            return
        if brief.may_call:
            if question.startswith("please"):
                yield Clause("One moment.", language)
            yield ToolCall(brief.tools[0].name, json.dumps({"q": question}))
            return
        yield Clause("You asked me this,", language, citations=("fact",))
        yield Clause(f" {question}", language)
