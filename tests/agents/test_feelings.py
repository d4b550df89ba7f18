"""Emotions as they are written down, and as words suggest them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.catalogue import load_catalogue
from agents.clause import LANGUAGES, Clause, Feeling, Language
from agents.errors import AgentValueError
from agents.feelings import EMOTIONS, felt, marked, read_feeling, suggested


def emotion(text: str, language: Language) -> str:
    return felt(Clause(text, language)).emotion or ""


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Welcome to our shop!", "en", "happy"),
        ("I have good news for you.", "en", "happy"),
        ("Today everything is half price!", "en", "excited"),
        ("We have 30% off this week.", "en", "excited"),
        ("I'm sorry you had to wait.", "en", "caring"),
        ("Don’t worry, we will help you.", "en", "caring"),
        ("Please be careful, the plate is hot.", "en", "serious"),
        ("Sale items cannot be returned, and a deposit applies.", "en", "serious"),
        ("Wow, I did not see that coming.", "en", "surprised"),
        ("It has two pockets.", "en", "neutral"),
        ("大家好，欢迎来到直播间。", "zh", "happy"),
        ("今天全场半价，", "zh", "excited"),
        ("这款打八折。", "zh", "excited"),
        ("非常抱歉让您久等了。", "zh", "caring"),
        ("别担心，我们会帮您。", "zh", "caring"),
        ("小心，锅很烫。", "zh", "serious"),
        ("定金不退。", "zh", "serious"),
        ("没想到它这么轻。", "zh", "surprised"),
        ("它有两个口袋。", "zh", "neutral"),
    ],
)
def test_words_suggest_an_emotion(text: str, language: Language, expected: str) -> None:
    assert emotion(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("That is not great.", "en"),
        ("There is no discount on this one.", "en"),
        ("今天没有优惠。", "zh"),
        ("我不太喜欢。", "zh"),
    ],
)
def test_cheer_that_is_denied_is_none(text: str, language: Language) -> None:
    assert emotion(text, language) not in ("happy", "excited")


def test_apologies_prevail_over_the_bargain_they_are_about() -> None:
    assert emotion("I'm sorry, that deal has ended.", "en") == "caring"
    assert emotion("抱歉，优惠结束了。", "zh") == "caring"


@pytest.mark.parametrize(
    ("weaker", "stronger", "language"),
    [
        ("We have a discount.", "We have a discount!", "en"),
        ("We have a discount!", "We have a discount!!", "en"),
        ("I am sorry.", "I am really sorry.", "en"),
        ("It is a bit risky, careful.", "It is risky, careful.", "en"),
        ("今天打折。", "今天超级打折！", "zh"),
        ("抱歉。", "万分抱歉。", "zh"),
        ("有点难过。", "难过。", "zh"),
    ],
)
def test_intensity_grows_with_strength(weaker: str, stronger: str, language: Language) -> None:
    one, other = suggested(weaker, language), suggested(stronger, language)
    assert one is not None
    assert other is not None
    assert one.emotion == other.emotion
    assert one.intensity < other.intensity


def test_a_conjunction_strengthens_nothing() -> None:
    so = suggested("So welcome to the shop.", "en")
    assert so == suggested("Welcome to the shop.", "en")


@given(st.text(max_size=200), st.sampled_from(LANGUAGES))
def test_any_text_suggests_an_emotion_of_ours_or_none(text: str, language: Language) -> None:
    feeling = suggested(text, language)
    if feeling is not None:
        assert feeling.emotion in EMOTIONS
        assert 0.0 < feeling.intensity <= 1.0


def test_what_was_said_which_emotion_stays() -> None:
    told = Clause("I'm so sorry!", "en", emotion="neutral")
    assert felt(told) is told


def test_emotions_are_written_with_and_without_intensity() -> None:
    assert read_feeling("happy") == Feeling("happy", 1.0)
    assert read_feeling("serious:0.25") == Feeling("serious", 0.25)
    assert read_feeling("surprised:1") == Feeling("surprised", 1.0)


@pytest.mark.parametrize(
    "written", ["angry", "happy:", "happy:1.01", "happy:-1", "happy:nan", "happy 0.5", "", "Happy"]
)
def test_what_is_no_emotion_is_refused(written: str) -> None:
    with pytest.raises(AgentValueError, match="accepted are neutral, happy"):
        read_feeling(written)


def test_marks_part_a_text_and_are_not_said() -> None:
    parts = list(marked("Hello. [excited:0.8] Big news, [caring]but take your time. [1] note"))
    assert parts == [
        (None, "Hello. "),
        (Feeling("excited", 0.8), " Big news, "),
        (Feeling("caring"), "but take your time. [1] note"),
    ]
    with pytest.raises(AgentValueError, match="'happy:2'"):
        list(marked("[happy:2] no"))


def test_warnings_of_the_catalogue_are_serious_by_their_words() -> None:
    texts = load_catalogue().fact("allergens").whole.texts
    for language in LANGUAGES:
        assert any(emotion(text, language) == "serious" for text in texts[language])
