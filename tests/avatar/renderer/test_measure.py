"""The measuring of the renderer."""

from avatar.renderer.base import Size
from avatar.renderer.measure import measure, measure_floor, talking
from avatar.renderer.opengl import OpenGLRenderer


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
