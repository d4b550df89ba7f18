"""What the corpus says, and who says it."""

import random

import pytest

from agents.clause import LANGUAGES, Language
from pipeline.corpus.grammar import grammar_of
from pipeline.corpus.nonsense import nonsense
from pipeline.corpus.plan import HEARD, PARTS, TakePlan, plan_takes


@pytest.fixture(scope="module")
def takes() -> list[TakePlan]:
    return plan_takes()


def test_a_plan_follows_from_its_seed(takes: list[TakePlan]) -> None:
    assert plan_takes() == takes
    assert plan_takes(seed=1) != takes
    assert len({take.name for take in takes}) == len(takes)


def test_there_are_thousands_of_sentences_and_four_hours(takes: list[TakePlan]) -> None:
    spoken = [sentence.text for take in takes for sentence in take.script]
    assert len(spoken) > 4000
    assert len(set(spoken)) > 2500
    assert sum(part.minutes for part in PARTS if part.split == "train") >= 240


def test_the_test_says_nothing_that_was_trained_on(takes: list[TakePlan]) -> None:
    said = {
        split: {s.text for take in takes if take.split == split for s in take.script}
        for split in ("train", "test")
    }
    assert len(said["test"]) > 200
    assert not said["train"] & said["test"]
    voices = {split: {take.voice for take in takes if take.split == split} for split in said}
    assert voices["train"] & voices["test"] == {"light"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_sentence_is_whole(language: Language) -> None:
    grammar = grammar_of(language)
    rng = random.Random(3)
    kinds = set()
    for _ in range(300):
        for sentence in grammar.talk(rng, "train"):
            kinds.add(sentence.kind)
            assert "<" not in sentence.text
            assert sentence.text[-1] in ".!?。！？"
            if language == "en":
                assert " a a" not in sentence.text
                assert " a e" not in sentence.text
    assert kinds == set(grammar.kinds)


def test_a_share_keeps_every_part() -> None:
    few = plan_takes(share=0.001)
    assert {(take.split, take.voice, take.language) for take in few} == {
        (part.split, part.voice, part.language) for part in PARTS
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_nonsense_has_many_words_and_lips_that_meet(language: Language) -> None:
    rng = random.Random(3)
    said = [nonsense(language, rng).text for _ in range(200)]
    assert len(set(said)) == 200
    assert all(text[-1] in ".!?。！？" for text in said)
    letters = "".join(said).casefold()
    if language == "en":
        assert sum(letters.count(one) for one in "pbm") > 0.12 * len(letters)
        assert len({word for text in said for word in text.split()}) > 700
    else:
        assert (
            sum(
                one in "八百白班办半帮包报北怕拍排盘旁跑陪朋皮片马买卖满忙猫毛没美门"
                for one in letters
            )
            > 200
        )
        assert len(set(letters)) > 250


def test_what_is_only_listened_to_is_nonsense_of_the_training(takes: list[TakePlan]) -> None:
    heard = [take for take in takes if take.name.startswith(f"{HEARD}-")]
    assert {take.split for take in heard} == {"train"}
    assert {s.kind for take in heard for s in take.script} == {"nonsense"}
    moved = {s.kind for take in takes if take not in heard for s in take.script}
    assert "nonsense" not in moved
