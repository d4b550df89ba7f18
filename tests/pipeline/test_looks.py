"""Who, where and how: found by name before a session opens, changed by name while it lasts."""

from pathlib import Path

import pytest

from avatar.spec import ready, ready_scene
from motion.style import STYLES, ready_style
from pipeline.configuration import PictureSettings
from pipeline.errors import ConfigurationError
from pipeline.library import avatars, scenes, styles
from pipeline.looks import Looks
from pipeline.options import SessionOptions, VideoFormat
from pipeline.prepared import still_path
from tests.fakes.room import Room


def test_styles_are_stored_listed_and_copied(tmp_path: Path) -> None:
    library = styles(tmp_path)
    assert library.names == STYLES
    library.copy("lively", "livelier")
    library.keep(library.get("livelier").changed(gestures=1.6))
    assert styles(tmp_path).names == (*STYLES, "livelier")
    assert styles(tmp_path).get("livelier") == ready_style("lively").changed(
        name="livelier", gestures=1.6
    )
    with pytest.raises(ConfigurationError, match=r"StyleSpec\.name: 'x/y'; accepted: 1 to 40"):
        library.copy("calm", "x/y")
    library.keep(ready_style("calm").changed(name="odd")).write_text('{"tempo": 7}')
    with pytest.raises(ConfigurationError, match=r"odd\.json: StyleSpec\.tempo: 7; accepted"):
        library.get("odd")


def test_any_identity_goes_with_any_scene_and_style(tmp_path: Path) -> None:
    avatars(tmp_path).copy("lin", "mei")
    scenes(tmp_path).keep(ready_scene("shop").changed(name="mine", framing="full"))
    looks = Looks(tmp_path)
    look = looks.look(SessionOptions(avatar="mei", scene="mine", style="playful"))
    assert look.avatar.digest() == ready("lin").digest()
    assert look.scene.framing == "full"
    assert look.style == ready_style("playful")
    near = looks.look(SessionOptions(avatar="leo", scene="mine", framing="head"))
    assert near.scene == look.scene.changed(framing="head")


def test_nobody_wishes_and_the_configuration_decides(tmp_path: Path) -> None:
    looks = Looks(tmp_path, PictureSettings(avatar="kofi", scene="evening", style="calm"))
    options = looks.completed(SessionOptions())
    assert (options.avatar, options.scene, options.style) == ("kofi", "evening", "calm")
    assert options.framing == "half"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SessionOptions(avatar="nobody"), "avatar is 'nobody'; accepted: mia, leo"),
        (SessionOptions(scene="moon"), "scene is 'moon'; accepted: studio, shop"),
        (SessionOptions(style="wild"), "style is 'wild'; accepted: natural, calm"),
        (
            SessionOptions(scene_changes={"card": {"name": "Tea"}}),
            r"SceneSpec\.card\.price: .*; accepted: field required",
        ),
        (SessionOptions(scene_changes={"hat": 1}), r"SceneSpec\.hat: 1; there is no such field"),
        (SessionOptions(scene_changes={"name": "x"}), "scene.name: cannot be changed"),
        (
            SessionOptions(scene_changes={"logo": "/etc/passwd"}),
            "'/etc/passwd'; accepted: pictures and videos of stored scenes",
        ),
        (
            SessionOptions(scene_changes={"background": {"type": "video", "source": "../a.mp4"}}),
            r"'\.\./a\.mp4'; accepted",
        ),
    ],
)
def test_what_cannot_be_is_named(tmp_path: Path, options: SessionOptions, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Looks(tmp_path).look(options)


def test_a_framing_nobody_knows_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="framing is 'feet'; accepted: head, half, full"):
        SessionOptions(framing="feet")  # type: ignore[arg-type]


def test_pictures_of_stored_scenes_may_stay(tmp_path: Path) -> None:
    scenes(tmp_path).keep(ready_scene("shop").changed(name="mine", logo="/srv/logo.png"))
    options = SessionOptions(scene="mine", scene_changes={"caption": "Hello"})
    assert Looks(tmp_path).look(options).scene.logo == "/srv/logo.png"


def test_who_is_drawn_must_have_been_prepared(tmp_path: Path) -> None:
    looks = Looks(tmp_path, drawn=True)
    looks.look(SessionOptions())  # sound alone
    with pytest.raises(ConfigurationError, match="'mia' has not been prepared; run: vivant models"):
        looks.look(SessionOptions(video=VideoFormat()))


def test_a_still_is_found_where_it_was_made(tmp_path: Path) -> None:
    looks = Looks(tmp_path)
    assert looks.still("mia") is None
    path = still_path(ready("mia"), tmp_path)
    path.parent.mkdir()
    path.write_bytes(b"jpeg")
    assert looks.still("mia") == path
    with pytest.raises(ConfigurationError, match="'nobody'"):
        looks.still("nobody")


async def test_a_session_that_lasts_changes_scene_and_style_but_not_who(room: Room) -> None:
    session = room.session
    assert (session.options.avatar, session.options.style) == ("mia", "natural")
    session.update(SessionOptions(scene="shop", style="lively"))
    assert (session.options.scene, session.options.style) == ("shop", "lively")
    with pytest.raises(ConfigurationError, match="avatar is 'leo'; accepted: 'mia' until"):
        session.update(SessionOptions(avatar="leo", scene="kitchen"))
    with pytest.raises(ConfigurationError, match="'wild'"):
        session.update(SessionOptions(style="wild", scene="kitchen"))
    assert (session.options.scene, session.options.style) == ("shop", "lively")
