"""What the server sends, to where it belongs: streams, replies, and whoever waits for a word."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from transport.client.calls import Calls
from transport.client.errors import ClientError, ReplyLostError, RequestRefusedError
from transport.client.events import Disconnected, Event, Resumed, UnknownEvent, typed
from transport.client.media import (
    AudioChunk,
    MotionFormat,
    audio_chunk,
    motion_format,
    motion_frame,
    text_chunk,
    video_packet,
)
from transport.client.replies import Replies
from transport.client.streams import EVENTS_KEPT, MotionStream, SoundStream, Stream, VideoStream

Message = Mapping[str, Any]

_TEXT: Final = ("response.output_audio_transcript.delta", "response.output_text.delta")

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Word:
    """Somebody waits for an event of a kind, or for the refusal of what they sent.

    Attributes:
        kind: type of the event that answers; "" where only a refusal would.
        event_id: of what was sent.
    """

    kind: str
    event_id: str
    heard: "asyncio.Future[Message]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Inbox:
    """Sorts what comes. Nothing here waits, so the connection is always read.

    Attributes:
        session: the session as the server last told it.
        events: all but media.
        audio: the host's voice; kept from the first time somebody asks for it.
        motion, video: kept from the beginning, the newest 10 s.
        received_ms: where the sound that has come ends, on the output clock.

    Args:
        replies: get what is theirs.
        arrived: called when sound has come; with True when it was a reply's last.
    """

    def __init__(self, replies: Replies, arrived: Callable[[bool], None]) -> None:
        self.replies = replies
        self.received_ms = 0.0
        self._arrived = arrived
        self.session: Message = {}
        self.events: Stream[Event] = Stream(EVENTS_KEPT)
        self.audio: SoundStream[AudioChunk] | None = None
        self.motion = MotionStream()
        self.video = VideoStream()
        self.calls: Calls | None = None
        self._format: MotionFormat | None = None
        self._words: list[Word] = []
        self._refusals: dict[str, Callable[[ClientError], None]] = {}
        self._handlers: dict[str, Callable[[Message], None]] = {
            "session.created": self._session,
            "session.updated": self._session,
            "input_audio_buffer.speech_started": self._person_speaks,
            "input_audio_buffer.committed": lambda _: self._settled(committed=True),
            "input_audio_buffer.cleared": lambda _: self._settled(committed=False),
            "response.created": lambda event: replies.created(event["response"]),
            "response.done": self._done,
            "response.function_call_arguments.done": self._asked,
            "output_audio_buffer.started": lambda event: replies.started(event["response_id"]),
            "output_audio_buffer.stopped": lambda event: self._silent(event, cut=False),
            "output_audio_buffer.cleared": lambda event: self._silent(event, cut=True),
            "error": self._refused,
        } | dict.fromkeys(_TEXT, lambda event: replies.add(text_chunk(event)))
        self._media: dict[str, Callable[[Message], None]] = {
            "response.output_audio.delta": self._sound,
            "avatar.motion.delta": self._pose,
            "avatar.video.delta": lambda event: self.video.put(video_packet(event)),
        }

    def receive(self, event: Message) -> None:
        """Take an event of the server; one that is not as it should be is only handed on."""
        kind = event["type"]
        try:
            media = self._media.get(kind)
            if media is not None:
                media(event)
                return
            if kind == "avatar.motion.format":
                self._format = motion_format(event)
            handler = self._handlers.get(kind)
            if handler is not None:
                handler(event)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            logger.warning("%s is not as it should be: %s", kind, type(error).__name__)
            self.events.put(UnknownEvent(kind, event))
            return
        self._answer(kind, event)
        self.events.put(typed(event))

    def tell(self, event: Disconnected | Resumed) -> None:
        """The connection has broken, or is back. What was under way when it broke is lost."""
        if isinstance(event, Disconnected):
            self._fail(ReplyLostError("the connection broke before the answer was complete"))
        self.events.put(event)

    def expect(self, kind: str, event_id: str) -> Word:
        """Return what hears of the next event of `kind`, or of a refusal of `event_id`."""
        word = Word(kind, event_id)
        self._words.append(word)
        return word

    def forget(self, word: Word) -> None:
        """Nobody waits for it any more."""
        with suppress(ValueError):
            self._words.remove(word)
        word.heard.cancel()

    def refuse_to(self, refused: Callable[[ClientError], None], event_ids: tuple[str, ...]) -> None:
        """Call `refused` if the server refuses any of these events."""
        self._refusals |= dict.fromkeys(event_ids, refused)

    def settled(self, event_ids: tuple[str, ...]) -> None:
        """What was sent has been answered."""
        for event_id in event_ids:
            self._refusals.pop(event_id, None)

    def end(self, error: ClientError | None, closed: ClientError) -> None:
        """Nothing more comes. Streams end, with `error` where there is one; replies fail."""
        self._fail(error or closed)
        for stream in (self.events, self.audio, self.motion, self.video):
            if stream is not None:
                stream.end(error)

    def _fail(self, error: ClientError) -> None:
        self.replies.fail(error)
        self._refusals.clear()
        for word in self._words:
            if not word.heard.done():
                word.heard.set_exception(error)
        self._words.clear()

    def _answer(self, kind: str, event: Message) -> None:
        for word in self._words:
            if word.kind == kind:
                self._words.remove(word)
                if not word.heard.done():
                    word.heard.set_result(event)
                return

    def _session(self, event: Message) -> None:
        self.session = event["session"]
        self.replies.paced = bool(self.session.get("avatar"))

    def _person_speaks(self, _: Message) -> None:
        if self.replies.watch is not None:
            self.replies.watch.spoken_on()

    def _settled(self, *, committed: bool) -> None:
        if self.replies.watch is not None:
            self.replies.watch.settled(committed=committed)

    def _asked(self, event: Message) -> None:
        if self.calls is not None:
            self.calls.asked(event)

    def _done(self, event: Message) -> None:
        response = event["response"]
        goes_on = self.calls is not None and self.calls.answer(response)
        self.replies.done(response, goes_on=goes_on)

    def _silent(self, event: Message, *, cut: bool) -> None:
        self.replies.silent(event["response_id"], cut=cut)
        if not cut:
            self._arrived(True)
        elif self.audio is not None:
            self.audio.clear()

    def _sound(self, event: Message) -> None:
        chunk = audio_chunk(event)
        self.replies.add(chunk)
        if self.audio is not None:
            self.audio.put(chunk)
        self.received_ms = chunk.position_ms + 1000 * chunk.seconds
        self._arrived(False)

    def _pose(self, event: Message) -> None:
        if self._format is not None:
            self.motion.put(motion_frame(event, self._format))

    def _refused(self, event: Message) -> None:
        detail = event["error"]
        error = RequestRefusedError(
            str(detail["message"]),
            kind=str(detail["type"]),
            code=detail.get("code"),
            param=detail.get("param"),
        )
        event_id = detail.get("event_id")
        refused = self._refusals.pop(event_id, None)
        words = [word for word in self._words if word.event_id == event_id]
        if refused is not None:
            refused(error)
        for word in words:
            self._words.remove(word)
            if not word.heard.done():
                word.heard.set_exception(error)
        if refused is None and not words:
            logger.warning("the server refused something: %s: %s", error.code, error)
