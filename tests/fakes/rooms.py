"""Live rooms without hosts: everything is kept in memory, and nothing is spoken."""

import asyncio
import base64
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from agents.clause import Language
from agents.knowledge.document import Document
from agents.knowledge.sqlite_store import SqliteKnowledge
from agents.rundown.document import Item, Rundown, Sentence
from agents.shop.form import product_from_json, product_to_json
from agents.shop.product import Offer, Product, Shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms import commands
from pipeline.rooms.errors import (
    CommandRefusedError,
    RecordInUseError,
    RecordNotFoundError,
    RecordTakenError,
)
from pipeline.rooms.receipt import Receipt
from pipeline.rooms.service import Change, HistoryKind, Policy
from pipeline.rooms.state import (
    ChatView,
    ItemView,
    LineView,
    ProductView,
    RoomChange,
    RoomSpec,
    RoomState,
)

MOST_WAITING = 64  # changes for one watcher
OPENER = Document(
    "openers",
    "craft",
    "Openers",
    "Greet whoever comes in by name. Say what is new before what is cheap.",
    "en",
    {"kind": "opener"},
)


def small_shop() -> Shop:
    """Return a shop of three products."""
    return Shop(
        "demo",
        {"en": "Harbour Goods", "zh": "海港好物"},
        (
            Product(
                "canvas-bag",
                {"en": "Canvas bag", "zh": "帆布包"},
                "bag",
                Decimal("128.00"),
                "CNY",
                Decimal("168.00"),
                42,
                attributes={"colour": {"en": "sand, navy", "zh": "沙色、藏青"}},
                points={"en": ("It stands by itself.",), "zh": ("放下也能立住。",)},
                offer=Offer(Decimal("99.00"), {"en": "today only", "zh": "仅限今天"}, stock=20),
            ),
            Product(
                "tea-mug",
                {"en": "Tea mug", "zh": "茶杯"},
                "cup",
                Decimal("59.00"),
                "CNY",
                stock=120,
            ),
            Product(
                "wool-scarf",
                {"en": "Wool scarf", "zh": "羊毛围巾"},
                "scarf",
                Decimal("219.00"),
                "CNY",
                stock=0,
            ),
        ),
        {"shipping": {"en": "Ships within 48 hours.", "zh": "四十八小时内发货。"}},
    )


def small_rundown() -> Rundown:
    """Return a rundown of that shop's."""
    return Rundown(
        "demo",
        "An evening at the harbour",
        "en",
        (
            Item("hello", "opening", (Sentence(("Welcome to the harbour!", "Hello everybody!")),)),
            Item(
                "bag",
                "product",
                (Sentence(("This bag stands by itself.",)), Sentence(("Look at its base.",))),
                product="canvas-bag",
                duration=60.0,
            ),
            Item("mug", "product", (Sentence(("This mug keeps tea warm.",)),), product="tea-mug"),
            Item("deal", "offer", (Sentence(("Only today!",), True),), product="canvas-bag"),
            Item("ask", "questions", brief="Ask what viewers want to know.", duration=90.0),
            Item("bye", "closing", (Sentence(("See you tomorrow.",)),)),
        ),
    )


@dataclass
class FakeShops:
    """Shops and their pictures."""

    kept: dict[str, Shop] = field(default_factory=lambda: {"demo": small_shop()})
    pictures: dict[tuple[str, str], bytes] = field(default_factory=dict)
    used: Callable[[str], bool] = lambda _: False
    changed: Callable[[str], None] = lambda _: None

    async def list(self) -> "list[Shop]":
        return [self.kept[shop_id] for shop_id in sorted(self.kept)]

    async def get(self, shop_id: str) -> Shop:
        if shop_id not in self.kept:
            raise RecordNotFoundError("shop", shop_id)
        return self.kept[shop_id]

    async def put(self, shop: Shop) -> None:
        self.kept[shop.id] = shop
        self.changed(shop.id)

    async def delete(self, shop_id: str) -> None:
        await self.get(shop_id)
        if self.used(shop_id):
            raise RecordInUseError(f"a room is set to the shop {shop_id!r}")
        del self.kept[shop_id]

    async def product(self, shop_id: str, product_id: str) -> Product:
        for product in await self.get(shop_id):
            if product.id == product_id:
                return product
        raise RecordNotFoundError("product", product_id)

    async def put_product(self, shop_id: str, product: Product) -> None:
        shop = await self.get(shop_id)
        others = {each.id: each for each in shop}
        others[product.id] = product
        await self.put(replace(shop, products=tuple(others.values())))

    async def change_product(self, shop_id: str, product_id: str, change: Change) -> Product:
        old = product_to_json(await self.product(shop_id, product_id))
        new = product_from_json(old | change.fields)
        await self.put_product(shop_id, new)
        return new

    async def delete_product(self, shop_id: str, product_id: str) -> None:
        await self.product(shop_id, product_id)
        shop = await self.get(shop_id)
        left = tuple(each for each in shop if each.id != product_id)
        await self.put(replace(shop, products=left))

    async def picture(self, shop_id: str, product_id: str) -> bytes | None:
        await self.product(shop_id, product_id)
        return self.pictures.get((shop_id, product_id))

    async def put_picture(self, shop_id: str, product_id: str, picture: bytes) -> None:
        await self.product(shop_id, product_id)
        self.pictures[shop_id, product_id] = picture


@dataclass
class FakeRundowns:
    """Rundowns."""

    shops: FakeShops = field(default_factory=FakeShops)
    kept: dict[str, Rundown] = field(default_factory=lambda: {"demo": small_rundown()})
    used: Callable[[str], bool] = lambda _: False

    async def list(self) -> "list[Rundown]":
        return [self.kept[rundown_id] for rundown_id in sorted(self.kept)]

    async def get(self, rundown_id: str) -> Rundown:
        if rundown_id not in self.kept:
            raise RecordNotFoundError("rundown", rundown_id)
        return self.kept[rundown_id]

    async def put(self, rundown: Rundown) -> None:
        self.kept[rundown.id] = rundown

    async def delete(self, rundown_id: str) -> None:
        await self.get(rundown_id)
        if self.used(rundown_id):
            raise RecordInUseError(f"a room is set to the rundown {rundown_id!r}")
        del self.kept[rundown_id]

    async def draft(self, shop_id: str, language: Language, title: str | None = None) -> Rundown:
        await self.shops.get(shop_id)
        made = replace(
            small_rundown(), id=f"{shop_id}-draft", title=title or "Drafted", language=language
        )
        await self.put(made)
        return made


class FakeRoom:
    """One room: its state, who watches it, and what was kept of it."""

    def __init__(self, spec: RoomSpec, secret: str) -> None:
        self.state = RoomState(room=spec)
        self.secret = secret
        self.told: list[tuple[commands.Command, str]] = []
        self.seen: set[str] = set()
        self.events: list[ViewerEvent] = []
        self.history: dict[str, list[dict[str, Any]]] = {}
        self.recording: str | None = None
        self.number = 0
        self._watchers: list[asyncio.Queue[RoomChange | None]] = []

    def change(self, **values: Any) -> None:
        """Change fields of the state and tell who watches."""
        self.state = self.state.model_copy(update=values)
        for name, value in values.items():
            self._tell(name, None, value)

    def add(self, name: str, entry: Any, most: int = 200) -> None:
        """Add an entry to a list of the state, or put it in the place of the one of its id."""
        key = getattr(entry, "id", None)
        old = getattr(self.state, name)
        there = key is not None and any(each.id == key for each in old)
        new = tuple(entry if each.id == key else each for each in old) if there else (*old, entry)
        self.state = self.state.model_copy(update={name: new[-most:]})
        self.history.setdefault(name, []).append(entry.model_dump(mode="json"))
        self._tell(name, key, entry)

    async def watch(self) -> AsyncGenerator[RoomState | RoomChange]:
        """Yield the state, then changes; the state again to who is too slow."""
        waiting: asyncio.Queue[RoomChange | None] = asyncio.Queue(MOST_WAITING)
        self._watchers.append(waiting)
        try:
            yield self.state
            while True:
                change = await waiting.get()
                if change is not None:
                    yield change
                elif self.number < 0:
                    return
                else:
                    yield self.state
        finally:
            self._watchers.remove(waiting)

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

    def end(self) -> None:
        """Let go of who watches."""
        self.number = -1
        for waiting in self._watchers:
            _empty(waiting)
            waiting.put_nowait(None)

    def _tell(self, name: str, key: str | None, value: Any) -> None:
        self.number += 1
        told = value
        if isinstance(value, tuple):
            told = [each.model_dump(mode="json") for each in value]
        elif hasattr(value, "model_dump"):
            told = value.model_dump(mode="json")
        change = RoomChange(number=self.number, field=name, key=key, value=told)
        for waiting in self._watchers:
            if waiting.full():
                _empty(waiting)
                waiting.put_nowait(None)
            else:
                waiting.put_nowait(change)


class FakeRooms:
    """A `pipeline.rooms.service.Rooms` in memory; `now`: seconds since the epoch."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.rooms: dict[str, FakeRoom] = {}
        self.shops = FakeShops(used=self._uses_shop, changed=self._restocked)
        self.rundowns = FakeRundowns(self.shops, used=self._uses_rundown)
        self.knowledge = SqliteKnowledge()
        self.knowledge.put([OPENER])
        self.learnt = Policy("learnt-1", "learnt", False, True, 640, 0.42, 0.38, 0.46, 0.33, 1.8e9)
        self.started = self.closed = False
        self._secrets = 0

    # --- the service

    async def start(self) -> None:
        self.started = True
        if not self.rooms:
            await self.create(RoomSpec(id="demo", title="Demo", shop="demo", rundown="demo"))

    async def close(self) -> None:
        self.closed = True
        for room in self.rooms.values():
            room.end()

    async def specs(self) -> list[RoomSpec]:
        return [self.rooms[room_id].state.room for room_id in sorted(self.rooms)]

    async def create(self, spec: RoomSpec) -> None:
        if spec.id in self.rooms:
            raise RecordTakenError("room", spec.id)
        await self._check(spec)
        self.rooms[spec.id] = FakeRoom(spec, self._new_secret())
        self._restocked(spec.shop)

    async def update(self, spec: RoomSpec) -> None:
        room = self.room(spec.id)
        await self._check(spec)
        room.change(room=spec)

    async def delete(self, room_id: str) -> None:
        if self.room(room_id).state.status != "off":
            raise RecordInUseError(f"the room {room_id!r} is on air; accepted: a room that is off")
        self.rooms.pop(room_id).end()

    async def state(self, room_id: str) -> RoomState:
        return self.room(room_id).state

    def watch(self, room_id: str) -> AsyncGenerator[RoomState | RoomChange]:
        return self.room(room_id).watch()

    async def command(self, room_id: str, command: commands.Command, by: str) -> None:
        room = self.room(room_id)
        self._obey(room, command)
        room.told.append((command, by))

    async def hear(self, room_id: str, events: Sequence[ViewerEvent]) -> list[Receipt]:
        room = self.room(room_id)
        return [self._take(room, event) for event in events]

    async def history(
        self, room_id: str, kind: HistoryKind, before: str | None = None, limit: int = 100
    ) -> Sequence[Mapping[str, Any]]:
        entries = self.room(room_id).history.get(kind, [])[::-1]
        names = [str(each.get("id", each.get("at"))) for each in entries]
        first = names.index(before) + 1 if before in names else 0
        return entries[first : first + limit]

    async def preview(self, room_id: str) -> bytes:
        return picture_of(self.room(room_id).state)

    async def secret(self, room_id: str) -> str:
        return self.room(room_id).secret

    async def renew_secret(self, room_id: str) -> str:
        room = self.room(room_id)
        room.secret = self._new_secret()
        return room.secret

    async def record(self, room_id: str, on: bool) -> str | None:
        room = self.room(room_id)
        if room.state.status != "on_air":
            raise CommandRefusedError(f"the room {room_id!r} is off; accepted: start")
        name = room.recording
        room.recording = f"{room_id}-1" if on else None
        room.change(recording=room.recording or "")
        return room.recording or name

    async def policies(self) -> list[Policy]:
        return [Policy("rules-1", "rules", live=True), self.learnt]

    async def set_policy(self, name: str, live: bool) -> None:
        if name != self.learnt.name:
            raise RecordNotFoundError("policy", name)
        self.learnt = replace(self.learnt, live=live)

    # --- what stands behind it

    def room(self, room_id: str) -> FakeRoom:
        """Return a room."""
        if room_id not in self.rooms:
            raise RecordNotFoundError("room", room_id)
        return self.rooms[room_id]

    def _obey(self, room: FakeRoom, command: commands.Command) -> None:
        state = room.state
        if isinstance(command, commands.Start):
            if state.status == "on_air":
                raise CommandRefusedError("the room is on air already; accepted: stop")
            at = self.now()
            room.change(status="on_air", since=at, at=at, stream=state.room.id, loop=1)
            self.go_to(room, 0)
            return
        if state.status != "on_air":
            raise CommandRefusedError(f"the room is {state.status}; accepted: start")
        match command:
            case commands.Stop():
                room.change(status="off", since=None, stream="", line=None, current=None, next=None)
            case commands.Skip():
                self.go_to(room, self.place(room) + 1)
            case commands.Jump(item=item):
                known = [each.id for each in self.rundown(room)]
                if item not in known:
                    raise RecordNotFoundError("item", item)
                self.go_to(room, known.index(item))
            case commands.Hold() | commands.GoOn():
                room.change(held=command.type == "hold")
            case commands.Pin(product=product):
                room.change(pinned=product)
            case commands.Unpin():
                room.change(pinned=None)
            case commands.Mute() | commands.Unmute():
                room.change(muted=command.type == "mute")
            case commands.Cut() | commands.Uncut():
                room.change(cut=command.type == "cut")
            case commands.Pace(pace=pace):
                room.change(pace=pace)
            case commands.TakeOver(on=on):
                room.change(takeover="voice" if on else None)
            case commands.SetAutopilot(autopilot=autopilot):
                room.change(room=state.room.model_copy(update={"autopilot": autopilot}))
            case commands.Say(text=text):
                self.speak(room, text, kind="operator")
            case commands.Answer(event=event) | commands.Dismiss(event=event):
                self.answer(room, event, getattr(command, "text", None))
            case commands.Acknowledge(alert=alert):
                left = tuple(each for each in state.alerts if each.id != alert)
                room.change(alerts=left)
            case _:
                pass

    def rundown(self, room: FakeRoom) -> Rundown:
        """Return the rundown of a room."""
        return self.rundowns.kept[room.state.room.rundown]

    def place(self, room: FakeRoom) -> int:
        """Return which item is on air."""
        current = room.state.current
        known = [each.id for each in self.rundown(room)]
        return known.index(current.id) if current and current.id in known else -1

    def go_to(self, room: FakeRoom, place: int) -> None:
        """Begin an item."""
        items = self.rundown(room).items
        current, after = items[place % len(items)], items[(place + 1) % len(items)]
        room.change(current=_view(current), next=_view(after))
        shown = room.state.pinned or current.product
        products = tuple(
            each.model_copy(update={"on_air": each.id == shown}) for each in room.state.products
        )
        room.change(products=products)
        if current.script:
            self.speak(room, current.script[0].wordings[0], item=current.id)

    def speak(
        self, room: FakeRoom, text: str, kind: str = "script", item: str | None = None
    ) -> LineView:
        """End the running line and begin one."""
        at = self.now()
        running = room.state.line
        if running is not None:
            told = {"ended_at": at, "heard": running.text, "whole": True}
            room.add("lines", running.model_copy(update=told))
        line = LineView.model_validate(
            {
                "id": f"line-{len(room.history.get('lines', [])) + 1}",
                "kind": kind,
                "text": text,
                "language": "zh" if any(ord(c) > 0x2E80 for c in text) else "en",
                "item": item,
                "sentence": 0 if kind == "script" else None,
                "began_at": at,
            }
        )
        room.change(line=line)
        return line

    def answer(self, room: FakeRoom, event_id: str, text: str | None) -> None:
        """Answer a question aloud, or leave it."""
        for chat in room.state.chat:
            if chat.id == event_id:
                told = {"status": "spoken" if text is not None else "none", "answer": text or ""}
                room.add("chat", chat.model_copy(update=told))
                room.change(waiting=sum(each.status == "waiting" for each in room.state.chat))
                return
        raise RecordNotFoundError("event", event_id)

    def _take(self, room: FakeRoom, event: ViewerEvent) -> Receipt:
        if event.id in room.seen:
            return Receipt(event.id, "known")
        room.seen.add(event.id)
        room.events.append(event)
        asks = event.kind == "chat" and ("?" in event.text or "？" in event.text)
        room.add(
            "chat",
            ChatView(
                id=event.id,
                kind=event.kind,
                name=event.name,
                text=event.text,
                at=event.at or self.now(),
                platform=event.platform,
                product=event.product,
                amount=event.amount,
                gift=event.gift,
                status="waiting" if asks else "none",
            ),
        )
        if asks:
            room.change(waiting=sum(each.status == "waiting" for each in room.state.chat))
        return Receipt(event.id)

    async def _check(self, spec: RoomSpec) -> None:
        await self.shops.get(spec.shop)
        await self.rundowns.get(spec.rundown)

    def _restocked(self, shop_id: str) -> None:
        for room in self.rooms.values():
            if room.state.room.shop == shop_id and shop_id in self.shops.kept:
                views = tuple(_product(each) for each in self.shops.kept[shop_id])
                room.change(products=views)

    def _uses_shop(self, shop_id: str) -> bool:
        return any(room.state.room.shop == shop_id for room in self.rooms.values())

    def _uses_rundown(self, rundown_id: str) -> bool:
        return any(room.state.room.rundown == rundown_id for room in self.rooms.values())

    def _new_secret(self) -> str:
        self._secrets += 1
        return "whsec_" + base64.b64encode(bytes([self._secrets] * 24)).decode()


def picture_of(state: RoomState) -> bytes:
    """Return a small JPEG that says what comes next."""
    picture = Image.new("RGB", (270, 480), (36, 52, 71))
    text = state.next.title if state.next else state.room.title
    ImageDraw.Draw(picture).text((20, 220), f"next: {text}"[:40], fill=(240, 240, 240))
    file = BytesIO()
    picture.save(file, "JPEG")
    return file.getvalue()


def _view(item: Item) -> ItemView:
    return ItemView(
        id=item.id,
        kind=item.kind,
        title=item.hook or item.product or item.id,
        product=item.product,
        lasts=item.duration,
        sentences=len(item.script),
    )


def _product(product: Product) -> ProductView:
    return ProductView(
        id=product.id,
        name=product.named("en"),
        price=None if product.price is None else str(product.price),
        list_price=None if product.list_price is None else str(product.list_price),
        offer_price=None if product.offer is None else str(product.offer.price),
        currency=product.currency,
        stock=product.stock,
        picture=product.picture,
    )


def _empty(queue: "asyncio.Queue[RoomChange | None]") -> None:
    while not queue.empty():
        queue.get_nowait()
