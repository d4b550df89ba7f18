import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoder.ending import TextEndOfTurn

ENDING = TextEndOfTurn()

COMPLETE = [
    ("en", "What are your opening hours?"),
    ("en", "Do you have anything without gluten?"),
    ("en", "I'd like a large margherita, please."),
    ("en", "Yes."),
    ("en", "No, thanks."),
    ("en", "I think so."),
    ("en", "Yes, I do."),
    ("en", "Why not?"),
    ("en", "What can you do?"),
    ("en", "Who are they?"),
    ("en", "How much is it?"),
    ("en", "What?"),
    ("en", "That's all I want."),
    ("en", "If I order now, when does it arrive?"),
    ("en", "Because I was hungry."),
    ("en", "I was born in 1984."),
    ("en", "Two."),
    ("en", "It costs $12.50."),
    ("en", "At half past seven. Is that fine?"),
    ("en", "I'm Abigail. You can call me Abbie."),
    ("en", "I want to know what you have."),
    ("en", "And what does that cost?"),
    ("en", "So it is."),
    ("en", "My number is 020 7946 0018."),
    ("en", "At 7:30."),
    ("en", "What do you have?"),
    ("en", "What toppings do you have?"),
    ("en", "Which sizes do you have?"),
    ("en", "When do you open, and which sizes do you have?"),
    ("en", "Really?"),
    ("en", "Is that so?"),
    ("en", "Since when?"),
    ("en", "With what?"),
    ("zh", "你们几点开门？"),
    ("zh", "我要一份大的披萨。"),
    ("zh", "可以送外卖吗？"),
    ("zh", "对。"),
    ("zh", "嗯。"),
    ("zh", "不要。"),
    ("zh", "请问那个车站怎么走？"),
    ("zh", "如果我现在下单，多久到？"),
    ("zh", "今天天气怎么样？"),
    ("zh", "虽然有点贵，但是很好吃。"),
    ("zh", "做兼职不仅能赚钱，还可以锻炼自己。"),
    ("zh", "我的电话是13800138000。"),
    ("zh", "哪一个？"),
    ("zh", "多少钱一个？"),
    ("zh", "只有大号吗？"),
    ("zh", "那个呢？"),
    ("zh", "如果明天下雨呢？"),
    ("zh", "有没有？"),
    ("zh", "送给我。"),
    ("zh", "我只要大号。"),
    ("zh", "你们只有现金。"),
    ("zh", "这个很特别。"),
    ("zh", "今天很暖和。"),
]

DOUBTFUL = [
    ("en", "What are your opening hours"),
    ("en", "Where are you from?"),
    ("en", "What is it made of?"),
    ("zh", "你们几点开门"),
    ("en", "How many?"),
    ("en", "And how many?"),
    ("en", "Do you have any?"),
    ("en", "Hi."),
    ("en", "What's the large one like?"),
    ("zh", "来一个。"),
    ("zh", "多少钱一个"),
    ("zh", "这个。"),
    ("zh", "一个。"),
]

UNFINISHED = [
    ("en", "I have a question."),
    ("en", "Well,"),
    ("en", "And so my fellow Americans."),
    ("en", "Unless a system is established."),
    ("en", "If the weather stays like this."),
    ("en", "Excuse me."),
    ("en", "I was at the shop..."),
    ("zh", "我有个问题。"),
    ("zh", "如果明天下雨。"),
    ("zh", "认定，"),
    ("zh", "做兼职不仅能赚钱。"),
    ("zh", "我要一个。"),
    ("zh", "我试一下一个。"),
    ("zh", "只要明天不下雨。"),
]

COUNTING = [
    ("en", "10001."),
    ("en", "1-0-0-0-1 9-0-2-1-0"),
    ("en", "My phone number is 555."),
    ("en", "one zero zero"),
    ("zh", "我的电话是138。"),
]

OPEN = [
    ("en", "I would like a pizza and."),
    ("en", "I want to ask."),
    ("en", "I was wondering"),
    ("en", "Can you tell me?"),
    ("en", "It is because"),
    ("en", "I am going to the."),
    ("en", "We need to"),
    ("en", "I would like a coffee with"),
    ("en", "Thanks. I'd like"),
    ("en", "Ask not!"),
    ("en", "Um."),
    ("zh", "我想问。"),
    ("zh", "你好，请问。"),
    ("zh", "我不喜欢，因为"),
    ("zh", "我想要一份披萨和。"),
    ("zh", "那个。"),
    ("zh", "这个非常"),
    ("en", "Do you have"),
    ("en", "What time is it and do you have"),
    ("en", "Can you tell me how many"),
    ("en", "What do you want to"),
    ("zh", "请问？"),
    ("zh", "请给我"),
    ("zh", "我觉得这个特别"),
]


def _check(cases: list[tuple[str, str]], seconds: float) -> None:
    found = {text: ENDING.silence(text, language) for language, text in cases}
    assert found == dict.fromkeys(found, seconds)


def test_complete_clauses_end_soonest() -> None:
    _check(COMPLETE, 0.3)


def test_missing_punctuation_or_a_doubtful_ending_waits_a_little() -> None:
    _check(DOUBTFUL, 0.5)


def test_missing_parts_wait_longer_whatever_the_punctuation() -> None:
    _check(UNFINISHED, 1.2)


def test_a_long_question_with_its_mark_is_more_often_misheard_than_cut_off() -> None:
    assert ENDING.silence("What is the offer of the we?", "en") == 1.2
    assert ENDING.silence("Hello. And where do you get the cheese and?", "en") == 1.2
    assert ENDING.silence("What is the offer of the we.", "en") == 2.0
    assert ENDING.silence("What is the?", "en") == 2.0
    assert ENDING.silence("I want to know what the?", "en") == 2.0


def test_a_number_read_out_waits_for_its_next_group() -> None:
    _check(COUNTING, 1.6)


def test_dangling_words_wait_longest() -> None:
    _check(OPEN, 2.0)


def test_times_can_be_chosen() -> None:
    ending = TextEndOfTurn(complete=0.4, plain=0.6, unfinished=0.9, open=1.5)
    texts = ["I see.", "I see", "I see,", "I see the"]
    assert [ending.silence(text, "en") for text in texts] == [0.4, 0.6, 0.9, 1.5]


def test_mandarin_is_told_by_its_script_too() -> None:
    assert ENDING.silence("我想问", "en") == ENDING.silence("我想问", "zh") == 2.0


@pytest.mark.parametrize("text", [".", "...", "？", "  ", "“”", "-"])
def test_punctuation_alone_is_unfinished(text: str) -> None:
    assert ENDING.silence(text, "en") == 1.2


@settings(deadline=None)
@given(st.text(), st.sampled_from(["en", "zh"]))
def test_any_text_gets_one_of_the_five_times(text: str, language: str) -> None:
    assert ENDING.silence(text, language) in {0.3, 0.5, 1.2, 1.6, 2.0}
