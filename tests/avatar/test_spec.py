"""Specs refuse what they do not accept."""

import pytest

from avatar.errors import AvatarValueError
from avatar.spec import AvatarSpec, SceneSpec


def test_the_defaults_are_accepted() -> None:
    assert AvatarSpec().name == "mia"
    assert SceneSpec().framing == "half"


def test_an_unknown_name_framing_or_colour_is_named() -> None:
    with pytest.raises(AvatarValueError, match="'tom'; accepted: mia"):
        AvatarSpec("tom")
    with pytest.raises(AvatarValueError, match="'feet'; accepted: head, half"):
        SceneSpec(framing="feet")
    with pytest.raises(AvatarValueError, match=r"SceneSpec\.top is \(0, 0, 256\)"):
        SceneSpec(top=(0, 0, 256))
