"""`Board`: how a room stands, and what changes, for any number of who watch."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from pydantic import BaseModel

from pipeline.rooms.state import (
    AlertView,
    ChatView,
    DecisionView,
    LineView,
    MetricPoint,
    ProductView,
    RoomChange,
    RoomSpec,
    RoomState,
)

# Entries kept of each list; the rest is in the store.
KEPT: Final = {
    "chat": 200, "lines": 200, "decisions": 200, "metrics": 720, "alerts": 200, "products": 10_000,
}  # fmt: skip
# Changes that wait for one who watches. Who has more is given the whole state again.
WAITING: Final = 256

Entry = ChatView | LineView | DecisionView | MetricPoint | AlertView | ProductView


class Board:
    """The state of one room. Used on the event loop alone."""

    def __init__(self, spec: RoomSpec) -> None:
        self._fields: dict[str, Any] = {"room": spec}
        self._lists: dict[str, OrderedDict[str, Entry]] = {name: OrderedDict() for name in KEPT}
        self._state: RoomState | None = None
        self._number = 0
        self._watchers: set[_Watcher] = set()
        self._ended = False

    @property
    def spec(self) -> RoomSpec:
        """What the room is set to be."""
        spec: RoomSpec = self._fields["room"]
        return spec

    @property
    def number(self) -> int:
        """The number of the latest change."""
        return self._number

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

    @property
    def state(self) -> RoomState:
        """How the room stands."""
        if self._state is None:
            lists: dict[str, Any] = {
                name: tuple(entries.values()) for name, entries in self._lists.items()
            }
            self._state = RoomState(**{**self._fields, **lists})
        return self._state

    def get(self, field: str) -> Any:
        """Return a field that is no list of entries."""
        return self._fields.get(field, RoomState.model_fields[field].default)

    def set(self, **fields: Any) -> None:
        """Change fields; those that stay as they are, are told to nobody."""
        for name, value in fields.items():
            if self.get(name) != value:
                self._fields[name] = value
                self._tell(name, None, _json(value))

    def entry(self, field: str, key: str) -> Any:
        """Return an entry of a list by its id, None where the board has it no more."""
        return self._lists[field].get(key)

    def entries(self, field: str) -> list[Any]:
        """Return the entries of a list, oldest first."""
        return list(self._lists[field].values())

    def put(self, field: str, entry: Entry) -> None:
        """Add an entry, or change the one of its id."""
        key = str(entry.at) if isinstance(entry, MetricPoint) else entry.id
        entries = self._lists[field]
        entries[key] = entry
        while len(entries) > KEPT[field]:
            entries.popitem(last=False)
        self._tell(field, key, _json(entry))

    def fill(self, field: str, entries: Sequence[Entry]) -> None:
        """Set a list to what was kept of it, oldest first."""
        self._lists[field] = OrderedDict(
            (str(each.at) if isinstance(each, MetricPoint) else each.id, each) for each in entries
        )
        self._tell(field, None, _json(tuple(self._lists[field].values())))

    def stock(self, products: Sequence[ProductView]) -> None:
        """Show products; where they are the same ones, only what has changed is told."""
        known = self._lists["products"]
        if list(known) != [each.id for each in products]:
            self.fill("products", products)
            return
        for each in products:
            if known[each.id] != each:
                self.put("products", each)

    def remove(self, field: str, key: str) -> None:
        """Take an entry off. No-op where it is not there."""
        if self._lists[field].pop(key, None) is not None:
            self._tell(field, None, _json(tuple(self._lists[field].values())))

    async def watch(self) -> AsyncGenerator[RoomState | RoomChange]:
        """Yield how the room stands, then every change; who reads too slowly is given the whole
        state again. Ends with the room.
        """
        watcher = _Watcher()
        self._watchers.add(watcher)
        try:
            while True:
                if watcher.whole:
                    watcher.reset()
                    yield self.state
                elif watcher.waiting:
                    yield watcher.waiting.popleft()
                elif self._ended:
                    return
                else:
                    watcher.changed.clear()
                    await watcher.changed.wait()
        finally:
            self._watchers.discard(watcher)

    def end(self) -> None:
        """Let go of all who watch."""
        self._ended = True
        for watcher in self._watchers:
            watcher.changed.set()

    def _tell(self, field: str, key: str | None, value: object) -> None:
        self._state = None
        self._number += 1
        change = RoomChange(number=self._number, field=field, key=key, value=value)
        for watcher in self._watchers:
            watcher.take(change)


class _Watcher:
    """What waits for one who watches."""

    def __init__(self) -> None:
        self.waiting: deque[RoomChange] = deque()
        self.whole = True
        self.changed = asyncio.Event()

    def take(self, change: RoomChange) -> None:
        if not self.whole:
            self.waiting.append(change)
            if len(self.waiting) > WAITING:
                self.waiting.clear()
                self.whole = True
        self.changed.set()

    def reset(self) -> None:
        self.waiting.clear()
        self.whole = False


def _json(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, tuple):
        return [_json(each) for each in value]
    return value
