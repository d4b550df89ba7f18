"""One vocabulary: what is said when a host is made means the same when it is edited."""

import pytest

from avatar.creation.sentence import from_sentence
from avatar.editing.edit import one_shot
from avatar.editing.grammar import read
from avatar.spec import SceneSpec, ready
from avatar.words import palettes
from avatar.words.looks import looks

MIA = ready("mia")


@pytest.mark.parametrize("kind", looks())
def test_no_phrase_of_a_kind_means_two_things(kind: str) -> None:
    said = [phrase for phrases in looks()[kind].values() for phrase in phrases]
    assert len(said) == len(set(said))


def test_every_colour_has_a_cloth() -> None:
    assert set(looks()["colour"]) == set(palettes.CLOTH)


@pytest.mark.parametrize("name", looks()["colour"])
@pytest.mark.parametrize("shade", ["", "light ", "dark "])
def test_a_blazer_has_one_colour_however_it_came_about(name: str, shade: str) -> None:
    said = f"{shade}{looks()['colour'][name][0]} blazer"
    made = from_sentence(f"a woman in a {said}").spec.piece("blazer")
    edited = one_shot(MIA, SceneSpec(), f"a {said}").spec.piece("blazer")
    assert made is not None
    assert edited is not None
    assert made.colour == edited.colour


@pytest.mark.parametrize("name", [name for name in looks()["colour"] if name in palettes.HAIR])
def test_hair_has_one_colour(name: str) -> None:
    said = looks()["colour"][name][-1]
    made = from_sentence(f"{said}头发的女人").spec.hair.colour
    assert one_shot(MIA, SceneSpec(), f"头发染成{said}").spec.hair.colour == made


@pytest.mark.parametrize("name", ["blue", "green", "brown", "grey"])
def test_eyes_have_one_pair_of_colours(name: str) -> None:
    made = from_sentence(f"a woman with {name} eyes").spec.eyes
    atom = read(f"give her {name} eyes", MIA).atoms[0]
    assert (palettes.rim(atom.value), atom.value) == (made.outer, made.inner)


@pytest.mark.parametrize("name", ["red", "coral", "burgundy"])
def test_lips_have_one_colour(name: str) -> None:
    made = from_sentence(f"a woman with {name} lips").spec.lips.colour
    assert one_shot(MIA, SceneSpec(), f"make the lips {name}").spec.lips.colour == made
