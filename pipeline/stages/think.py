"""think: a question becomes the clauses of a reply."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from agents.answer import to_clauses
from agents.brief import Brief
from agents.clause import Clause, Language
from agents.feelings import felt
from agents.history import History
from agents.host import Host
from agents.tools import ToolCall
from pipeline.acting import Acting
from pipeline.channel import Channel, Envelope
from pipeline.stages.base import Failed, Stage


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered. An empty `text` asks for a greeting; `verbatim` has it said as it
    is. `clauses` are said instead of an answer.
    """

    text: str
    language: Language
    verbatim: bool = False
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """No more of this turn follows."""


class ThinkStage(Stage[Question]):
    """Asks the host; every clause goes on as soon as it stands, with its action and
    emotion, and every call of a function, then `End`.

    `mark(name, turn)` is told when the first clause of a turn stands. `brief(turn)` says what the
    host may do in it.
    """

    def __init__(
        self,
        host: Host,
        history: History,
        out: Channel[Clause | ToolCall | End],
        failed: Failed,
        mark: Callable[[str, int], None],
        brief: Callable[[int], Brief],
    ) -> None:
        super().__init__("think", 2, failed)
        self._host = host
        self._history = history
        self._out = out
        self._mark = mark
        self._brief = brief
        self._acting = Acting()

    async def work(self, envelope: Envelope[Question]) -> None:
        turn, question = envelope.turn, envelope.payload
        if question.verbatim or question.clauses:
            for clause in question.clauses or to_clauses(question.text, question.language):
                await self._give(turn, clause)
        elif not question.text and not self._history.unanswered():
            for clause in self._host.greeting(question.language):
                await self._give(turn, clause)
        else:
            replies = self._host.reply(
                question.text, question.language, self._history, self._brief(turn)
            )
            async with aclosing(replies):
                async for made in replies:
                    if isinstance(made, ToolCall):
                        await self._out.put(Envelope(turn, made))
                    else:
                        await self._give(turn, made)
        await self._out.put(Envelope(turn, End()))

    async def _give(self, turn: int, clause: Clause) -> None:
        self._mark("first_clause", turn)
        await self._out.put(Envelope(turn, self._acting.bind(felt(clause))))
