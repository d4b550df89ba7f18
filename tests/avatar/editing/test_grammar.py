"""What instructions mean, in English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avatar.editing.atoms import Atom
from avatar.editing.bench import items
from avatar.editing.grammar import read
from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec, OrnamentSpec, ready
from avatar.words import palettes

MIA = ready("mia")


def atoms(instruction: str, who: AvatarSpec = MIA) -> list[tuple[str, str, str, str]]:
    """Return (op, target, attribute, value) of what was read, which must not be a refusal."""
    reading = read(instruction, who)
    assert not reading.refusal, reading.refusal
    return [(atom.op, atom.target, atom.attribute, atom.value) for atom in reading.atoms]


def only(instruction: str) -> Atom:
    """Return the one atom of an instruction."""
    (atom,) = read(instruction, MIA).atoms
    return atom


@pytest.mark.parametrize("said", ["Change the blazer to red", "把西装改成红色", "西装换成红色"])
def test_both_languages_mean_the_same(said: str) -> None:
    assert atoms(said) == [("recolor", "blazer", "colour", palettes.CLOTH["red"])]
    assert only(said).region == ("outer",)


def test_several_atoms_in_one_sentence() -> None:
    assert atoms("换成围裙，背景换成厨房") == [
        ("replace", "apron", "kind", "apron"),
        ("background", "background", "place", "kitchen"),
    ]
    assert [a[1] for a in atoms("remove the glasses and make the lips darker")] == [
        "glasses", "lips",
    ]  # fmt: skip


def test_targets_share_a_value_and_a_target_shares_values() -> None:
    assert [a[1:] for a in atoms("make the blazer and the trousers black")] == [
        ("blazer", "colour", palettes.CLOTH["black"]),
        ("trousers", "colour", palettes.CLOTH["black"]),
    ]
    assert [a[2:] for a in atoms("make the hair shorter and darker")] == [
        ("length", "shorter"),
        ("colour", "darker"),
    ]


def test_what_is_kept_goes_with_every_atom() -> None:
    reading = read("shorter hair and a red blazer, but keep the glasses", MIA)
    assert [atom.preserve for atom in reading.atoms] == [("glasses",), ("glasses",)]
    assert only("西装改成绿色，眼镜和头发不变").preserve == ("glasses", "hair")
    assert only("make the blazer green without changing the hair").preserve == ("hair",)


def test_a_thing_is_added_with_its_properties() -> None:
    atom = only("put on a red and white striped shirt")
    assert (atom.op, atom.value) == ("replace", "shirt")
    assert atom.extra("colour") == palettes.CLOTH["red"]
    assert atom.extra("second") == palettes.CLOTH["white"]
    assert atom.extra("pattern") == "stripes"
    assert only("把西装换成红色的卫衣").region == ("outer", "upper")


@pytest.mark.parametrize("said", ["a red sweater instead of the blazer", "blazer to red sweater"])
def test_one_thing_instead_of_another(said: str) -> None:
    assert atoms(said) == [("replace", "blazer", "kind", "sweater")]
    assert only(said).extra("colour") == palettes.CLOTH["red"]


def test_texts_are_taken_as_they_are_written() -> None:
    atom = only('add a product card "Green & Blue" price $29.90, was $39.90')
    assert (atom.value, atom.extra("price"), atom.extra("was")) == (
        "Green & Blue", "$29.90", "$39.90",
    )  # fmt: skip
    assert only("字幕：今天全场八折").value == "今天全场八折"


def test_degrees() -> None:
    assert only("make the blazer a bit lighter").degree == "little"
    assert only("背景调暗一点").degree == "little" or only("背景调暗一点").value == "darker"
    assert only("make the hair much longer").degree == "much"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("undress her", "unclothed"),
        ("脱光", "unclothed"),
        ("a see-through blouse", "unclothed"),
        ("make the helmet blue", "'helmet'"),
        ("make the blazer red and the blazer blue", "two different"),
        ("longer hair and shorter hair", "two different"),
        ("remove the glasses but keep the glasses", "both changed and kept"),
        ("add round glasses but keep the glasses", "both changed and kept"),
        ("make her younger", "another person"),
        ("hello", "'hello'"),
        ("make the trousers shorter", "cannot be made shorter"),
        ("remove the watermark", "mark"),
        ("caption", "words of the caption"),
        ("make him bald", "'bald' is nothing"),
        ("让他变光头", "'光头' is nothing"),
        ("give him a long beard", "length of stubble"),
    ],
)
def test_refusals_say_why(said: str, why: str) -> None:
    reading = read(said, MIA)
    assert reading.atoms == ()
    assert why in reading.refusal


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("add a beard", ("beard is shown as stubble",)),
        ("加上胡子", ("胡子 is shown as stubble",)),
        ("add stubble", ()),
        ("remove the beard", ()),
        ("a red blazer, keep the beard", ()),
    ],
)
def test_what_is_shown_as_something_like_it_is_told(said: str, told: tuple[str, ...]) -> None:
    reading = read(said, ready("leo"))
    assert not reading.refusal
    assert reading.nearest == told


def test_what_is_worn_decides_between_adding_and_colouring() -> None:
    assert atoms("a red blazer") == [("recolor", "blazer", "colour", palettes.CLOTH["red"])]
    assert atoms("a red hoodie")[0][:2] == ("replace", "hoodie")
    worn = MIA.changed(ornaments=(OrnamentSpec(kind="glasses"),))
    assert atoms("red glasses", worn) == [("recolor", "glasses", "colour", palettes.CLOTH["red"])]
    assert atoms("red glasses")[0][:2] == ("add", "glasses")


@pytest.mark.parametrize("said", ["", "   ", "x" * 401])
def test_length_of_an_instruction(said: str) -> None:
    with pytest.raises(AvatarValueError, match="characters"):
        read(said, MIA)


@given(st.text(min_size=1, max_size=120).filter(str.strip))
def test_any_text_is_read_or_refused(said: str) -> None:
    reading = read(said, MIA)
    assert bool(reading.atoms) != bool(reading.refusal)


@given(
    st.lists(st.sampled_from([item.say for item in items()]), min_size=1, max_size=4),
    st.integers(0, 3),
)
def test_sentences_in_any_order_are_read_or_refused(parts: list[str], cut: int) -> None:
    said = ", ".join(parts)[cut:400]
    reading = read(said, MIA)
    assert bool(reading.atoms) != bool(reading.refusal)
