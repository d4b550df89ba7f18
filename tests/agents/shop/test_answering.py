"""Whether questions about shops of different kinds are answered from the right facts."""

import pytest

from agents.clause import Language
from agents.shop.answering import Context
from agents.shop.truth import FigureCheck
from tests.agents.shop.measure import NOW, ask, cases, clerk_of, is_right, shop

SHOPS = ("outdoor", "beauty", "camp", "home")
# Shops whose questions were written before any was asked, and what words alone answer of them.
UNSEEN = {"paws": 0.75, "kids": 0.78, "gadget": 0.8, "kitchen": 0.75}
# The least share of our own questions that has to be right.
LEAST = 0.98


@pytest.mark.parametrize("name", SHOPS)
def test_questions_are_answered_from_the_right_facts(name: str) -> None:
    clerk = clerk_of(name)
    wrong = [case.question for case in cases(name) if not is_right(case, ask(clerk, case))]
    share = 1 - len(wrong) / len(list(cases(name)))
    assert share >= LEAST, wrong


@pytest.mark.parametrize(("name", "least"), UNSEEN.items())
def test_words_alone_answer_most_of_what_nobody_prepared_for(name: str, least: float) -> None:
    clerk = clerk_of(name)
    right = [is_right(case, ask(clerk, case)) for case in cases(name)]
    assert sum(right) >= least * len(right)


@pytest.mark.parametrize("name", [*SHOPS, *UNSEEN])
def test_no_answer_states_a_false_figure(name: str) -> None:
    clerk, check = clerk_of(name), FigureCheck(shop(name), lambda: NOW)
    for case in cases(name):
        for answer in ask(clerk, case):
            for text in answer.texts:
                assert check.false(text, case.focus) == [], text


@pytest.mark.parametrize(
    ("question", "focus", "told", "cited"),
    [
        ("how much is it", "headlamp", ("lite-tent",), "headlamp.price"),
        ("how much is it", None, ("lite-tent",), "lite-tent.price"),
        ("how much is the other one", "headlamp", ("headlamp", "lite-tent"), "lite-tent.price"),
        ("how heavy is the cheaper one", None, ("lite-tent", "headlamp"), "headlamp.weight"),
        ("刚才那款多少钱", "headlamp", ("headlamp", "lite-tent"), "lite-tent.price"),
        ("第一款多少钱", "headlamp", (), "trail-runner.price"),
    ],
)
def test_what_it_refers_to(
    question: str, focus: str | None, told: tuple[str, ...], cited: str
) -> None:
    language: Language = "zh" if question[0] > "\u3400" else "en"
    answers = clerk_of("outdoor").answer(question, language, Context(focus, told))
    assert [c for answer in answers for c in answer.citations] == [cited]


def test_both_are_told_of() -> None:
    context = Context(None, ("lite-tent", "headlamp"))
    answers = clerk_of("outdoor").answer("how heavy are both", "en", context)
    cited = {c for answer in answers for c in answer.citations}
    assert cited == {"lite-tent.weight", "headlamp.weight"}


def test_what_was_just_told_of_is_called_by_a_short_name() -> None:
    clerk = clerk_of("camp")
    (first,) = clerk.answer("how heavy is it", "en", Context("tent2"))
    (again,) = clerk.answer("how heavy is it", "en", Context("tent2", ("tent2",)))
    assert first.texts[0] == "The Ridge 2 Tent weighs 1.9 kg."
    assert again.texts[0] == "The weight of the tent is 1.9 kg."
    # Beside another product on air "the tent" would be open; an alias is a name.
    (apart,) = clerk.answer("how heavy is the tent", "en", Context("pad", ("tent2",)))
    assert "ridge tent" in apart.texts[0]


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("how mutch is the lanten", {"lantern.price"}),
        ("whats the pirce of the pad", {"pad.price"}),
        ("does the chair fit in a mini cooper", set()),
        ("do you sell kayaks and what do they cost", set()),
        ("what does the host earn in a month, how much", set()),
        ("有打印机吗 多少钱", set()),
    ],
)
def test_slips_are_mended_and_what_is_unknown_is_not_priced(question: str, cited: set[str]) -> None:
    language: Language = "zh" if question[0] > "\u3400" else "en"
    answers = clerk_of("camp").answer(question, language, Context())
    assert {c for answer in answers for c in answer.citations} == cited


def test_policies_do_not_take_what_is_asked_of_a_product() -> None:
    for question in ("烧一升水要多久", "how long does it take to boil water"):
        language: Language = "zh" if question[0] > "\u3400" else "en"
        (answer,) = clerk_of("camp").answer(question, language, Context("stove"))
        assert answer.citations == ("stove.boil_time",)
    (answer,) = clerk_of("camp").answer("多久能到", "zh", Context("stove"))
    assert answer.citations == ("policy:shipping",)


@pytest.mark.parametrize(
    ("name", "focus", "question", "cited"),
    [
        ("paws", "kibble", "what did this cost before", {"kibble.offer"}),
        ("paws", None, "狗粮原来多少钱", {"kibble.offer"}),
        ("paws", None, "狗粮怎么拍是33", {"kibble.offer"}),
        ("gadget", "bank", "how can i get it for 29", {"bank.offer"}),
        ("paws", "harness", "my labrador weighs 30kg, is it strong enough", {"harness.max_load"}),
        ("gadget", "bank", "does it come with a cable", {"bank.contents"}),
        ("gadget", "case", "does it go yellow", {"case.point2"}),
        ("kids", None, "有电雨衣吗", set()),
    ],
)
def test_terms_limits_and_things_of_similar_names(
    name: str, focus: str | None, question: str, cited: set[str]
) -> None:
    language: Language = "zh" if any(c > "\u3400" for c in question) else "en"
    answers = clerk_of(name).answer(question, language, Context(focus))
    assert {c for answer in answers for c in answer.citations} == cited
