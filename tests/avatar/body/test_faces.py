"""Faces of the ready hosts: lids that close, mouths that show teeth only when open, gaze."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from avatar.body.asset import AvatarAsset, load_asset
from avatar.body.face_parts import eye_radius
from avatar.body.features import Features
from avatar.body.iris import EDGE
from avatar.body.lids import lid_edge
from avatar.body.masks import vertex_mask
from avatar.body.prepare import asset_path
from avatar.body.source import SKIN_VERTICES, Body
from avatar.body.teeth import teeth_surface
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import HOSTS, ready
from motion.kinematics import joint_transforms, rest_offsets, skinning_transforms
from motion.pose import Pose
from motion.rotations import axis_degrees, multiply
from motion.skeleton import joint_index
from tests.avatar.body.faces import head, portrait, store
from tests.avatar.poses import face

Floats = NDArray[np.floating]


@pytest.fixture(scope="module")
def bodies(anny_cache: Path) -> dict[str, Body]:
    return {name: head(ready(name), anny_cache) for name in HOSTS}


@pytest.fixture(scope="module")
def folder(bodies: dict[str, Body], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("faces")
    for name, body in bodies.items():
        store(ready(name), body, made)
    return made


@pytest.fixture(scope="module")
def parts(folder: Path, anny_cache: Path) -> Iterator[OpenGLRenderer]:
    made = OpenGLRenderer(folder, anny_cache, shading="parts")
    yield made
    made.release()


@pytest.mark.parametrize("name", HOSTS)
def test_closed_lids_hide_the_eye_and_half_closed_ones_do_not(
    parts: OpenGLRenderer, name: str
) -> None:
    with portrait(parts, ready(name)) as seen:
        opened = seen.count("eye", Pose.rest())
        half = seen.count("eye", face(eyeBlink=0.5))
        closed = seen.count("eye", face(eyeBlink=1.0))
    assert opened > 150
    assert 0.1 * opened < half < 0.85 * opened
    assert closed <= 0.01 * opened


@pytest.mark.parametrize("name", HOSTS)
def test_at_rest_the_upper_lid_covers_the_top_of_the_iris_and_not_the_pupil(
    bodies: dict[str, Body], name: str
) -> None:
    body = bodies[name]
    centre, iris = body.joint("eye.L"), EDGE * eye_radius(body)
    pupil = iris * ready(name).eyes.pupil
    edge = lid_edge(body, "l", 2)
    lid = float(edge.at(centre[:1], edge.z)[0] - centre[2])
    assert pupil < lid < iris


@pytest.mark.parametrize("name", HOSTS)
def test_hosts_stand_six_to_eight_heads_tall(bodies: dict[str, Body], name: str) -> None:
    body = bodies[name]
    heights = body.vertices[:SKIN_VERTICES, 2]
    chin = Features.of(body, vertex_mask(body, "mpfb_lips.jpg")).chin
    tall = float(np.ptp(heights))
    assert 1.5 < tall < 2.0
    assert 6.0 < tall / (float(heights.max()) - chin) < 7.6


@pytest.mark.parametrize("name", HOSTS)
def test_the_upper_lid_follows_an_eye_that_looks_down_or_up(
    parts: OpenGLRenderer, name: str
) -> None:
    with portrait(parts, ready(name)) as seen:
        ahead, down, up = (
            seen.shown("eye", pose)
            for pose in (Pose.rest(), face(eyeLookDown=1.0), face(eyeLookUp=1.0))
        )
    assert 0.25 * ahead.sum() < down.sum() < 0.85 * ahead.sum()
    rim = [int(np.argmax(shown.any(1))) for shown in (up, ahead, down)]
    assert rim == sorted(rim)
    assert rim[2] >= rim[0] + 2


@pytest.mark.parametrize("name", HOSTS)
def test_teeth_and_tongue_show_only_when_the_mouth_opens(parts: OpenGLRenderer, name: str) -> None:
    with portrait(parts, ready(name)) as seen:
        for shut in (
            Pose.rest(),
            face(mouthSmile=0.6),
            face(mouthPucker=0.7),
            face(mouthPress=0.6),
        ):
            assert seen.count("mouth", shut) == 0
        little, wide = (seen.count("mouth", face(jawOpen=jaw)) for jaw in (0.15, 0.4))
    assert wide > 60
    assert wide > little


@pytest.mark.parametrize("name", HOSTS)
def test_teeth_are_even_on_both_sides_and_behind_the_lips(
    bodies: dict[str, Body], name: str
) -> None:
    body = bodies[name]
    for jaw in ("upper", "lower"):
        teeth = teeth_surface(body, jaw)
        mirrored = teeth.positions * np.array([-1.0, 1.0, 1.0])
        gaps = np.linalg.norm(teeth.positions[:, None] - mirrored[None], axis=2).min(1)
        assert gaps.max() < 0.0006
        lips = body.vertices[np.abs(body.vertices[:, 2] - teeth.positions[:, 2].mean()) < 0.02]
        assert teeth.positions[:, 1].min() > lips[:, 1].min() + 0.006


def _turn_to(asset: AvatarAsset, side: str, target: Floats) -> NDArray[np.float32]:
    """Return the rotation that points the eye at `target`: up or down, then about the vertical."""
    way = target - asset.joints[joint_index(f"eye.{side}")]
    turn = np.degrees(np.arctan2(way[0], -way[1]))
    pitch = np.degrees(np.arctan2(-way[2], np.hypot(way[0], way[1])))
    return multiply(axis_degrees("z", float(turn)), axis_degrees("x", float(pitch)))


@pytest.mark.parametrize("name", HOSTS)
def test_both_pupils_point_at_what_is_looked_at(folder: Path, name: str) -> None:
    asset = load_asset(asset_path(ready(name), folder))
    eye = np.array(asset.values["eye"])
    for away in ((0.0, -0.5, 0.0), (0.25, -0.7, -0.2), (-0.4, -2.5, 0.3)):
        target = np.array([0.0, eye[1], eye[2]]) + np.array(away)
        rotations = Pose.rest().rotations
        for side in ("L", "R"):
            rotations[joint_index(f"eye.{side}")] = _turn_to(asset, side, target)
        placed = joint_transforms(rotations, rest_offsets(asset.joints))
        moves = skinning_transforms(placed, asset.joints)
        for side in ("L", "R"):
            part = next(part for part in asset.parts if part.name == f"eye.{side}")
            front = int(np.argmin(part.tangents[:, 1]))
            joint = joint_index(f"eye.{side}")
            pupil = moves[joint, :3, :3] @ part.positions[front] + moves[joint, :3, 3]
            centre = asset.joints[joint]
            sight = (pupil - centre) / np.linalg.norm(pupil - centre)
            way = target - centre
            missed = np.linalg.norm(way - (way @ sight) * sight)
            assert missed < 0.002
