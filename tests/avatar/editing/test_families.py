"""Families of words: whatever is built like a known phrase is read like it."""

import pytest

from avatar.editing.comparatives import OPPOSITES, comparatives
from avatar.editing.grammar import read
from avatar.spec import AvatarSpec, OrnamentSpec, ready
from avatar.words import palettes
from tests.avatar.editing.test_grammar import MIA, atoms

BOUND = MIA.changed(hair=MIA.hair.changed(style="bun"))
SPECTACLED = MIA.changed(ornaments=(OrnamentSpec(kind="glasses"),))


@pytest.mark.parametrize(
    ("said", "target", "attribute", "value"),
    [
        ("the hair is too long", "hair", "length", "shorter"),
        ("the lips are a bit too pale", "lips", "colour", "darker"),
        ("头发有点长", "hair", "length", "shorter"),
        ("裤子再浅一点点", "trousers", "colour", "lighter"),
        ("腮红太重了", "blush", "amount", "less"),
        ("softer blush", "blush", "amount", "less"),
        ("妆容再浓些", "makeup", "amount", "more"),
        ("paler freckles", "freckles", "amount", "less"),
        ("turn the blush down", "blush", "amount", "less"),
        ("shinier lips", "gloss", "amount", "more"),
        ("a happier face", "smile", "amount", "more"),
        ("don't smile that much", "smile", "amount", "less"),
        ("turn the lights up", "light", "light", "brighter"),
        ("headshot of her face", "framing", "framing", "head"),
        ("shoulders up, please", "framing", "framing", "head"),
        ("zoom out", "framing", "framing", "farther"),
        ("the whole figure, top to toe", "framing", "framing", "full"),
        ("bring him into a store", "background", "place", "shop"),
        ("搬到厨房去", "background", "place", "kitchen"),
        ("go blonde", "hair", "colour", palettes.HAIR["blonde"]),
        ("染成蜜糖色", "hair", "colour", palettes.HAIR["honey"]),
        ("红发", "hair", "colour", palettes.HAIR["ginger"]),
    ],
)
def test_a_step_a_framing_a_place_a_colour(
    said: str, target: str, attribute: str, value: str
) -> None:
    assert [atom[1:] for atom in atoms(said)] == [(target, attribute, value)]


def test_an_adjective_gives_a_step_and_a_complaint_its_opposite() -> None:
    made = dict(comparatives({"darker": ["dim", "暗"], "smile more": ["开心"]}))
    assert (made["more dim"], made["再暗一点"]) == ("darker", "darker")
    assert (made["too dim"], made["太暗"]) == ("lighter", "lighter")
    assert (made["更开心"], made["太开心"]) == ("smile more", "smile less")
    assert set(OPPOSITES.values()) <= set(OPPOSITES)


@pytest.mark.parametrize(
    ("said", "who", "style"),
    [
        ("wear her hair loose", BOUND, "long"),
        ("头发披下来", BOUND, "long"),
        ("pull the hair back", MIA, "ponytail"),
        ("把头发盘起来", MIA, "bun"),
        ("pin her hair up", MIA, "bun"),
        ("untie the hair", MIA, MIA.hair.style),
    ],
)
def test_hair_is_tied_or_falls_from_what_it_is(said: str, who: AvatarSpec, style: str) -> None:
    assert atoms(said, who) == [("replace", "hair", "style", style)]


@pytest.mark.parametrize(
    "said", ["swap her glasses for round ones", "眼镜换成圆形的", "round frames please"]
)
def test_a_shape_says_which_glasses(said: str) -> None:
    ((_, _, attribute, value),) = atoms(said, SPECTACLED)
    assert (attribute, value) == ("kind", "round_glasses")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("put on a round watch", "'round'"),
        ("a loose shirt", "'loose'"),
        ("the skirt is too short", "skirt cannot be made longer"),
        ("don't make the blazer red", "how it should be"),
        ("we're selling lingerie today", "unclothed"),
        ("remove the stripes", "nothing with stripes"),
        ("move to a library", ""),
    ],
)
def test_what_does_not_fit_is_not_passed_over(said: str, why: str) -> None:
    reading = read(said, MIA)
    if why:
        assert why in reading.refusal
    else:
        assert [atom.value for atom in reading.atoms] == ["elsewhere"]


def test_each_of_two_things_has_its_own_colour() -> None:
    assert [atom[1:] for atom in atoms("black hair with blue tips")] == [
        ("hair", "colour", palettes.HAIR["black"]),
        ("tips", "colour", palettes.HAIR["blue"]),
    ]
    assert [atom[1] for atom in atoms("green trousers with a pink blazer")] == [
        "trousers", "blazer",
    ]  # fmt: skip
    # Dots are no thing of their own.
    assert {atom[1] for atom in atoms("a navy blazer with white dots")} == {"blazer"}


def test_a_pattern_goes_and_what_has_it_stays() -> None:
    plain = ("recolor", "blazer", "pattern", "plain")
    assert atoms("remove the dots from the blazer") == [plain]
    assert atoms("去掉西装的条纹") == [plain]
    assert atoms("take off the dotted blazer") == [("remove", "blazer", "kind", "")]
    dotted = MIA.changed(
        outfit=tuple(p.changed(pattern="dots") if p.garment == "blazer" else p for p in MIA.outfit)
    )
    assert atoms("lose the dots", dotted) == [plain]


def test_what_is_sold_is_no_wish_and_a_colon_no_caption() -> None:
    said = "We're promoting skirts: make the trousers white"
    assert [atom[1] for atom in atoms(said)] == ["trousers"]
    assert atoms("商品卡：“红茶”，¥20")[0][:2] == ("text", "card")


def test_what_tells_where_something_is_stays_as_it_is() -> None:
    for said in ("a white blouse under the blazer", "西装里面换成白色的罩衫"):
        assert [atom[:2] for atom in atoms(said)] == [("replace", "blouse")]
    assert atoms("out of the shop and into the kitchen")[0][3] == "kitchen"
    assert [atom[:2] for atom in atoms("glasses off, watch on", SPECTACLED)] == [
        ("remove", "glasses"),
        ("add", "watch"),
    ]


def test_the_cut_stays_where_the_colour_changes_and_the_other_way_round() -> None:
    assert atoms("keep the haircut but dye the hair black")[0][2] == "colour"
    assert atoms("剪短发，头发颜色不变") == [("replace", "hair", "length", "short")]
    assert "both changed and kept" in read("dye the hair black, keep the hair colour", MIA).refusal
    assert read("red blazer, keep the haircut", MIA).atoms[0].preserve == ("hair",)


def test_a_colour_before_a_pattern_is_the_patterns() -> None:
    atom = read("add thin pink stripes to the trousers", MIA).atoms[0]
    assert (atom.target, atom.attribute, atom.value) == ("trousers", "pattern", "pinstripes")
    assert atom.extra("second") == palettes.CLOTH["pink"]


def test_all_clothes_take_one_colour() -> None:
    assert atoms("衣服换成黑色") == [("recolor", "outfit", "colour", palettes.CLOTH["black"])]


def test_a_complaint_and_its_wish_are_one_step() -> None:
    assert atoms("西装太暗了，亮一点") == [("recolor", "blazer", "colour", "lighter")]


def test_what_was_named_before_is_changed_and_not_put_on_anew() -> None:
    assert atoms("the blazer is nice, add stripes") == [("recolor", "blazer", "pattern", "stripes")]


@pytest.mark.parametrize("host", ["mia", "leo"])
def test_makeup_down_is_less_for_every_host(host: str) -> None:
    assert [a[1:] for a in atoms("tone the eye makeup down", ready(host))] == [
        ("makeup", "amount", "less")
    ]
