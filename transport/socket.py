"""A client over a WebSocket: events and sound both ways, poses and pictures out."""

import asyncio
import binascii
import logging
import secrets
from base64 import b64decode
from contextlib import suppress
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from encoder.resample import Resampler
from pipeline.contract import WIRE_RATE, EncodedPicture, PoseFrame, Session, SoundFrame
from pipeline.events import (
    OutputAudioCleared,
    OutputAudioStarted,
    OutputAudioStopped,
    ResponseDone,
    SessionEvent,
)
from transport.errors import EventError, SessionGoneError
from transport.items import ServerEvent, server_event
from transport.line import Line
from transport.outbox import Kind, Outbox
from transport.protocol.client import AudioAppend, AvatarHeard
from transport.realtime import error_event, refusal
from transport.socket_events import motion_format, picture_event, pose_event, sound_event
from transport.strict_json import write_json

SOCKET_RATE: Final = 24_000
# A message may hold 20 s of sound and what is around it.
MAX_MESSAGE_BYTES: Final = 1_400_000
# Longer messages are read beside the event loop, where nobody's sound has to wait for them.
LONG_MESSAGE_BYTES: Final = 16_384
# Sound goes to hearing in pieces of 20 ms; when more than this waits there, the client waits.
PIECE: Final = WIRE_RATE // 50
MOST_AHEAD_S: Final = 0.5
# A client that sends nothing for so long gives no sign of life by not sending.
SIGN_OF_LIFE_S: Final = 2.0
# For the last messages to leave; one who has not read may begin to.
FAREWELL_S: Final = 2.0
LINGER_S: Final = 10.0

NORMAL: Final = 1000
GOING_AWAY: Final = 1001
POLICY: Final = 1008
TRY_AGAIN: Final = 1013
REPLACED: Final = 4001  # of those for applications

logger = logging.getLogger(__name__)


class SocketClosedError(Exception):
    """The far end has closed the WebSocket, or has gone. `code`: as RFC 6455, 7.4, has it."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class WebSocket(Protocol):
    """The WebSocket itself, as the HTTP application gives it."""

    async def receive(self) -> str | bytes:
        """Return the next message.

        Raises:
            SocketClosedError: there is none.
        """

    async def send(self, text: str) -> None:
        """Send a message; wait while the far end does not read.

        Raises:
            SocketClosedError: it cannot be sent.
        """

    async def close(self, code: int, reason: str) -> None:
        """Close it. Idempotent."""


class Socket:
    """A `transport.line.End`: serves one WebSocket until it closes.

    A client that does not read fast enough loses poses and pictures first, and is told how many
    (`avatar.lagging`). One that does not take its sound is told `slow_reader` and closed; it may
    come back.
    """

    def __init__(self, line: Line, socket: WebSocket) -> None:
        self.id = f"sock_{secrets.token_urlsafe(16)}"
        self._line = line
        self._socket = socket
        self._outbox = Outbox()
        self._resampler = Resampler(SOCKET_RATE, WIRE_RATE, "HQ")
        self._sounding: str | None = None
        self._moving = False
        self._reports = False  # whether the client tells how far it hears
        self._received: tuple[float, int] | None = None
        self._lost = False
        self._farewell: tuple[int, str] | None = None
        self._ended = asyncio.Event()

    @property
    def session(self) -> Session:
        """The session behind it."""
        return self._line.session

    @property
    def heard(self) -> int:
        """Media position sent when the client last told how far it hears, or when it last sent
        anything, where that was not long ago.
        """
        now = self.session.position
        if self._received is None:
            return now
        at, position = self._received
        silent = asyncio.get_running_loop().time() - at
        return position if self._reports or silent < SIGN_OF_LIFE_S else now

    # --- what the session tells (End)

    def sound(self, frame: SoundFrame) -> None:
        """Send 20 ms of a reply's sound; silence between replies is not sent."""
        if self._sounding is not None:
            item = self._line.dialogue.translator.responses.item_of(self._sounding) or ""
            self._put(sound_event(frame, self._sounding, item), "sound")

    def picture(self, picture: EncodedPicture) -> None:
        """Send a picture, where they are wanted as events."""
        video = self.session.options.video
        if video is None or not self._line.dialogue.video_delta:
            return
        kind: Kind = "keyframe" if picture.keyframe else "video"
        if not self._put(picture_event(picture, video.codec), kind) and kind == "video":
            self.session.request_keyframe()

    def pose(self, frame: PoseFrame) -> None:
        """Send a pose; before the first, how to read them."""
        if not self._moving:
            self._moving = True
            self._put(motion_format())
        self._put(pose_event(frame), "motion")

    def tell(self, event: SessionEvent) -> None:
        """See when a reply sounds."""
        if isinstance(event, OutputAudioStarted):
            self._sounding = event.response_id
        elif isinstance(event, OutputAudioStopped | OutputAudioCleared):
            self._sounding = None
        if isinstance(event, OutputAudioCleared):
            self._outbox.clear_sound()
        if isinstance(event, ResponseDone):
            self._tell_left_out()

    def end(self, reason: str) -> None:
        """Close the WebSocket soon."""
        self._say_farewell(NORMAL, reason)

    def replaced(self) -> None:
        """Close the WebSocket soon: its client has come back over another connection."""
        self._say_farewell(REPLACED, "replaced: the session goes on over another connection")

    def dismiss(self, code: str, message: str) -> None:
        """End the session because its key allows no more of it, and tell the client."""
        self._put(error_event("rate_limit_error", code, message))
        self._say_farewell(POLICY, message)

    # --- life

    async def run(self) -> None:
        """Serve the WebSocket until it closes, then let the session go, or wait."""
        try:
            self._line.attach(self)
        except SessionGoneError as gone:  # while the WebSocket was being opened
            await self._socket.close(POLICY, str(gone)[:120])
            return
        self._line.speak(self._say, sounding=True)
        self._line.take_up(self)
        reading = asyncio.create_task(self._read(), name=f"read {self.id}")
        writing = asyncio.create_task(self._write(), name=f"write {self.id}")
        tasks = (reading, writing, asyncio.create_task(self._until_end(), name=f"end {self.id}"))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            await asyncio.wait([reading])
            await self._let_go()
            if self._ended.is_set():
                await self._drain(writing)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await self._close()
        for task in (reading, writing):
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def _until_end(self) -> None:
        await self._ended.wait()

    async def _let_go(self) -> None:
        """Let the session wait for its client, or end."""
        if self._lost:
            self._line.lost(self)
        else:
            await self._line.hang_up(self)

    async def _close(self) -> None:
        code, reason = self._farewell or (NORMAL, "")
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_S):
                await self._socket.close(code, reason[:120])

    async def _read(self) -> None:
        try:
            while True:
                message = await self._socket.receive()
                self._received = (asyncio.get_running_loop().time(), self.session.position)
                await self._take(message)
        except SocketClosedError as closed:
            self._lost = closed.code not in (NORMAL, GOING_AWAY)

    async def _take(self, message: str | bytes) -> None:
        dialogue = self._line.dialogue
        if len(message) > LONG_MESSAGE_BYTES:
            event = await asyncio.to_thread(dialogue.parse, message, MAX_MESSAGE_BYTES)
        else:
            event = dialogue.parse(message, MAX_MESSAGE_BYTES)
        read = dialogue.admit(event)
        if isinstance(read, AudioAppend):
            await self._append(read)
        elif isinstance(read, AvatarHeard):
            self._note_heard(round(read.position_ms * WIRE_RATE / 1000))
        elif read is not None:
            dialogue.obey(read)

    async def _append(self, event: AudioAppend) -> None:
        try:
            samples = _decoded(event.audio)
        except EventError as error:
            self._put(refusal(error, event.event_id))
            return
        sound = self._resampler.push(samples)
        for start in range(0, len(sound), PIECE):
            while self.session.hearing_ahead > MOST_AHEAD_S:
                await self.session.heard()
            self.session.hear(sound[start : start + PIECE])

    def _note_heard(self, position: int) -> None:
        behind = self.session.position - position
        if behind < 0:
            return  # nobody hears what was not sent
        self._reports = True
        self.session.set_playout_delay(behind / WIRE_RATE)

    async def _write(self) -> None:
        try:
            while True:
                message = await self._outbox.get()
                if message is None:
                    return
                await self._socket.send(message.text)
                self._tell_left_out()
                await asyncio.sleep(0)  # else a far end that has gone is written to for long
        except SocketClosedError as closed:
            self._lost = closed.code not in (NORMAL, GOING_AWAY)

    async def _drain(self, writing: "asyncio.Task[None]") -> None:
        """Let what waits be sent, for a while."""
        self._outbox.finish()
        patience = LINGER_S if self._outbox.overflowed else FAREWELL_S
        await asyncio.wait([writing], timeout=patience)

    def _say_farewell(self, code: int, reason: str) -> None:
        if self._farewell is None:
            self._farewell = (code, reason)
        self._ended.set()

    def _tell_left_out(self) -> None:
        if self._outbox.waiting_bytes == 0:
            motion, video = self._outbox.left_out()
            if motion or video:
                self._put(server_event("avatar.lagging", motion=motion, video=video))

    def _say(self, event: ServerEvent) -> None:
        self._put(event)

    def _put(self, event: ServerEvent, kind: Kind = "event") -> bool:
        if self._outbox.overflowed:
            return False
        taken = self._outbox.put(write_json(event).decode(), kind)
        if self._outbox.overflowed:
            self._give_up()
        return taken

    def _give_up(self) -> None:
        """The client does not take its sound: tell it, as soon as it reads again, and let it go.
        It may come back.
        """
        logger.warning("%s does not read what it is sent", self.id)
        self._lost = True
        message = "what was sent has not been read; accepted: to read as fast as sound is spoken"
        farewell = error_event("rate_limit_error", "slow_reader", message)
        self._outbox.close(write_json(farewell).decode())
        self._say_farewell(TRY_AGAIN, "slow_reader")


def _decoded(audio: str) -> NDArray[np.float32]:
    """Return base64 PCM16 as float32 [n] in [-1, 1].

    Raises:
        EventError: it is no base64, or an odd number of bytes.
    """
    try:
        data = b64decode(audio, validate=True)
    except (binascii.Error, ValueError) as error:
        raise EventError("invalid_value", f"audio is no base64: {error}", "audio") from error
    if len(data) % 2:
        raise EventError(
            "invalid_value",
            f"audio has {len(data)} bytes; accepted: 16-bit samples, an even number",
            "audio",
        )
    return np.frombuffer(data, "<i2").astype(np.float32) / np.float32(32_768)
