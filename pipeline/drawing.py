"""What passes between the engine and the process that draws, and that process itself.

Drawing and encoding have a process of their own: a software renderer keeps the interpreter for
15 ms and more per picture, and sound must never wait for that.
"""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer import Renderer, Size
from avatar.renderer.base import Handle
from avatar.scene.holding import covering_planes, holding_planes
from avatar.spec import AvatarSpec, SceneSpec, ready
from motion.pose import Pose
from pipeline.errors import ConfigurationError, VivantError
from pipeline.options import VideoFormat
from pipeline.quality import QualityLadder
from pipeline.video import VideoEncoder

# On so few cores a software renderer is given one: the other is for hearing and speaking. Two of
# its threads beside theirs would all wait for one another.
FEW_CORES: Final = 2


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """How to make the renderer: `backend` is a name of `make_renderer`; folders for its caches.

    `avatar` is prepared before the first view is asked for; the first time takes a minute.
    `threads`: of a software renderer; None takes every core. `patient`: a picture waits for what a
    scene shows, for films that are not live. `niceness`: how far its process stands back, 0 to 19.
    """

    backend: str
    cache: Path
    anny_cache: Path
    avatar: AvatarSpec = field(default_factory=lambda: ready("mia"))
    threads: int | None = None
    patient: bool = False
    niceness: int = 0


@dataclass(frozen=True, slots=True)
class OpenView:
    view: int
    spec: AvatarSpec
    scene: SceneSpec
    format: VideoFormat


@dataclass(frozen=True, slots=True)
class ChangeScene:
    """Put the figure of a view into another scene, without leaving out a picture."""

    view: int
    scene: SceneSpec


@dataclass(frozen=True, slots=True)
class Hold:
    """Show a holding card instead of the figure, from the next picture on; None ends that."""

    view: int
    text: str | None
    logo: str | None = None


@dataclass(frozen=True, slots=True)
class CloseView:
    view: int


@dataclass(frozen=True, slots=True)
class DrawPose:
    """Draw a pose (arrays of `motion.Pose`, no leading axes) for the wire position `position`.

    `bitrate`: what the encoder aims at from this picture on, None for no change.
    """

    view: int
    position: int
    at: float
    rotations: NDArray[np.float32]
    translation: NDArray[np.float32]
    face: NDArray[np.float32]
    keyframe: bool
    bitrate: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    pass


Request = OpenView | ChangeScene | Hold | CloseView | DrawPose | Stop


@dataclass(frozen=True, slots=True)
class Ready:
    """The renderer exists and draws; nothing is asked before this."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An encoded picture, drawn at quality `level` (0 is the best)."""

    view: int
    position: int
    data: bytes
    keyframe: bool
    level: int


@dataclass(frozen=True, slots=True)
class ViewFailed:
    """Nothing more comes of this view; the others go on."""

    view: int
    message: str


@dataclass(frozen=True, slots=True)
class SceneRefused:
    """A changed scene cannot be shown; the view goes on as it was."""

    view: int
    message: str


Reply = Ready | Drawn | ViewFailed | SceneRefused


def live_threads() -> int | None:
    """Return the `threads` of a renderer that draws beside a conversation."""
    return 1 if len(os.sched_getaffinity(0)) <= FEW_CORES else None


def make_renderer(settings: DrawSettings) -> Renderer:
    """Return the renderer `settings.backend` names.

    Raises:
        ConfigurationError: no such backend.
    """
    if settings.backend == "opengl":
        from avatar.renderer.opengl import OpenGLRenderer

        return OpenGLRenderer(
            settings.cache,
            settings.anny_cache,
            threads=settings.threads,
            patient=settings.patient,
        )
    if settings.backend == "flash":
        from pipeline.probe import FlashRenderer

        return FlashRenderer()
    raise ConfigurationError(f"unknown renderer {settings.backend!r}; accepted: 'opengl', 'flash'")


def draw_process(connection: Connection, settings: DrawSettings) -> None:
    """Serve requests until Stop or until the other side is gone."""
    # Ctrl-C reaches the whole group of processes; the engine tells this one when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(settings.niceness)
    try:
        renderer = make_renderer(settings)
        renderer.close(renderer.open(settings.avatar, SceneSpec(), Size(64, 64)))
        studio = Studio(connection, renderer)
    except (AvatarError, AvatarValueError, ConfigurationError) as error:
        connection.send(ViewFailed(0, str(error)))
        return
    try:
        connection.send(Ready())
        studio.serve()
    except (EOFError, ConnectionError):
        pass  # the engine has gone, and with it whoever wanted pictures
    finally:
        studio.close()


@dataclass(slots=True)
class View:
    handle: Handle
    encoder: VideoEncoder
    size: Size
    failed: bool = False
    card: "Future[NDArray[np.uint8]] | None" = None  # planes shown instead of the figure


class Studio:
    """The renderer, its open views, and the thread that encodes while the next is drawn."""

    def __init__(self, connection: Connection, renderer: Renderer) -> None:
        self._connection = connection
        self._renderer = renderer
        self._views: dict[int, View] = {}
        self._encoding = ThreadPoolExecutor(1, thread_name_prefix="encode")
        self._making = ThreadPoolExecutor(1, thread_name_prefix="holding card")
        self._pending: list[Future[None]] = []
        self._ladder = QualityLadder(renderer.levels)

    def serve(self) -> None:
        while True:
            requests = [self._connection.recv()]
            while self._connection.poll():
                requests.append(self._connection.recv())
            poses: list[DrawPose] = []
            for request in requests:
                if isinstance(request, Stop):
                    return
                if isinstance(request, DrawPose):
                    poses.append(request)
                else:
                    self._change(request)
            for batch in _batches([p for p in poses if p.view in self._views]):
                self._draw([p for p in batch if self._views[p.view].card is None])
                for pose in batch:
                    self._show_card(pose)

    def close(self) -> None:
        self._encoding.shutdown(wait=True)
        self._making.shutdown(wait=True)
        for view in self._views.values():
            self._renderer.close(view.handle)
        self._views.clear()

    def _change(self, request: Request) -> None:
        if isinstance(request, OpenView):
            self._open(request)
        elif isinstance(request, ChangeScene) and request.view in self._views:
            self._change_scene(request)
        elif isinstance(request, Hold) and request.view in self._views:
            self._hold(request)
        elif isinstance(request, CloseView) and request.view in self._views:
            self._settle(0)  # what is being encoded still needs its view
            view = self._views.pop(request.view)
            view.encoder.close()
            self._renderer.close(view.handle)

    def _open(self, request: OpenView) -> None:
        size = Size(request.format.width, request.format.height)
        try:
            handle = self._renderer.open(request.spec, request.scene, size)
            self._views[request.view] = View(handle, VideoEncoder(request.format), size)
        except (AvatarError, AvatarValueError) as error:
            self._reply(ViewFailed(request.view, str(error)))

    def _change_scene(self, request: ChangeScene) -> None:
        try:
            self._renderer.update(self._views[request.view].handle, request.scene)
        except AvatarValueError as error:
            self._reply(SceneRefused(request.view, str(error)))

    def _hold(self, request: Hold) -> None:
        view, text = self._views[request.view], request.text
        view.card = (
            None
            if text is None
            else self._making.submit(holding_planes, text, view.size, request.logo)
        )

    def _show_card(self, request: DrawPose) -> None:
        """Encode the holding card where one is shown; nothing is drawn meanwhile."""
        view = self._views[request.view]
        if view.card is not None:
            # Its words take some tens of milliseconds to draw; the host is covered at once.
            planes = view.card.result() if view.card.done() else covering_planes(view.size)
            task = self._encoding.submit(self._encode, request, planes, self._ladder.level)
            self._pending.append(task)

    def _reply(self, reply: Reply) -> None:
        # One thread alone writes to the connection.
        self._encoding.submit(self._connection.send, reply)

    def _draw(self, batch: list[DrawPose]) -> None:
        if not batch:
            return
        began = time.perf_counter()
        poses = Pose(
            np.stack([p.rotations for p in batch]),
            np.stack([p.translation for p in batch]),
            np.stack([p.face for p in batch]),
        )
        handles = [self._views[p.view].handle for p in batch]
        pictures = self._renderer.draw(handles, poses, batch[0].at)
        if self._ladder.note(time.perf_counter() - began):
            self._renderer.quality = self._ladder.level
        # A picture's planes live for two more draws, so no more than one batch may be unencoded.
        self._settle(len(batch))
        for request, picture in zip(batch, pictures, strict=True):
            task = self._encoding.submit(self._encode, request, picture.planes, self._ladder.level)
            self._pending.append(task)

    def _settle(self, most: int) -> None:
        """Wait until at most `most` pictures are being encoded."""
        while len(self._pending) > most:
            self._pending.pop(0).result()

    def _encode(self, request: DrawPose, planes: NDArray[np.uint8], level: int) -> None:
        view = self._views[request.view]
        if view.failed:
            return
        if request.bitrate is not None:
            view.encoder.set_bitrate(request.bitrate)
        if request.keyframe:
            view.encoder.request_keyframe()
        try:
            encoded = view.encoder.encode(planes)
        except VivantError as error:
            view.failed = True
            self._connection.send(ViewFailed(request.view, str(error)))
            return
        self._connection.send(
            Drawn(request.view, request.position, encoded.data, encoded.keyframe, level)
        )


def _batches(poses: list[DrawPose]) -> Iterator[list[DrawPose]]:
    """Yield the poses so that each batch holds at most one of each view, in order of time."""
    while poses:
        seen: set[int] = set()
        batch: list[DrawPose] = []
        rest: list[DrawPose] = []
        for pose in poses:
            (rest if pose.view in seen else batch).append(pose)
            seen.add(pose.view)
        yield batch
        poses = rest
