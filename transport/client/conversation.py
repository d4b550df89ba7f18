"""`Conversation`: everything one may do with a digital human, over one WebSocket."""

import asyncio
import logging
import ssl
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from transport.client.address import Address
from transport.client.calls import Calls
from transport.client.errors import (
    ClientError,
    ClientValueError,
    ConversationClosedError,
)
from transport.client.events import Event
from transport.client.inbox import Inbox, Message
from transport.client.link import Link, Reconnect
from transport.client.media import AudioChunk
from transport.client.microphone import Microphone
from transport.client.question import Watch, server_answers, speak
from transport.client.replies import MARK, Replies
from transport.client.reply import Reply
from transport.client.requests import Requests
from transport.client.sound import WIRE_RATE, Sound, mono, read_wav
from transport.client.streams import MotionStream, SoundStream, Stream, VideoStream
from transport.client.tools import Handler, Toolbox
from transport.client.wishes import Scene, TurnDetection, session

# How often the server is told how much sound has come.
TELL_EVERY_MS: Final = 500.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a slow reader or a broken connection has cost so far.

    Attributes:
        events, motion, video, audio: items that were not read in time.
        spoken_s: seconds of the person's sound that were not sent.
    """

    events: int
    motion: int
    video: int
    audio: int
    spoken_s: float


class Conversation:
    """A conversation with a digital human. Enter it with `async with`; `connect` makes one.

    Iterate over it for the server's events but media, which have `audio`, `motion` and `video`.
    Nothing waits for a reader: what is not read in time is dropped and counted (`dropped`).
    """

    def __init__(
        self,
        address: Address,
        changes: Mapping[str, Any],
        toolbox: Toolbox,
        reconnect: Reconnect,
        tls: ssl.SSLContext | None,
        *,
        motion: bool,
        video: bool,
    ) -> None:
        self._changes = changes
        self._toolbox = toolbox
        self._untold_tools = False
        self._motion, self._video = motion, video
        self._microphone = Microphone()
        self._inbox = Inbox(Replies(self._stop), self._sound_arrived)
        self._link = Link(address, reconnect, tls, self._inbox.receive, self._inbox.tell)
        self._requests = Requests(self._inbox, self.send)
        self._calls = Calls(toolbox, self._inbox.replies, self.send, self._spawn)
        self._inbox.calls = self._calls
        self._asking = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._told_ms = 0.0
        self._tells_itself = False

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            ConnectionFailedError, ConnectionRefusedByServerError: there is no conversation.
            RequestRefusedError: the server does not accept what the session is to be.
        """
        if self._running is not None:
            raise ConversationClosedError("a conversation is entered once; connect anew")
        self._inbox.session = await self._link.open()
        self._inbox.replies.paced = bool(self._inbox.session.get("avatar"))
        self._running = asyncio.create_task(self._link.run(), name="vivant-conversation")
        self._running.add_done_callback(self._run_over)
        changes = dict(self._changes)
        if self._toolbox:
            changes |= {"type": "realtime", "tools": self._toolbox.definitions()}
        try:
            if changes:
                await self._update(changes)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the conversation and everything that waits for it. Idempotent."""
        self._closed = True
        try:
            await self._link.close()
        finally:
            running = [] if self._running is None else [self._running]
            ending = [*running, *self._tasks, *self._calls.drop()]
            for task in ending:
                task.cancel()
            self._inbox.end(None, ConversationClosedError("the conversation was closed"))
            await asyncio.gather(*ending, return_exceptions=True)

    @property
    def id(self) -> str:
        """The session's name; "" before it is open."""
        return str(self._inbox.session.get("id") or "")

    @property
    def session(self) -> Message:
        """The session as the server last told it."""
        return self._inbox.session

    @property
    def dropped(self) -> Dropped:
        """What was not read or not sent in time."""
        inbox = self._inbox
        return Dropped(
            inbox.events.dropped,
            inbox.motion.dropped,
            inbox.video.dropped,
            0 if inbox.audio is None else inbox.audio.dropped,
            self._microphone.dropped_s,
        )

    def __aiter__(self) -> Stream[Event]:
        return self._inbox.events

    def audio(self) -> SoundStream[AudioChunk]:
        """The host's voice from now on, whatever it answers; what is cut off is taken out.

        Reading it raises SlowConsumerError where more than 120 s were not read.
        """
        if self._inbox.audio is None:
            self._inbox.audio = SoundStream()
            if self._closed:
                self._inbox.audio.end()
        return self._inbox.audio

    def motion(self) -> MotionStream:
        """Poses, 25 a second while the host is there; the newest 10 s wait for a reader.

        Raises:
            ClientValueError: the conversation was opened without motion=True.
        """
        if not self._motion:
            raise ClientValueError("no motion is sent; connect with motion=True")
        return self._inbox.motion

    def video(self) -> VideoStream:
        """Coded pictures; a reader who falls 10 s behind goes on at a keyframe.

        Raises:
            ClientValueError: the conversation was opened without video=True.
        """
        if not self._video:
            raise ClientValueError("no pictures are sent; connect with video=True")
        return self._inbox.video

    async def send_audio(self, sound: Sound, rate: int = WIRE_RATE) -> None:
        """Let the host hear sound, of any length; waits where the server cannot take more.

        While the connection is broken sound is dropped and counted.

        Args:
            sound: PCM16 bytes (mono), int16, or float32 in [-1, 1], [n] or [n, channels].
            rate: in Hz, 8000 to 192000.

        Raises:
            ClientValueError: sound or rate are not accepted.
            ConversationClosedError: the conversation is over.
        """
        for event, seconds in self._microphone.events(sound, rate):
            if not await self._link.send_sound(event, seconds):
                self._microphone.dropped_s += seconds

    async def ask(self, text: str) -> Reply:
        """Ask something in writing; returns when the host begins to answer.

        Raises:
            RequestRefusedError: the server does not accept it.
            ReplyLostError: the connection broke before it was answered; ask again.
        """
        content = [{"type": "input_text", "text": text}]
        item = {"type": "message", "role": "user", "content": content}
        return await self._requests.respond({"type": "conversation.item.create", "item": item})

    async def ask_file(self, path: Path | str) -> Reply:
        """Ask what somebody says in a WAV file; see `ask_sound`.

        Raises:
            ClientValueError: the file cannot be read.
        """
        samples, rate = await asyncio.to_thread(read_wav, path)
        return await self.ask_sound(samples, rate)

    async def ask_sound(self, sound: Sound, rate: int = WIRE_RATE) -> Reply:
        """Ask aloud; takes as long as the sound does, and returns when the host answers.

        Raises:
            ClientValueError: as `send_audio`.
            RequestRefusedError: nothing was heard in it (`code` "nothing_heard").
            ReplyLostError: the connection broke before it was answered; ask again.
        """
        samples = mono(sound)
        async with self._asking:
            watch = self._inbox.replies.watch = Watch()
            try:
                await speak(samples, rate, self.send_audio)
                await self._requests.end_turn(watch)
                if not server_answers(self.session):
                    return await self._requests.respond()
                return await watch.answer()
            finally:
                self._inbox.replies.watch = None

    async def say(
        self, text: str, *, language: Literal["en", "zh"] | None = None, interrupt: bool = True
    ) -> Reply:
        """Have the host say a text word for word; returns when it begins.

        Args:
            interrupt: break off a reply in progress; else wait for its end.

        Raises:
            RequestRefusedError, ReplyLostError: as `ask`.
        """
        event = {"type": "avatar.say", "text": text, "interrupt": interrupt}
        if language is not None:
            event["language"] = language
        reply, mark = self._inbox.replies.expect()
        return await self._requests.begun(reply, {**event, "metadata": {MARK: mark}})

    async def action(self, action: str, **parameters: str | float) -> None:
        """Make a gesture now, such as "wave". What is unknown is told by an `error` event."""
        await self.send({"type": "avatar.action", "action": action, "parameters": parameters})

    async def notes(self) -> list[dict[str, Any]]:
        """Return what the avatar has seen.

        Raises:
            ReplyLostError: the connection broke before it was answered.
        """
        answer = await self._requests.confirmed({"type": "avatar.notes"}, "avatar.notes")
        return list(answer.get("notes") or [])

    async def update(
        self,
        *,
        instructions: str | None = None,
        turn_detection: TurnDetection | None = None,
        modality: Literal["audio", "text"] | None = None,
        voice: str | None = None,
        speed: float | None = None,
        language: str | None = None,
        scene: Scene | None = None,
        style: str | None = None,
        framing: str | None = None,
    ) -> Message:
        """Change what is not None and return the session as it is then.

        Raises:
            RequestRefusedError: the server does not accept it.
            ReplyLostError: the connection broke before it was confirmed.
        """
        changes = session(
            instructions=instructions,
            turn_detection=turn_detection,
            modality=modality,
            voice=voice,
            speed=speed,
            language=language,
            scene=scene,
            style=style,
            framing=framing,
        )
        return await self._update(changes) if changes else self.session

    def tool(self, handler: Handler) -> Handler:
        """Offer a function to the host, as a decorator; see `transport.client.tools.Tool`.

        Raises:
            ClientValueError: it has arguments without types, or there are too many functions.
        """
        self._toolbox.add(handler)
        self._untold_tools = self._running is not None
        if self._untold_tools:
            self._spawn(self._tell_tools())
        return handler

    async def interrupt(self) -> None:
        """Have the host fall silent at once."""
        await self.send({"type": "output_audio_buffer.clear"})

    async def truncate(self, item_id: str, audio_end_ms: int) -> None:
        """Cut a reply to what was heard of it; the host remembers no more."""
        event = {"item_id": item_id, "content_index": 0, "audio_end_ms": audio_end_ms}
        await self.send({"type": "conversation.item.truncate", **event})

    async def heard(self, position_ms: float) -> None:
        """Tell how far the person has heard, once a second or so, where sound is played from a
        buffer: an interruption then cuts the host's memory where it should. Without it, sound
        counts as heard when it has come.

        Args:
            position_ms: on the clock of `AudioChunk.position_ms`.
        """
        self._tells_itself = True
        await self.send({"type": "avatar.heard", "position_ms": position_ms})

    async def send(self, event: Mapping[str, Any]) -> None:
        """Send any client event of the protocol; while the connection is broken, once it is back.

        Raises:
            ConversationClosedError: the conversation is over.
        """
        await self._tell_tools()
        await self._link.send(event)

    async def _tell_tools(self) -> None:
        """Tell the host of new tools before anything that may need them."""
        if self._untold_tools:
            self._untold_tools = False
            changes = {"type": "realtime", "tools": self._toolbox.definitions()}
            await self._link.send({"type": "session.update", "session": changes})

    async def _update(self, changes: Mapping[str, Any]) -> Message:
        event = {"type": "session.update", "session": changes}
        answer = await self._requests.confirmed(event, "session.updated")
        updated: Message = answer["session"]
        return updated

    async def _stop(self, response_id: str) -> None:
        wish = {"response_id": response_id} if response_id else {}
        await self.send({"type": "response.cancel", **wish})

    def _sound_arrived(self, last: bool) -> None:
        received = self._inbox.received_ms
        due = last or received - self._told_ms >= TELL_EVERY_MS
        if due and received > self._told_ms and not self._tells_itself:
            self._told_ms = received
            event = {"type": "avatar.heard", "position_ms": received}
            self._spawn(self._tell_heard(event))

    async def _tell_heard(self, event: Mapping[str, Any]) -> None:
        await self._link.send_sound(event, 0.0)  # later it would be wrong

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="vivant-work")
        self._tasks.add(task)
        task.add_done_callback(self._work_over)

    def _work_over(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            level = logging.DEBUG if isinstance(error, ConversationClosedError) else logging.ERROR
            logger.log(level, "work of a conversation failed", exc_info=error)

    def _run_over(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ClientError):
            logger.error("a conversation's connection failed", exc_info=error)
            error = ConversationClosedError(f"the conversation failed: {error}")
        self._inbox.end(error, ConversationClosedError("the server ended the conversation"))
