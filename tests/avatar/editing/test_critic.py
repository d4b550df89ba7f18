"""What counts as changed and as kept where one edit stands in the light of another."""

import numpy as np
import pytest

from avatar.editing.atoms import PART_INDEX
from avatar.editing.critic import Critic, Score
from avatar.editing.draft import Draft
from avatar.editing.grammar import read
from avatar.editing.standing import untouched
from avatar.renderer.base import Size
from avatar.spec import AvatarSpec, OrnamentSpec, SceneSpec, ready
from avatar.words import palettes
from motion.pose import Pose
from tests.avatar.editing.doll import Doll, Picture

MIA = ready("mia")
SMALL = Size(180, 320)
RINGED = MIA.changed(hair=MIA.hair.changed(style="pixie"), ornaments=(OrnamentSpec(kind="hoops"),))
BARE = tuple(piece for piece in MIA.outfit if piece.garment != "blazer")
PLAIN = Draft(RINGED, SceneSpec())


class Shady(Doll):
    """A doll whose long hair shades the ears, and whose short hair shines."""

    def draw(self, spec: AvatarSpec, scene: SceneSpec, pose: Pose, size: Size) -> Picture:
        rgb, parts = super().draw(spec, scene, pose, size)
        shade = np.ones(parts.shape)
        if spec.hair.style == "ponytail":
            shade[parts == PART_INDEX["ears"]] = 0.5
        if spec.hair.style == "pixie":
            shade[parts == PART_INDEX["hair"]] = 2.5
        lit = np.clip(rgb * shade[..., None], 0.0, 255.0)
        return lit.astype(np.uint8), parts


def score(said: str, start: Draft, after: Draft) -> Score:
    """Return what the critic makes of one draft, drawn by the shady doll."""
    wanted = read(said, start.who).atoms
    return Critic(Shady(), start, wanted, Pose.rest(), SMALL).score(after)


def test_a_shadow_on_what_is_worn_as_before_does_not_change_it() -> None:
    tail = PLAIN.with_part("hair", style="ponytail")
    assert score("longer hair but keep the hoops", PLAIN, tail).kept.preserved == 1.0
    blue = tail.with_who(ornaments=(OrnamentSpec(kind="hoops", colour="#2457b0"),))
    assert score("longer hair but keep the hoops", PLAIN, blue).kept.preserved < 0.5


def test_what_is_worn_as_before_can_still_be_hidden() -> None:
    loose = PLAIN.with_part("hair", style="long")
    assert score("longer hair but keep the hoops", PLAIN, loose).kept.preserved < 0.5


def test_cut_hair_is_as_dark_as_it_was_dyed_and_not_as_it_is_lit() -> None:
    start = PLAIN.with_part("hair", style="bob", colour="#5a4030", tip="")
    said = "make the hair shorter and darker"
    shorter = start.with_part("hair", style="pixie")
    length, same = score(said, start, shorter).changes
    assert length > 0.5
    assert same == 0.0
    dyed = shorter.with_part("hair", colour="#2b1d15")
    assert score(said, start, dyed).changes[1] > 0.3


def test_dyed_tips_are_no_part_of_the_hairs_own_colour() -> None:
    said = "blonde hair with purple tips"
    long = PLAIN.with_part("hair", style="long", tip="")
    both = long.with_part("hair", colour=palettes.HAIR["blonde"], tip=palettes.HAIR["purple"])
    alone = long.with_part("hair", colour=palettes.HAIR["blonde"])
    assert score(said, long, both).changes[0] == score("blonde hair", long, alone).changes[0] > 0.5
    assert score(said, long, both).changes[1] > 0.5
    assert score(said, long, alone).changes[1] < 0.3


@pytest.mark.parametrize(
    ("target", "values", "left"),
    [
        ("hoops", {"ornaments": ()}, False),
        ("hoops", {"outfit": BARE}, True),
        ("blazer", {"outfit": BARE}, False),
        ("hair", {"hair": RINGED.hair.changed(length=1.2)}, False),
        ("lips", {"hair": RINGED.hair.changed(length=1.2)}, True),
        ("smile", {"body": MIA.body.changed(face=())}, False),
    ],
)
def test_what_has_all_its_values_is_untouched(
    target: str, values: dict[str, object], left: bool
) -> None:
    assert untouched(target, PLAIN, PLAIN.with_who(**values)) is left
    assert untouched(target, PLAIN, PLAIN)
    assert not untouched("background", PLAIN, PLAIN)
