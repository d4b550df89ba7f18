"""`open_rooms`: the live rooms that a configuration asks for."""

from functools import partial
from random import Random
from typing import Final

from agents.clause import Language
from agents.knowledge.store import Knowledge
from agents.regulation.regulation import Regulation
from agents.rundown.document import Rundown
from agents.rundown.drafting import draft
from agents.shop.product import Shop
from pipeline.clock import Clock
from pipeline.configuration import Configuration
from pipeline.contract import Engine
from pipeline.rooms.hosts import RoomHosts
from pipeline.rooms.live import LiveRooms
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.parts import Parts
from pipeline.rooms.pictures import Pictures
from pipeline.rooms.rundowns import KeptRundowns
from pipeline.rooms.seeds import seed
from pipeline.rooms.shops import KeptShops
from pipeline.rooms.stagecraft import Stagecraft
from pipeline.rooms.state import RoomSpec
from pipeline.rooms.theatre import Theatre
from pipeline.store import Store

DRAWN: Final = "opengl"


def open_rooms(
    engine: Engine,
    theatre: Theatre,
    store: Store,
    knowledge: Knowledge,
    configuration: Configuration,
    *,
    clock: Clock | None = None,
) -> LiveRooms:
    """Return the live rooms of a server; `start` reads what is kept.

    Args:
        engine: makes hosts and stills.
        theatre: where rooms perform.
        store, knowledge: closed with the rooms.
        clock: measures what passes; None is the machine's.
    """
    moments = RoomClock(clock)
    settings = configuration.rooms
    pictures = Pictures(settings.pictures_folder)
    drawn = configuration.draw.renderer != "none"
    hosts = RoomHosts(engine, configuration.think.persona, moments, knowledge)
    parts = partial(
        Parts,
        store,
        moments,
        theatre,
        host=hosts.make,
        censor=censor_of,
        graphics=Stagecraft(pictures, engine.default_video if drawn else None),
        random=_random,
    )
    return LiveRooms(
        store,
        lambda shops, rundowns: parts(shops=shops, rundowns=rundowns),
        partial(KeptShops, store, pictures),
        lambda shops, used, changed: KeptRundowns(
            store, shops.now, partial(draft_rundown, moments), used, changed
        ),
        knowledge,
        engine.still,
        partial(seed, drawn=configuration.draw.renderer == DRAWN),
        keep_days=settings.keep_days,
        keep_rows=settings.keep_rows,
    )


def censor_of(spec: RoomSpec, shop: Shop) -> Regulation:
    """Return what says which words may not be spoken in a room."""
    return Regulation((*spec.banned, *shop.banned))


def draft_rundown(
    moments: RoomClock, shop: Shop, language: Language, rundown_id: str, title: str | None
) -> Rundown:
    """Draft a rundown from a shop as it is now. Blocks for a moment.

    Raises:
        AgentValueError: the shop has nothing that is for sale and in stock.
    """
    return draft(shop, language, rundown_id=rundown_id, title=title, now=moments.wall())


def _random(room: str) -> Random:
    del room
    return Random()
