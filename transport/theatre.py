"""`StreamTheatre`: rooms perform in streams, which viewers watch, outlets record and carry on."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from pipeline.contract import Session, SessionSink
from pipeline.errors import ConfigurationError
from pipeline.looks import Looks
from pipeline.options import SessionOptions
from pipeline.privacy import Keeper
from transport.egress.targets import RecordingTarget
from transport.errors import OutletsFullError, StreamTakenError
from transport.outlets import Outlet, Outlets
from transport.streams import Stream, Streams

logger = logging.getLogger(__name__)


class StreamTheatre:
    """A `pipeline.rooms.theatre.Theatre`: a room's stream has the room's id for a name.

    A voice published to the stream (WHIP) is what its session hears.

    Args:
        streams: where the streams of rooms are, among others.
        outlets: writes recordings; None makes none.
        looks: prepares figures before they are shown; None where none are drawn.
        keeper: is told of recordings, which it deletes when their time has come.
        now: the date, of which recordings are called.
    """

    def __init__(
        self,
        streams: Streams,
        outlets: Outlets | None = None,
        looks: Looks | None = None,
        keeper: Keeper | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._streams = streams
        self._outlets = outlets
        self._looks = looks
        self._keeper = keeper
        self._now = now
        self._open: dict[str, Stream] = {}
        self._recordings: dict[str, Outlet] = {}

    async def open(
        self,
        name: str,
        options: SessionOptions,
        monitor: SessionSink,
        ended: Callable[[str], None],
    ) -> Session:
        """Open the room's stream; see `Theatre.open`.

        Raises:
            ConfigurationError: an option is not accepted, or there is a stream of that name.
            AvatarPreparingError: the figure is still being built.
            ServerFullError: no session is free.
        """
        self._check_free(name)
        if self._looks is not None:
            await self._looks.prepare(options)
            self._check_free(name)
        stream = self._streams.open(name, options, lambda: self._ended(name, ended), monitor)
        self._open[name] = stream
        return stream.session

    async def close(self, name: str) -> None:
        """End the room's stream and its recording. No-op where there is none."""
        stream = self._open.pop(name, None)
        if stream is None:
            return
        await self.end_recording(name)
        if any(each is stream for each in self._streams):
            await self._streams.end(name)

    def watching(self, name: str) -> int:
        """Return how many take the stream's pictures."""
        stream = self._open.get(name)
        return 0 if stream is None else stream.watching

    async def begin_recording(self, name: str) -> str:
        """Record the stream from its next keyframe on; return what the recording is called.

        Raises:
            ConfigurationError: the room is off, is being recorded, or nothing can be written.
        """
        stream = self._open.get(name)
        if stream is None or self._outlets is None:
            why = "the room is off" if stream is None else "no recordings are made here"
            raise ConfigurationError(f"room {name[:60]!r} cannot be recorded: {why}")
        if self.recording(name) is not None:
            raise ConfigurationError(f"room {name[:60]!r} is being recorded already")
        target = RecordingTarget(self._outlets.recordings, self._unused(name))
        try:
            self._recordings[name] = self._outlets.open(stream, target)
        except OutletsFullError as error:
            raise ConfigurationError(str(error)) from error
        if self._keeper is not None:
            self._keeper.note_recording(f"room-{name}", target.part(1))
        return target.name

    async def end_recording(self, name: str) -> None:
        """Finish the recording; its file is whole on return. No-op where there is none."""
        outlet = self._recordings.pop(name, None)
        if outlet is not None and self._outlets is not None:
            await self._outlets.close(outlet)

    def recording(self, name: str) -> str | None:
        """Return what the recording is called that is being made; None for none."""
        outlet = self._recordings.get(name)
        if outlet is None or outlet.closing:
            return None
        return outlet.target.name if isinstance(outlet.target, RecordingTarget) else None

    def _check_free(self, name: str) -> None:
        try:
            self._streams.check_free(name)
        except StreamTakenError as error:
            raise ConfigurationError(str(error)) from error

    def _unused(self, name: str) -> str:
        """Return a name no recording has: the room's and the second, and a number if need be."""
        assert self._outlets is not None
        called = f"{name}-{self._now():%Y%m%d-%H%M%S}"
        names = (called, *(f"{called}-{number}" for number in range(2, 100)))
        folder = self._outlets.recordings
        files = folder.iterdir() if folder.is_dir() else ()
        taken = {path.name.lstrip(".").partition(".")[0] for path in files}
        return next((each for each in names if each not in taken), called)

    def _ended(self, name: str, ended: Callable[[str], None]) -> None:
        stream = self._open.pop(name, None)
        self._recordings.pop(name, None)  # it ends with its stream
        if stream is not None:
            logger.warning("room %s: its stream has ended: %s", name, stream.reason)
            ended(stream.reason)
