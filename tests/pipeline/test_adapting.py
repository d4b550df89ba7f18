"""Own scenes and styles are made of stored ones."""

from pathlib import Path

import pytest

from avatar.spec import SceneSpec, ready_scene
from avatar.spec.scene import AnyBackground, Gradient, Plain, ProductCard, Stage
from motion.style import ready_style
from pipeline.adapting import adapt
from pipeline.errors import ConfigurationError
from pipeline.library import scenes, styles


def test_a_scene_is_changed_part_by_part(tmp_path: Path) -> None:
    library = scenes(tmp_path)
    changes = {
        "background.room": "kitchen",
        "card.name": "Tea",
        "card.price": '"12.90"',
        "framing": "full",
        "mark": "false",
    }
    made = adapt(library, "shop", "mine", changes)
    assert scenes(tmp_path).get("mine") == made
    wanted = ready_scene("shop").changed(
        name="mine",
        background=Stage(room="kitchen"),
        card=ProductCard(name="Tea", price="12.90"),
        framing="full",
        mark=False,
    )
    assert made == wanted
    adapt(library, "mine", "mine", {"card": "null"})
    assert library.get("mine") == wanted.changed(card=None)


@pytest.mark.parametrize(
    ("changes", "background"),
    [
        ({"background.room": "kitchen", "background.blur": "0"}, Stage(room="kitchen", blur=0.0)),
        ({"background.colour": "#00ff00"}, Plain(colour="#00ff00")),
        ({"background.top": "#101010", "background.glow": "0"}, Gradient(top="#101010", glow=0.0)),
    ],
)
def test_a_field_of_another_background_asks_for_that_one(
    tmp_path: Path, changes: dict[str, str], background: AnyBackground
) -> None:
    for base in ("studio", "shop", "plain_white"):
        made = adapt(scenes(tmp_path), base, f"from-{base}", changes)
        assert isinstance(made, SceneSpec)
        assert type(made.background) is type(background)
    assert adapt(scenes(tmp_path), "green_screen", "mine", changes) == ready_scene(
        "green_screen"
    ).changed(name="mine", background=background)


def test_an_own_document_goes_only_when_told(tmp_path: Path) -> None:
    library = styles(tmp_path)
    adapt(library, "lively", "brisk", {"tempo": "1.3"})
    with pytest.raises(ConfigurationError, match="'brisk' is taken; accepted: another name"):
        adapt(library, "calm", "brisk", {})
    assert library.get("brisk").tempo == 1.3
    adapt(library, "calm", "brisk", {}, replace=True)
    assert library.get("brisk") == ready_style("calm").changed(name="brisk")
    assert library.unused("brisk") == "brisk-2"
    assert library.unused("new") == "new"


def test_a_style_is_changed_and_without_changes_copied(tmp_path: Path) -> None:
    library = styles(tmp_path)
    adapt(library, "lively", "brisk", {"tempo": "1.3"})
    assert library.get("brisk") == ready_style("lively").changed(name="brisk", tempo=1.3)
    adapt(library, "brisk", "brisk-2", {})
    assert library.get("brisk-2") == library.get("brisk").changed(name="brisk-2")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tempo": "9"}, r"StyleSpec\.tempo: 9; accepted: 0\.7 to 1\.3"),
        ({"tempo": "fast"}, r"StyleSpec\.tempo: 'fast'"),
        ({"speed": "1"}, "there is no such field"),
        ({"name.first": "x"}, "name has no parts"),
    ],
)
def test_what_is_not_accepted_is_named_and_nothing_is_kept(
    tmp_path: Path, changes: dict[str, str], message: str
) -> None:
    library = styles(tmp_path)
    with pytest.raises(ConfigurationError, match=message):
        adapt(library, "calm", "wrong", changes)
    assert "wrong" not in library.names


def test_ready_names_and_bad_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'calm' comes ready"):
        adapt(styles(tmp_path), "lively", "calm", {})
    with pytest.raises(ConfigurationError, match=r"\.\./x"):
        adapt(scenes(tmp_path), "shop", "../x", {})
