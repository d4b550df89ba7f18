"""Words and the actions they are said with."""

import pytest

from agents.clause import Action, Clause, Language
from avatar.speech import Word
from motion.actions import ACTIONS
from motion.errors import MotionValueError
from pipeline.acting import Acting, asked, check_action, word_of


def bound(text: str, language: Language = "en") -> Action | None:
    return Acting().bind(Clause(text, language)).action


@pytest.mark.parametrize(
    ("text", "language", "action"),
    [
        ("Welcome to our shop,", "en", "welcome"),
        ("欢迎来到直播间，", "zh", "welcome"),
        ("have a look at the link below.", "en", "point_link"),
        ("You find it on my left,", "en", "point_left"),
        ("在我的左手边，", "zh", "point_left"),
        ("Let me think about that.", "en", "think"),
        ("It is about this big.", "en", "show_size"),
        ("Thank you for coming!", "en", "thanks"),
        ("别担心，", "zh", "reassure"),
    ],
)
def test_cue_words_ask_for_their_action(text: str, language: Language, action: str) -> None:
    made = bound(text, language)
    assert made is not None
    assert made.id == action
    assert made.anchor in text.casefold()


@pytest.mark.parametrize(
    ("text", "language", "name", "value"),
    [
        ("It is 30 centimetres wide.", "en", "show_size", 0.3),
        ("only 12 inches across,", "en", "show_size", 0.305),
        ("twenty five centimeters high", "en", "show_height", 0.25),
        ("It's half a metre, or 50 centimetres long.", "en", "show_length", 0.5),
        ("宽度是30厘米，", "zh", "show_size", 0.3),
        ("二十五厘米高", "zh", "show_height", 0.25),
        ("It is six centimetres wide,", "en", "show_thickness", 0.06),
        ("只有五厘米宽，", "zh", "show_thickness", 0.05),
        ("只有9毫米厚，可是 3 厘米厚的更好", "zh", "", 0.0),
        ("It is 300 centimetres wide.", "en", "", 0.0),
    ],
)
def test_sizes_are_shown_as_they_are_said(
    text: str, language: Language, name: str, value: float
) -> None:
    made = bound(text, language)
    if not name:
        assert made is None or made.id not in ("show_size", "show_thickness")
        return
    assert made is not None
    assert made.id == name
    assert dict(made.parameters)["size"] == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("There are three reasons to love it.", "en", 3),
        ("It comes in two colours,", "en", 2),
        ("second, the price.", "en", 2),
        ("一共有四个颜色，", "zh", 4),
        ("第三，价格好。", "zh", 3),
    ],
)
def test_what_is_counted_is_counted_on_fingers(text: str, language: Language, number: int) -> None:
    made = bound(text, language)
    assert made is not None
    assert made.id == "count"
    assert dict(made.parameters)["number"] == number


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We are open from eleven to ten.", "en"),
        ("A large pizza costs 12 dollars.", "en"),
        ("It takes one hour to get there.", "en"),
        ("I am one of the team.", "en"),
        ("我们早上十点开门，", "zh"),
        ("送货要三十分钟。", "zh"),
        ("第三大街", "zh"),
        ("every one of them earned its place.", "en"),
        ("and it is not cheaper,", "en"),
        ("We can't discount it.", "en"),
        ("如果七天之内不喜欢，", "zh"),
        ("总有一个适合你。", "zh"),
        ("没有优惠，", "zh"),
    ],
)
def test_plain_words_ask_for_nothing(text: str, language: Language) -> None:
    assert bound(text, language) is None


def test_what_the_host_was_told_to_do_stays() -> None:
    told = Clause("Welcome!", "en", Action("bow", "welcome"))
    assert Acting().bind(told) is told


def test_the_same_is_not_done_twice_running() -> None:
    acting = Acting()
    said = [Clause("Thank you,", "en"), Clause("thank you so much!", "en")]
    first, second = (acting.bind(clause).action for clause in said)
    assert first is not None
    assert second is None
    for _ in range(4):
        acting.bind(Clause("la la la", "en"))
    assert acting.bind(said[0]).action == first


def test_every_cue_asks_for_an_action_of_the_library() -> None:
    for name, action in ACTIONS.items():
        for language in ("en", "zh"):
            for cue in action.cues[language]:
                found = [one.action for one in asked(cue, language)]
                assert name in [one.id for one in found], cue
                for one in found:
                    check_action(one)


def test_actions_and_parameters_are_checked() -> None:
    with pytest.raises(MotionValueError, match=r"action 'fly'; accepted: welcome"):
        check_action(Action("fly"))
    with pytest.raises(MotionValueError, match=r"show_size: size 3"):
        check_action(Action("show_size", "", (("size", 3.0),)))


def _words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text, float(at), at + 1.0) for at, text in enumerate(texts))


@pytest.mark.parametrize(
    ("anchor", "words", "at"),
    [
        ("Below", ("The", "link", "below."), 2.0),
        ("", ("The", "link"), 0.0),
        ("左手边", ("在", "我的", "左手", "边"), 2.0),
        ("手边", ("在", "我的左手", "边"), 1.0),
    ],
)
def test_an_anchor_is_found_among_the_words(anchor: str, words: tuple[str, ...], at: float) -> None:
    found = word_of(anchor, _words(*words))
    assert found is not None
    assert found.start == at


def test_an_anchor_that_was_not_said_is_no_word() -> None:
    assert word_of("left", _words("on", "my", "right")) is None
    assert word_of("", ()) is None
