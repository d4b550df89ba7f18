"""An application with everything it can have, over fake sessions."""

from datetime import UTC, datetime
from pathlib import Path

from starlette.applications import Starlette

from pipeline.atelier import Atelier
from pipeline.configuration import Configuration, EgressSettings, PrivacySettings
from pipeline.looks import Looks
from pipeline.privacy import Line, open_holdings, open_keeper
from tests.fakes.engine import FakeEngine
from tests.fakes.rooms import FakeRooms
from transport.access.access import Access
from transport.calls import Calls
from transport.line import Lines
from transport.nat import DIRECT
from transport.recordings import Recordings
from web.app import create_app
from web.rooms import House
from web.streams import open_broadcasting

# Of whom something is kept.
PERSON = "ann"


def whole_app(
    folder: Path,
    engine: FakeEngine | None = None,
    access: Access | None = None,
    rooms: FakeRooms | None = None,
) -> Starlette:
    """Return an application below `folder`, in which something is kept of `PERSON`."""
    configuration = Configuration(
        cache=folder / "cache",
        privacy=PrivacySettings("transcripts", folder=folder / "people"),
    )
    line = Line(datetime.now(UTC), "sess_1", "item_1", "person", "hello", "en")
    open_holdings(configuration).transcripts.add(PERSON, line)
    engine = engine or FakeEngine()
    lines = Lines(engine)
    looks = Looks(configuration.cache)
    house = House(
        rooms or FakeRooms(),
        configuration,
        Atelier(configuration, looks),
        Recordings(folder / "egress" / "recordings"),
    )
    return create_app(
        engine,
        Calls(engine, connect_timeout_s=1.0, lines=lines),
        lines=lines,
        looks=looks,
        access=access,
        keeper=open_keeper(configuration),
        streams=open_broadcasting(engine, DIRECT, EgressSettings(folder / "egress")),
        house=house,
    )
