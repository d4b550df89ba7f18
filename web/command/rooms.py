"""The live rooms of `vivant serve`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.configuration import Configuration
    from pipeline.engine import LiveEngine
    from pipeline.store import Store
    from transport.webhooks import Webhooks
    from web.rooms import House
    from web.streams import Broadcasting


def open_house(
    configuration: "Configuration",
    engine: "LiveEngine",
    broadcasting: "Broadcasting",
    store: "Store",
    webhooks: "Webhooks | None" = None,
) -> "House":
    """Return the live rooms of a server, which perform in its streams; `store` is closed with them.

    Raises:
        ConfigurationError: the knowledge bases cannot be opened.
    """
    from pipeline.atelier import Atelier
    from pipeline.knowledge import open_knowledge
    from pipeline.rooms.opening import open_rooms
    from transport.recordings import Recordings
    from transport.theatre import StreamTheatre
    from web.rooms import House

    drawn = configuration.draw.renderer == "opengl"
    outlets = broadcasting.outlets
    theatre = StreamTheatre(
        broadcasting.streams, outlets, engine.looks if drawn else None, engine.keeper
    )
    knowledge = open_knowledge(configuration.knowledge, engine.embedder)
    return House(
        open_rooms(engine, theatre, store, knowledge, configuration),
        configuration,
        Atelier(configuration, engine.looks) if drawn else None,
        None if outlets is None else Recordings(outlets.recordings),
        webhooks,
    )
