import pytest

from agents.answer import to_clauses
from agents.catalogue import LINE_KINDS, load_catalogue, load_persona
from agents.clause import LANGUAGES, Language
from agents.feelings import felt
from agents.history import History
from agents.host import Host
from tests.agents.customers import (
    DECLINED,
    KNOWN,
    NO_TROUBLE,
    SAFETY,
    TALK,
    TROUBLE,
    UNKNOWN,
)
from tests.agents.talk import clauses
from tests.agents.talk import text as text_of

CATALOGUE = load_catalogue()
PERSONA = load_persona()
HOST = Host(CATALOGUE, PERSONA)


async def answered(question: str, language: Language, history: History | None = None) -> str:
    return text_of(await clauses(HOST, question, language, history))


def named(answer: str, language: Language) -> str:
    """Name the parts of an answer: ready lines by their kind, facts by the side that is told."""
    parts = [
        (HOST._wording._filled(line, language, None), kind)
        for kind in LINE_KINDS
        for line in PERSONA.lines[kind][language]
    ]
    parts += [
        (text, aspect.id)
        for fact in CATALOGUE
        for aspect in (fact.whole, *fact.aspects)
        for text in aspect.texts[language]
    ]
    found: list[str] = []
    while answer:
        text, name = max(
            ((text, name) for text, name in parts if answer.startswith(text)),
            key=lambda part: len(part[0]),
        )
        found.append(name)
        answer = answer[len(text) :].lstrip()
    return " ".join(found)


@pytest.mark.parametrize(
    ("said", "language", "expected"),
    [*SAFETY, *TROUBLE, *NO_TROUBLE, *DECLINED, *TALK, *UNKNOWN, *KNOWN],
)
async def test_customers_are_answered(said: str, language: Language, expected: str) -> None:
    assert named(await answered(said, language), language) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_fact_opens_with_a_yes(language: Language) -> None:
    yes = ("yes", "yeah", "no,", "sure", "是", "对", "没", "可以", "能", "会")
    for fact in CATALOGUE:
        for text in fact.sentences(language):
            assert not text.lower().startswith(yes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_told_that_help_was_called(language: Language) -> None:
    for text in PERSONA.lines["emergency"][language]:
        assert ("emergency number" in text) or ("急救电话" in text)
        assert ("can't" in text) or ("没法" in text) or ("打不了" in text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_for_trouble_are_not_cheerful(language: Language) -> None:
    for kind in ("emergency", "unwell", "sorrow", "complaint", "order", "statement"):
        for line in PERSONA.lines[kind][language]:
            assert "!" not in line
            assert "！" not in line
            plain = [felt(clause).emotion for clause in to_clauses(line, language)]
            assert set(plain) <= {"neutral", "caring", "serious"}
            said = HOST._wording.line(kind, language)
            assert all(clause.emotion not in ("happy", "excited") for clause in said)


async def test_the_reply_in_the_making_is_not_what_was_said_before() -> None:
    history = History()
    history.add("1", "user", "do you deliver")
    history.add("2", "assistant", await answered("do you deliver", "en"), citations=("delivery",))
    history.add("3", "user", "is it free")
    history.add("4", "assistant", "", status="in_progress")
    assert named(await answered("is it free", "en", history), "en") == "delivery.fee"
    assert named(await answered("say that again", "en", history), "en") == "delivery"


async def test_a_reply_cut_before_it_was_heard_is_not_referred_to() -> None:
    history = History()
    history.add("1", "assistant", "About 30 minutes.", citations=("delivery",))
    history.add("2", "assistant", "Cash, card,", status="in_progress", citations=("payment",))
    history.truncate("2", heard="")
    assert named(await answered("免费吗", "zh", history), "zh") == "delivery.fee"
