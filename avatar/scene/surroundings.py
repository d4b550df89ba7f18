"""`Surroundings`: everything around one session's figure, as the renderer calls it."""

import logging
from collections.abc import Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from avatar.body.asset import AvatarAsset
from avatar.errors import AvatarError, AvatarValueError
from avatar.renderer.base import Size
from avatar.renderer.camera import Shot, moved, shot
from avatar.renderer.light import LAMPS, lamp_colours
from avatar.scene.backdrop import Backdrop
from avatar.scene.overlay import Overlay
from avatar.scene.painters import Painter
from avatar.scene.place import Place
from avatar.scene.preparing import Origin, Prepared, check_scene, prepare_scene
from avatar.scene.programs import ScenePrograms
from avatar.scene.window import reach
from avatar.spec.scene import SceneSpec

_LOG: Final = logging.getLogger(__name__)
_END: Final = object()
_SOLE: Final = 0.03  # metres from the lowest joint, of the toes, to the floor


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
        self._coming: _Coming | None = None
        self._began: float | None = None
        self._state = 0
        self._origins: Mapping[str, Origin] = {}
        self._overlay = Overlay(programs, size)
        check_scene(scene)
        place = self._place(scene)
        self._shown = prepare_scene(scene, size, place.whole, None, patient=patient)
        assert self._shown.painter is not None
        self._painter = self._shown.painter(programs)
        self._backdrop = Backdrop(programs, self._painter, place)
        for _ in self._backdrop.paint():
            pass
        self._lamps = programs.context.buffer(lamp_colours(scene.light).tobytes())
        self._put_panels(None, self._shown)

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
        """Fill `target` with what is behind the figure, set the lamps, and return the camera.

        Args:
            target: framebuffer: one colour texture (Y', Cb, Cr, coverage of the figure), depth.
            at: seconds.
        """
        self._advance()
        while self._patient and (self._job is not None or self._coming is not None):
            if self._job is not None:
                self._job.exception()
            self._advance()
        if self._began is None:
            self._began = at
        scene, rest = self._shown.scene, self._backdrop.place.rest
        now = moved(rest, self.eye_height, scene.move, scene.pace, at - self._began)
        if self._backdrop.fill(target, now, at):
            self._state += 1
        self._lamps.bind_to_uniform_block(LAMPS)
        return now

    def finish(self, at: float) -> None:
        """Blend overlays over the figure into the bound framebuffer."""
        if not self._programs.parts_only and self._overlay.paint(at):
            self._state += 1

    def release(self) -> None:
        """Free what it holds."""
        if self._job is not None and not self._job.cancel() and self._job.exception() is None:
            # What was made ready for nobody still has to be freed.
            made = self._job.result().painter
            if made is not None:
                made(self._programs).release()
        if self._coming is not None:
            self._coming.steps.close()
            self._coming.backdrop.release()
            if self._coming.painter is not self._painter:
                self._coming.painter.release()
        self._backdrop.release()
        self._painter.release()
        self._overlay.release()
        self._lamps.release()

    def _advance(self) -> None:
        """Take one step towards the scene that is wanted."""
        if self._coming is not None:
            if next(self._coming.steps, _END) is _END:
                coming, self._coming = self._coming, None
                self._change_backdrop(coming)
                self._take_over(coming.prepared)
        elif self._job is not None:
            if self._job.done():
                job, self._job = self._job, None
                self._receive(job)
        elif self._wanted is not None:
            scene, self._wanted = self._wanted, None
            self._job = self._worker.submit(
                prepare_scene,
                scene,
                self._size,
                self._place(scene).whole,
                self._shown,
                patient=self._patient,
            )

    def _receive(self, job: Future[Prepared]) -> None:
        try:
            prepared = job.result()
        except (AvatarError, AvatarValueError) as error:
            _LOG.warning("the scene stays as it is: %s", type(error).__name__)
            return
        old, new = self._shown.scene, prepared.scene
        if prepared.painter is None and (old.framing, old.move) == (new.framing, new.move):
            self._take_over(prepared)
            return
        # The present scene stays until the new backdrop has been painted, step by step.
        painter = self._painter if prepared.painter is None else prepared.painter(self._programs)
        backdrop = Backdrop(self._programs, painter, self._place(new))
        self._coming = _Coming(prepared, painter, backdrop, backdrop.paint())

    def _change_backdrop(self, coming: "_Coming") -> None:
        self._backdrop.release()
        if coming.painter is not self._painter:
            self._painter.release()
        self._painter, self._backdrop = coming.painter, coming.backdrop
        self._state += 1

    def _take_over(self, prepared: Prepared) -> None:
        old, self._shown = self._shown.scene, prepared
        new = prepared.scene
        if (old.framing, old.move, old.pace) != (new.framing, new.move, new.pace):
            self._began = None
        if old.light != new.light:
            self._lamps.write(lamp_colours(new.light).tobytes())
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

    def _place(self, scene: SceneSpec) -> Place:
        rest = shot(self._asset, scene.framing, self._size)
        return Place(
            rest,
            reach(rest, self.eye_height, scene.move),
            self.eye_height,
            float(self._asset.joints[:, 2].min()) - _SOLE,
            float(rest.target[1]),
            (self._size.width, self._size.height),
        )


@dataclass(frozen=True, slots=True)
class _Coming:
    """A scene whose backdrop is being painted."""

    prepared: Prepared
    painter: Painter
    backdrop: Backdrop
    steps: Generator[None]


def _goes_on(name: str, before: SceneSpec, now: SceneSpec) -> bool:
    """Whether a panel only takes the place of one that shows the same, or the beginning of it."""
    if name == "caption":
        return bool(before.caption) and now.caption.startswith(before.caption)
    if name == "card" and before.card is not None and now.card is not None:
        return before.card.name == now.card.name
    return name == "mark"
