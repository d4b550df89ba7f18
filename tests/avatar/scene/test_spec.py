"""Scenes as documents."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from avatar.errors import AvatarValueError
from avatar.spec import SCENES, SceneSpec, ready_scene
from avatar.spec.scene import (
    MOVES,
    ROOMS,
    AnyBackground,
    Film,
    Gradient,
    Light,
    Move,
    Plain,
    ProductCard,
    Stage,
    Still,
)

_COLOURS = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")
_SHARES = st.floats(0.0, 1.0)
_BACKGROUNDS: st.SearchStrategy[AnyBackground] = st.one_of(
    st.builds(lambda c: Plain(colour=c), _COLOURS),
    st.builds(lambda a, b, g: Gradient(top=a, bottom=b, glow=g), _COLOURS, _COLOURS, _SHARES),
    st.builds(lambda b: Still(source="a.jpg", blur=b), _SHARES),
    st.just(Film(source="a.mp4")),
    st.builds(lambda r, c: Stage(room=r, wall=c), st.sampled_from(ROOMS), _COLOURS),
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(_BACKGROUNDS, st.sampled_from(MOVES), st.booleans(), st.text("ab 好，", max_size=30))
def test_a_scene_comes_back_from_json_and_pickle(
    background: AnyBackground, move: Move, mark: bool, caption: str
) -> None:
    scene = SceneSpec(background=background, move=move, mark=mark, caption=caption)
    assert SceneSpec.from_json(scene.to_json()) == scene
    assert pickle.loads(pickle.dumps(scene)) == scene  # noqa: S301
    assert hash(SceneSpec.from_json(scene.to_json())) == hash(scene)


@pytest.mark.parametrize("version", [1, 2])
def test_a_gradient_of_an_older_version_is_still_that_gradient(version: int) -> None:
    content = {"version": version, "name": "old", "top": "#102030", "framing": "head"}
    scene = SceneSpec.from_mapping(content)
    assert scene.background == Gradient(top="#102030")
    assert (scene.name, scene.framing, scene.mark) == ("old", "head", True)


def test_the_colours_of_version_two_are_no_fields_of_version_three() -> None:
    with pytest.raises(AvatarValueError, match=r"SceneSpec\.top: '#102030'; there is no such"):
        SceneSpec.from_mapping({"version": 3, "top": "#102030"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"background": {"type": "stage", "room": "moon"}}, "room: 'moon'; accepted: .*'shop'"),
        ({"background": {"type": "sea"}}, "accepted: .*'gradient'"),
        ({"background": {"type": "picture", "source": " "}}, "source: ' '; accepted: the path"),
        ({"light": {"intensity": 9.0}}, r"light\.intensity: 9\.0; accepted: .*1\.5"),
        ({"card": {"name": "", "price": "1"}}, "card.name: ''"),
        ({"caption": "two\nlines"}, "accepted: text without control characters"),
        ({"move": "jump"}, "'jump'; accepted: .*'still'"),
    ],
)
def test_a_fault_names_field_value_and_what_is_accepted(
    content: dict[str, object], message: str
) -> None:
    with pytest.raises(AvatarValueError, match=message):
        SceneSpec.from_mapping(content)


def test_the_mark_is_on_unless_it_is_switched_off() -> None:
    assert all(ready_scene(name).mark for name in SCENES)
    assert not SceneSpec.from_mapping({"mark": False}).mark


def test_there_are_ready_scenes_that_differ() -> None:
    scenes = [ready_scene(name) for name in SCENES]
    assert [scene.name for scene in scenes] == list(SCENES)
    assert len({(scene.background, scene.light) for scene in scenes}) == len(SCENES) >= 6
    assert all(len(scene.to_json()) < 1000 for scene in scenes)
    with pytest.raises(AvatarValueError, match="unknown scene 'moon'; accepted: studio"):
        ready_scene("moon")


def test_parts_are_values() -> None:
    assert Light() == Light(preset="neutral")
    assert ProductCard(name="a", price="1") != ProductCard(name="a", price="2")
