"""`Expert`: what a room knows of its goods: the host who answers, and which figures hold."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from agents.errors import AgentValueError
from agents.shop.product import Shop
from agents.shop.truth import FigureCheck
from agents.show.line import Line, LineKind
from pipeline.rooms.parts import Parts, RoomHost

if TYPE_CHECKING:
    from pipeline.rooms.room import Room

# Seconds after which a host is made though nothing is heard yet.
FIRST_SOUND_S: Final = 5.0
# Products whose host reads them before anybody asks: a second or two of one core each.
READ_AHEAD: Final = 200
# Lines whose figures are not those of the shop's facts.
UNCHECKED: Final[frozenset[LineKind]] = frozenset({"answer", "operator", "greeting", "thanks"})


class Expert:
    """Knows the goods of one room.

    Attributes:
        host: who answers; None until it is made.
        sounds: set once the first line of a show is heard.
    """

    def __init__(self, room: "Room", parts: Parts) -> None:
        self.host: RoomHost | None = None
        self.sounds = asyncio.Event()
        self._room = room
        self._parts = parts
        self._figures: FigureCheck | None = None

    async def read_figures(self) -> None:
        """Read which figures the goods hold."""
        wall, before = self._room.clock.wall, self._figures
        self._figures = await self._parts.aside(_figures_of, self._room.shelf.shop, wall, before)

    async def make(self) -> None:
        """Make the host, beside the show: questions wait for it, the rundown does not."""
        await self._first_sound()
        self.host = await self._parts.aside(
            self._parts.host,
            self._room.spec,
            self._room.shelf.shop,
            self._room.reporter.model_trouble,
        )
        if self._room.show is not None:
            self._room.show.nudge()
        await self._read_ahead()

    async def _first_sound(self) -> None:
        """Wait for the first line, though not long: speaking it is to have the machine."""
        tasks = {
            asyncio.create_task(self.sounds.wait(), name=f"first sound {self._room.id}"),
            asyncio.create_task(
                self._room.clock.sleep(FIRST_SOUND_S), name=f"no sound {self._room.id}"
            ),
        }
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _read_ahead(self) -> None:
        """Have the host read all goods beside the show, what is on air and what is next first."""
        host = self.host
        assert host is not None
        items = (
            (self._room.show.current(), self._room.show.following())
            if self._room.show is not None
            else ()
        )
        first = [item.product for item in items if item is not None]
        goods = sorted(
            self._room.shelf.shop, key=lambda each: first.index(each.id) if each.id in first else 2
        )
        for product in goods[:READ_AHEAD]:
            try:
                await self._parts.aside(host.read_ahead, product.id)
            except AgentValueError:
                continue  # it has been taken out of the shop meanwhile

    async def restock(self) -> None:
        """Go on with changed goods: figures first, then the host."""
        await self.read_figures()
        if self.host is not None:
            await self._parts.aside(self.host.restock, self._room.shelf.shop)

    def untrue(self, line: Line) -> list[str]:
        """Return the figures of a line that no fact of the shop holds. Answers have been through
        the host's own guard, what operators say is theirs to know, and the figures of courtesies
        count viewers: names are cleaned of whatever states something.
        """
        if line.kind in UNCHECKED or self._figures is None:
            return []
        return self._figures.false(line.text, line.product)


def _figures_of(shop: Shop, wall: Callable[[], float], before: FigureCheck | None) -> FigureCheck:
    check = FigureCheck(shop, wall, before)
    check.prepare()
    return check
