"""`RoomsService`: all that the HTTP interface needs of the rooms behind it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, get_args

from agents.rundown.document import Rundown
from agents.shop.product import Shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms.commands import Command
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.state import RoomChange, RoomSpec, RoomState

T = TypeVar("T")

HistoryKind = Literal["chat", "lines", "decisions", "metrics", "orders"]
HISTORY_KINDS: tuple[HistoryKind, ...] = get_args(HistoryKind)


class Repository(Protocol[T]):
    """Documents by id; a change takes effect at once in the rooms that are on air."""

    async def list(self) -> Sequence[T]:
        """Return all, in the order of their ids."""

    async def get(self, record_id: str) -> T:
        """Return one.

        Raises:
            RecordNotFoundError: there is none.
        """

    async def put(self, record: T) -> None:
        """Keep one, in the place of an older one of its id; it is on disk on return.

        Raises:
            ConfigurationError: a room on air cannot go on with it; the message says why.
        """

    async def delete(self, record_id: str) -> None:
        """Forget one.

        Raises:
            RecordNotFoundError: there is none.
            RecordInUseError: a room needs it.
        """


class RoomsService(Protocol):
    """The rooms of a server, and what they are made of. Called on the event loop."""

    @property
    def shops(self) -> Repository[Shop]: ...

    @property
    def rundowns(self) -> Repository[Rundown]: ...

    async def specs(self) -> Sequence[RoomSpec]:
        """Return what rooms are set to be, in the order of their ids."""

    async def create(self, spec: RoomSpec) -> None:
        """Make a room.

        Raises:
            RecordTakenError: there is one of that id.
            ConfigurationError: it names a shop, a rundown, a voice... that is not there.
        """

    async def update(self, spec: RoomSpec) -> None:
        """Change a room, on air too.

        Raises:
            RecordNotFoundError: there is none of that id.
            ConfigurationError: as `create`.
        """

    async def delete(self, room_id: str) -> None:
        """Forget a room that is off.

        Raises:
            RecordNotFoundError: there is none of that id.
            RecordInUseError: it is on air.
        """

    async def state(self, room_id: str) -> RoomState:
        """Return how a room stands.

        Raises:
            RecordNotFoundError: there is none of that id.
        """

    def watch(self, room_id: str) -> AsyncGenerator[RoomState | RoomChange, None]:
        """Give the whole state and then every change; the whole state again to who is too slow.

        Raises:
            RecordNotFoundError: there is none of that id, at the first step.
        """

    async def command(self, room_id: str, command: Command, by: str) -> None:
        """Have a room do something.

        Args:
            by: the id of the key of who asks.

        Raises:
            RecordNotFoundError: there is no such room, or what the command names.
            CommandRefusedError: the room cannot do that as it stands.
            ServerFullError: no session is free to go on air with.
        """

    async def hear(self, room_id: str, events: Sequence[ViewerEvent]) -> Sequence[Receipt]:
        """Bring what viewers did; what is taken is on disk on return.

        Raises:
            RecordNotFoundError: there is no such room.
        """

    async def history(
        self, room_id: str, kind: HistoryKind, before: str | None, limit: int
    ) -> Sequence[Mapping[str, Any]]:
        """Return the newest entries older than the entry `before`, newest first.

        Args:
            before: an entry's id (of metrics its `at`); None for the newest.
            limit: at most so many, 1 to 1000.

        Raises:
            RecordNotFoundError: there is no such room.
        """

    async def preview(self, room_id: str) -> bytes:
        """Return a picture (JPEG) of what comes next.

        Raises:
            RecordNotFoundError: there is no such room.
        """
