"""`Reporter`: what happens in a room, on its board, in its journals and alerts."""

from functools import partial
from typing import TYPE_CHECKING

from agents.show.line import Line
from agents.show.question import Question
from pipeline.rooms.ledger import Ledger
from pipeline.rooms.state import DecisionView, LineView
from pipeline.rooms.views import line_view
from pipeline.store import Store
from pipeline.store.decisions import DECISIONS
from pipeline.store.lines import LINES

if TYPE_CHECKING:
    from pipeline.rooms.room import Room


class Reporter:
    """Tells of one room."""

    def __init__(self, room: "Room", store: Store, ledger: Ledger) -> None:
        self._room = room
        self._store = store
        self._ledger = ledger

    def began(self, line: Line) -> None:
        """A line is heard from now on."""
        self._room.expert.sounds.set()
        now = self._room.clock.now()
        view = line_view(line, now)
        self._room.chatter.began(line, now)
        self._room.board.set(line=view)
        self._keep_line(view)
        self.refresh_show()

    def ended(self, line: Line, heard: str, whole: bool) -> None:
        """A line was heard to its end, or in part."""
        self._room.chatter.ended(line, whole)
        running = self._room.board.get("line")
        if running is None or running.id != line.id:
            running = line_view(line, self._room.clock.now())
        told = {"ended_at": self._room.clock.now(), "heard": heard, "whole": whole}
        view = running.model_copy(update=told)
        self._room.board.put("lines", view)
        self._room.board.set(line=None)
        self._keep_line(view)
        self.refresh()

    def failed(self, line: Line, message: str) -> None:
        """A line could not be spoken."""
        self._room.alarms.note(
            "line_failed", f"a line could not be spoken: {message}", text=line.text
        )

    def censored(self, wished: Line, said: Line | None, why: str) -> None:
        """A line was mended or left out."""
        if said is None:
            self._room.alarms.note("line_left_out", f"a line was left out: {why}", text=wished.text)
        else:
            told = {"text": wished.text, "said": said.text}
            self._room.alarms.note("line_mended", f"a line was said otherwise: {why}", **told)

    def unanswered(self, question: Question) -> None:
        """A question has no answer."""
        self._room.chatter.unanswered(question)
        self.refresh()

    def answer_failed(self, message: str) -> None:
        """Making an answer failed."""
        self._room.alarms.note("answering_failed", message)

    def model_trouble(self, message: str | None) -> None:
        """The language model fails, or does no more."""
        self._room.alarms.set("model_failing", message)

    def refresh(self) -> None:
        """Show how many are there and wait."""
        waiting = self._room.show.director.waiting if self._room.show is not None else 0
        self._room.board.set(viewers=self._room.watch.viewers, waiting=waiting)

    def refresh_show(self) -> None:
        """Show what is on air."""
        show = self._room.show
        if show is None:
            return
        self._room.board.set(
            current=show.current(), next=show.following(), loop=show.director.loop,
            held=show.director.held, pace=show.director.paced,
        )  # fmt: skip
        self.restock()
        self._room.warden.show_card()

    def show_learning(self) -> None:
        """Show which policy decides, and how the learning stands."""
        mode, reports = self._room.brain.mode, self._room.brain.book.reports()
        learnt = [report for report in reports if report.kind == "learnt"]
        deciding = {"off": "", "rules": "rules"}.get(mode, self._room.brain.book.deciding().name)
        told = learnt[0].reason.get(self._room.spec.language, "") if learnt else ""
        self._room.board.set(policy=deciding, learning=told)

    def restock(self) -> None:
        """Show the goods as they are."""
        line: LineView | None = self._room.board.get("line")
        pinned = self._room.board.get("pinned")
        shown = line.product if line is not None else None
        self._room.board.stock(self._room.shelf.views(shown, pinned, self._room.clock.wall()))

    def _keep_line(self, view: LineView) -> None:
        document = view.model_dump(mode="json")
        self._ledger.add(
            partial(
                LINES.put, room=self._room.id, entry=view.id, at=view.began_at, document=document
            )
        )

    async def keep_decision(self, view: DecisionView) -> None:
        """Keep a decision of the brain.

        Raises:
            StoreError: it could not be kept.
        """
        document = view.model_dump(mode="json")
        await self._store.write(
            partial(DECISIONS.put, room=self._room.id, entry=view.id, at=view.at, document=document)
        )
