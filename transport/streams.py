"""Streams: named sessions that run unattended, heard and seen by whoever comes."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Protocol

from pipeline.contract import Engine, Session
from pipeline.errors import ConfigurationError
from pipeline.options import SessionOptions
from transport.broadcast import Broadcast
from transport.errors import StreamNotFoundError, StreamTakenError
from transport.fanout import Fanout

NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class Guest(Protocol):
    """A connection to a stream, which ends with it."""

    def end(self, reason: str) -> None: ...


class Stream:
    """One session and who is connected to it.

    Attributes:
        name: as in its path.
        broadcast: what viewers are sent.
        outputs: all the session's sinks; the broadcast is the first.
        session: made by `Streams`.
        guests: everybody who is connected or about to be.
        publisher: the guest whose sound the session hears, if there is one.
    """

    def __init__(self, name: str, broadcast: Broadcast) -> None:
        self.name = name
        self.broadcast = broadcast
        self.outputs = Fanout(broadcast)
        self.guests: set[Guest] = set()
        self.publisher: Guest | None = None
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """The session behind the stream."""
        assert self._session is not None
        return self._session

    def open(self, engine: Engine, options: SessionOptions) -> None:
        """Open the session and start its clock."""
        self._session = engine.open(options, self.outputs)
        self.broadcast.attach(self._session)
        self._session.start()

    async def close(self, reason: str) -> None:
        """End the connections, free the session."""
        for guest in tuple(self.guests):
            guest.end(reason)
        await self.session.close()


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

    def open(self, name: str, options: SessionOptions) -> Stream:
        """Open a stream; its clock runs from this moment. Pictures are H264, which all take.

        Raises:
            ConfigurationError: the name or an option is not accepted.
            StreamTakenError: there is a stream of that name.
            ServerFullError: no session is free.
        """
        if not NAME.fullmatch(name):
            raise ConfigurationError(
                f"a stream's name is {name[:60]!r}; accepted: 1 to 40 of a-z, 0-9, - and _, the "
                "first a letter or digit"
            )
        if name in self._streams:
            raise StreamTakenError(f"there is a stream {name!r}; end it or take another name")
        if options.video is not None:
            options = replace(options, video=replace(options.video, codec="h264"))
        stream = Stream(name, Broadcast(lambda: self._broke(stream)))
        stream.open(self._engine, options)
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

    def _broke(self, stream: Stream) -> None:
        if self._streams.get(stream.name) is stream:
            del self._streams[stream.name]
            task = asyncio.create_task(stream.close("its session broke"), name=stream.name)
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
