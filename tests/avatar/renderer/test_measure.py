"""The measuring of the renderer."""

from collections.abc import Sequence

import pytest

from avatar.errors import AvatarValueError
from avatar.renderer.base import Handle, Picture, Size
from avatar.renderer.measure import calibrate, measure, measure_floor, talking
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import AvatarSpec, SceneSpec
from motion.pose import Pose


def test_measure_reports_what_was_drawn(renderer: OpenGLRenderer) -> None:
    times = measure(renderer, Size(64, 64), sessions=2, pictures=3, framing="head")
    assert (times.size, times.sessions, times.framing) == (Size(64, 64), 2, "head")
    assert 0.0 < times.wall_ms < 10_000.0
    assert times.cpu_ms > 0.0
    assert times.open_ms > 0.0


def test_the_measured_figure_moves() -> None:
    first, second = talking(0, 2), talking(1, 2)
    assert first.rotations.shape[0] == 2
    assert (first.rotations != second.rotations).any()
    assert (first.face != second.face).any()


def test_the_floor_is_below_a_figure_and_grows_with_sessions(renderer: OpenGLRenderer) -> None:
    size = Size(360, 640)
    floor = measure_floor(size, pictures=9)
    assert 0.0 < floor < measure(renderer, size, pictures=9).wall_ms
    assert measure_floor(size, sessions=4, pictures=9) > 1.5 * floor


class _Paced:
    """A renderer whose levels take 40, 20, 10 and 5 milliseconds on its own clock."""

    levels = 4

    def __init__(self) -> None:
        self.quality = 0
        self.seconds = 0.0
        self.opened: set[Handle] = set()

    def open(self, spec: AvatarSpec, scene: SceneSpec, size: Size) -> Handle:
        del spec, scene, size
        self.opened.add(Handle(len(self.opened)))
        return Handle(len(self.opened) - 1)

    def draw(self, handles: Sequence[Handle], poses: Pose, at: float) -> list[Picture]:
        del poses, at
        self.seconds += len(handles) * 0.040 / 2**self.quality
        return []

    def update(self, handle: Handle, scene: SceneSpec) -> None:
        del handle, scene

    def close(self, handle: Handle) -> None:
        self.opened.remove(handle)


@pytest.mark.parametrize(
    ("budget", "sessions", "level"),
    [(45.0, 1, 0), (25.0, 1, 1), (12.0, 1, 2), (1.0, 1, 3), (45.0, 4, 2)],
)
def test_calibration_takes_the_best_level_that_fits(
    budget: float, sessions: int, level: int
) -> None:
    paced = _Paced()
    chosen = calibrate(paced, Size(64, 64), budget, sessions=sessions, clock=lambda: paced.seconds)
    assert (chosen, paced.quality) == (level, level)
    assert not paced.opened


def test_a_budget_must_be_positive() -> None:
    with pytest.raises(AvatarValueError, match="accepted: above 0"):
        calibrate(_Paced(), Size(64, 64), 0.0)
