"""One session's output for several listeners."""

from pipeline.contract import EncodedPicture, PoseFrame, SessionSink, SoundFrame
from pipeline.events import SessionEvent


class Fanout:
    """A `SessionSink` that hands everything on to the sinks it has, in the order they came.

    A sink may add or remove sinks, itself too, while it is called.
    """

    def __init__(self, *sinks: SessionSink) -> None:
        self._sinks: tuple[SessionSink, ...] = sinks

    @property
    def sinks(self) -> tuple[SessionSink, ...]:
        """Who listens now."""
        return self._sinks

    def add(self, sink: SessionSink) -> None:
        """Let `sink` have what comes from now on. Once is enough."""
        if not any(each is sink for each in self._sinks):
            self._sinks = (*self._sinks, sink)

    def remove(self, sink: SessionSink) -> None:
        """Give `sink` nothing more. No-op where it has nothing."""
        self._sinks = tuple(each for each in self._sinks if each is not sink)

    def sound(self, frame: SoundFrame) -> None:
        """Hand on 20 ms of sound."""
        for sink in self._sinks:
            sink.sound(frame)

    def picture(self, picture: EncodedPicture) -> None:
        """Hand on a picture."""
        for sink in self._sinks:
            sink.picture(picture)

    def pose(self, frame: PoseFrame) -> None:
        """Hand on a pose."""
        for sink in self._sinks:
            sink.pose(frame)

    def event(self, event: SessionEvent) -> None:
        """Hand on an event."""
        for sink in self._sinks:
            sink.event(event)
