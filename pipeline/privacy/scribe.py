"""Follows the events of one session and keeps, of all that was said, what was heard."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from pipeline.events import (
    ItemDeleted,
    ItemTruncated,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionEvent,
    TranscriptionCompleted,
    TurnMeasured,
    UserCommitted,
)
from pipeline.privacy.transcripts import Line, Who

# Replies whose fate is open, and those a client may still say it heard less of.
MAX_OPEN: Final = 8
MAX_WRITTEN: Final = 64


class Ledger(Protocol):
    """Where lines go. Does not block."""

    def add(self, person: str, line: Line) -> None: ...

    def amend(self, person: str, session: str, item: str, text: str) -> None: ...


@dataclass(slots=True)
class _Reply:
    item: str
    text: str | None = None  # all of it, once it has been made


class Scribe:
    """Writes into `ledger` what was said in one session, as far as it was heard.

    A reply is written when its sound has ended, or has been cut: not when it was made. A client
    that tells later that less was heard has the line amended.

    Args:
        ledger: takes the lines.
        person: who talks; None for somebody nobody knows, whose session's id stands for them.
        now: tells the time.
    """

    def __init__(self, ledger: Ledger, person: str | None, now: Callable[[], datetime]) -> None:
        self._ledger = ledger
        self._person = person
        self._now = now
        self._session = ""
        self._open: OrderedDict[str, _Reply] = OrderedDict()
        self._written: OrderedDict[str, bool] = OrderedDict()

    def begin(self, session: str) -> None:
        """Take the id of the session that is followed; events come after that."""
        self._session = session
        self._person = self._person or session

    def event(self, event: SessionEvent) -> None:
        """Take what the session tells."""
        match event:
            case UserCommitted(item_id=item, text=str(text)):
                self._write("person", item, text)
            case TranscriptionCompleted():
                self._write("person", event.item_id, event.transcript.strip(), event.language)
            case ResponseCreated():
                self._open[event.response_id] = _Reply(event.item_id)
                if len(self._open) > MAX_OPEN:
                    self._open.popitem(last=False)
            case ResponseDone(response_id=response) if response in self._open:
                self._open[response].text = event.transcript
            case OutputAudioStopped() | TurnMeasured():
                self._heard_all(event.response_id)
            case ItemTruncated():
                self._heard(event.item_id, event.transcript)
            case ItemDeleted():
                self._forget(event.item_id)

    def _heard_all(self, response: str) -> None:
        """The sound of a reply has ended, or its turn has, without any sound."""
        reply = self._open.get(response)
        if reply is not None and reply.text is not None:
            del self._open[response]
            self._write("host", reply.item, reply.text.strip())

    def _heard(self, item: str, text: str) -> None:
        for response, reply in list(self._open.items()):
            if reply.item == item:
                del self._open[response]
                self._write("host", item, text)
                return
        if item in self._written:
            self._ledger.amend(self._person or "", self._session, item, text)

    def _forget(self, item: str) -> None:
        """Who takes an item out of the conversation does not want it kept."""
        if self._written.pop(item, False):
            self._ledger.amend(self._person or "", self._session, item, "")

    def _write(self, who: Who, item: str, text: str, language: str | None = None) -> None:
        if not text:
            return
        line = Line(self._now(), self._session, item, who, text, language)
        self._ledger.add(self._person or "", line)
        self._written[item] = True
        if len(self._written) > MAX_WRITTEN:
            self._written.popitem(last=False)
