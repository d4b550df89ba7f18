"""`Rooms`: the live rooms of a server, and what they rest on: shops, rundowns, knowledge."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agents.clause import Language
from agents.knowledge.store import Knowledge
from agents.rundown.document import Rundown
from agents.shop.product import Product, Shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms.commands import Command
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.state import RoomChange, RoomSpec, RoomState

HistoryKind = Literal["chat", "lines", "decisions", "metrics", "orders"]


@dataclass(frozen=True, slots=True)
class Change:
    """Fields of a product to be changed, as JSON has them ("price": "9.90", "stock": 3, "offer":
    null...); what is not named stays.
    """

    fields: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy of the operations brain, and what it is estimated to bring.

    Attributes:
        kind: "rules" or "learnt".
        live: whether it decides where a room's autopilot lets it.
        passed: whether its estimate is good enough to go live.
        decisions: how many it was learnt from.
        estimate, low, high: off-policy estimate of its reward a decision, with the bounds of its
            confidence interval; None before there are decisions enough.
        rules: the reward a decision of the rules over the same decisions.
        at: when it was last learnt, seconds since the epoch.
    """

    name: str
    kind: Literal["rules", "learnt"]
    live: bool = False
    passed: bool = False
    decisions: int = 0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    rules: float | None = None
    at: float | None = None


class Shops(Protocol):
    """The shops kept here. What is changed is on disk on return, and in force in rooms on air.

    All raise RecordNotFoundError for an id there is not, StoreError when it could not be kept, and
    AgentValueError or ConfigurationError for a value that is not accepted.
    """

    async def list(self) -> list[Shop]: ...

    async def get(self, shop_id: str) -> Shop: ...

    async def put(self, shop: Shop) -> None:
        """Keep a shop in place of the one of its id, or as a new one."""

    async def delete(self, shop_id: str) -> None:
        """Delete a shop and its pictures.

        Raises:
            RecordInUseError: a room is set to it.
        """

    async def put_product(self, shop_id: str, product: Product) -> None:
        """Keep a product in place of the one of its id, or as the last."""

    async def change_product(self, shop_id: str, product_id: str, change: Change) -> Product:
        """Change some of a product's fields; return it."""

    async def delete_product(self, shop_id: str, product_id: str) -> None: ...

    async def picture(self, shop_id: str, product_id: str) -> bytes | None:
        """Return a product's picture (JPEG, PNG or WebP), None where it has none."""

    async def put_picture(self, shop_id: str, product_id: str, picture: bytes) -> None:
        """Keep a picture: JPEG, PNG or WebP, at most 8 MB and 40 million pixels."""


class Rundowns(Protocol):
    """The rundowns kept here; errors as of `Shops`."""

    async def list(self) -> list[Rundown]: ...

    async def get(self, rundown_id: str) -> Rundown: ...

    async def put(self, rundown: Rundown) -> None:
        """Keep a rundown in place of the one of its id, or as a new one; a room on air with it
        goes on at the exact place.
        """

    async def delete(self, rundown_id: str) -> None:
        """Delete a rundown.

        Raises:
            RecordInUseError: a room is set to it.
        """

    async def draft(self, shop_id: str, language: Language, title: str | None = None) -> Rundown:
        """Draft a rundown from a shop and keep it."""


class Rooms(Protocol):
    """The rooms of a server. Called on the event loop."""

    @property
    def shops(self) -> Shops: ...

    @property
    def rundowns(self) -> Rundowns: ...

    @property
    def knowledge(self) -> Knowledge:
        """Documents that hosts and drafts draw on; its calls block and are made in threads."""

    async def start(self) -> None:
        """Read what is kept; rooms that were on air come back on air by themselves."""

    async def close(self) -> None:
        """End all rooms; those on air come back at the next start. Idempotent."""

    async def specs(self) -> Sequence[RoomSpec]:
        """Return what the rooms are set to be, by id."""

    async def create(self, spec: RoomSpec) -> None:
        """Raises: RecordTakenError, ConfigurationError, StoreError."""

    async def update(self, spec: RoomSpec) -> None:
        """Set a room anew; on air what cannot change while a session lasts (avatar, size) takes
        effect at the next start.

        Raises: RecordNotFoundError, ConfigurationError, StoreError.
        """

    async def delete(self, room_id: str) -> None:
        """Delete a room and all that was kept of it.

        Raises: RecordNotFoundError, RecordInUseError (it is on air), StoreError.
        """

    async def state(self, room_id: str) -> RoomState:
        """Return how a room stands now. Raises: RecordNotFoundError."""

    def watch(self, room_id: str) -> AsyncGenerator[RoomState | RoomChange]:
        """Yield how a room stands, then each change; who reads too slowly is given the whole
        state again. Ends when the room is deleted or the server closes.

        Raises: RecordNotFoundError.
        """

    async def command(self, room_id: str, command: Command, by: str) -> None:
        """Carry out what an operator wants; `by` is who, for the log. It is carried out on return,
        or takes effect at the end of the running sentence where the command says so.

        Raises:
            RecordNotFoundError: no such room, item, product or question.
            CommandRefusedError: the room cannot do that as it stands.
            ServerFullError: no session is free to start with.
            ConfigurationError: what the room is set to be cannot be opened.
            StoreError: the room's mark "on air" could not be kept.
        """

    async def hear(self, room_id: str, events: Sequence[ViewerEvent]) -> list[Receipt]:
        """Take in what viewers did, at most 100 events; receipts in their order. What is accepted
        is on disk on return. `at` of 0 is set to the room's time. An order lowers the stock.

        Raises:
            RecordNotFoundError: no such room.
            ConfigurationError: there are more than 100.
            StoreError: nothing was kept; send them again.
        """

    async def history(
        self, room_id: str, kind: HistoryKind, before: str | None = None, limit: int = 100
    ) -> Sequence[Mapping[str, Any]]:
        """Return the newest entries older than the entry `before`, newest first, as JSON has them:
        views of `pipeline.rooms.state`; orders: id, at, product, amount, viewer, name.

        Args:
            before: an entry's id (of metrics its `at`); None for the newest.
            limit: at most so many, 1 to 1000.

        Raises: RecordNotFoundError, ConfigurationError, StoreError.
        """

    async def preview(self, room_id: str) -> bytes:
        """Return a JPEG of what comes next: host, scene, card of the next item.

        Raises: RecordNotFoundError, ConfigurationError (nothing is drawn here).
        """

    async def secret(self, room_id: str) -> str:
        """Return the secret that signs the room's chat ("whsec_" and Base64 of 24 bytes)."""

    async def renew_secret(self, room_id: str) -> str:
        """Make a new secret; the old one holds no longer."""

    async def record(self, room_id: str, on: bool) -> str | None:
        """Begin or end a recording; return the name of the one that is being made or just ended.

        Raises: RecordNotFoundError, CommandRefusedError (not on air), ConfigurationError.
        """

    async def policies(self) -> list[Policy]:
        """Return the policies of the operations brain, the rules first."""

    async def set_policy(self, name: str, live: bool) -> None:
        """Let a learnt policy decide in rooms whose autopilot is "learnt", or no longer.

        Raises:
            RecordNotFoundError: there is none of that name.
            CommandRefusedError: it has not passed its estimate; the message says by how much.
        """
