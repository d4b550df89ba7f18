"""`Exchanges`: what viewers asked a short while ago, and were told: "and how much is it, then?"."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from agents.show.recent import is_recent
from agents.show.snapshot import Saved

_KEPT_S: Final = 180.0
_MOST_OF_VIEWER: Final = 2
_MOST: Final = 100  # exchanges that are kept, of all viewers
_MOST_VIEWERS: Final = 50  # of one exchange that is remembered for them
# So long after an answer "it" means what that was about, and not what is on air by now.
_FOLLOWS_S: Final = 60.0
_ON_AIR: Final = re.compile(r"\b(?:this|these)\b|这个|这款|这件|这只|这条|现在", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer.

    Attributes:
        answer: all that was said or written.
        product: id of the one it was about; None for the shop.
        citations: of the facts it rests on.
    """

    question: str
    answer: str
    product: str | None = None
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    at: float
    viewers: tuple[str, ...]
    exchange: Exchange


class Exchanges:
    """The last two exchanges of each viewer, for three minutes; at most 100 in all."""

    def __init__(self) -> None:
        self._told: deque[_Told] = deque(maxlen=_MOST)

    def __len__(self) -> int:
        return len(self._told)

    def add(self, exchange: Exchange, viewers: Iterable[str], now: float) -> None:
        """Remember an exchange with those who asked."""
        known = tuple(viewer for viewer in viewers if viewer)[:_MOST_VIEWERS]
        if known:
            self._told.append(_Told(now, known, exchange))
        while self._told and not is_recent(self._told[0].at, now, _KEPT_S):
            self._told.popleft()

    def of(self, viewer: str, now: float) -> tuple[Exchange, ...]:
        """Return a viewer's last exchanges, oldest first."""
        found = [one.exchange for one in self._of(viewer, now, _KEPT_S)]
        return tuple(found[:_MOST_OF_VIEWER][::-1])

    def subject(self, viewer: str, text: str, now: float) -> str | None:
        """Return the product a viewer's "it" means, who has just been answered; None where that is
        the one on air.
        """
        last = next(self._of(viewer, now, _FOLLOWS_S), None)
        return None if last is None or _ON_AIR.search(text) else last.exchange.product

    def _of(self, viewer: str, now: float, seconds: float) -> Iterator[_Told]:
        return (
            one
            for one in reversed(self._told)
            if viewer in one.viewers and is_recent(one.at, now, seconds)
        )

    def snapshot(self) -> list[dict[str, Any]]:
        """Return what `restore` takes."""
        return [
            {
                "at": one.at,
                "viewers": list(one.viewers),
                "question": one.exchange.question,
                "answer": one.exchange.answer,
                "product": one.exchange.product,
                "citations": list(one.exchange.citations),
            }
            for one in self._told
        ]

    def restore(self, saved: list[Saved]) -> None:
        """Take back what was remembered.

        Raises:
            AgentValueError: it is of another form; nothing has changed then.
        """
        told = [
            _Told(
                float(one.get("at", float)),
                tuple(one.texts("viewers")),
                Exchange(
                    one.get("question", str),
                    one.get("answer", str),
                    one.maybe("product", str),
                    tuple(one.texts("citations")),
                ),
            )
            for one in saved
        ]
        self._told = deque(told, maxlen=_MOST)
