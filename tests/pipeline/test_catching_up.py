"""A server that came back in a hurry catches up once a session has settled."""

from pathlib import Path
from threading import Event
from typing import Any

from motion.procedural import ProceduralMover
from pipeline.engine import SETTLED_S, LiveEngine, Models
from pipeline.looks import Looks
from pipeline.options import SessionOptions
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


async def test_what_was_left_for_later_is_done_when_a_session_has_settled(tmp_path: Path) -> None:
    clock, done, order = VirtualClock(), Event(), list[str]()
    models: Any = Models(
        host=WarmHost(clock),  # type: ignore[arg-type]
        recognizer=FakeRecognizer(lambda _: ""),
        voices={"fake": (FakeVoice(), Worker("voice", 64, InlineExecutor()))},
        vad=LoudnessVad,  # type: ignore[arg-type]
        mover=ProceduralMover,
        gestures=None,
        looks=Looks(tmp_path),
        drawing=None,
        language_model=None,
    )
    engine = LiveEngine(
        models,
        limit=1,
        size=(64, 64),
        most_pixels=4096,
        clock=clock,
        later=(lambda: order.append("first"), lambda: order.append("second"), done.set),
    )
    session = engine.open(SessionOptions(), RecordingSink())
    await clock.run(SETTLED_S - 1)
    assert order == []
    await clock.run(2)
    assert engine._warming is not None
    await engine._warming
    assert done.is_set()
    assert order == ["first", "second"]
    await session.close()
    await engine.close()
