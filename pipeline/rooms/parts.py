"""What rooms are made of, and share."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import ParamSpec, Protocol, TypeVar

from agents.shop.product import Product, Shop
from pipeline.options import SessionOptions
from pipeline.rooms.answering import Answerer
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.prompter import Censor
from pipeline.rooms.rundowns import KeptRundowns
from pipeline.rooms.shops import KeptShops
from pipeline.rooms.state import RoomSpec
from pipeline.rooms.theatre import Theatre
from pipeline.store import Store

P = ParamSpec("P")
T = TypeVar("T")


class RoomHost(Answerer, Protocol):
    """The host of one room."""

    def restock(self, shop: Shop) -> None:
        """Answer from a changed shop from the next reply on."""

    def read_ahead(self, product_id: str) -> None:
        """Read a product, which otherwise the first question about it waits for. Blocks.

        Raises:
            AgentValueError: there is no product of that id.
        """


# Makes the host of a room from its shop and language. Blocks. The callable it is given is told in
# words when the language model begins to fail, and None when it works again.
MakeHost = Callable[[RoomSpec, Shop, Callable[[str | None], None]], RoomHost]
# Makes what says which words may not be spoken, from a room and its shop.
MakeCensor = Callable[[RoomSpec, Shop], Censor]


class Graphics(Protocol):
    """What is shown beside the host."""

    def card(
        self, spec: RoomSpec, shop: Shop, product: Product | None, hook: str, now: float
    ) -> Mapping[str, object]:
        """Return fields of a scene: the card of a product; nothing of it for None. Blocks for a
        moment where the product has a picture.
        """

    def options(self, spec: RoomSpec) -> SessionOptions:
        """Return the options of a room's session.

        Raises:
            ConfigurationError: the room names a size that is none.
        """


class Aside(Protocol):
    """Runs a call that blocks; `asyncio.to_thread` does."""

    async def __call__(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What rooms share.

    Attributes:
        random: room's id -> its chance.
        aside: runs what blocks beside the event loop.
    """

    store: Store
    clock: RoomClock
    theatre: Theatre
    shops: KeptShops
    rundowns: KeptRundowns
    host: MakeHost
    censor: MakeCensor
    graphics: Graphics
    random: Callable[[str], Random]
    aside: Aside = asyncio.to_thread
