import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.catalogue import Fact, load_catalogue
from agents.clause import Language
from agents.meaning import Meaning
from agents.retrieve import Retriever
from agents.tokens import distance, is_question, stem, tokenize
from tests.agents.embedder import WordEmbedder
from tests.agents.questions import CHINESE, CHINESE_ELSE, ENGLISH, ENGLISH_ELSE

RETRIEVER = Retriever(load_catalogue())


def found(question: str, language: Language) -> str:
    hits = RETRIEVER.plan(question, language)
    return hits[0].fact.id if hits else ""


@pytest.mark.parametrize(("question", "fact"), ENGLISH)
def test_english_questions(question: str, fact: str) -> None:
    assert found(question, "en") == fact


@pytest.mark.parametrize(("question", "fact"), CHINESE)
def test_chinese_questions(question: str, fact: str) -> None:
    assert found(question, "zh") == fact


@pytest.mark.parametrize("question", ENGLISH_ELSE)
def test_other_english(question: str) -> None:
    assert found(question, "en") == ""


@pytest.mark.parametrize("question", CHINESE_ELSE)
def test_other_chinese(question: str) -> None:
    assert found(question, "zh") == ""


@pytest.mark.parametrize(
    ("question", "language", "aspect"),
    [
        ("how much is a large", "en", "prices.large"),
        ("how much is delivery", "en", "delivery.fee"),
        ("how long does delivery take", "en", "delivery.time"),
        ("when do you close", "en", "hours.closing"),
        ("what time do you open", "en", "hours"),
        ("how much is a pizza", "en", "prices"),
        ("中号多少钱", "zh", "prices.medium"),
        ("多久送到", "zh", "delivery.time"),
        ("我对花生过敏", "zh", "allergens.nuts"),
    ],
)
def test_the_side_of_a_fact_asked_for(question: str, language: Language, aspect: str) -> None:
    assert RETRIEVER.search(question, language)[0].aspect.id == aspect


def test_a_keyword_without_letters_matches_nothing() -> None:
    catalogue = load_catalogue()
    first, *others = catalogue.facts
    odd = replace(first.whole, keywords={"en": ("!!!", "营业"), "zh": ("…",)})
    retriever = Retriever(replace(catalogue, facts=(replace(first, whole=odd), *others)))
    assert retriever.search("what time do you open", "zh") == []
    assert retriever.search("can i pay by card", "en")[0].fact.id == "payment"


def test_two_questions_at_once() -> None:
    hits = RETRIEVER.plan("when do you open and can i pay by card", "en")
    assert [hit.fact.id for hit in hits] == ["hours", "payment"]


def test_works_within_the_time_a_reply_leaves() -> None:
    # A generous bound that only a change of the order of growth would break.
    longest = " ".join(ENGLISH_ELSE)[:600]
    started = time.process_time()
    for _ in range(5):
        RETRIEVER.plan(longest, "en")
    assert (time.process_time() - started) / 5 < 0.5


def test_the_embedder_finds_what_words_do_not() -> None:
    embedder = WordEmbedder(("address", "toddle"))
    retriever = Retriever(load_catalogue(), embedder)
    embedder.asked.clear()
    assert retriever.search("where are you", "en")
    assert retriever.search("a kite flies over the hill", "en") == []
    assert embedder.asked == []
    assert retriever.search("could I fly a kite", "en") == []
    assert [h.fact.id for h in retriever.search("could I toddle over", "en")] == ["address"]
    assert embedder.asked == [["could I fly a kite"], ["could I toddle over"]]


def test_a_fact_must_be_nearer_than_elsewhere_and_than_the_next() -> None:
    catalogue = load_catalogue()

    def embed(near: float, second: float, elsewhere: float) -> Fact | None:
        def embedder(texts: list[str]) -> NDArray[np.float32]:
            if len(texts) == 1:
                return np.ones((1, 1), np.float32)
            if len(texts) != len(catalogue.facts):
                return np.full((len(texts), 1), elsewhere, np.float32)
            return np.array([[near], [second], *[[0.0]] * (len(texts) - 2)], np.float32)

        return Meaning(catalogue, "en", embedder, apart=0.02, lead=0.01).nearest("?")

    assert embed(0.84, 0.82, 0.81) is catalogue.facts[0]
    assert embed(0.84, 0.835, 0.81) is None
    assert embed(0.84, 0.82, 0.83) is None


@pytest.mark.parametrize(
    ("text", "language", "asks"),
    [
        ("what time is it", "en", True),
        ("and do you deliver", "en", True),
        ("I was wondering whether you deliver", "en", True),
        ("the door is open", "en", False),
        ("你们几点开门", "zh", True),
        ("今天很热", "zh", False),
    ],
)
def test_questions_are_told_without_a_mark(text: str, language: Language, asks: bool) -> None:
    assert is_question(text, language) is asks


@pytest.mark.parametrize(
    ("left", "right"),
    [("delivers", "delivery"), ("closing", "close"), ("prices", "price"), ("stopped", "stop")],
)
def test_stems(left: str, right: str) -> None:
    assert stem(left) == stem(right)


def test_homophones_share_their_key() -> None:
    assert [t.key for t in tokenize("開門", "zh")] == [t.key for t in tokenize("凯们", "zh")]


@pytest.mark.parametrize(
    ("left", "right", "steps"), [("", "abc", 3), ("gluten", "glueten", 1), ("abc", "acb", 2)]
)
def test_distance(left: str, right: str, steps: int) -> None:
    assert distance(left, right) == steps


def test_near_in_meaning_is_not_enough_for_a_thing_the_facts_lack() -> None:
    embedder = WordEmbedder(("price", "cost", "美元", "$"))
    retriever = Retriever(load_catalogue(), embedder)
    assert retriever.plan("what does tea cost", "en") == []
