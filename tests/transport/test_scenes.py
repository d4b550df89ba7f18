"""Scenes changed during a call, as the person at the other end gets them: no picture missing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.building import build_engine
from pipeline.configuration import (
    Configuration,
    PictureSettings,
    ServerSettings,
    SpeakSettings,
    ThinkSettings,
)
from pipeline.contract import FRAME_SAMPLES
from pipeline.engine import LiveEngine
from pipeline.options import SessionOptions
from tests.transport.wire import SMALL, LocalSignalling
from transport.caller import Caller
from transport.calls import Calls
from transport.jitter import ReceivedPicture
from transport.measure import timestamp_distance, transits
from transport.microphone import Microphone
from transport.outgoing import VIDEO_CLOCK
from transport.recording import decode_pictures

Pixels = NDArray[np.float64]

STEP: Final = VIDEO_CLOCK // 25
STAY: Final = 10  # pictures a scene is shown for before the next one comes
TRIES: Final = 4  # changes of each kind
# Of a hundred pictures so many may be lacking after changes; one that stalls drawing costs more.
BAR: Final = 0.1
WAIT_S: Final = 30.0
ON_TIME_S: Final = 0.040


def _coloured(red: int, green: int, blue: int) -> Callable[[Pixels], bool]:
    """Return whether pixels [n, 3] are all about one colour, of 0 to 255."""
    return lambda behind: bool(np.abs(behind - (red, green, blue)).max() < 24)


def _furnished(behind: Pixels) -> bool:
    return bool(behind.std(0).max() > 8 and np.ptp(behind, axis=0).max() > 24)


def _plain(colour: str, **fields: object) -> dict[str, object]:
    background = {"type": "colour", "colour": colour}
    return {"scene": {"name": "plain_white", "background": background, **fields}}


# Of each kind several: what is wished for, and what is seen behind the host then.
CHANGES: Final[dict[str, list[tuple[dict[str, object], Callable[[Pixels], bool]]]]] = {
    "another colour": [
        ({"scene": "green_screen"}, _coloured(16, 198, 66)),
        (_plain("#a01010"), _coloured(143, 2, 19)),
        (_plain("#ffee00", framing="full"), _coloured(250, 236, 20)),
        ({"scene": "green_screen", "style": "playful"}, _coloured(16, 198, 66)),
    ],
    "another room": [
        ({"scene": "kitchen", "style": "lively"}, _furnished),
        ({"scene": "evening", "style": "calm"}, _furnished),
        ({"scene": "shop"}, _furnished),
        ({"scene": "boutique"}, _furnished),
    ],
    "words before another colour": [
        (_plain("#101010", caption="Only today"), _coloured(3, 3, 3)),
        (
            _plain("#ffffff", lower_third={"name": "Mia", "title": "Your host"}),
            _coloured(252, 252, 252),
        ),
        (_plain("#101010", card={"name": "Green tea", "price": "12.90"}), _coloured(3, 3, 3)),
        (_plain("#ffffff", caption="And tomorrow"), _coloured(252, 252, 252)),
    ],
}


@pytest.fixture
async def engine(models: Path) -> AsyncIterator[LiveEngine]:
    configuration = Configuration(
        cache=models.parent,
        server=ServerSettings(sessions=1),
        think=ThinkSettings(model="none", embedder="none"),
        speak=SpeakSettings(voices=("light",), rehearse=False),
        draw=PictureSettings(scene="plain_white", width=SMALL.width, height=SMALL.height),
    )
    engine = await asyncio.to_thread(build_engine, configuration)
    yield engine
    await engine.close()


class Onlooker:
    """Decodes what a caller receives, as it comes."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._taken = 0
        self._frames = decode_pictures("vp8", self._coming())

    def _coming(self) -> Iterator[ReceivedPicture]:
        while True:
            self._taken += 1
            yield self._caller.coded[self._taken - 1]

    def sees(self, wanted: Callable[[Pixels], bool]) -> int | None:
        """Return the number of the first picture not looked at yet that shows what is wanted."""
        while self._taken < len(self._caller.coded):
            frame = next(self._frames)
            assert frame is not None, f"picture {self._taken - 1} cannot be decoded"
            picture = frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)
            if wanted(_behind(picture)):
                return self._taken - 1
        return None


def _behind(picture: NDArray[np.uint8]) -> Pixels:
    """Return the pixels of the left edge, where no figure stands and nothing is written."""
    return picture[8:100, :12].reshape(-1, 3).astype(np.float64)


async def test_scenes_change_in_a_call_and_no_picture_is_missing_or_late(
    engine: LiveEngine,
) -> None:
    changing: dict[str, list[slice]] = {kind: [] for kind in CHANGES}
    calm: list[slice] = []
    async with Caller(Microphone(), keep_media=True) as caller:
        await caller.connect(LocalSignalling(Calls(engine), SessionOptions(video=SMALL)))
        onlooker = Onlooker(caller)
        await caller.until(lambda: onlooker.sees(_coloured(252, 252, 252)), WAIT_S, "a picture")
        for number, kind in product(range(TRIES), CHANGES):
            asked = len(caller.coded)
            wish, wanted = CHANGES[kind][number]
            caller.send({"type": "session.update", "session": {"avatar": wish}})
            seen = await caller.until(partial(onlooker.sees, wanted), WAIT_S, f"{wish}")
            assert seen >= asked
            after, calmed = seen + STAY, seen + 2 * STAY
            await caller.until(partial(_more_than, caller.coded, calmed), WAIT_S, "more pictures")
            changing[kind].append(slice(asked, after))
            calm.append(slice(after, calmed))
        kinds = {timed.event["type"] for timed in caller.events}
    assert "error" not in kinds
    assert "session.updated" in kinds
    usual = _lacking(caller, calm)
    # A machine that has other work loses pictures whatever is changed.
    for kind, spans in changing.items():
        assert _lacking(caller, spans) <= 1.5 * usual + BAR, kind
    positions = [position for position, _ in caller.samples]
    assert {later - earlier for earlier, later in pairwise(positions)} == {FRAME_SAMPLES}


def _more_than(received: Sequence[object], count: int) -> bool | None:
    return len(received) > count or None


def _lacking(caller: Caller, spans: Sequence[slice]) -> float:
    """Return the share of pictures in spans that are late, or after which one is missing."""
    stamps = [picture.timestamp for picture in caller.coded]
    gaps = [timestamp_distance(later, earlier) != STEP for earlier, later in pairwise(stamps)]
    delays = transits(caller.pictures)
    late = np.abs(delays - np.median(delays)) > ON_TIME_S
    lacking = np.logical_or(late, [*gaps, False])
    return float(np.mean(np.concatenate([lacking[span] for span in spans])))
