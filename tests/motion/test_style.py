"""Motion styles: documents that are checked, and bodies that move measurably otherwise."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from motion.errors import MotionValueError
from motion.kinematics import joint_positions
from motion.pose import Pose
from motion.procedural import ProceduralMover
from motion.rest import REST_OFFSETS
from motion.rotations import angle_between
from motion.skeleton import face_index, joint_index
from motion.speech import SpokenAction
from motion.style import NATURAL, RANGES, STYLES, StyleSpec, ready_style
from tests.motion.samples import ENGLISH, film, hand_gap, passage

# Degrees a second, and metres between the bones of two hands: as for every mover.
FASTEST_JOINT = 650.0
NARROWEST_GAP = 0.02
TALK = 24.0
WRISTS = [joint_index("wrist.L"), joint_index("wrist.R")]
ELBOWS = [joint_index("lowerarm01.L"), joint_index("lowerarm01.R")]
HANDS = {"left": WRISTS[:1], "right": WRISTS[1:]}
TIMES = np.arange(round(TALK * 25)) / 25.0


def talk(style: StyleSpec, seed: int = 4) -> Pose:
    """Return 24 s of poses, talking but for pauses, in a style."""
    mover = ProceduralMover(seed, style=style)
    for start in range(7):
        mover.passage(passage(0.5 + 3.3 * start, f"{ENGLISH} {ENGLISH}", seconds=0.055))
    return film(mover, TIMES)


@pytest.fixture(scope="module")
def films() -> dict[str, Pose]:
    return {name: talk(ready_style(name)) for name in STYLES}


def places(poses: Pose) -> np.ndarray[Any, np.dtype[np.float32]]:
    return joint_positions(poses.rotations, REST_OFFSETS, poses.translation)


def path(poses: Pose, joints: list[int]) -> float:
    """Return how far joints travel, metres a second, beside what the whole body does."""
    at = places(poses)
    moved = np.diff(at[:, joints] - at[:, [joint_index("spine01")]], axis=0)
    return float(np.linalg.norm(moved, axis=-1).sum() / TALK)


def strokes(poses: Pose, joints: list[int]) -> int:
    """Return how often a hand strikes: downward speeds above 12 cm/s, 0.3 s apart."""
    speed = -np.diff(places(poses)[:, joints, 2], axis=0).min(axis=1) * 25.0
    fast = np.flatnonzero(speed < -0.12)
    return int(1 + (np.diff(fast) > 7).sum()) if len(fast) else 0


def test_ready_styles_are_named_as_they_are_called() -> None:
    assert [ready_style(name).name for name in STYLES] == list(STYLES)
    assert ready_style("natural") == NATURAL
    with pytest.raises(MotionValueError, match="'wild'; accepted: natural, calm"):
        ready_style("wild")


@pytest.mark.parametrize("name", STYLES)
def test_json_comes_back_and_is_small(name: str) -> None:
    style = ready_style(name)
    text = style.to_json()
    assert StyleSpec.from_json(text) == style
    assert len(text) < 500
    assert json.loads(text)["version"] == StyleSpec.VERSION


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tempo": 9}, r"StyleSpec\.tempo: 9; accepted: 0\.7 to 1\.3"),
        ({"smile": float("nan")}, r"StyleSpec\.smile: nan; accepted: 0 to 2\.5"),
        ({"head": True}, r"StyleSpec\.head: True; accepted"),
        ({"blinks": "often"}, r"StyleSpec\.blinks: 'often'; accepted: 8 to 30"),
        ({"name": "../x"}, r"StyleSpec\.name: '\.\./x'; accepted"),
        ({"speed": 1.0}, r"StyleSpec\.speed: there is no such field; accepted: name, gestures"),
        ({"tempo": 9, "head": -1}, r"tempo: 9.*; StyleSpec\.head: -1; accepted"),
    ],
)
def test_a_value_that_is_not_accepted_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(MotionValueError, match=message):
        NATURAL.changed(**values)
    with pytest.raises(MotionValueError, match=message):
        StyleSpec.from_json(json.dumps(values))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "a JSON object"),
        ('{"kind": "scene"}', "kind: 'scene'; accepted: 'style'"),
        ('{"version": 99}', r"style\.version: 99; accepted: 1 to"),
        ('{"version": true}', r"style\.version: True"),
        (" " * 20_000, "20000 bytes"),
    ],
)
def test_what_is_no_style_is_refused(text: str, message: str) -> None:
    with pytest.raises(MotionValueError, match=message):
        StyleSpec.from_json(text)


def test_an_older_version_is_read_in_the_fields_of_today() -> None:
    class Later(StyleSpec):
        VERSION: ClassVar[int] = 2

        @classmethod
        def migrated(cls, content: Mapping[str, Any], version: int) -> Mapping[str, Any]:
            rest = dict(content)
            return rest | {"tempo": rest.pop("speed")} if version == 1 else rest

    assert Later.from_json('{"version": 1, "speed": 1.2}').tempo == 1.2
    assert Later.from_json('{"version": 2, "tempo": 0.9}').tempo == 0.9
    assert json.loads(Later(tempo=1.1).to_json())["version"] == 2


@pytest.mark.parametrize(("field", "value"), [(name, RANGES[name]) for name in RANGES])
def test_every_field_shows(field: str, value: tuple[float, float]) -> None:
    """Each end of each range gives another film than the other end: nothing is there for show."""
    one, other = (_shown(NATURAL.changed(**{field: end}), field) for end in value)
    turned = np.degrees(angle_between(one.rotations, other.rotations)).max()
    face = np.abs(one.face - other.face).max()
    assert max(turned, 50.0 * float(face)) > 3.0


def _shown(style: StyleSpec, field: str) -> Pose:
    mover = ProceduralMover(4, style=style)
    mover.posture("listening", 0.0)
    if field != "nods":
        emotional = replace(passage(0.5, f"{ENGLISH} {ENGLISH}"), emotion="happy")
        mover.passage(emotional)
    return film(mover, np.arange(250) / 25.0)


def test_hands_beat_more_often_and_further_in_a_livelier_style(films: dict[str, Pose]) -> None:
    beats = {name: strokes(poses, WRISTS) for name, poses in films.items()}
    travel = {name: path(poses, WRISTS) for name, poses in films.items()}
    assert beats["lively"] > 1.25 * beats["natural"] > 1.5 * beats["calm"]
    assert travel["lively"] > 1.4 * travel["natural"] > 1.8 * travel["calm"]


def test_an_elegant_hand_is_as_wide_but_softer_than_a_lively_one(films: dict[str, Pose]) -> None:
    fastest = {
        name: float(np.quantile(_speeds(poses, "wrist.R"), 0.98)) for name, poses in films.items()
    }
    assert fastest["elegant"] < 0.75 * fastest["lively"]
    apart = {
        name: float(np.median(np.abs(places(poses)[:, ELBOWS, 0]))) for name, poses in films.items()
    }
    assert apart["elegant"] > apart["natural"] + 0.01
    assert apart["calm"] < apart["natural"]


def test_styles_prefer_their_hand(films: dict[str, Pose]) -> None:
    """Share of the right hand in what both travel."""
    right = {
        name: path(poses, HANDS["right"]) / path(poses, WRISTS) for name, poses in films.items()
    }
    assert right["elegant"] > 0.55
    assert right["playful"] < 0.45
    left = ProceduralMover(4, style=ready_style("playful"))
    left.passage(passage(0.5, ENGLISH, SpokenAction("thumbs_up", 1.2)))
    raised = places(film(left, np.arange(60) / 25.0))[:, WRISTS, 2].max(axis=0)
    assert raised[0] > raised[1] + 0.05


def test_heads_and_faces_follow_the_style(films: dict[str, Pose]) -> None:
    head = {name: float(_speeds(poses, "head").mean()) for name, poses in films.items()}
    assert head["playful"] > 1.3 * head["natural"] > 1.5 * head["calm"]
    smile = face_index("mouthSmileLeft")
    smiles = {name: float(np.median(poses.face[:, smile])) for name, poses in films.items()}
    assert smiles["playful"] > 1.5 * smiles["natural"]
    blinks = {name: _blinks(poses) for name, poses in films.items()}
    assert blinks["playful"] > blinks["calm"]


def _speeds(poses: Pose, joint: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    turned = angle_between(poses.rotations[:-1], poses.rotations[1:])[:, joint_index(joint)]
    return np.asarray(np.degrees(turned) * 25.0, np.float64)


def _blinks(poses: Pose) -> int:
    shut = poses.face[:, face_index("eyeBlinkLeft")] > 0.6
    return int((shut[1:] & ~shut[:-1]).sum())


_STYLES = st.builds(
    StyleSpec, **{name: st.floats(low, high) for name, (low, high) in RANGES.items()}
)


# A film takes too long to be shrunk.
bodies = settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def assert_sound(poses: Pose, rate: float = 25.0) -> None:
    np.testing.assert_allclose(np.linalg.norm(poses.rotations, axis=-1), 1.0, atol=1e-5)
    assert np.abs(poses.translation).max() < 0.03
    assert poses.face.min() >= 0.0
    assert poses.face.max() <= 1.0
    turned = np.degrees(angle_between(poses.rotations[:-1], poses.rotations[1:])) * rate
    eyes = [joint_index("eye.L"), joint_index("eye.R")]
    assert np.delete(turned, eyes, axis=1).max() < FASTEST_JOINT
    assert hand_gap(poses).min() > NARROWEST_GAP


@bodies
@given(_STYLES, st.integers(0, 2**40))
def test_any_style_stays_within_what_joints_do(style: StyleSpec, seed: int) -> None:
    mover = ProceduralMover(seed, style=style)
    mover.passage(passage(0.4, f"{ENGLISH} {ENGLISH}", SpokenAction("welcome", 1.5)))
    mover.posture("listening", 4.2)
    assert_sound(film(mover, np.arange(150) / 25.0))


@bodies
@given(_STYLES, _STYLES, st.integers(0, 2**40), st.floats(0.0, 4.0))
def test_a_style_changes_while_it_talks_without_a_jump(
    before: StyleSpec, after: StyleSpec, seed: int, at: float
) -> None:
    mover = ProceduralMover(seed, style=before)
    mover.passage(passage(0.4, f"{ENGLISH} {ENGLISH}"))
    when = round(at * 25.0) / 25.0
    poses = film(mover, np.arange(150) / 25.0, [(when, lambda mover: mover.restyle(after))])
    assert_sound(poses)


def test_a_changed_style_is_that_style_from_then_on() -> None:
    changed, lively = ProceduralMover(4), ProceduralMover(4, style=ready_style("lively"))
    events = [(2.0, lambda mover: mover.restyle(ready_style("lively")))]
    one = film(changed, np.arange(150) / 25.0, events)
    other = film(lively, np.arange(150) / 25.0)
    np.testing.assert_allclose(one.rotations[80:], other.rotations[80:], atol=1e-4)
    natural = film(ProceduralMover(4), np.arange(150) / 25.0)
    np.testing.assert_array_equal(one.rotations[:50], natural.rotations[:50])


def test_a_style_that_comes_in_mid_sentence_plans_the_strokes_to_come() -> None:
    calm = ready_style("calm").changed(gestures=0.2)
    mover = ProceduralMover(4, style=calm)
    for start in range(7):
        mover.passage(passage(0.5 + 3.3 * start, f"{ENGLISH} {ENGLISH}", seconds=0.055))
    poses = film(mover, TIMES, [(12.0, lambda mover: mover.restyle(ready_style("lively")))])
    before = Pose(poses.rotations[:300], poses.translation[:300], poses.face[:300])
    after = Pose(poses.rotations[300:], poses.translation[300:], poses.face[300:])
    assert path(after, WRISTS) > 2.5 * path(before, WRISTS)
