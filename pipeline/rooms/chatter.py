"""`Chatter`: what viewers did in a room, and what became of each thing."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from agents.show.line import Line
from agents.show.question import Heard, Question
from agents.show.viewers import ViewerEvent
from pipeline.rooms.board import Board
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.state import ChatStatus, ChatView
from pipeline.rooms.views import LONGEST_NAME, LONGEST_TEXT, chat_view
from pipeline.store.chat import CHAT, settle, take_in
from pipeline.store.orders import ORDERS, order_document

# What may be said or done to it; the rest needs nothing.
CALLS: Final = frozenset({"chat", "voice", "join", "gift", "follow", "order"})
_HEARD: Final[dict[str, ChatStatus]] = {
    "queued": "waiting", "merged": "merged", "limited": "refused",
}  # fmt: skip
_ANSWERED: Final = frozenset({"spoken", "written"})
_OPEN: Final = frozenset({"waiting", "answering", "merged"})


class Chatter:
    """Keeps events and shows them. `waited`: told how long an answer was waited for."""

    def __init__(
        self, room: str, board: Board, ledger: Ledger, waited: Callable[[float], None]
    ) -> None:
        self._room = room
        self._board = board
        self._ledger = ledger
        self._waited = waited

    def write(self, connection: Connection, events: Sequence[ViewerEvent]) -> list[ViewerEvent]:
        """Add events that are new, within a transaction; return them. Called on the store's
        thread.
        """
        known = CHAT.known(connection, self._room, [event.id for event in events])
        fresh: list[ViewerEvent] = []
        for event in events:
            if event.id in known:
                continue
            known.add(event.id)
            view, kept = chat_view(event).model_dump(mode="json"), event_document(event)
            take_in(connection, self._room, event.at, view, kept)
            if event.kind == "order":
                ORDERS.add(connection, self._room, event.id, event.at, order_document(event))
            fresh.append(event)
        return fresh

    def show(self, event: ViewerEvent, heard: Heard | None) -> None:
        """Show an event and what the director made of it; None where nobody is on air to hear."""
        view = chat_view(event)
        if heard is not None:
            told = {"status": _HEARD.get(heard.status, "none"), "merged_with": heard.merged_with}
            view = view.model_copy(update=told | self._answer_of(heard.merged_with))
        self._put(view)

    def began(self, line: Line, at: float) -> None:
        """A line that answers events is heard."""
        for view in self._open(line.events):
            waited = max(0.0, at - view.at)
            if view.kind in ("chat", "voice") and line.kind == "answer":
                self._waited(waited)
            told = {"status": "answering", "line": line.id, "waited_s": round(waited, 2)}
            self._put(view.model_copy(update=told))

    def ended(self, line: Line, whole: bool) -> None:
        """It has been heard; one that was cut is said again, or its events wait on."""
        told = (
            {"status": "spoken", "answer": line.text, "line": line.id}
            if whole
            else {"status": "waiting"}
        )
        for view in self._open(line.events):
            self._put(view.model_copy(update=told))

    def written(self, question: Question, text: str) -> None:
        """A question was answered in writing."""
        self._settle(question.events, "written", text)

    def unanswered(self, question: Question) -> None:
        """There is no answer to a question, or there was no time."""
        self._settle(question.events, "unanswered")

    def answered(self, event_id: str, text: str) -> None:
        """An operator has answered it."""
        self._settle((event_id,), "answering", text)

    def dismissed(self, event_id: str) -> None:
        """An operator wants no answer to it."""
        self._settle((event_id,), "none")

    def give_up(self, since: float) -> list[str]:
        """Leave what came before `since` and was not settled; return the ids."""
        left = [
            view.id
            for view in self._board.entries("chat")
            if view.at < since and view.status in _OPEN
        ]
        self._settle(left, "unanswered")
        return left

    def _settle(self, events: Sequence[str], status: ChatStatus, answer: str = "") -> None:
        for view in self._open(events):
            self._put(view.model_copy(update={"status": status, "answer": answer}))

    def _answer_of(self, event: str | None) -> dict[str, object]:
        """Return the answer that an event which was joined to another has already; none yet: {}."""
        other = None if event is None else self._board.entry("chat", event)
        if other is None or other.status not in _ANSWERED:
            return {}
        return {"status": other.status, "answer": other.answer, "line": other.line}

    def _open(self, events: Sequence[str]) -> list[ChatView]:
        """Return those of the events that are shown and not settled, and what was joined to one
        of them when its answer was already on its way.
        """
        wanted = frozenset(events)
        return [
            view
            for view in self._board.entries("chat")
            if view.status in _OPEN and (view.id in wanted or view.merged_with in wanted)
        ]

    def _put(self, view: ChatView) -> None:
        self._board.put("chat", view)
        document = view.model_dump(mode="json")
        entry = partial(settle, room=self._room, view=document, waits=view.status in _OPEN)
        self._ledger.add(entry)


def event_document(event: ViewerEvent) -> dict[str, Any]:
    """Return an event as it is kept while it waits."""
    return {
        **asdict(event),
        "text": event.text[:LONGEST_TEXT],
        "name": event.name[:LONGEST_NAME],
    }


def event_of(document: dict[str, Any]) -> ViewerEvent:
    """Return an event that was kept."""
    return ViewerEvent(**document)
