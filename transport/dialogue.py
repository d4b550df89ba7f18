"""One client's side of a session: events out, commands in. Data channel and WebSocket share it."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from agents.tools import ToolCall
from pipeline.contract import Session
from pipeline.errors import VivantError
from pipeline.events import (
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseCreated,
    ResponseDone,
    SessionEvent,
)
from transport.client_message import MAX_MESSAGE_BYTES, parse_message
from transport.errors import EventError
from transport.items import ServerEvent, item_of, server_event
from transport.protocol import client
from transport.protocol.schema import read_client_event
from transport.realtime import Translator, error_event, refusal
from transport.session_object import (
    SessionUpdate,
    response_wish,
    session_object,
    supported,
    updated_options,
)

# Client events: a burst, and what refills it per second. A person makes one or two a second; sound
# comes in many small pieces, which count a tenth.
BURST: Final = 100
REFILL: Final = 20.0
SOUND_COST: Final = 0.1
# Events kept for a client that has not opened its channel yet, or has lost its connection.
MAX_EARLY_EVENTS: Final = 256


class Dialogue:
    """Speaks the Realtime API for one session, over whichever connection it has at a time.

    Args:
        session: what the commands go to.
        resume_token: with which a client takes the session up again.
    """

    def __init__(self, session: Session, resume_token: str | None = None) -> None:
        self._session = session
        self._resume_token = resume_token
        self._send_now: Callable[[ServerEvent], None] | None = None
        self._translator = Translator()
        self._early: deque[ServerEvent] = deque(maxlen=MAX_EARLY_EVENTS)
        self._tokens = float(BURST)
        self._refilled = asyncio.get_running_loop().time()
        self._flood_told = False
        self.video_delta = True
        self._sounding = False
        self._heard: str | None = None  # the response that sounds
        self._made: ResponseDone | None = None  # told when its sound has been sent

    @property
    def translator(self) -> Translator:
        """What turns session events into server events."""
        return self._translator

    def open(
        self, send: Callable[[ServerEvent], None], *, resumed: bool = False, sounding: bool = False
    ) -> None:
        """A client listens: send `session.created` and what has happened meanwhile.

        Args:
            send: takes a server event for the client; called on the event loop.
            resumed: it goes on with a session it has had before.
            sounding: sound travels among the events, so that a reply is done when its last sound
                has been sent, and not when it has been made.
        """
        if self._send_now is not None:
            return
        self._send_now = send
        self._sounding = sounding
        send(server_event("session.created", session=self._described(resumed=resumed)))
        while self._early:
            send(self._early.popleft())

    def pause(self) -> None:
        """Nobody listens for a while: keep the newest events."""
        self._send_now = None
        self._tell_made()

    def tell(self, event: SessionEvent) -> None:
        """Send what the session tells."""
        match event:
            case ResponseDone() if self._sounding and self._sounds(event):
                self._made = event
                return
            case OutputAudioStarted():
                self._heard = event.response_id
            case OutputAudioStopped() | OutputAudioCleared():
                self._heard = None
                self._tell_made()
        for translated in self._translator.translate(event):
            self.send(translated)
        if isinstance(event, ResponseCreated):
            self.send(self._limits())

    def _sounds(self, event: ResponseDone) -> bool:
        """Whether sound of a reply that has been made is yet to be sent."""
        waiting = event.usage.output_audio > 0 or self._heard == event.response_id
        return waiting and event.status == "completed"

    def _tell_made(self) -> None:
        made, self._made = self._made, None
        if made is not None:
            for translated in self._translator.translate(made):
                self.send(translated)

    def send(self, event: ServerEvent) -> None:
        """Send a server event, or keep it for whoever listens next."""
        if self._send_now is not None:
            self._send_now(event)
        else:
            self._early.append(event)

    def receive(self, message: str | bytes) -> None:
        """Obey one message of the client; what is not accepted is answered with `error`."""
        event = self.admit(self.parse(message))
        if event is not None:
            self.obey(event)

    def parse(
        self, message: str | bytes, limit: int = MAX_MESSAGE_BYTES
    ) -> dict[str, Any] | EventError:
        """Return the JSON object of one message, or what is wrong with it. Touches nothing, so it
        may be called on any thread.
        """
        try:
            return parse_message(message, limit)
        except EventError as error:
            return error

    def admit(self, event: dict[str, Any] | EventError) -> client.AnyClientEvent | None:
        """Return the event of one message; None where it is not accepted, which is answered."""
        known = event if isinstance(event, dict) else {}
        if not self._has_room(SOUND_COST if known.get("type") == client.APPEND else 1.0):
            return None
        try:
            if isinstance(event, EventError):
                raise event
            supported_event, refused = _supported(event)
            for path in refused:
                self._tell_unsupported(path, _event_id(event))
            return read_client_event(supported_event)
        except EventError as error:
            self.send(refusal(error, _event_id(known)))
            return None

    def obey(self, event: client.AnyClientEvent) -> None:
        """Do what a client event asks; what cannot be done is answered with `error`."""
        try:
            self._obey(event)
        except EventError as error:
            self.send(refusal(error, event.event_id))
        except VivantError as error:
            self.send(refusal(EventError("invalid_value", str(error)), event.event_id))

    def _obey(self, event: client.AnyClientEvent) -> None:
        session = self._session
        match event:
            case client.SessionUpdate():
                self._update(event.session.model_dump(exclude_unset=True), event.event_id)
            case client.AudioAppend():
                raise EventError(
                    "unsupported_event",
                    "input_audio_buffer.append has no place in a call; accepted: its audio track",
                    "type",
                )
            case client.AudioCommit():
                session.commit_audio()
            case client.AudioClear():
                session.clear_audio()
                self.send(server_event("input_audio_buffer.cleared"))
            case client.ItemTruncate():
                session.truncate(event.item_id, event.audio_end_ms)
            case client.ResponseCreate():
                session.create_response(response_wish(event.response, session.options))
            case client.ResponseCancel():
                self._cancel(event)
            case client.OutputClear():
                session.cancel()
            case client.ItemCreate() | client.ItemRetrieve() | client.ItemDelete():
                self._item(event)
            case _:
                self._avatar(event)

    def _item(self, event: client.ItemCreate | client.ItemRetrieve | client.ItemDelete) -> None:
        session = self._session
        if isinstance(event, client.ItemRetrieve):
            told = item_of(session.item(event.item_id))
            self.send(server_event("conversation.item.retrieved", item=told))
        elif isinstance(event, client.ItemDelete):
            session.delete_item(event.item_id)
        elif isinstance(event.item, client.Message):
            text = "\n".join(part.text for part in event.item.content).strip()
            if not text:
                raise EventError(
                    "invalid_value", "item.content is blank; accepted: words", "item.content"
                )
            session.submit_text(
                text, event.item.id, role=event.item.role, after=event.previous_item_id
            )
        elif isinstance(event.item, client.FunctionCall):
            call = ToolCall(event.item.name, event.item.arguments)
            session.submit_call(
                event.item.call_id, call, event.item.id, after=event.previous_item_id
            )
        else:
            session.submit_output(
                event.item.call_id, event.item.output, event.item.id, after=event.previous_item_id
            )

    def _avatar(self, event: client.AnyClientEvent) -> None:
        session = self._session
        if isinstance(event, client.AvatarSay):
            session.say(
                event.text,
                event.language,
                interrupt=event.interrupt,
                metadata=event.metadata or {},
            )
        elif isinstance(event, client.AvatarAction):
            session.act(event.action, event.parameters)
        elif isinstance(event, client.AvatarSceneUpdate):
            self._update({"avatar": {"scene": event.scene}}, event.event_id)
        elif isinstance(event, client.AvatarNotesAsk):
            seen = session.notes
            notes = [{"at_ms": round(note.at * 1000), "text": note.note} for note in seen or ()]
            self.send(server_event("avatar.notes", seeing=seen is not None, notes=notes))

    def _update(self, session: Mapping[str, Any], event_id: str | None) -> None:
        update = updated_options(self._session.options, session)
        self._session.update(update.options)
        self._apply(update)
        for path in update.refused:
            self._tell_unsupported(path, event_id)
        self.send(server_event("session.updated", session=self._described(resumed=False)))

    def _apply(self, update: SessionUpdate) -> None:
        if update.video_delta is not None:
            self.video_delta = update.video_delta

    def _described(self, *, resumed: bool) -> dict[str, Any]:
        return session_object(
            self._session.id,
            self._session.options,
            video_delta=self.video_delta,
            resume_token=self._resume_token,
            resumed=resumed,
            follows_instructions=self._session.follows_instructions,
        )

    def _tell_unsupported(self, path: str, event_id: str | None) -> None:
        error = EventError(
            "unsupported_parameter",
            f"{path} has no effect here and was left out; the server's configuration sets it",
            path,
        )
        self.send(refusal(error, event_id))

    def _cancel(self, event: client.ResponseCancel) -> None:
        active = self._translator.responses.active
        if active is None or event.response_id not in (None, active):
            raise EventError(
                "response_cancel_not_active",
                f"response {event.response_id or 'whichever'} is not in progress; in progress: "
                f"{active or 'none'}",
                "response_id",
            )
        self._session.cancel()

    def _has_room(self, cost: float) -> bool:
        """Take what an event costs out of the bucket; False where too little is in it."""
        now = asyncio.get_running_loop().time()
        self._tokens = min(float(BURST), self._tokens + (now - self._refilled) * REFILL)
        self._refilled = now
        if self._tokens > BURST / 2:
            self._flood_told = False  # this flood is over; the next one is told of again
        if self._tokens >= cost:
            self._tokens -= cost
            return True
        if not self._flood_told:
            self._flood_told = True
            message = f"more than {BURST} events at once or {REFILL:g} a second; some were dropped"
            self.send(error_event("rate_limit_error", "too_many_events", message))
        return False

    def _limits(self) -> ServerEvent:
        missing = BURST - self._tokens
        limit = {
            "name": "requests",
            "limit": BURST,
            "remaining": int(self._tokens),
            "reset_seconds": round(missing / REFILL, 3),
        }
        return server_event("rate_limits.updated", rate_limits=[limit])


def _supported(event: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return an event without what a session.update may have and this server has no use for."""
    session = event.get("session")
    if event.get("type") != "session.update" or not isinstance(session, Mapping):
        return event, []
    known, refused = supported(session)
    return {**event, "session": known}, refused


def _event_id(event: Mapping[str, Any]) -> str | None:
    value = event.get("event_id")
    return value[:128] if isinstance(value, str) else None
