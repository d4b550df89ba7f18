"""think: a question becomes the clauses of a reply."""

from dataclasses import dataclass

from agents.clause import Clause, Language
from agents.history import History
from agents.host import Host
from pipeline.channel import Channel, Envelope
from pipeline.stages.base import Failed, Stage


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered. An empty `text` asks for a greeting."""

    text: str
    language: Language


@dataclass(frozen=True, slots=True)
class End:
    """No more of this turn follows."""


class ThinkStage(Stage[Question]):
    """Asks the host; every clause goes on as soon as it stands, then `End`."""

    def __init__(
        self, host: Host, history: History, out: Channel[Clause | End], failed: Failed
    ) -> None:
        super().__init__("think", 2, failed)
        self._host = host
        self._history = history
        self._out = out

    async def work(self, envelope: Envelope[Question]) -> None:
        question = envelope.payload
        clauses = (
            self._host.reply(question.text, question.language, self._history)
            if question.text
            else self._host.greeting(question.language)
        )
        async for clause in clauses:
            if not await self._out.put(Envelope(envelope.turn, clause)):
                return
        await self._out.put(Envelope(envelope.turn, End()))
