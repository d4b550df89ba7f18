"""Still pictures of how a session would look, drawn beside the live ones and behind them."""

import asyncio
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import av
from PIL import Image

from motion.pose import Pose
from motion.procedural import ProceduralMover
from pipeline.clock import Clock
from pipeline.draw_worker import DrawError, DrawWorker
from pipeline.drawing import Drawn, DrawSettings
from pipeline.errors import ConfigurationError
from pipeline.looks import Look
from pipeline.mp4 import AI_NOTICE
from pipeline.options import VideoFormat

# The process is kept this long after a picture, since who looks at one looks at more.
IDLE_S: Final = 120.0
# Live pictures go first.
BEHIND: Final = 5
# A moment of standing, by which overlays have come.
MOMENT: Final = 2.0
BITRATE: Final = 8_000_000
_QUALITY: Final = 88


class Stills:
    """A drawing process of its own, of low priority, started when a picture is asked for.

    Args:
        settings: of the live drawing.
        clock: tells when the process has been idle for long.
        open_worker: makes the process.
    """

    def __init__(
        self,
        settings: DrawSettings,
        clock: Clock,
        open_worker: Callable[[DrawSettings], DrawWorker] = DrawWorker,
    ) -> None:
        self._settings = replace(settings, niceness=BEHIND)
        self._clock = clock
        self._open_worker = open_worker
        self._worker: DrawWorker | None = None
        self._one = asyncio.Lock()
        self._resting: asyncio.Task[None] | None = None

    async def draw(self, look: Look, size: tuple[int, int]) -> bytes:
        """Return a JPEG of `look`, standing still. One is drawn at a time.

        Raises:
            ConfigurationError: it cannot be drawn.
        """
        async with self._one:
            if self._resting is not None:
                self._resting.cancel()
            try:
                worker = await self._started()
                return await asyncio.to_thread(_jpeg, await _picture(worker, look, size))
            except DrawError as error:
                raise ConfigurationError(str(error)) from error
            finally:
                self._resting = asyncio.create_task(self._rest(), name="stills rest")

    async def close(self) -> None:
        """End the process. Idempotent."""
        if self._resting is not None:
            self._resting.cancel()
            await asyncio.wait({self._resting})
        async with self._one:
            await self._stop()

    async def _started(self) -> DrawWorker:
        if self._worker is None:
            worker = self._open_worker(self._settings)
            await asyncio.to_thread(worker.start)
            self._worker = worker
        return self._worker

    async def _rest(self) -> None:
        await self._clock.sleep_until(self._clock.now() + IDLE_S)
        async with self._one:
            await self._stop()

    async def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.close()


async def _picture(worker: DrawWorker, look: Look, size: tuple[int, int]) -> Drawn:
    """Open a view, draw one picture, close it.

    Raises:
        ConfigurationError: the view failed.
    """
    made: asyncio.Future[Drawn] = asyncio.get_running_loop().create_future()

    def drawn(picture: Drawn) -> None:
        if not made.done():
            made.set_result(picture)

    def failed(message: str) -> None:
        if not made.done():
            made.set_exception(ConfigurationError(message))

    video = VideoFormat("vp8", *size, bitrate=BITRATE)
    view = worker.open(look.avatar, look.scene, video, drawn, failed)
    try:
        worker.draw(view, _standing(look), 0, MOMENT)
        return await made
    finally:
        worker.close_view(view)


def _standing(look: Look) -> Pose:
    return ProceduralMover(1, style=look.style).pose(MOMENT)


def _jpeg(drawn: Drawn) -> bytes:
    decoder = av.CodecContext.create("libvpx", "r")
    frames = [*decoder.decode(av.Packet(drawn.data)), *decoder.decode(None)]
    frame = frames[0]
    frame.colorspace = av.video.reformatter.Colorspace.ITU709
    picture: Image.Image = frame.to_image()  # type: ignore[no-untyped-call]
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY, comment=AI_NOTICE)
    return out.getvalue()
