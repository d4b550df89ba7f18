"""`Surroundings`: everything around one session's figure, as the renderer calls it."""

import logging
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.base import Size
from avatar.renderer.camera import Shot, moved, shot
from avatar.scene.backdrop import Backdrop
from avatar.scene.overlay import Overlay
from avatar.scene.preparing import Origin, Prepared, check_scene, prepare_scene
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import Window, reach
from avatar.spec.scene import SceneSpec

_LOG: Final = logging.getLogger(__name__)


class Surroundings:
    """Backdrop, camera and overlays of one session, which may change between two pictures.

    All calls come from the context's thread, within the context. Slow work is done by `worker`;
    at most one scene is being made ready and one waits, the newest.

    Args:
        programs: of the context.
        worker: one thread, shared by the sessions of a renderer.
        asset: who stands there.
        size: of the picture.
        scene: the first scene, made ready before this returns.
        patient: whether a picture waits for a scene that is not ready yet, as a film wants it.

    Raises:
        AvatarValueError, AvatarError: as `avatar.scene.preparing.prepare_scene`.
    """

    def __init__(
        self,
        programs: ScenePrograms,
        worker: ThreadPoolExecutor,
        asset: AvatarAsset,
        size: Size,
        scene: SceneSpec,
        *,
        patient: bool = False,
    ) -> None:
        self._programs = programs
        self._worker = worker
        self._asset = asset
        self._size = size
        self._patient = patient
        self._job: Future[Prepared] | None = None
        self._wanted: SceneSpec | None = None
        self._began: float | None = None
        self._state = 0
        self._origins: Mapping[str, Origin] = {}
        self._overlay = Overlay(programs, size)
        check_scene(scene)
        self._set_camera(scene)
        prepared = prepare_scene(scene, size, self._reach, None)
        assert prepared.painter is not None
        self._backdrop = Backdrop(programs, prepared.painter(programs))
        self._shown = prepared
        self._put_panels(None, prepared)

    @property
    def scene(self) -> SceneSpec:
        """The scene that is shown now."""
        return self._shown.scene

    @property
    def state(self) -> int:
        """A number that differs between two pictures if anything but the figure differs."""
        return self._state

    @property
    def eye_height(self) -> float:
        """Where the eyes are, metres above the figure's origin."""
        return float(self._asset.values["eye"][2])

    def update(self, scene: SceneSpec) -> None:
        """Change to another scene as soon as it is ready, a picture or a few later.

        Raises:
            AvatarValueError: as `avatar.scene.preparing.check_scene`; nothing changes.
        """
        check_scene(scene)
        self._wanted = scene
        self._advance()

    def restart(self) -> None:
        """Let the camera's move begin with the next picture."""
        self._began = None

    def begin(self, target: Any, at: float) -> Shot:
        """Fill `target` with what is behind the figure, and return the camera.

        Args:
            target: framebuffer: one colour texture (Y', Cb, Cr, coverage of the figure), depth.
            at: seconds.
        """
        self._advance()
        while self._patient and self._job is not None:
            self._job.exception()
            self._advance()
        if self._began is None:
            self._began = at
        scene = self._shown.scene
        now = moved(self._rest, self.eye_height, scene.move, scene.pace, at - self._began)
        if self._backdrop.fill(target, self._rest, now, self._reach, at):
            self._state += 1
        return now

    def finish(self, at: float) -> None:
        """Blend overlays over the figure into the bound framebuffer."""
        if not self._programs.parts_only and self._overlay.paint(at):
            self._state += 1

    def release(self) -> None:
        """Free what it holds."""
        if self._job is not None:
            self._job.cancel()
        self._backdrop.release()
        self._overlay.release()

    def _advance(self) -> None:
        """Take over a scene that is ready, and have the next one made ready."""
        if self._job is not None and self._job.done():
            job, self._job = self._job, None
            try:
                self._take_over(job.result())
            except (AvatarError, AvatarValueError) as error:
                _LOG.warning("the scene stays as it is: %s", error)
        if self._job is None and self._wanted is not None:
            scene, self._wanted = self._wanted, None
            window = self._window(scene)
            self._job = self._worker.submit(prepare_scene, scene, self._size, window, self._shown)

    def _take_over(self, prepared: Prepared) -> None:
        before, self._shown = self._shown, prepared
        if prepared.painter is not None:
            self._backdrop.show(prepared.painter(self._programs))
        old, new = before.scene, prepared.scene
        if (old.framing, old.move, old.pace) != (new.framing, new.move, new.pace):
            self._set_camera(new)
        self._put_panels(old, prepared)

    def _put_panels(self, before: SceneSpec | None, prepared: Prepared) -> None:
        for slot in () if before is None else self._origins:
            if slot not in prepared.origins:
                for name in (slot, "price") if slot == "card" else (slot,):
                    self._overlay.take(name, moves=True)
        self._origins = prepared.origins
        for name, panel in prepared.panels.items():
            moves = before is not None and not _goes_on(name, before, prepared.scene)
            if panel is None:
                self._overlay.take(name, moves=moves)
            else:
                self._overlay.put(name, panel, moves=moves)

    def _set_camera(self, scene: SceneSpec) -> None:
        self._rest = shot(self._asset, scene.framing, self._size)
        self._reach = self._window(scene)
        self._began = None

    def _window(self, scene: SceneSpec) -> Window:
        rest = shot(self._asset, scene.framing, self._size)
        return reach(rest, self.eye_height, scene.move)


def _goes_on(name: str, before: SceneSpec, now: SceneSpec) -> bool:
    """Whether a panel only takes the place of one that shows the same, or the beginning of it."""
    if name == "caption":
        return bool(before.caption) and now.caption.startswith(before.caption)
    if name == "card" and before.card is not None and now.card is not None:
        return before.card.name == now.card.name
    return name == "mark"
