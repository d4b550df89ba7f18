"""A session's output for egress tests: flashes and beeps that begin together, and reading them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import av
import numpy as np
from numpy.typing import NDArray

from pipeline.contract import FRAME_SAMPLES, WIRE_RATE, EncodedPicture, SoundFrame
from pipeline.options import VideoFormat
from pipeline.video import CodedPicture, VideoEncoder
from transport.egress.egress import Egress
from transport.egress.states import EgressEvent, EgressState

SIZE = (128, 224)
PICTURE = 2 * FRAME_SAMPLES  # samples
DELAY_PICTURES = 3  # between asking for a keyframe and its coming, as in a session
Media = TypeVar("Media", SoundFrame, EncodedPicture)
_BEEP = (0.5 * 32_767 * np.sin(2 * np.pi * 1000 * np.arange(WIRE_RATE) / WIRE_RATE)).astype(
    np.int16
)


def marked(position: int) -> bool:
    """Whether the picture is bright and the sound on: every other second."""
    return position // WIRE_RATE % 2 == 1


def beep(position: int, samples: int = FRAME_SAMPLES) -> NDArray[np.int16]:
    start = position % WIRE_RATE
    return _BEEP[start : start + samples] * np.int16(marked(position))


def planes(index: int, *, bright: bool) -> NDArray[np.uint8]:
    """Return a picture, I420: a bar moves down one line a picture, behind it dark or bright."""
    width, height = SIZE
    picture = np.full((height * 3 // 2, width), 128, np.uint8)
    picture[:height] = 200 if bright else 60
    top = 4 * index % height
    picture[top : top + 8, :] = 128
    return picture


@lru_cache(maxsize=2)
def coded_gop(*, bright: bool) -> list[CodedPicture]:
    """Return two seconds of pictures that begin with a keyframe."""
    encoder = VideoEncoder(VideoFormat("h264", *SIZE, 200_000), keyframe_seconds=10)
    return [encoder.encode(planes(index, bright=bright)) for index in range(50)]


@dataclass
class Source:
    """Feeds an egress as a session does, and notes how long that held it up.

    Attributes:
        position: media time reached, in samples.
        keyframes: positions of keyframes so far.
        taken: seconds that each call of `sound` and `picture` took.
        late: seconds that each tick of `live` was behind.
    """

    position: int = 0
    keyframes: list[int] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    told: list[EgressEvent] = field(default_factory=list)
    _asked: int | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _encoder: VideoEncoder = field(
        default_factory=lambda: VideoEncoder(
            VideoFormat("h264", *SIZE, 200_000), keyframe_seconds=60
        )
    )

    def request_keyframe(self) -> None:
        if self._asked is None:
            self._asked = self.position

    def tell(self, event: EgressEvent) -> None:
        self.told.append(event)
        self._changed.set()

    @property
    def states(self) -> list[EgressState]:
        """The states told, without repetition."""
        states = [event.statistics.state for event in self.told]
        return [state for index, state in enumerate(states) if [state] != states[:index][-1:]]

    async def until(self, state: EgressState, seconds: float = 30.0) -> EgressEvent:
        """Wait until `state` is told."""
        async with asyncio.timeout(seconds):
            while not self.told or self.told[-1].statistics.state != state:
                self._changed.clear()
                await self._changed.wait()
        return self.told[-1]

    def tick(self, *sinks: Egress, pictures: bool = True) -> None:
        """Hand out 40 ms."""
        if self._asked is not None and self.position >= self._asked + DELAY_PICTURES * PICTURE:
            self._encoder.request_keyframe()
            self._asked = None
        for offset in (0, FRAME_SAMPLES):
            at = self.position + offset
            for sink in sinks:
                self._timed(sink.sound, SoundFrame(beep(at), at))
            if offset == 0 and pictures:
                self._picture(sinks)
        self.position += PICTURE

    def _picture(self, sinks: tuple[Egress, ...]) -> None:
        index, bright = self.position // PICTURE, marked(self.position)
        coded = self._encoder.encode(planes(index, bright=bright))
        if coded.keyframe:
            self.keyframes.append(self.position)
        for sink in sinks:
            picture = EncodedPicture(coded.data, coded.keyframe, self.position)
            self._timed(sink.picture, picture)

    async def fast(self, seconds: float, *sinks: Egress, pictures: bool = True) -> None:
        """Feed media time faster than it passes, but no faster than it is written."""
        end = self.position + round(seconds * WIRE_RATE)
        while self.position < end:
            self.tick(*sinks, pictures=pictures)
            await asyncio.sleep(0)
            for sink in sinks:
                await self.reached(partial(_keeps_up, sink))

    async def reached(self, condition: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait until a condition holds that nothing tells of."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition():
            assert loop.time() < end, "it did not come about"
            await asyncio.sleep(0.002)

    async def live(self, seconds: float, *sinks: Egress) -> None:
        """Feed media time as it passes."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        for index in range(round(seconds * 25)):
            due = start + index / 25
            await asyncio.sleep(max(0.0, due - loop.time()))
            self.late.append(loop.time() - due)
            self.tick(*sinks)

    def _timed(self, call: Callable[[Media], None], value: Media) -> None:
        began = perf_counter()
        call(value)
        self.taken.append(perf_counter() - began)

    def was_never_held_up(self) -> bool:
        """Whether no call waited for an output. On a busy machine any call may lose the processor
        for a moment, but most do not; waiting for an output takes its whole time limit.
        """
        return max(self.taken) < 0.3 and float(np.percentile(self.taken, 95)) < 0.002


def _keeps_up(sink: Egress) -> bool:
    return sink.statistics.queued <= 100


@dataclass(frozen=True, slots=True)
class Seen:
    """What a file or playlist holds.

    Attributes:
        pictures: their times in seconds, in the order they are stored.
        keyframes: times of keyframes.
        flashes: times at which bright pictures begin.
        beeps: times at which sound begins.
        metadata: of the file.
    """

    pictures: list[float]
    keyframes: list[float]
    flashes: list[float]
    beeps: list[float]
    metadata: dict[str, str]

    @property
    def monotonic(self) -> bool:
        return all(a < b for a, b in zip(self.pictures, self.pictures[1:], strict=False))


def read(path: Path, *, pictures: bool = True) -> Seen:
    """Decode a file whole."""
    times: list[float] = []
    keyframes: list[float] = []
    bright: list[bool] = []
    if pictures:
        with av.open(str(path)) as file:
            for picture in file.decode(video=0):
                assert picture.time is not None
                times.append(picture.time)
                bright.append(float(picture.to_ndarray()[: SIZE[1], : SIZE[0]].mean()) > 120)
                keyframes += [picture.time] * picture.key_frame
    flashes = [times[i] for i in range(1, len(times)) if bright[i] and not bright[i - 1]]
    with av.open(str(path)) as file:
        beeps = _beeps(
            [(frame.time or 0.0, frame.to_ndarray()[0]) for frame in file.decode(audio=0)]
        )
        metadata = dict(file.metadata)
    return Seen(times, keyframes, flashes, beeps, metadata)


def _beeps(frames: list[tuple[float, NDArray[np.float32]]]) -> list[float]:
    """Return when sound begins after a quarter of a second of silence."""
    loud_until = 0.0
    beeps = []
    for start, samples in frames:
        for index in np.nonzero(np.abs(samples) > 0.1)[0]:
            at = start + int(index) / WIRE_RATE
            if at - loud_until > 0.25:
                beeps.append(at)
            loud_until = at
    return beeps


def save_picture(path: Path, png: Path, at: float) -> None:
    """Write the first picture from `at` seconds on as a PNG."""
    with av.open(str(path)) as file:
        picture = next(p for p in file.decode(video=0) if (p.time or 0.0) >= at)
        picture.save(str(png))


def names(folder: Path) -> list[str]:
    """Return the names of all that is in a folder, in order."""
    return sorted(path.name for path in folder.iterdir())
