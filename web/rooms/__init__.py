"""Live rooms over HTTP: what operators set, see and say, and what viewers' platforms bring."""

import asyncio

from starlette.routing import BaseRoute

from pipeline.rooms.service import Rooms
from web.rooms.chat import chat_routes
from web.rooms.events import event_routes
from web.rooms.imports import import_routes
from web.rooms.products import product_routes
from web.rooms.rooms import room_routes
from web.rooms.rundowns import rundown_routes
from web.rooms.shops import shop_routes
from web.rooms.versions import Versions


def live_routes(rooms: Rooms, closing: asyncio.Event) -> list[BaseRoute]:
    """Return all routes of live rooms; what they tell without an end ends with `closing`."""
    versions = Versions()
    return [
        *room_routes(rooms, versions),
        *event_routes(rooms, closing),
        *chat_routes(rooms),
        *shop_routes(rooms, versions),
        *product_routes(rooms, versions),
        *import_routes(rooms, versions),
        *rundown_routes(rooms, versions),
    ]
