"""Live rooms over fakes, under a virtual clock."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import ParamSpec, TypeVar

from agents.brief import PLAIN, Brief
from agents.clause import Clause, Language
from agents.history import History
from agents.knowledge import SqliteKnowledge
from agents.regulation.regulation import Regulation
from agents.rundown.document import Item, Rundown, Sentence
from agents.shop.product import Offer, Product, Shop
from agents.show.line import Line
from agents.show.viewers import ViewerEvent, ViewerKind
from agents.tools import ToolCall
from pipeline.options import SessionOptions
from pipeline.rooms.live import LiveRooms
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.parts import Parts
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.rundowns import KeptRundowns
from pipeline.rooms.shops import KeptShops
from pipeline.rooms.stagecraft import Stagecraft
from pipeline.rooms.state import RoomSpec, RoomState
from pipeline.store import Store
from tests.fakes.clock import VirtualClock
from tests.fakes.store import inline_store
from tests.fakes.theatre import FakePerformer, FakeTheatre

P = ParamSpec("P")
T = TypeVar("T")

THINGS = (
    "amber", "birch", "cedar", "dew", "elm", "fern", "grass", "hay", "ivy", "jade", "kelp", "lime",
)  # fmt: skip
WALL = 1_800_000_000.0


def small_shop() -> Shop:
    """Return a shop of two products."""
    bag = Product(
        "bag",
        {"en": "Canvas bag", "zh": "帆布包"},
        price=Decimal("128.00"),
        stock=10,
        points={"en": ("It stands by itself.", "It holds a laptop.")},
        offer=Offer(Decimal("99.00")),
    )
    mug = Product("mug", {"en": "Tea mug"}, price=Decimal("20.00"), stock=5)
    return Shop("shop", {"en": "Harbour"}, (bag, mug), banned=("miracle",))


async def at_once(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run what blocks here and now."""
    return call(*args, **kwargs)


def small_rundown(sentences: int = 12) -> Rundown:
    """Return a rundown: two items of at most twelve sentences."""

    def script(name: str) -> tuple[Sentence, ...]:
        said = (f"What the {name} has to do with {thing}, you see here." for thing in THINGS)
        return tuple(Sentence((text,)) for text in islice(said, sentences))

    return Rundown(
        "run",
        "Evening",
        "en",
        (
            Item("bags", "product", script("bag"), product="bag"),
            Item("mugs", "product", script("mug"), product="mug"),
        ),
    )


@dataclass
class FakeHost:
    """Answers each question with itself, after `delay` seconds; "!" never ends."""

    clock: VirtualClock
    delay: float = 0.1
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    shops: list[Shop] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def reply(
        self,
        question: str,
        language: Language,
        history: History,
        brief: Brief = PLAIN,
        focus: str | None = None,
    ) -> AsyncIterator[Clause | ToolCall]:
        del history, brief
        self.asked.append((question, focus))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if "!" in question:
                await asyncio.Event().wait()
            await self.clock.sleep_until(self.clock.now() + self.delay)
            yield Clause(f"You asked {question}", language, citations=("bag.price",))
        finally:
            self.at_once -= 1

    def restock(self, shop: Shop) -> None:
        self.shops.append(shop)

    def read_ahead(self, product_id: str) -> None:
        self.read.append(product_id)


class House:
    """Rooms, their theatre and their host; `again` is another process on the same files."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: VirtualClock | None = None,
        seconds: Callable[[Line], float] | None = None,
        store: Store | None = None,
        rundown: Rundown | None = None,
    ) -> None:
        self.folder = folder
        self.clock = clock or VirtualClock()
        self.wall = WALL
        self.jumped = 0.0
        self._seconds = seconds
        self._rundown = rundown or small_rundown()
        self.shop = small_shop()
        self.store = store or inline_store(folder / "rooms.db")
        self.theatre = FakeTheatre(self.clock, seconds)
        self.host = FakeHost(self.clock)
        self.trouble: Callable[[str | None], None] = lambda _: None
        self.stills: list[tuple[SessionOptions, dict[str, object]]] = []
        self.moments = RoomClock(self.clock, lambda: WALL + self.clock.now() + self.jumped)
        pictures = Pictures(folder / "pictures")
        self._parts = partial(
            Parts,
            self.store,
            self.moments,
            self.theatre,
            host=self._make_host,
            censor=lambda spec, shop: Regulation((*spec.banned, *shop.banned)),
            graphics=Stagecraft(pictures, (128, 224)),
            random=lambda room: Random(room),
            aside=at_once,
        )
        self.rooms = LiveRooms(
            self.store,
            lambda shops, rundowns: self._parts(shops=shops, rundowns=rundowns),
            partial(KeptShops, self.store, pictures),
            lambda shops, used, changed: KeptRundowns(
                self.store, shops.now, lambda *_: self._rundown, used, changed
            ),
            SqliteKnowledge(folder / "knowledge.db"),
            self._still,
            self._seed,
        )

    @property
    def performer(self) -> FakePerformer:
        """The session of the room on air."""
        return self.theatre.stages["room"]

    async def start(self) -> None:
        """Start the rooms."""
        await self.rooms.start()
        await self.clock.settle()

    async def state(self) -> RoomState:
        """Return how the room stands."""
        return await self.rooms.state("room")

    async def ask(self, event: str, text: str, viewer: str = "v1") -> None:
        """Have a viewer ask."""
        await self.does("chat", event, viewer=viewer, text=text)

    async def does(
        self, kind: ViewerKind, event: str, *, viewer: str = "v1", name: str = "", text: str = "",
        product: str | None = None, amount: float = 1.0,
    ) -> None:  # fmt: skip
        """Have a viewer do something."""
        told = ViewerEvent(event, kind, viewer, name, text=text, product=product, amount=amount)
        receipts = await self.rooms.hear("room", [told])
        assert receipts[0].status == "taken"

    async def die(self) -> None:
        """Go without a word, as a process that is killed: nothing more is written."""
        for room in self.rooms._rooms.values():
            room._ledger.place = lambda *_: None  # type: ignore[method-assign]
            room._ledger.add = lambda *_: None  # type: ignore[method-assign]
        await self.rooms.close()

    def again(self) -> "House":
        """Return the next process."""
        other = House(self.folder, clock=self.clock, seconds=self._seconds, rundown=self._rundown)
        other.jumped = self.jumped
        return other

    def _make_host(
        self, spec: RoomSpec, shop: Shop, trouble: Callable[[str | None], None]
    ) -> FakeHost:
        del spec
        self.host.shops.append(shop)
        self.trouble = trouble
        return self.host

    async def _still(self, options: SessionOptions, changes: Mapping[str, object]) -> bytes:
        self.stills.append((options, dict(changes)))
        return b"a still"

    async def _seed(self, rooms: LiveRooms) -> None:
        await rooms.shops.put(self.shop)
        await rooms.rundowns.put(self._rundown)
        spec = RoomSpec(id="room", title="Room", shop=self.shop.id, rundown="run", autopilot="off")
        await rooms.create(spec)


def with_stock(shop: Shop, product_id: str, stock: int | None) -> Shop:
    """Return a shop with another stock of a product."""
    goods = (replace(each, stock=stock) if each.id == product_id else each for each in shop)
    return replace(shop, products=tuple(goods))
