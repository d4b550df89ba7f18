"""`Theatre`: where rooms perform. What carries pictures and sound to viewers builds it."""

from collections.abc import Callable, Mapping
from typing import Protocol

from pipeline.contract import SessionSink
from pipeline.options import SessionOptions
from pipeline.programme import Programme


class Performer(Protocol):
    """What a room asks of its session. Called on the event loop; nothing here blocks."""

    @property
    def id(self) -> str: ...

    @property
    def options(self) -> SessionOptions: ...

    @property
    def position(self) -> int:
        """Samples at 48 kHz sent so far: the media clock."""

    def perform(self, programme: Programme | None) -> None:
        """Speak what a programme gives, line after line, from now on; None ends it at the end of
        the running line.
        """

    def wake(self) -> None:
        """What comes next has changed: a line prepared that has not begun is withdrawn, and the
        programme is asked again.
        """

    def hush(self) -> None:
        """Fall silent at once; the running line ends with what was heard of it."""

    def mute(self, muted: bool) -> None:
        """Send silence instead of sound; the performance goes on."""

    def show(self, changes: Mapping[str, object]) -> None:
        """Lay fields of `SceneSpec` over the scene, in place of what was shown this way before.

        Raises:
            ConfigurationError: a field or a value is not accepted; nothing changed.
        """

    def hold_card(self, text: str | None) -> None:
        """Show a card with a text in place of the host; None shows the host again."""

    def speak_through(self, on: bool, *, now: bool = False) -> None:
        """Let the sound that is published to the session be heard, with the host's lips."""

    def update(self, options: SessionOptions) -> None:
        """Change how the session is, as `pipeline.contract.Session.update`.

        Raises:
            ConfigurationError: a value is not accepted; nothing changed.
        """


class Theatre(Protocol):
    """Gives rooms a session each that viewers can watch. Called on the event loop."""

    async def open(
        self,
        name: str,
        options: SessionOptions,
        monitor: SessionSink,
        ended: Callable[[str], None],
    ) -> Performer:
        """Open a stream of that name, prepare its figure first, and start its clock.

        Args:
            name: of the room, and of the stream that viewers watch.
            options: of its session.
            monitor: is given all that viewers are, and what the session tells. It is nobody who
                watches: no pictures are made for it alone.
            ended: called once with the reason when the stream ends by itself, never by `close`.

        Raises:
            ConfigurationError: an option is not accepted, or the name is taken.
            ServerFullError: no session is free.
        """

    async def close(self, name: str) -> None:
        """End the stream and everybody's connection to it. No-op where there is none."""

    def watching(self, name: str) -> int:
        """Return how many are given its pictures now: viewers, and outlets such as recordings;
        0 where there is no such stream.
        """

    async def begin_recording(self, name: str) -> str:
        """Record the stream from now on; return the recording's name.

        Raises:
            ConfigurationError: there is no such stream, it is being recorded, or there is no room.
        """

    async def end_recording(self, name: str) -> None:
        """End the recording; its file is whole on return. No-op where there is none."""

    def recording(self, name: str) -> str | None:
        """Return the name of the recording that is being made, None for none."""
