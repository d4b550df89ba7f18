"""Live rooms over HTTP: what operators set, see and say, and what viewers' platforms bring."""

import asyncio
import time
from dataclasses import dataclass, field

from starlette.routing import BaseRoute

from pipeline.atelier import Atelier
from pipeline.configuration import Configuration
from pipeline.contract import Engine
from pipeline.looks import Looks
from pipeline.rooms.service import Rooms
from transport.chat.ingest import Ingest
from transport.recordings import Recordings
from transport.webhooks import Webhooks
from web.apart import Apart
from web.rooms.chat import chat_routes
from web.rooms.chat_socket import socket_routes
from web.rooms.events import event_routes
from web.rooms.imports import import_routes
from web.rooms.knowledge import knowledge_routes
from web.rooms.looks import identity_routes, scene_routes
from web.rooms.products import product_routes
from web.rooms.recordings import Tickets, recording_routes
from web.rooms.replay import Replays, replay_routes
from web.rooms.rooms import room_routes
from web.rooms.rundowns import rundown_routes
from web.rooms.settings import setting_routes
from web.rooms.shops import shop_routes
from web.rooms.versions import Versions
from web.rooms.written import Letters


@dataclass(slots=True)
class House:
    """Live rooms, and what is theirs beside them.

    Attributes:
        rooms: the service.
        configuration: of the server, which settings tell of.
        atelier: makes hosts and scenes; None where nothing is drawn.
        recordings: what has been recorded; None where nothing is.
        webhooks: are told of answers given in writing; None where nobody is.
    """

    rooms: Rooms
    configuration: Configuration
    atelier: Atelier | None = None
    recordings: Recordings | None = None
    webhooks: Webhooks | None = None
    replays: Replays = field(init=False)
    apart: Apart = field(init=False, default_factory=Apart)
    letters: Letters | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.replays = Replays(self.rooms)
        if self.webhooks is not None:
            self.letters = Letters(self.rooms, self.webhooks.post)

    async def start(self) -> None:
        """Begin: rooms that were on air come back."""
        await self.rooms.start()
        for spec in await self.rooms.specs():
            self.follow(spec.id)

    def follow(self, room: str) -> None:
        """Take notice of a room that there is now."""
        if self.letters is not None:
            self.letters.follow(room)

    async def close(self) -> None:
        """End everything."""
        self.apart.close()
        await self.replays.close()
        if self.letters is not None:
            await self.letters.close()
        if self.atelier is not None:
            self.atelier.close()
        await self.rooms.close()


def live_routes(
    house: House, engine: Engine, looks: Looks | None, closing: asyncio.Event
) -> list[BaseRoute]:
    """Return all routes of live rooms; what they tell without an end ends with `closing`."""
    rooms, versions, ingest = house.rooms, Versions(), Ingest(time.time)
    routes: list[BaseRoute] = [
        *room_routes(rooms, versions, house.follow),
        *event_routes(rooms, closing),
        *chat_routes(rooms, ingest),
        *socket_routes(rooms, ingest, closing),
        *replay_routes(rooms, house.replays),
        *shop_routes(rooms, versions),
        *product_routes(rooms, versions),
        *import_routes(rooms, versions, house.apart),
        *rundown_routes(rooms, versions),
        *knowledge_routes(rooms.knowledge, versions, house.apart),
        *setting_routes(rooms, engine, house.configuration),
    ]
    if house.atelier is not None and looks is not None:
        routes += identity_routes(house.atelier, looks)
        routes += scene_routes(house.atelier, engine, looks, versions)
    if house.recordings is not None:
        routes += recording_routes(house.recordings, Tickets())
    return routes
