from fractions import Fraction

import pytest

from agents.amounts import Amount, Mention, held_amounts
from agents.amounts_en import values
from agents.amounts_zh import value
from agents.figures import find_amounts

HALF_PAST_TEN = {("time", 630), ("time", 1350)}


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("twelve dollars", {("money:usd", 12)}),
        ("$12", {("money:usd", 12)}),
        ("１２ dollars", {("money:usd", 12)}),
        ("12bucks", {("money:usd", 12)}),
        ("€ 9.50", {("money:eur", Fraction(19, 2))}),
        ("fifty cents", {("money", Fraction(1, 2))}),
        (
            "nine ninety nine dollars",
            {("money:usd", Fraction(999, 100)), ("number", Fraction(999, 100))},
        ),
        ("one hundred and twelve dollars", {("money:usd", 112)}),
        ("twelve hundred", {("number", 1200)}),
        ("two thousand twenty six", {("number", 2026)}),
        ("three dozen", {("number", 36)}),
        ("1,250", {("number", 1250)}),
        ("10k", {("number", 10000)}),
        ("50%", {("percent", 50)}),
        ("fifty per cent", {("percent", 50)}),
        ("half an hour", {("minutes", 30)}),
        ("an hour", {("minutes", 60)}),
        ("9 a.m.", {("time", 540)}),
        ("ten thirty p.m.", {("time", 1350)}),
        ("10:30", HALF_PAST_TEN),
        ("half past ten", HALF_PAST_TEN),
        ("quarter to eleven", {("time", 645), ("time", 1365)}),
        ("noon", {("time", 720)}),
        ("a 14-inch", {("inches", 14)}),
        ("two large", {("count:larg", 2)}),
        ("555-0123", {("phone", "5550123")}),
        ("five five five oh one two three", {("phone", "5550123"), ("number", 5550123)}),
        ("next Monday", {("date", "monday")}),
        ("the 5th", {("ordinal", 5)}),
        ("double", {("times", 2)}),
        ("十二元", {("money", 12)}),
        ("十二块五", {("money", Fraction(25, 2))}),
        ("￥19.9", {("money:cny", Fraction(199, 10))}),
        ("三毛", {("money", Fraction(3, 10))}),
        ("三十分钟", {("minutes", 30)}),
        ("一个半小时", {("minutes", 90)}),
        ("晚上十点", {("time", 1320)}),
        ("上午十一点", {("time", 660)}),
        ("下午三点半", {("time", 930)}),
        ("百分之二十", {("percent", 20)}),
        ("八五折", {("discount", 85)}),
        ("半价", {("discount", 50)}),
        ("五五五零一二三", {("phone", "5550123")}),
        ("2026年7月8日", {("date", "2026年7月8日")}),
        ("星期一", {("date", "星期一")}),
        ("两款", {("count:款", 2)}),
    ],
)  # fmt: skip
def test_reads(text: str, readings: set[tuple[str, Fraction | int | str]]) -> None:
    found = find_amounts(f"It is {text}, you see." if text.isascii() else text)
    assert len(found) == 1
    assert {(a.kind, a.value) for a in found[0].readings} == readings


@pytest.mark.parametrize(
    "text",
    [
        "One of our pizzas is the one you like.", "No one knows.", "Feel at home!",
        "Let me double check.", "You may march on.", "一起来吧", "十分好吃", "有一点辣", "一定要来",
        "千万别走", "四季披萨", "三文鱼", "这个和那个一样",
    ],
)  # fmt: skip
def test_reads_no_amount_where_there_is_none(text: str) -> None:
    assert find_amounts(text) == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("nine", [9]), ("twenty five", [25]), ("nine ninety nine", [9, 99]),
        ("two hundred and six", [206]), ("three million two hundred thousand", [3_200_000]),
        ("nine point nine five", [Fraction(995, 100)]), ("a hundred"[2:], [100]),
    ],
)  # fmt: skip
def test_number_words(words: str, expected: list[Fraction]) -> None:
    assert values(words) == expected


@pytest.mark.parametrize(
    ("numeral", "expected"),
    [
        ("十", 10), ("二十五", 25), ("一百零五", 105), ("一百二", 120), ("三千四百", 3400),
        ("两万五千", 25000), ("二零二六", 2026), ("九点九五", Fraction(995, 100)), ("3万", 30000),
    ],
)  # fmt: skip
def test_chinese_numerals(numeral: str, expected: Fraction) -> None:
    assert value(numeral) == expected


def held(text: str) -> frozenset[Amount]:
    return held_amounts(find_amounts(text))


def only(text: str) -> Mention:
    (found,) = find_amounts(text)
    return found


@pytest.mark.parametrize(
    ("fact", "said", "is_held"),
    [
        ("$12", "twelve dollars", True),
        ("十二美元", "12 dollars", True),
        ("$12", "十二元", True),
        ("$12", "12 euros", False),
        ("$12", "twelve", True),
        ("$12", "12%", False),
        ("$12", "12 minutes", False),
        ("$12", "12 toppings", False),
        ("10 PM", "十点", True),
        ("10 PM", "晚上十点", True),
        ("10 PM", "10 AM", False),
        ("10 PM", "ten o'clock", True),
        ("10 PM", "22:00", True),
        ("555-0123", "五五五零一二三", True),
        ("555-0123", "555-0124", False),
        ("+1 555 555-0123", "555-0123", True),
        ("30 minutes", "half an hour", True),
        ("9 and 99", "nine ninety nine", True),
        ("$9.99", "nine ninety nine", True),
        ("$9.95", "nine ninety nine", False),
    ],
)
def test_the_same_amount_in_other_words(fact: str, said: str, is_held: bool) -> None:
    assert only(said).is_held_by(held(fact)) is is_held
