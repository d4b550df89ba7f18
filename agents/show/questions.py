"""`Questions`: which are to be answered, which cannot be in time, and what was answered."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from agents.clause import Clause
from agents.shop.product import Shop
from agents.show.exchanges import Exchange, Exchanges
from agents.show.overload import Air, overdue
from agents.show.pace import Pace
from agents.show.question import Question, question_of
from agents.show.waiting import ASKING, Waiting

_MOST_FORGOTTEN: Final = 2000  # events met with no word, until somebody asks for them
_ANSWERED: Final = ASKING - {"talk"}  # whose askers are answered, in writing where not aloud
_MOST_MAKING: Final = 4  # answers being made at once


class Questions:
    """Hands questions out to be answered, and takes the answers."""

    def __init__(self, waiting: Waiting, exchanges: Exchanges, now: Callable[[], float]) -> None:
        self._waiting = waiting
        self._exchanges = exchanges
        self._now = now
        self._forgotten: deque[str] = deque(maxlen=_MOST_FORGOTTEN)

    def next(self) -> Question | None:
        """Return the most urgent question an answer should be made for now, each once."""
        making = sum(one.state == "asked" for one in self._waiting)
        if making >= _MOST_MAKING:
            return None
        for entry in self._waiting.questions():
            if entry.state == "waiting":
                entry.state = "asked"
                asker = next(iter(entry.names), "")
                return question_of(entry, self._exchanges.of(asker, self._now()))
        return None

    def answered(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str]
    ) -> None:
        """Take the answer to a question; it is said in its turn. None without clauses."""
        entry = self._waiting.get(question.id)
        if entry is None or entry.state == "given":
            return
        if not clauses:
            self._waiting.remove(question.id)
            return
        entry.clauses, entry.citations = tuple(clauses), tuple(citations)
        entry.state = "ready"

    def overdue(self, air: Air, pace: Pace) -> list[Question]:
        """Return questions that cannot be answered aloud in time, and have them wait no longer."""
        late = overdue(self._waiting, self._now(), air, pace)
        for entry in late:
            self._waiting.remove(entry.id)
        gone = [*late, *self._waiting.pushed_out]
        self._waiting.pushed_out.clear()
        for one in gone:
            if one.kind not in _ANSWERED:
                self._forgotten.extend(one.events)
        return [question_of(one) for one in gone if one.kind in _ANSWERED]

    def told(
        self, question: Question, clauses: Sequence[Clause], citations: Sequence[str], shop: Shop
    ) -> None:
        """Note that viewers know an answer, aloud or in writing: they may refer back to it."""
        known = {product.id for product in shop}
        cited = (citation.partition(".")[0] for citation in citations)
        asked = question.asked.product if question.asked else ""
        product = asked or next((one for one in cited if one in known), None)
        answer = "".join(clause.text for clause in clauses).strip()
        exchange = Exchange(question.text, answer, product, tuple(citations))
        self._exchanges.add(exchange, question.viewers, self._now())

    def forgotten(self) -> list[str]:
        """Return ids of remarks, comings... that will be met with no word, each once."""
        told = list(self._forgotten)
        self._forgotten.clear()
        return told
