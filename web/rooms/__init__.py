"""Live rooms over HTTP: what operators set, see and say, and what viewers' platforms bring."""

import asyncio
from dataclasses import dataclass

from starlette.routing import BaseRoute

from pipeline.atelier import Atelier
from pipeline.configuration import Configuration
from pipeline.contract import Engine
from pipeline.looks import Looks
from pipeline.rooms.service import Rooms
from transport.recordings import Recordings
from web.rooms.chat import chat_routes
from web.rooms.events import event_routes
from web.rooms.imports import import_routes
from web.rooms.knowledge import knowledge_routes
from web.rooms.looks import identity_routes, scene_routes
from web.rooms.products import product_routes
from web.rooms.recordings import Tickets, recording_routes
from web.rooms.rooms import room_routes
from web.rooms.rundowns import rundown_routes
from web.rooms.settings import setting_routes
from web.rooms.shops import shop_routes
from web.rooms.versions import Versions


@dataclass(frozen=True, slots=True)
class House:
    """Live rooms, and what is theirs beside them.

    Attributes:
        rooms: the service.
        configuration: of the server, which settings tell of.
        atelier: makes hosts and scenes; None where nothing is drawn.
        recordings: what has been recorded; None where nothing is.
    """

    rooms: Rooms
    configuration: Configuration
    atelier: Atelier | None = None
    recordings: Recordings | None = None

    async def start(self) -> None:
        """Begin: rooms that were on air come back."""
        await self.rooms.start()

    async def close(self) -> None:
        """End everything."""
        if self.atelier is not None:
            self.atelier.close()
        await self.rooms.close()


def live_routes(
    house: House, engine: Engine, looks: Looks | None, closing: asyncio.Event
) -> list[BaseRoute]:
    """Return all routes of live rooms; what they tell without an end ends with `closing`."""
    rooms, versions = house.rooms, Versions()
    routes: list[BaseRoute] = [
        *room_routes(rooms, versions),
        *event_routes(rooms, closing),
        *chat_routes(rooms),
        *shop_routes(rooms, versions),
        *product_routes(rooms, versions),
        *import_routes(rooms, versions),
        *rundown_routes(rooms, versions),
        *knowledge_routes(rooms.knowledge, versions),
        *setting_routes(rooms, engine, house.configuration),
    ]
    if house.atelier is not None and looks is not None:
        routes += identity_routes(house.atelier, looks)
        routes += scene_routes(house.atelier, engine, looks, versions)
    if house.recordings is not None:
        routes += recording_routes(house.recordings, Tickets())
    return routes
