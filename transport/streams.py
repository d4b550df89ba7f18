"""Streams: named sessions that run unattended, heard and seen by whoever comes."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from pipeline.contract import Engine, Session, SessionSink
from pipeline.errors import ConfigurationError
from pipeline.options import SessionOptions
from transport.broadcast import Broadcast
from transport.errors import StreamNotFoundError, StreamTakenError
from transport.fanout import Fanout

NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
# For connections to close; each has five seconds.
LEAVE_S: Final = 10.0

logger = logging.getLogger(__name__)


class Guest(Protocol):
    """A connection to a stream, which ends with it."""

    def end(self, reason: str) -> None:
        """Let go of the stream soon, and then `Stream.leave`."""


class Stream:
    """One session and who is connected to it. While nobody takes its pictures it makes none.

    Attributes:
        name: as in its path.
        broadcast: what viewers are sent.
        publisher: the guest whose sound the session hears, if there is one.
        reason: why it has ended; empty until then.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.broadcast = Broadcast(self._rest)
        self.publisher: Guest | None = None
        self.reason = ""
        self._guests: tuple[Guest, ...] = ()
        self._left = asyncio.Event()
        self._outputs = Fanout(self.broadcast)
        self._others: tuple[SessionSink, ...] = ()
        self._session: Session | None = None
        self._resting = False
        self._at_end: Callable[[], None] | None = None

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Everybody who is connected, or about to be, or about to have been."""
        return self._guests

    @property
    def watching(self) -> int:
        """How many take its pictures: viewers and other outputs."""
        return self.broadcast.viewers + len(self._others)

    @property
    def session(self) -> Session:
        """The session behind the stream."""
        assert self._session is not None
        return self._session

    def open(self, engine: Engine, options: SessionOptions, broke: Callable[[], None]) -> None:
        """Open the session and start its clock; `broke` is called when it has closed itself."""
        self.broadcast.broke = broke
        self._session = engine.open(options, self._outputs)
        self.broadcast.attach(self._session)
        self._session.start()
        self._rest()

    def monitor(self, sink: SessionSink) -> None:
        """Let `sink` have all that the session puts out. It is nobody who watches: no picture is
        made for it alone.
        """
        self._outputs.add(sink)

    def at_end(self, callback: Callable[[], None]) -> None:
        """Call `callback` when the session is free."""
        self._at_end = callback

    def add_output(self, sink: SessionSink) -> None:
        """Let `sink` have all that the session puts out from now on, beside the viewers."""
        self.remove_output(sink)
        self._others = (*self._others, sink)
        self._outputs.add(sink)
        self._rest()

    def remove_output(self, sink: SessionSink) -> None:
        """Give `sink` nothing more. No-op where it has nothing."""
        self._others = tuple(each for each in self._others if each is not sink)
        self._outputs.remove(sink)
        self._rest()

    def enter(self, guest: Guest) -> None:
        """Count `guest` in until it leaves."""
        self._guests = (*self._guests, guest)

    def leave(self, guest: Guest) -> None:
        """Forget `guest`, which holds nothing any more."""
        self._guests = tuple(each for each in self._guests if each is not guest)
        self._left.set()

    async def close(self, reason: str) -> None:
        """End the connections, free the session."""
        self.reason = reason
        try:
            # First, so that nothing a far end sends meets a session that has ended.
            await self._see_out(reason)
            await self.session.close()
        finally:
            if self._at_end is not None:
                self._at_end()

    async def _see_out(self, reason: str) -> None:
        for guest in self._guests:
            guest.end(reason)
        try:
            async with asyncio.timeout(LEAVE_S):
                while self._guests:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            logger.error("stream %s: %d connections did not end", self.name, len(self._guests))

    def _rest(self) -> None:
        resting = not self.broadcast.viewers and not self._others
        if self._session is not None and resting != self._resting:
            self._resting = resting
            self._session.rest(resting)


class Streams:
    """The streams of one engine. Each counts against its limit of sessions.

    Args:
        engine: opens the sessions.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._streams: dict[str, Stream] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Return the number of streams."""
        return len(self._streams)

    def __iter__(self) -> Iterator[Stream]:
        """Go through the streams in the order they were opened."""
        return iter(tuple(self._streams.values()))

    def check_free(self, name: str) -> None:
        """Do nothing if a stream of that name can be opened.

        Raises:
            ConfigurationError: the name is not accepted.
            StreamTakenError: there is a stream of that name.
        """
        if not NAME.fullmatch(name):
            raise ConfigurationError(
                f"a stream's name is {name[:60]!r}; accepted: 1 to 40 of a-z, 0-9, - and _, the "
                "first a letter or digit"
            )
        if name in self._streams:
            raise StreamTakenError(f"there is a stream {name!r}; end it or take another name")

    def open(
        self,
        name: str,
        options: SessionOptions,
        at_end: Callable[[], None] | None = None,
        monitor: SessionSink | None = None,
    ) -> Stream:
        """Open a stream; its clock runs from this moment. Pictures are H264, which all take.

        Args:
            at_end: called when the stream has ended and its session is free.
            monitor: see `Stream.monitor`; from the first moment on.

        Raises:
            ConfigurationError: the name or an option is not accepted.
            StreamTakenError: there is a stream of that name.
            ServerFullError: no session is free.
        """
        self.check_free(name)
        if options.video is not None:
            options = replace(options, video=replace(options.video, codec="h264"))
        stream = Stream(name)
        if monitor is not None:
            stream.monitor(monitor)
        stream.open(self._engine, options, lambda: self._end_soon(stream, "its session broke"))
        if at_end is not None:
            stream.at_end(at_end)
        self._streams[name] = stream
        return stream

    def get(self, name: str) -> Stream:
        """Return a stream.

        Raises:
            StreamNotFoundError: there is none of that name.
        """
        if name not in self._streams:
            raise StreamNotFoundError(f"no stream is named {name[:60]!r}")
        return self._streams[name]

    def dismiss(self, stream: Stream, code: str, message: str) -> None:
        """End a stream soon. No-op where it has ended."""
        self._end_soon(stream, f"{message} ({code})")

    async def end(self, name: str) -> None:
        """End a stream and everybody's connection to it; its session is free on return.

        Raises:
            StreamNotFoundError: there is none of that name.
        """
        stream = self.get(name)
        del self._streams[name]
        await stream.close("the stream was ended")

    async def close(self) -> None:
        """End all streams."""
        streams, self._streams = self._streams, {}
        for stream in streams.values():
            await stream.close("the server closes")
        if self._closing:
            await asyncio.wait(self._closing)

    def _end_soon(self, stream: Stream, reason: str) -> None:
        if self._streams.get(stream.name) is stream:
            del self._streams[stream.name]
            logger.warning("stream %s ends: %s", stream.name, reason)
            task = asyncio.create_task(stream.close(reason), name=f"close-{stream.name}")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
