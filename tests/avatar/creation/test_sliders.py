"""Named values change an identity; wrong ones are named."""

import pytest

from avatar.creation.sliders import FRIENDLY, from_sliders
from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec, ready


def test_dotted_fields_change_only_what_they_name() -> None:
    base = AvatarSpec()
    spec = from_sliders(
        base,
        {
            "body.age": 0.8,
            "hair.style": "bob",
            "skin.colour": "#AA7755",
            "outfit.upper.colour": "#112233",
            "body.changes.eye-scale-incr": "0.5",
            "body.face.smile": 0.3,
        },
    )
    assert (spec.body.age, spec.hair.style, spec.skin.colour) == (0.8, "bob", "#aa7755")
    upper = spec.piece("upper")
    assert upper is not None
    assert (upper.colour, upper.garment) == ("#112233", "t_shirt")
    assert dict(spec.body.changes) == {"eye-scale-incr": 0.5}
    assert dict(spec.body.face) == {"mouthSmileLeft": 0.3, "mouthSmileRight": 0.3}
    assert (spec.eyes, spec.lips, spec.piece("lower")) == (
        base.eyes,
        base.lips,
        base.piece("lower"),
    )


def test_garments_and_ornaments_are_put_on_and_taken_off() -> None:
    spec = from_sliders(
        ready("mia"), {"outfit.over": "apron", "outfit.outer": "none", "ornaments.eyes": "glasses"}
    )
    assert spec.piece("apron") is not None
    assert spec.piece("outer") is None
    assert [o.kind for o in spec.ornaments] == ["glasses"]
    again = from_sliders(spec, {"ornaments.eyes": "none", "outfit.over.colour": "#2f7d4f"})
    apron = again.piece("apron")
    assert again.ornaments == ()
    assert apron is not None
    assert apron.colour == "#2f7d4f"


def test_a_dress_takes_the_place_of_what_is_on_the_legs() -> None:
    spec = from_sliders(AvatarSpec(), {"top": "dress"})
    assert spec.piece("dress") is not None
    assert spec.piece("lower") is None


def test_every_friendly_name_means_a_field() -> None:
    colours = ("eyes", "eye_colour", "skin", "brows", "lips", "nails")
    values: dict[str, str | float] = {"hair": "bob", "top": "shirt", "voice": "zf_xiaoyi"}
    values |= dict.fromkeys(colours, "#334455")
    for name, field in FRIENDLY.items():
        value = values.get(name, "#334455" if "colour" in field else 0.7)
        spec = from_sliders(AvatarSpec(), {name: value})
        assert spec != AvatarSpec(), name


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("body.age", 3.0, r"BodySpec.age: 3.0; accepted: .*less than or equal to 1"),
        ("body.age", "old", r"BodySpec.age: 'old'; accepted: a number"),
        ("body.wings", 1.0, r"body.wings: 'wings'; accepted: .*weight"),
        ("wings", 1.0, r"wings: 'wings'; accepted: .*body"),
        ("body.changes.eye-big", 0.5, r"body.changes.eye-big: 'eye-big'; accepted: .*eye-"),
        ("hair.style", "mohawk", r"HairSpec.style: 'mohawk'; accepted: .*'bob'"),
        ("skin.colour", "red", r"SkinSpec.colour: 'red'; accepted: \"#rrggbb\""),
        ("outfit.head", "hat", r"outfit.head: 'head'; accepted: .*upper"),
        ("outfit.upper", "skirt", r"outfit.upper: 'skirt'; accepted: .*shirt"),
        ("outfit.over.colour", "#112233", r"accepted once 'over' is worn"),
        ("outfit.lower", "none", r"accepted: an outfit that covers the body"),
        ("ornaments.wrist", "glasses", r"'glasses'; it is worn at 'eyes'"),
        ("name.first.second", 1.0, r"there is no such field"),
    ],
)
def test_wrong_values_are_named(name: str, value: str | float, said: str) -> None:
    with pytest.raises(AvatarValueError, match=said):
        from_sliders(AvatarSpec(), {name: value})
