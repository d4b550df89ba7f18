"""A whole engine keeps what its configuration says, under the person who talks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from motion.procedural import ProceduralMover
from pipeline.configuration import Configuration, PrivacySettings
from pipeline.engine import LiveEngine, Models
from pipeline.looks import Looks
from pipeline.options import SessionOptions
from pipeline.privacy import Keeper, open_holdings
from pipeline.session import LiveSession
from pipeline.worker import Worker
from tests.fakes.clock import VirtualClock
from tests.fakes.executor import InlineExecutor
from tests.fakes.hearing import FakeRecognizer, LoudnessVad
from tests.fakes.host import EchoHost
from tests.fakes.sink import RecordingSink
from tests.fakes.voice import FakeVoice


class WarmHost(EchoHost):
    """A host that is as warm as it gets."""

    async def warm(self) -> None:
        """Nothing is to be read."""


class Place:
    """An engine over fakes under a virtual clock, which keeps what it is told to."""

    def __init__(self, folder: Path, keep: str) -> None:
        self.clock = VirtualClock()
        configuration = Configuration(
            cache=folder / "cache", privacy=PrivacySettings(keep, folder=folder / "people")
        )
        self.keeper = Keeper(
            open_holdings(configuration),
            transcripts=keep == "transcripts",
            executor=InlineExecutor(),
        )
        models: Any = Models(
            host=WarmHost(self.clock),  # type: ignore[arg-type]
            recognizer=FakeRecognizer(lambda _: "what is this"),
            voices={"fake": (FakeVoice(), Worker("voice", 64, InlineExecutor()))},
            vad=LoudnessVad,  # type: ignore[arg-type]
            mover=ProceduralMover,
            gestures=None,
            looks=Looks(folder / "cache"),
            drawing=None,
            language_model=None,
        )
        self.engine = LiveEngine(
            models,
            limit=2,
            size=(64, 64),
            most_pixels=4096,
            keeper=self.keeper,
            clock=self.clock,
        )

    async def talk(self, person: str | None) -> LiveSession:
        """Type a question, and hear the answer to its end."""
        session = self.engine.open(SessionOptions(person=person), RecordingSink())
        session.start()
        session.submit_text("what is this")
        session.create_response()
        await self.clock.run(6.0)
        await session.close()
        return session


@asynccontextmanager
async def placed(folder: Path, keep: str) -> AsyncIterator[Place]:
    """Run an engine."""
    place = Place(folder, keep)
    yield place
    await place.engine.close()


async def test_what_is_said_is_kept_under_the_person(tmp_path: Path) -> None:
    async with placed(tmp_path, "transcripts") as place:
        await place.talk("ann")
        stranger = await place.talk(None)
        for person in ("ann", stranger.id):
            lines = (await place.keeper.export(person))["transcripts"]
            assert [(line["who"], line["text"]) for line in lines] == [
                ("person", "what is this"),
                ("host", "You asked me this, what is this"),
            ]


async def test_nothing_is_written_where_nothing_is_kept(tmp_path: Path) -> None:
    async with placed(tmp_path, "nothing") as place:
        await place.talk("ann")
        assert (await place.keeper.export("ann"))["transcripts"] == []
    assert everything_below(tmp_path) == []


def everything_below(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))
