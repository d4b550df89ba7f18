"""The loop: candidates, the critic's choice, refusals, and the set of instructions."""

import pytest

from avatar.editing.bench import evaluate, items
from avatar.editing.edit import edit, one_shot
from avatar.errors import AvatarValueError
from avatar.renderer.base import Size
from avatar.spec import HOSTS, AvatarSpec, OrnamentSpec, SceneSpec, ready
from avatar.words import palettes
from tests.avatar.editing.doll import Doll

MIA = ready("mia")
SCENE = SceneSpec()
RED = palettes.CLOTH["red"]


def test_an_edit_changes_what_was_asked_and_nothing_else(doll: Doll) -> None:
    result = edit(MIA, SCENE, "Change the blazer to red", doll)
    assert not result.refused
    changed = result.spec.piece("blazer")
    assert changed is not None
    assert changed.colour == palettes.CLOTH["red"]
    left = [piece for piece in result.spec.outfit if piece.garment != "blazer"]
    assert left == [piece for piece in MIA.outfit if piece.garment != "blazer"]
    assert result.spec.body == MIA.body
    assert result.scene == SCENE
    assert result.spec.provenance.source == "edit"


def test_the_reward_is_of_change_and_of_what_was_kept(doll: Doll) -> None:
    result = edit(MIA, SCENE, "Change the blazer to red", doll)
    for score in result.scores:
        whole = 0.6 * sum(score.changes) / len(score.changes) + 0.4 * score.kept.value
        assert score.reward == pytest.approx(whole)
    assert result.reward >= max(score.reward for score in result.scores) - 0.02


def test_a_beard_is_shown_as_stubble_and_that_is_told(doll: Doll) -> None:
    result = edit(ready("leo"), SCENE, "add a beard", doll)
    assert not result.refused, result.why
    assert result.spec.skin.stubble > ready("leo").skin.stubble
    assert result.nearest == ("beard is shown as stubble",)


def test_equal_seeds_give_equal_edits(doll: Doll) -> None:
    said = "换成围裙，背景换成厨房"
    first, second = (edit(MIA, SCENE, said, doll, seed=3) for _ in range(2))
    assert first == second


def test_the_critic_prefers_hair_that_leaves_the_ears_free(doll: Doll) -> None:
    who = MIA.changed(hair=MIA.hair.changed(style="pixie"), ornaments=(OrnamentSpec(kind="hoops"),))
    said = "long hair but keep the ear-rings"
    result = edit(who, SCENE, said, doll, candidates=6)
    assert not result.refused
    assert result.spec.hair.style == "ponytail"
    assert edit(who, SCENE, "long hair", doll, candidates=6).spec.hair.style in ("long", "waves")


def test_what_cannot_be_seen_is_refused(doll: Doll) -> None:
    hidden = edit(MIA, SCENE, "add studs but keep the hair", doll)
    assert hidden.refused
    assert "cannot be seen" in hidden.why
    assert hidden.spec == MIA
    red = MIA.changed(
        outfit=tuple(p.changed(colour=RED) if p.garment == "blazer" else p for p in MIA.outfit)
    )
    assert "already" in edit(red, SCENE, "make the blazer red", doll).why


def test_what_is_so_already_does_not_stop_the_rest(doll: Doll) -> None:
    brown = MIA.changed(eyes=MIA.eyes.changed(inner=palettes.worn_on("eyes", "brown", "")))
    both = edit(brown, SCENE, "brown eyes and thinner brows", doll)
    assert not both.refused
    assert both.spec.brows.thickness < brown.brows.thickness
    assert both.spec.eyes == brown.eyes
    alone = edit(brown, SCENE, "brown eyes", doll)
    assert alone.refused
    assert alone.why == "eyes: it is so already"
    assert alone.scores == ()


def test_white_can_take_the_place_of_white(doll: Doll) -> None:
    result = edit(MIA, SCENE, "Keep the blazer, but swap the top for a white blouse", doll)
    assert not result.refused, result.why
    assert [piece.garment for piece in result.spec.outfit][:2] == ["blouse", "blazer"]


def test_hair_that_is_nearly_black_can_be_darkened(doll: Doll) -> None:
    dark = MIA.changed(hair=MIA.hair.changed(colour="#2a1e17", tip=""))
    result = edit(dark, SCENE, "darker hair", doll)
    assert not result.refused, result.why
    black = MIA.changed(hair=MIA.hair.changed(colour="#050404", tip=""))
    assert edit(black, SCENE, "darker hair", doll).refused


def test_an_edit_of_the_whole_picture_leaves_nothing_that_could_be_lost(doll: Doll) -> None:
    result = edit(MIA, SCENE, "warmer light and a sunset background", doll)
    assert not result.refused
    assert result.scores[0].kept.structure == 1.0


def test_dyed_tips_can_be_undone(doll: Doll) -> None:
    plain = MIA.changed(hair=MIA.hair.changed(tip=""))
    dyed = MIA.changed(hair=MIA.hair.changed(tip="#7a4fc0"))
    assert edit(dyed, SCENE, "remove the hair tips", doll).spec.hair == plain.hair
    assert "not dyed" in edit(plain, SCENE, "remove the hair tips", doll).why


@pytest.mark.parametrize(
    "said", ["take off the shirt", "remove the trousers", "脱掉上衣", "不穿衣服"]
)
def test_never_unclothed(doll: Doll, said: str) -> None:
    result = edit(MIA, SCENE, said, doll)
    assert result.refused
    assert result.spec == MIA


def test_a_model_that_looks_too_has_a_say(doll: Doll) -> None:
    blind = edit(MIA, SCENE, "Change the blazer to red", doll, perceive=lambda *_: 0.0)
    sure = edit(MIA, SCENE, "Change the blazer to red", doll, perceive=lambda *_: 1.0)
    assert blind.reward < sure.reward
    assert blind.scores[0].changes[0] == pytest.approx(sure.scores[0].changes[0] - 0.5)


def test_candidates_out_of_range(doll: Doll) -> None:
    with pytest.raises(AvatarValueError, match="candidates 0"):
        edit(MIA, SCENE, "red blazer", doll, candidates=0)


@pytest.mark.parametrize("name", HOSTS)
def test_every_host_can_be_edited(doll: Doll, name: str) -> None:
    who = ready(name)
    result = edit(who, SCENE, "穿上一件绿色的毛衣，背景换成蓝色", doll)
    assert isinstance(result.spec, AvatarSpec)
    assert result.refused or result.spec.piece("sweater") is not None


def test_the_set_has_sixty_instructions_in_two_languages() -> None:
    said = [item.say for item in items()]
    chinese = [text for text in said if any("一" <= letter <= "鿿" for letter in text)]
    assert len(set(said)) >= 60
    assert len(chinese) >= 25
    assert len(said) - len(chinese) >= 25


def test_the_critic_earns_its_place(doll: Doll) -> None:
    found = evaluate(doll, size=Size(180, 320))
    assert found["count"] == len(items())
    assert found["correct"] >= 0.95, found["wrong"]
    assert found["correct"] >= found["one_shot_correct"] + 0.1
    assert found["identity"] >= 0.99
    assert found["kept"] >= 0.97


def test_the_base_line_draws_nothing() -> None:
    result = one_shot(MIA, SCENE, "Change the blazer to red")
    assert not result.refused
    assert result.scores == ()
