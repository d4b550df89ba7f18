"""One client's side of a session: events out, commands in. Data channel and WebSocket share it."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from pipeline.contract import Session
from pipeline.errors import VivantError
from pipeline.events import SessionEvent
from transport import commands
from transport.errors import EventError
from transport.realtime import ServerEvent, Translator, error_event, refusal
from transport.session_object import updated_options

# Client events: a burst, and what refills it per second. A person makes one or two a second.
BURST: Final = 100
REFILL: Final = 20.0
# Events kept for a client that has not opened its channel yet.
MAX_EARLY_EVENTS: Final = 256


class Dialogue:
    """Speaks the Realtime API for one session.

    Args:
        session: what the commands go to.
        send: takes a server event for the client; called on the event loop.
    """

    def __init__(self, session: Session, send: Callable[[ServerEvent], None]) -> None:
        self._session = session
        self._send_now = send
        self._translator = Translator(session.id)
        self._early: deque[ServerEvent] = deque(maxlen=MAX_EARLY_EVENTS)
        self._open = False
        self._tokens = float(BURST)
        self._refilled = asyncio.get_running_loop().time()
        self._flood_told = False

    def open(self) -> None:
        """The client listens: send `session.created` and what has happened meanwhile."""
        if self._open:
            return
        self._open = True
        self._send_now(self._translator.created(self._session.options))
        while self._early:
            self._send_now(self._early.popleft())

    def tell(self, event: SessionEvent) -> None:
        """Send what the session tells."""
        for translated in self._translator.translate(event):
            self._send(translated)

    def receive(self, message: str | bytes) -> None:
        """Obey one message of the client; what is not accepted is answered with `error`."""
        if not self._admit():
            return
        event: dict[str, Any] = {}
        try:
            event = commands.parse_message(message)
            self._obey(commands.parse_command(event), _event_id(event))
        except EventError as error:
            self._send(refusal(error, _event_id(event)))
        except VivantError as error:
            self._send(refusal(EventError("invalid_value", str(error)), _event_id(event)))

    def _obey(self, command: commands.Command, event_id: str | None) -> None:
        session = self._session
        match command:
            case commands.UpdateSession():
                self._update(command, event_id)
            case commands.AddMessage():
                session.submit_text(command.text, command.item_id)
            case commands.CreateResponse():
                session.create_response()
            case commands.CancelResponse():
                self._cancel(command)
            case commands.ClearOutput():
                session.cancel()
            case commands.CommitInput():
                session.commit_audio()
            case commands.ClearInput():
                session.clear_audio()
                self._send(self._translator.cleared())
            case commands.Truncate():
                session.truncate(command.item_id, command.audio_end_ms)

    def _update(self, command: commands.UpdateSession, event_id: str | None) -> None:
        update = updated_options(self._session.options, command.session)
        self._session.update(update.options)
        for path in update.refused:
            error = EventError(
                "unsupported_parameter",
                f"{path} has no effect here and was left out; the server's configuration sets it",
                path,
            )
            self._send(refusal(error, event_id))
        self._send(self._translator.updated(self._session.options))

    def _cancel(self, command: commands.CancelResponse) -> None:
        active = self._translator.active_response
        if active is None or command.response_id not in (None, active):
            raise EventError(
                "response_cancel_not_active",
                f"no response {command.response_id or ''} is in progress; in progress: {active}",
                "response_id",
            )
        self._session.cancel()

    def _admit(self) -> bool:
        now = asyncio.get_running_loop().time()
        self._tokens = min(float(BURST), self._tokens + (now - self._refilled) * REFILL)
        self._refilled = now
        if self._tokens >= 1:
            self._tokens -= 1
            self._flood_told = False
            return True
        if not self._flood_told:
            self._flood_told = True
            message = f"more than {BURST} events at once or {REFILL:g} a second; some were dropped"
            self._send(error_event("rate_limit_error", "too_many_events", message))
        return False

    def _send(self, event: ServerEvent) -> None:
        if self._open:
            self._send_now(event)
        else:
            self._early.append(event)


def _event_id(event: dict[str, Any]) -> str | None:
    value = event.get("event_id")
    return value[:128] if isinstance(value, str) else None
