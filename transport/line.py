"""A session and whichever connection its client has: it waits for one that was lost."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Final, Protocol

from pipeline.contract import EncodedPicture, Engine, PoseFrame, Session, SoundFrame
from pipeline.events import SessionEvent, SessionFailed
from pipeline.options import SessionOptions
from transport.connection import SESSION_BROKE
from transport.dialogue import Dialogue
from transport.errors import SessionGoneError
from transport.items import ServerEvent

# How long a session waits for a client that has lost its connection.
HOLD_S: Final = 30.0

logger = logging.getLogger(__name__)


class End(Protocol):
    """A client's connection, as a line has it."""

    @property
    def heard(self) -> int:
        """Media position, as `SoundFrame`, up to which the client is known to have heard."""

    def sound(self, frame: SoundFrame) -> None: ...

    def picture(self, picture: EncodedPicture) -> None: ...

    def pose(self, frame: PoseFrame) -> None: ...

    def tell(self, event: SessionEvent) -> None:
        """See what a session tells; its words for the client come by `Dialogue.open`'s `send`."""

    def end(self, reason: str) -> None:
        """Close the connection soon: the session has ended."""

    def dismiss(self, code: str, message: str) -> None:
        """As `end`, because the client's key allows no more; tell it so."""

    def replaced(self) -> None:
        """Close the connection soon: its client has come back over another."""


class Line:
    """A `SessionSink` that outlives connections.

    Attributes:
        token: the secret with which a client takes the session up again.
        name: of the connection it has, or had last.
        dialogue: speaks the protocol, over one connection after another.
    """

    def __init__(self, hold_s: float, at_end: Callable[["Line"], None]) -> None:
        self.token = f"line_{secrets.token_urlsafe(24)}"
        self.name = ""
        self.dialogue: Dialogue
        self._hold_s = hold_s
        self._at_end = at_end
        self._session: Session | None = None
        self._end: End | None = None
        self._started = False
        self._held: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def adopt(self, session: Session) -> None:
        """Take the session that was opened with this line as its sink."""
        self._session = session
        self.dialogue = Dialogue(session, self.token)

    @property
    def session(self) -> Session:
        """The session."""
        assert self._session is not None
        return self._session

    @property
    def end(self) -> End | None:
        """The connection it has now, None while it waits for one."""
        return self._end

    @property
    def closing(self) -> bool:
        """Whether it has ended, or is about to."""
        return self._closing is not None

    # --- what the session tells (SessionSink)

    def sound(self, frame: SoundFrame) -> None:
        """Send 20 ms of sound."""
        if self._end is not None:
            self._end.sound(frame)

    def picture(self, picture: EncodedPicture) -> None:
        """Send a picture."""
        if self._end is not None:
            self._end.picture(picture)

    def pose(self, frame: PoseFrame) -> None:
        """Send a pose."""
        if self._end is not None:
            self._end.pose(frame)

    def event(self, event: SessionEvent) -> None:
        """Send an event. A session that broke has ended by itself, and the line ends with it."""
        if self._end is not None:
            self._end.tell(event)
        self.dialogue.tell(event)
        if isinstance(event, SessionFailed) and event.code == SESSION_BROKE:
            self._finish("the session broke")

    # --- connections

    def attach(self, end: End) -> None:
        """Let a connection have the session; the one that had it is ended.

        It hears nothing before `take_up`.

        Raises:
            SessionGoneError: the session has ended, be it while the connection was being made.
        """
        if self._closing is not None:
            raise _gone(self._hold_s)
        self._stop_waiting()
        before, self._end = self._end, end
        if before is not None and before is not end:
            self.dialogue.pause()
            if self._started:
                self.session.unheard(before.heard)
            before.replaced()

    def take_up(self, end: End) -> None:
        """The connection stands: start the session, or go on with it."""
        if self._end is not end or self._closing is not None:
            return
        if self._started:
            self.session.rest(False)
        else:
            self._started = True
            self.session.start()

    def speak(self, send: Callable[[ServerEvent], None], *, sounding: bool = False) -> None:
        """Open the dialogue over the connection that is attached; see `Dialogue.open`."""
        self.dialogue.open(send, resumed=self._started, sounding=sounding)

    def lost(self, end: End) -> None:
        """A connection has broken; wait a while for its client to come back."""
        if self._end is not end:
            return  # another has taken its place
        self._end = None
        self.dialogue.pause()
        if not self._started:
            self._finish("its client never came")
        elif self._closing is None:
            logger.info("%s waits %g s for its client", self.session.id, self._hold_s)
            self.session.unheard(end.heard)
            self.session.rest(True)
            self._held = asyncio.create_task(self._wait(), name=f"hold {self.session.id}")

    async def hang_up(self, end: End) -> None:
        """The client has finished, or never began: end the session, unless it is another's or
        waits for one.
        """
        if self._end is end or not self._started:
            await self.close()

    def dismiss(self, code: str, message: str) -> None:
        """End the session because its key allows no more of it, and tell the client, if it is
        there. It cannot come back.
        """
        if self._end is not None:
            self._end.dismiss(code, message)
        self._finish(message)

    async def close(self) -> None:
        """End the session and whatever connection it has. Idempotent."""
        self._finish("the session has ended")
        assert self._closing is not None
        await asyncio.shield(self._closing)

    async def _wait(self) -> None:
        await asyncio.sleep(self._hold_s)
        self._held = None
        self._finish(f"its client did not come back within {self._hold_s:g} s")

    def _stop_waiting(self) -> None:
        if self._held is not None:
            self._held.cancel()
            self._held = None

    def _finish(self, reason: str) -> None:
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(reason), name=f"close {self.token[:9]}")

    async def _close(self, reason: str) -> None:
        self._stop_waiting()
        end, self._end = self._end, None
        if end is not None:
            end.end(reason)
        self.dialogue.pause()
        try:
            await self.session.close()
        finally:
            self._at_end(self)


class Lines:
    """All lines of one engine.

    Args:
        engine: opens the sessions; its limit is the limit of lines.
        hold_s: how long a session waits for a client that has lost its connection.
    """

    def __init__(self, engine: Engine, hold_s: float = HOLD_S) -> None:
        self._engine = engine
        self._hold_s = hold_s
        self._lines: dict[str, Line] = {}
        self._emptied = asyncio.Event()

    def __len__(self) -> int:
        """Return how many sessions are open."""
        return len(self._lines)

    def open(self, options: SessionOptions, at_end: Callable[[], None] | None = None) -> Line:
        """Open a session; `at_end` is called when it has ended.

        Raises:
            ServerFullError: no session is free.
            ConfigurationError: an option names something unknown.
        """

        def ended(line: Line) -> None:
            self._lines.pop(line.token, None)
            self._emptied.set()
            if at_end is not None:
                at_end()

        line = Line(self._hold_s, ended)
        line.adopt(self._engine.open(options, line))
        self._lines[line.token] = line
        return line

    def find(self, token: str) -> Line:
        """Return the line of a token.

        Raises:
            SessionGoneError: there is none, or none any more.
        """
        line = self._lines.get(token)
        if line is None or line.closing:
            raise _gone(self._hold_s)
        return line

    def dismiss(self, name: str, code: str, message: str) -> None:
        """End the session whose connection has, or had last, that name; see `Line.dismiss`."""
        line = self.named(name)
        if line is not None:
            line.dismiss(code, message)

    def named(self, name: str) -> Line | None:
        """Return the session whose connection has, or had last, that name; None without one."""
        return next((line for line in self._lines.values() if line.name == name), None)

    async def empty(self) -> None:
        """Wait until no session is open."""
        while self._lines:
            self._emptied.clear()
            await self._emptied.wait()

    async def close(self) -> None:
        """End all sessions."""
        await asyncio.gather(*(line.close() for line in list(self._lines.values())))


def _gone(hold_s: float) -> SessionGoneError:
    return SessionGoneError(
        "no session waits under this token: it has ended, or its client stayed away "
        f"longer than {hold_s:g} s"
    )
