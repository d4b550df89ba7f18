"""Live rooms over HTTP: what operators set, see and say, and what viewers' platforms bring."""

import asyncio

from starlette.routing import BaseRoute

from pipeline.rooms.service import Rooms
from web.rooms.chat import chat_routes
from web.rooms.events import event_routes
from web.rooms.rooms import room_routes


def live_routes(rooms: Rooms, closing: asyncio.Event) -> list[BaseRoute]:
    """Return all routes of live rooms; what they tell without an end ends with `closing`."""
    return [*room_routes(rooms), *event_routes(rooms, closing), *chat_routes(rooms)]
