"""What stands already is told from what is to be done."""

import pytest

from avatar.editing.draft import Draft
from avatar.editing.grammar import read
from avatar.editing.standing import alike, stands
from avatar.spec import AvatarSpec, OrnamentSpec, SceneSpec, ready
from avatar.spec.scene import Plain, Stage
from avatar.words import palettes

MIA = ready("mia")


def so_already(said: str, who: AvatarSpec = MIA, scene: SceneSpec | None = None) -> list[bool]:
    """Return for each atom of an instruction whether it stands."""
    reading = read(said, who)
    assert reading.atoms, reading.refusal
    return [stands(atom, Draft(who, scene or SceneSpec())) for atom in reading.atoms]


def test_shades_of_a_colour_are_alike_and_words_are_not() -> None:
    assert alike(["#7a5232"], ["#7b5333"])
    assert not alike(["#7a5232"], ["#4b321f"])
    assert not alike(["darker"], ["darker"])
    assert not alike(["#7a5232"], [])


@pytest.mark.parametrize("said", ["darker hair", "more blush", "thinner brows", "longer hair"])
def test_steps_never_stand(said: str) -> None:
    assert so_already(said) == [False]


def test_clothes_stand_with_everything_said_of_them() -> None:
    red = MIA.outfit[1].changed(colour=palettes.CLOTH["red"])
    who = MIA.changed(outfit=(MIA.outfit[0], red, *MIA.outfit[2:]))
    assert so_already("make the blazer red", who) == [True]
    assert so_already("make the blazer red") == [False]
    assert so_already("wear a red blazer", who) == [True]
    assert so_already("wear a checked red blazer", who) == [False]
    assert so_already("make the blazer red and the trousers white", who) == [True, False]


def test_ornaments_hair_and_scenes_stand() -> None:
    who = MIA.changed(ornaments=(OrnamentSpec(kind="watch", colour="#1d1d20"),))
    assert so_already("put on a watch", who) == [True]
    assert so_already("put on a watch") == [False]
    assert so_already("give her a bob", MIA.changed(hair=MIA.hair.changed(style="bob"))) == [True]
    kitchen = SceneSpec(background=Stage(room="kitchen"))
    assert so_already("put her in a kitchen", scene=kitchen) == [True]
    assert so_already("put her in a kitchen") == [False]
    blue = SceneSpec(background=Plain(colour=palettes.CLOTH["blue"]))
    assert so_already("blue background", scene=blue) == [True]


def test_grey_strands_and_dyed_tips_hide_a_colour() -> None:
    black = palettes.worn_on("hair", "black", "")
    plain = MIA.changed(hair=MIA.hair.changed(colour=black, tip=""))
    assert so_already("black hair", plain) == [True]
    for hidden in ({"tip": "#7a4fc0"}, {"grey": 0.4}):
        who = plain.changed(hair=plain.hair.changed(**hidden))
        assert so_already("black hair", who) == [False]
