"""`OpenGLRenderer`: the figure drawn by OpenGL 3.3 through EGL, on a GPU or on llvmpipe."""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset
from avatar.body.prepare import prepare
from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.bands import Bands
from avatar.renderer.base import Handle, Picture, Size
from avatar.renderer.blocks import JOINTS, SessionBlocks, session_rows, set_camera
from avatar.renderer.camera import density
from avatar.renderer.context import create_context, is_software
from avatar.renderer.figure import Figure, Materials
from avatar.renderer.planes import Planes, PlaneShaders
from avatar.renderer.quality import QUALITIES
from avatar.scene.programs import ScenePrograms
from avatar.scene.surroundings import Surroundings
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose

Floats = NDArray[np.float32]
Shading = Literal["lit", "parts"]

_SMALLEST: Final = 64
_LARGEST: Final = 4096
# Batches that may be submitted before the first is collected: planes are held twice.
_MOST_WAITING: Final = 2
# Errors after which nothing drawn can be relied on.
_FATAL: Final = ("GL_CONTEXT_LOST", "GL_OUT_OF_MEMORY", "GL_UNKNOWN_ERROR")


@dataclass(slots=True)
class _Frame:
    """Where one session is drawn at one internal resolution."""

    colour: Any
    target: Any
    depth: Any

    def release(self) -> None:
        for thing in (self.target, self.colour, self.depth):
            thing.release()


@dataclass(slots=True)
class _Session:
    """One open avatar."""

    spec: AvatarSpec
    figure: Figure
    planes: Planes
    around: Surroundings
    frame: _Frame | None = None
    scale: float = 0.0


class OpenGLRenderer:
    """Draws avatars; see `avatar.renderer.base.Renderer` for the contract.

    All calls come from the thread that created it.

    Args:
        cache: folder of prepared avatars (`avatar.body.prepare`).
        anny_cache: folder of the body package's tensors, needed only where `cache` lacks an
            avatar.
        shading: "lit", or "parts" for flat colours by material (`shaders.PART_COLOURS`), which
            tests count.
        threads: see `avatar.renderer.context.create_context`.
        patient: whether a picture waits for what is not ready yet (a changed scene, a frame of a
            film): for films, which are drawn faster or slower than time passes.

    Raises:
        AvatarError: when no OpenGL 3.3 context can be made through EGL.
    """

    def __init__(
        self,
        cache: Path,
        anny_cache: Path,
        *,
        shading: Shading = "lit",
        threads: int | None = None,
        patient: bool = False,
    ) -> None:
        self._context = create_context(threads)
        self._software = is_software(self._context)
        self._cache = cache
        self._anny_cache = anny_cache
        self._materials = Materials(self._context, parts_only=shading == "parts")
        self._shaders = PlaneShaders(self._context)
        self._scenes = ScenePrograms(self._context, parts_only=shading == "parts")
        self._worker = ThreadPoolExecutor(1, "scene")
        self._patient = patient
        self._figures: dict[AvatarSpec, Figure] = {}
        self._sessions: dict[Handle, _Session] = {}
        self._blocks = SessionBlocks(self._context)
        self._waiting: deque[list[_Session]] = deque()
        self._lost = False
        self._next = 0
        self._quality = 0

    @property
    def levels(self) -> int:
        """How many levels `quality` has."""
        return len(QUALITIES)

    @property
    def quality(self) -> int:
        """The level of `QUALITIES` pictures are drawn at: 0 is the best, 3 the cheapest."""
        return self._quality

    @quality.setter
    def quality(self, level: int) -> None:
        if not 0 <= level < len(QUALITIES):
            raise AvatarValueError(f"quality {level!r}; accepted: 0 (best) to {len(QUALITIES) - 1}")
        self._quality = level

    @property
    def context(self) -> Any:
        """The graphics context, for others that draw on the same thread: `with` it."""
        return self._context

    def open(
        self, spec: AvatarSpec, scene: SceneSpec, size: Size, *, asset: AvatarAsset | None = None
    ) -> Handle:
        """Prepare an avatar in a scene; `asset` is the prepared one, where the caller has it.

        Raises:
            AvatarValueError: when the size is odd or out of range.
            AvatarError: when the avatar cannot be prepared.
        """
        self._check()
        for name, value in (("width", size.width), ("height", size.height)):
            if value % 2 or not _SMALLEST <= value <= _LARGEST:
                raise AvatarValueError(
                    f"picture {name} {value}; accepted: even, {_SMALLEST} to {_LARGEST}"
                )
        # Building an avatar uses a context of its own, so it comes before this one is entered.
        fresh = None
        if spec not in self._figures:
            fresh = asset or prepare(spec, self._cache, self._anny_cache)
        with self._context:
            if fresh is not None:
                self._figures[spec] = Figure(self._context, self._materials, fresh)
            figure = self._figures[spec]
            around = Surroundings(
                self._scenes, self._worker, figure.asset, size, scene, patient=self._patient
            )
            planes = Planes(self._context, self._shaders, size, asynchronous=not self._software)
            session = _Session(spec, figure, planes, around)
            # A first picture, drawn for nobody: drivers finish compiling at the first draw.
            self._draw([session], Pose.rest(1), 0.0)
            self._read([session])
            around.restart()
        handle = Handle(self._next)
        self._next += 1
        self._sessions[handle] = session
        return handle

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        """Draw B sessions in one pass.

        `at` moves the camera, films and what is shown over the picture.

        Raises:
            AvatarValueError: when a handle is not open or `poses` is not a batch of B.
        """
        if self._waiting:
            raise AvatarValueError(
                f"{len(self._waiting)} submitted batches wait; accepted: collect them first"
            )
        self.submit(handles, poses, at)
        return self.collect()

    def submit(self, handles: Sequence[Handle], poses: Pose, at: float) -> None:
        """Begin to draw a batch and return, on a GPU and on spare cores, before it is done.

        A caller that submits the next batch before it collects the last hides the read-back and
        is one batch late, never more than `_MOST_WAITING` - 1.

        Raises:
            AvatarValueError: when a handle is not open or given twice, `poses` is not a batch of
                B, or two batches wait already.
            AvatarError: when the graphics context was lost.
        """
        self._check()
        sessions = [self._session(handle) for handle in handles]
        if len(set(handles)) < len(sessions):
            raise AvatarValueError(f"handles {list(handles)}; accepted: each once")
        if poses.rotations.ndim != 3 or len(poses.rotations) != len(sessions):
            raise AvatarValueError(
                f"poses have leading axes {list(poses.rotations.shape[:-2])}; "
                f"accepted: [{len(sessions)}], one per handle"
            )
        if len(self._waiting) == _MOST_WAITING:
            raise AvatarValueError(
                f"{_MOST_WAITING} submitted batches wait; accepted: collect one first"
            )
        with self._context:
            self._draw(sessions, poses, at)
        self._waiting.append(sessions)

    def collect(self) -> list[Picture]:
        """Return the pictures of the oldest submitted batch, waiting until they are there.

        Raises:
            AvatarValueError: when nothing was submitted.
            AvatarError: when the graphics context was lost.
        """
        self._check()
        if not self._waiting:
            raise AvatarValueError("no batch waits; accepted: collect after submit")
        with self._context:
            return self._read(self._waiting.popleft())

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        """Put an open avatar into another scene, as soon as that is ready.

        Drawing goes on meanwhile: pictures are decoded and text is set by another thread.

        Raises:
            AvatarValueError: when the handle is not open, a file is not there or of the wrong
                sort, or text cannot be drawn; the scene stays as it is.
        """
        session = self._session(handle)
        with self._context:
            session.around.update(scene)

    def look(self, handle: Handle) -> NDArray[np.uint8]:
        """Return the frame drawn last, before its edges are smoothed and its chroma is shared.

        Returns:
            uint8 [height, width, 4], top row first: Y', Cb, Cr (BT.709, limited range), and how
            far the figure covers each pixel, 255 where it hides all behind it.

        Raises:
            AvatarValueError: when the handle is not open.
        """
        frame = self._session(handle).frame
        assert frame is not None
        with self._context:
            rows = np.frombuffer(frame.target.read(components=4), np.uint8)
        return rows.reshape(frame.colour.height, frame.colour.width, 4)[::-1].copy()

    def close(self, handle: Handle) -> None:
        """Free what `open` made; the last session of an avatar frees the avatar too.

        Raises:
            AvatarValueError: when the handle is not open.
        """
        session = self._session(handle)
        if not self._lost and any(session in batch for batch in self._waiting):
            raise AvatarValueError(f"handle {handle} is in a submitted batch; collect it first")
        del self._sessions[handle]
        with self._context:
            session.planes.release()
            session.around.release()
            if session.frame is not None:
                session.frame.release()
            if not any(other.spec == session.spec for other in self._sessions.values()):
                self._figures.pop(session.spec).release()

    def release(self) -> None:
        """Close every session and give the context back."""
        self._waiting.clear()
        for handle in list(self._sessions):
            self.close(handle)
        with self._context:
            self._blocks.release()
            self._scenes.release()
            self._materials.release()
            self._shaders.release()
        self._worker.shutdown()
        self._context.release()

    def _session(self, handle: Handle) -> _Session:
        try:
            return self._sessions[handle]
        except KeyError:
            raise AvatarValueError(f"handle {handle} is not open") from None

    def _check(self) -> None:
        if self._lost:
            raise AvatarError("the graphics context was lost; accepted: a new renderer")

    def _draw(self, sessions: Sequence[_Session], poses: Pose, at: float) -> None:
        """Draw a batch into its planes; its joints are worked out together.

        Each session has a frame of its own, which is worked off while the next is prepared.
        """
        quality = QUALITIES[self._quality]
        rows = session_rows([session.figure.asset.joints for session in sessions], poses)
        self._blocks.begin(len(sessions))
        for index, session in enumerate(sessions):
            frame = self._frame(session, quality.scale)
            shot = session.around.begin(frame.target, at)
            view, viewer = shot.view, shot.viewer
            set_camera(rows[index], view, viewer)
            self._blocks.use(index, rows[index])
            bands = self._draw_figure(session, frame, view, viewer, rows[index], poses.face[index])
            session.around.finish(at)
            session.planes.convert(
                frame.colour,
                edges=quality.edges,
                around=bands,
                key=(session.around.state, self._quality),
            )

    def _draw_figure(
        self,
        session: _Session,
        frame: _Frame,
        view: Floats,
        viewer: Floats,
        rows: Floats,
        face: Floats,
    ) -> Bands:
        """Draw one figure into its frame; return where in the picture it is."""
        quality, size = QUALITIES[self._quality], session.planes.size
        pixels = density(session.figure.asset, view, size)
        seen = session.figure.outline.seen(rows[: 3 * JOINTS], view, pixels, size)
        frame.target.use()
        session.figure.draw(seen, viewer, face, density=pixels * quality.scale, locks=quality.locks)
        return seen.bands

    def _read(self, sessions: Sequence[_Session]) -> list[Picture]:
        """Read a drawn batch back.

        Raises:
            AvatarError: when the driver reports an error or the pictures are empty.
        """
        try:
            pictures = [session.planes.read() for session in sessions]
            problem = self._context.error
        except AvatarError:
            self._lost = True
            raise
        if problem in _FATAL:
            self._lost = True
            raise AvatarError(f"the graphics context was lost: the driver reports {problem}")
        return pictures

    def _frame(self, session: _Session, scale: float) -> _Frame:
        if session.frame is None or session.scale != scale:
            if session.frame is not None:
                session.frame.release()
            session.frame = self._make_frame(session, scale)
            session.scale = scale
        return session.frame

    def _make_frame(self, session: _Session, scale: float) -> _Frame:
        size = session.planes.size
        pixels = round(size.width * scale), round(size.height * scale)
        colour = self._context.texture(pixels, 4)
        depth = self._context.depth_renderbuffer(pixels)
        return _Frame(colour, self._context.framebuffer([colour], depth), depth)
