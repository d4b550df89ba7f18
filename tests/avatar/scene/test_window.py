"""What a camera sees of a flat backdrop, and how cameras move."""

import numpy as np
import pytest

from avatar.renderer.camera import SPANS, Shot, moved
from avatar.scene.window import WHOLE, inside, reach, seen
from avatar.spec.scene import MOVES

REST = Shot(np.array([0.0, -2.7, 1.3]), np.array([0.0, 0.0, 1.3]), 1.0, 2.7, 9 / 16)
EYES = 1.5


def test_at_rest_all_of_it_is_seen() -> None:
    assert seen(REST, REST) == pytest.approx(WHOLE)
    assert reach(REST, EYES, "still") is WHOLE
    assert inside(WHOLE, WHOLE) == (0.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize("move", MOVES)
def test_the_reach_holds_every_moment(move: str) -> None:
    left, bottom, right, top = reach(REST, EYES, move)
    for at in np.linspace(0.0, 2.0 * SPANS[move], 101).tolist():
        window = seen(REST, moved(REST, EYES, move, 1.0, at))
        assert left - 1e-9 <= window[0] < window[2] <= right + 1e-9
        assert bottom - 1e-9 <= window[1] < window[3] <= top + 1e-9


@pytest.mark.parametrize("move", MOVES)
def test_moves_begin_gently_and_stay_smooth(move: str) -> None:
    times = np.linspace(0.0, 40.0, 1001)
    path = np.stack([moved(REST, EYES, move, 1.0, at).position for at in times.tolist()])
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) / (times[1] - times[0])
    change = np.abs(np.diff(speed)) / (times[1] - times[0])
    assert np.linalg.norm(path - REST.position, axis=1).max() < 0.2 * REST.distance
    assert speed.max() < 0.12
    assert change.max() < 0.05


def test_what_goes_ends_and_what_swings_comes_back() -> None:
    for move in ("push_in", "pull_out"):
        ends = [moved(REST, EYES, move, 1.0, at).position for at in (0.0, SPANS[move], 99.0)]
        assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(0.12 * 2.7, rel=0.1)
        assert np.array_equal(ends[1], ends[2])
    for move in ("drift", "orbit"):
        there = [moved(REST, EYES, move, 1.0, at).position for at in (3.0, 3.0 + SPANS[move])]
        assert np.allclose(there[0], there[1], atol=1e-9)


def test_the_pace_only_stretches_time() -> None:
    for move in MOVES:
        slow, fast = moved(REST, EYES, move, 1.0, 6.0), moved(REST, EYES, move, 2.0, 3.0)
        assert np.allclose(slow.position, fast.position)


def test_eyes_keep_their_height_in_the_picture_while_the_camera_comes_nearer() -> None:
    def height(camera: Shot) -> float:
        point = camera.view @ np.array([0.0, 0.0, EYES, 1.0], np.float32)
        return float(point[1] / point[3])

    for at in (3.0, 7.0, 14.0):
        assert height(moved(REST, EYES, "push_in", 1.0, at)) == pytest.approx(
            height(REST), abs=1e-4
        )
