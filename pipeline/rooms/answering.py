"""`Answering`: has questions answered in the background, aloud or in writing."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from agents.brief import PLAIN, Brief
from agents.clause import Clause, Language
from agents.errors import AgentError, AgentValueError
from agents.history import History
from agents.show.director import Director
from agents.show.question import Question
from agents.tools import ToolCall
from pipeline.privacy.discretion import where
from pipeline.rooms.moments import RoomClock
from pipeline.tasks import Tasks

AT_ONCE: Final = 2  # answers that are made at a time
ANSWER_S: Final = 8.0  # an answer that takes longer is given up
MOST_WRITTEN: Final = 200  # questions that wait for a written answer

_log = logging.getLogger(__name__)


class Answerer(Protocol):
    """Answers a question; `agents.host.Host` does."""

    def reply(
        self,
        question: str,
        language: Language,
        history: History,
        brief: Brief = PLAIN,
        focus: str | None = None,
    ) -> AsyncIterator[Clause | ToolCall]: ...


@dataclass(frozen=True, slots=True)
class Answers:
    """What `Answering` tells.

    Attributes:
        ready: an answer waits to be said.
        written: a question was answered in writing.
        unanswered: there is no answer to it, or no time for one.
        failed: making an answer failed, in words.
        forgotten: a remark, a coming... is met with no word: the id of its event.
    """

    ready: Callable[[], None]
    written: Callable[[Question, str], None]
    unanswered: Callable[[Question], None]
    failed: Callable[[str], None]
    forgotten: Callable[[str], None] = lambda _: None


class Answering:
    """Asks the host what the director wants answered, at most two at a time; those that cannot be
    said in time are answered in writing.

    Args:
        writes: whether answers are written at all.
    """

    def __init__(
        self,
        director: Director,
        host: Callable[[], Answerer | None],
        clock: RoomClock,
        told: Answers,
        writes: Callable[[], bool],
    ) -> None:
        self._director = director
        self._host = host
        self._clock = clock
        self._told = told
        self._writes = writes
        self._tasks = Tasks()
        self._busy = 0
        self._late: deque[Question] = deque()

    def look(self) -> None:
        """Take up what waits, as far as there is room."""
        for late in self._director.overdue():
            self._overdue(late)
        for event in self._director.forgotten():
            self._told.forgotten(event)
        while self._host() is not None and self._busy < AT_ONCE:
            question = self._director.question()
            if question is not None:
                self._begin(question, aloud=True)
            elif self._late:
                self._begin(self._late.popleft(), aloud=False)
            else:
                return

    async def close(self) -> None:
        """Give up all answers that are being made."""
        await self._tasks.close()

    def _overdue(self, question: Question) -> None:
        if not self._writes() or len(self._late) >= MOST_WRITTEN:
            self._told.unanswered(question)
        elif question.clauses:
            self._write(question, question.clauses, question.citations)
        else:
            self._late.append(question)

    def _write(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str]
    ) -> None:
        self._director.told(question, clauses, citations)
        self._told.written(question, text_of(clauses))

    def _begin(self, question: Question, *, aloud: bool) -> None:
        self._busy += 1
        self._tasks.start(self._answer(question, aloud), f"answer {question.id}")

    async def _answer(self, question: Question, aloud: bool) -> None:
        try:
            clauses = await self._in_time(question)
        finally:
            self._busy -= 1
        if not aloud:
            if clauses:
                self._write(question, clauses, _cited(clauses))
            else:
                self._told.unanswered(question)
        elif clauses:
            self._director.answered(question, clauses, _cited(clauses))
            self._told.ready()
        else:
            self._director.unanswered(question)
            self._told.unanswered(question)
        self.look()

    async def _in_time(self, question: Question) -> list[Clause]:
        """Return the answer, nothing where it fails or takes too long."""
        making = asyncio.create_task(self._make(question), name=f"make {question.id}")
        waiting = asyncio.create_task(self._clock.sleep(ANSWER_S), name=f"wait {question.id}")
        try:
            await asyncio.wait({making, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if making.done():
                return making.result()
            self._told.failed(f"an answer took longer than {ANSWER_S:g} s")
            return []
        except (AgentError, AgentValueError) as error:
            _log.warning("an answer failed: %s", where(error))
            self._told.failed("an answer could not be made")
            return []
        finally:
            for task in (making, waiting):
                task.cancel()
            await asyncio.wait({making, waiting})

    async def _make(self, question: Question) -> list[Clause]:
        host = self._host()
        if host is None:
            return []
        history = history_of(question)
        parts = host.reply(question.text, question.language, history, PLAIN, focus=question.focus)
        async with aclosing(parts) as replies:  # type: ignore[type-var]
            return [part async for part in replies if isinstance(part, Clause)]


def history_of(question: Question) -> History:
    """Return what who asks was told before, as the host reads it."""
    history = History()
    for number, exchange in enumerate(question.before):
        history.add(f"asked-{number}", "user", exchange.question)
        history.add(
            f"told-{number}", "assistant", exchange.answer, citations=exchange.citations
        )  # fmt: skip
    return history


def _cited(clauses: Sequence[Clause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact for clause in clauses for fact in clause.citations))


def text_of(clauses: Sequence[Clause]) -> str:
    """Return what clauses say."""
    return "".join(clause.text for clause in clauses).strip()
