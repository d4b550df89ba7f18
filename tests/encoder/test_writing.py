import pytest

from encoder.tokens import PROMPTS, loop_start
from encoder.writing import bare, implausible, tidy


def test_mandarin_is_simplified_with_full_width_punctuation() -> None:
    assert (
        tidy("今天天氣怎麼樣?請問,那個車站怎麼走.", "zh")
        == "今天天气怎么样？请问，那个车站怎么走。"
    )


def test_figures_and_latin_words_keep_their_marks() -> None:
    assert tidy("一共3.5米, 约1,000元", "zh") == "一共3.5米，约1,000元"
    assert tidy("我用 Chromecast 看。", "zh") == "我用 Chromecast 看。"
    assert tidy("No, it's 3.5.", "en") == "No, it's 3.5."


def test_gaps_between_characters_go() -> None:
    assert tidy("廣州市 佛地產 分析", "zh") == "广州市佛地产分析"


def test_a_continuation_knows_the_character_before_it() -> None:
    assert tidy(",好", "zh", before="天气") == "，好"
    assert tidy(",000", "zh", before="1") == ",000"


def test_bare_text_has_no_case_and_no_punctuation() -> None:
    assert bare("Thank you, very-much!") == "thank you very much"


@pytest.mark.parametrize(
    ("text", "confidence", "silence"),
    [
        ("", 0.9, 0.0),
        ("...", 0.9, 0.0),
        ("Thank you.", 0.4, 0.3),
        ("Thank you.", 0.7, 0.8),
        ("谢谢观看！", 0.4, 0.2),
        (PROMPTS["zh"], 0.5, 0.8),
        ("今天，我们聊一聊。", 0.4, 0.1),
        ("来到直播间。", 0.47, 0.4),
        ("I'm going to do it.", 0.21, 0.52),
        ("The weather is good.", 0.05, 0.0),
    ],
)
def test_what_nobody_said_is_implausible(text: str, confidence: float, silence: float) -> None:
    assert implausible(text, confidence, silence)


@pytest.mark.parametrize(
    ("text", "confidence", "silence"),
    [
        ("Thank you.", 0.8, 0.05),
        ("谢谢。", 0.8, 0.05),
        ("大家好。", 0.8, 0.05),
        ("1-0-0-0-1 9-0-2-1-0", 0.73, 0.95),
        ("the bridge on the smooth plates.", 0.32, 0.04),
    ],
)
def test_what_was_said_is_plausible(text: str, confidence: float, silence: float) -> None:
    assert not implausible(text, confidence, silence)


def test_a_loop_is_cut_after_its_first_turn() -> None:
    assert loop_start([7, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]) == 5
    assert loop_start([1, 2] * 6) == 2
    assert loop_start([5] + [9] * 9) == 2


def test_what_is_said_three_times_is_no_loop() -> None:
    for tokens in ([], [1], [1, 1, 1], [4, 5, 4, 5, 4, 5], list(range(50)), [0, 0, 0, 0, 1]):
        assert loop_start(tokens) == len(tokens)
