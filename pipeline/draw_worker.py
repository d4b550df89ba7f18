"""The engine's side of drawing: one child process that draws every session's pictures."""

import asyncio
import contextlib
import multiprocessing
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Final

from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose
from pipeline.drawing import (
    ChangeScene,
    CloseView,
    Drawn,
    DrawPose,
    DrawSettings,
    Hold,
    OpenView,
    Ready,
    Reply,
    Request,
    SceneRefused,
    Stop,
    ViewFailed,
    draw_process,
)
from pipeline.errors import VivantError
from pipeline.options import VideoFormat

MOST_IN_FLIGHT: Final = 4  # pictures of one view asked for and not yet there
MOST_RESTARTS: Final = 3
RESTARTS_FORGOTTEN: Final = 600.0  # seconds after which a death counts no more
# Seconds without any reply while pictures are under way: the process hangs, and is ended.
HANGING: Final = 20.0
STOP_SECONDS: Final = 10.0
# What a process that was started again has until it draws; only then can it be called hanging.
STARTING: Final = 60.0


class DrawError(VivantError):
    """The drawing process cannot be started or has died too often."""


@dataclass(slots=True)
class View:
    """A picture stream of one session.

    `drawn` is called on the event loop for each picture; `failed` when no more will come;
    `refused` when a changed scene cannot be shown, and `settled` is shown on. `holding`: the card
    shown instead of the figure.
    """

    opening: OpenView
    drawn: Callable[[Drawn], None]
    failed: Callable[[str], None]
    refused: Callable[[str], None]
    settled: SceneSpec
    in_flight: int = 0
    keyframe: bool = True
    bitrate: int | None = None
    holding: Hold | None = None


class DrawWorker:
    """Starts the drawing process, sends it poses, hands out pictures.

    A process that dies or hangs is started again with the views that were open, at most three
    times in ten minutes.

    Attributes:
        settings: how the renderer is made.
        skipped: pictures left out because too many were under way.
        restarts: how often the process was started again.
        level: the quality of the newest picture, 0 is the best.
    """

    def __init__(self, settings: DrawSettings, hanging: float = HANGING) -> None:
        self.settings = settings
        self._hanging = hanging
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: Connection | None = None
        self._process: BaseProcess | None = None
        self._reader: Thread | None = None
        self._views: dict[int, View] = {}
        self._next = 0
        self._deaths: deque[float] = deque(maxlen=MOST_RESTARTS + 1)
        self.skipped = 0
        self.restarts = 0
        self.level = 0
        self.restarted = asyncio.Event()
        self._closing = False
        self._ready = True

    @property
    def process(self) -> int | None:
        """Process id, while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def working(self) -> bool:
        """Whether there is a process to draw."""
        return self._connection is not None

    def start(self, *, wait: bool = True) -> None:
        """Start the process and wait until it can draw. Blocks for seconds.

        Args:
            wait: else it returns at once; what is opened meanwhile is drawn when it can be.

        Raises:
            DrawError: it ended before it was ready.
        """
        self._spawn()
        assert self._connection is not None
        self._ready = wait
        if not wait:
            return
        try:
            ready = self._connection.recv()
        except (EOFError, ConnectionError) as error:
            raise DrawError("the drawing process ended before it could draw") from error
        if not isinstance(ready, Ready):
            raise DrawError(f"nothing can be drawn: {ready.message}")

    def open(
        self,
        spec: AvatarSpec,
        scene: SceneSpec,
        video: VideoFormat,
        drawn: Callable[[Drawn], None],
        failed: Callable[[str], None],
        refused: Callable[[str], None] = lambda _: None,
    ) -> int:
        """Open a view, on the running event loop, and return its number; see `View`."""
        if self._reader is None:
            self._loop = asyncio.get_running_loop()
            self._listen(ready=self._ready)
        self._next += 1
        opening = OpenView(self._next, spec, scene, video)
        self._views[self._next] = View(opening, drawn, failed, refused, scene)
        if self._connection is not None:
            self._send(opening)
        elif not self._start_again():  # which opens every view
            assert self._loop is not None
            self._loop.call_soon(failed, "nothing can be drawn: the drawing process has died")
        return self._next

    def draw(self, view: int, pose: Pose, position: int, at: float) -> bool:
        """Ask for a picture; return False when it is left out: too many are under way, or the
        view has failed or been closed.
        """
        state = self._views.get(view)
        if state is None:
            return False
        if state.in_flight >= MOST_IN_FLIGHT:
            self.skipped += 1
            return False
        keyframe, state.keyframe = state.keyframe, False
        bitrate, state.bitrate = state.bitrate, None
        state.in_flight += 1
        arrays = (pose.rotations, pose.translation, pose.face)
        self._send(DrawPose(view, position, at, *arrays, keyframe, bitrate))
        return True

    def change_scene(self, view: int, scene: SceneSpec) -> None:
        """Show the view's figure in another scene; nothing once the view is closed."""
        if (state := self._views.get(view)) is not None:
            state.settled = state.opening.scene
            state.opening = replace(state.opening, scene=scene)
            self._send(ChangeScene(view, scene))

    def hold(self, view: int, text: str | None) -> None:
        """Show a holding card instead of the figure, None the figure again; nothing once the view
        is closed.
        """
        if (state := self._views.get(view)) is not None:
            order = Hold(view, text, state.opening.scene.logo)
            state.holding = None if text is None else order
            self._send(order)

    def request_keyframe(self, view: int) -> None:
        """Make the view's next picture decodable on its own; nothing once the view is closed."""
        if (state := self._views.get(view)) is not None:
            state.keyframe = True

    def set_bitrate(self, view: int, bitrate: int) -> None:
        """Aim at bits per second from the next picture on; nothing once the view is closed."""
        if (state := self._views.get(view)) is not None:
            state.bitrate = bitrate

    def close_view(self, view: int) -> None:
        if self._views.pop(view, None) is not None:
            self._send(CloseView(view))

    async def close(self) -> None:
        """End the process. Idempotent."""
        self._closing = True
        self._views.clear()
        self._send(Stop())
        if self._process is not None:
            await asyncio.to_thread(self._process.join, STOP_SECONDS)
            if self._process.is_alive():
                self._process.kill()
                await asyncio.to_thread(self._process.join)
            self._process.close()
            self._process = None
        if self._reader is not None:
            await asyncio.to_thread(self._reader.join)
            self._reader = None

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection = ours
        self._process = context.Process(
            target=draw_process, args=(theirs, self.settings), name="vivant draw", daemon=True
        )
        self._process.start()
        theirs.close()

    def _listen(self, *, ready: bool) -> None:
        self._reader = Thread(target=self._read, args=(self._connection, ready), name="draw reader")
        self._reader.daemon = True
        self._reader.start()

    def _send(self, request: Request) -> None:
        if self._connection is None:
            return
        # When the other side is gone, the reader sees the same and starts the process again.
        with contextlib.suppress(OSError):
            self._connection.send(request)

    def _read(self, connection: Connection, ready: bool) -> None:
        assert self._loop is not None
        process = self._process
        while True:
            awaited = any(view.in_flight for view in list(self._views.values()))
            try:
                if connection.poll(self._hanging if ready else STARTING):
                    reply: Reply = connection.recv()
                    ready = ready or isinstance(reply, Ready)
                elif (awaited or not ready) and process is not None:
                    process.kill()  # the end of its replies is seen next
                    continue
                else:
                    continue
            except (EOFError, ConnectionError):
                break
            self._loop.call_soon_threadsafe(self._take, reply)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._died)

    def _take(self, reply: Reply) -> None:
        if isinstance(reply, Ready):
            return  # started again after it died
        view = self._views.get(reply.view)
        if view is None:
            return
        if isinstance(reply, ViewFailed):
            self.close_view(reply.view)
            view.failed(reply.message)
            return
        if isinstance(reply, SceneRefused):
            view.opening = replace(view.opening, scene=view.settled)
            view.refused(reply.message)
            return
        self.level = reply.level
        view.in_flight -= 1
        view.drawn(reply)

    def _died(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._closing:
            return
        assert self._loop is not None
        self._deaths.append(self._loop.time())
        if self._process is not None:
            self._process.kill()  # it may have closed its end and live on
            self._process.join()
            self._process.close()
            self._process = None
        if not self._start_again():
            for view in list(self._views.values()):
                view.failed("the drawing process died too often")

    def _start_again(self) -> bool:
        """Start another process with the views that are open, unless too many have died."""
        assert self._loop is not None
        now = self._loop.time()
        if (
            self._closing
            or sum(now - at < RESTARTS_FORGOTTEN for at in self._deaths) > MOST_RESTARTS
        ):
            return False
        self._spawn()
        self._listen(ready=False)
        self.restarts += 1
        self.restarted.set()
        for view in self._views.values():
            view.in_flight, view.keyframe = 0, True
            self._send(view.opening)
            if view.holding is not None:
                self._send(view.holding)
        return True
