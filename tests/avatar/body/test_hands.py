"""Hands know their joints, their backs and their nails, and are painted by them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avatar.body.face_parts import skin_normals
from avatar.body.hands import NAILS, Hand, shaped_hands
from avatar.body.limb_skin import limb_skin, limb_uv
from avatar.body.masks import vertex_mask
from avatar.body.source import SKIN_VERTICES, Body, load_body
from avatar.renderer.context import create_context
from avatar.spec import AvatarSpec, ready
from avatar.spec.colour import linear
from avatar.spec.identity import SkinSpec
from motion.skeleton import joint_index


@pytest.fixture(scope="module")
def body(anny_cache: Path) -> Body:
    mia = ready("mia").body
    return load_body(mia.phenotypes, dict(mia.changes), {}, anny_cache)


@pytest.fixture(scope="module")
def hand(body: Body) -> Hand:
    return Hand.of(body, "L")


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    made = create_context()
    yield made
    made.release()


def test_nails_lie_on_the_back_near_the_tips(body: Body, hand: Hand) -> None:
    nails = vertex_mask(body, NAILS)[hand.vertices] > 0.8
    assert np.quantile(hand.back[nails], 0.1) > 0.3
    assert hand.along[nails, 2].min() > 0.0
    assert hand.finger[nails].min() > 0.95


def test_fingers_are_measured_from_knuckle_to_tip(body: Body, hand: Hand) -> None:
    assert (hand.along[:, 0] > hand.along[:, 1]).all()
    assert (hand.along[:, 1] > hand.along[:, 2]).all()
    # A fingertip lies about 20 mm beyond the last joint.
    tips = [hand.along[body.weights[hand.vertices][:, j] > 0.9, 2].max() for j in last_joints()]
    assert 0.012 < min(tips) <= max(tips) < 0.045
    wrist = body.joint("wrist.L")
    near = np.linalg.norm(body.vertices[hand.vertices] - wrist, axis=1) < 0.03
    assert hand.along[near, 0].max() < 0.0


def last_joints() -> list[int]:
    """Return the numbers of the left fingers' last joints."""
    return [joint_index(f"finger{finger}-3.L") for finger in range(1, 6)]


def test_both_hands_are_measured_alike(body: Body, hand: Hand) -> None:
    other = Hand.of(body, "R")
    assert len(other.vertices) == len(hand.vertices)
    for mine, theirs in ((hand.back, other.back), (hand.along[:, 2], other.along[:, 2])):
        assert np.quantile(np.abs(np.sort(mine) - np.sort(theirs)), 0.95) < 0.02


def test_shaping_slims_fingers_between_joints_and_nothing_else(body: Body, hand: Hand) -> None:
    shaped = shaped_hands(body)
    moved = np.linalg.norm(shaped.vertices - body.vertices, axis=1)
    elsewhere = body.weight_of("wrist", "finger", "metacarpal") < 0.01
    assert moved[elsewhere].max() == 0.0
    assert 0.0004 < moved[:SKIN_VERTICES].max() < 0.002
    middle = hand.along[:, 1]
    joint = (np.abs(middle) < 0.002) & (hand.finger > 0.9) & (hand.back > 0.5)
    shaft = (middle > 0.010) & (hand.along[:, 2] < -0.006) & (hand.finger > 0.9)
    outwards = outward(body, shaped, hand)
    assert outwards[joint].mean() > 0.0003
    assert outwards[shaft].mean() < -0.0002


def outward(body: Body, shaped: Body, hand: Hand) -> np.ndarray[Any, Any]:
    """Return how far [n] the hand's vertices moved away from the middle of their finger."""
    step = (shaped.vertices - body.vertices)[hand.vertices]
    return np.asarray((step * skin_normals(body)[hand.vertices]).sum(1))


def test_both_hands_share_one_half_of_the_picture(body: Body) -> None:
    group = body.groups["body"]
    uv = limb_uv(body)
    weight = body.weight_of("finger")[group.triangles].min(1)
    fingers = weight > 0.9
    assert uv[fingers, :, 0].min() >= 0.5
    legs = body.weight_of("lowerleg", "upperleg")[group.triangles].min(1) > 0.9
    assert uv[legs, :, 0].max() <= 0.5
    sides = body.vertices[group.triangles][..., 0].mean(1) > 0.0
    low, high = (uv[fingers & side].reshape(-1, 2) for side in (sides, ~sides))
    assert np.allclose(low.min(0), high.min(0), atol=0.01)
    assert np.allclose(low.max(0), high.max(0), atol=0.01)


def test_dark_hands_have_light_palms_and_nails_their_colour(body: Body, context: Any) -> None:
    dark = AvatarSpec(outfit=ready("kofi").outfit, skin=SkinSpec(colour="#5a3a2a", nails="#c02030"))
    picture = (limb_skin(context, body, dark)[..., :3] / 255.0) ** 2
    back, palm, nail = (places(body, kind) for kind in ("back", "palm", "nail"))
    bright = {name: at(picture, uv).mean() for name, uv in (("back", back), ("palm", palm))}
    assert bright["palm"] > 1.4 * bright["back"]
    painted = np.median(at(picture, nail), axis=0)
    assert np.abs(painted - np.array(linear("#c02030"))).max() < 0.12


def places(body: Body, kind: str) -> np.ndarray[Any, Any]:
    """Return places [n, 2] in the picture of the middles of triangles of back, palm or nails."""
    hand = Hand.of(body, "L")
    back = np.zeros(len(body.vertices))
    back[hand.vertices] = hand.back
    mine = np.zeros(len(body.vertices), bool)
    mine[hand.vertices[hand.finger < 0.3]] = True
    chosen = {
        "back": mine & (back > 0.8),
        "palm": mine & (back < -0.8),
        "nail": (vertex_mask(body, NAILS) > 0.95) & (body.vertices[:, 0] > 0.0),
    }[kind]
    group = body.groups["body"]
    return np.asarray(limb_uv(body)[chosen[group.triangles].all(1)].mean(1))


def at(picture: np.ndarray[Any, Any], uv: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the picture's colours [n, 3] at places [n, 2]."""
    high, wide = picture.shape[:2]
    column = (uv[:, 0] * wide).astype(int).clip(0, wide - 1)
    return np.asarray(picture[(uv[:, 1] * high).astype(int).clip(0, high - 1), column])
