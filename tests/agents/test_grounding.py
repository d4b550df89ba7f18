import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.catalogue import Catalogue, load_catalogue
from agents.claims import Claim, find_claims
from agents.errors import AgentValueError
from agents.figures import find_amounts
from agents.grounding import Guard, check_catalogue, is_sensitive

CATALOGUE = load_catalogue()
ALL = Guard(CATALOGUE.facts)
NONE = Guard(())


def test_the_catalogue_may_say_all_it_says() -> None:
    for fact in CATALOGUE:
        guard = Guard([fact])
        for language in ("en", "zh"):
            for text in fact.sentences(language):
                assert guard.problems(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A large is $15.", "The medium one costs twelve dollars.", "We close at ten PM.",
        "It takes half an hour.", "Delivery is free above twenty-five dollars.",
        "Call five five five oh one two three.", "The base is gluten-free.",
        "大号十五元。", "晚上十点关门。", "满25美元免外送费。", "有两款纯素披萨。",
        "Small is nine, medium is twelve, and large is fifteen.",
    ],
)  # fmt: skip
def test_true_sentences_pass(text: str) -> None:
    assert ALL.problems(text) == []


# What a model, or a viewer through it, might smuggle in.
FALSE = [
    "Everything is free today!", "Delivery is free.", "Pizza is on the house.",
    "There is no charge.", "It won't cost you anything, no fees at all.", "It costs nothing.",
    "We have the best pizza in town.", "We are number one.", "The cheapest in the city!",
    "An award winning recipe.", "It's all organic.", "Only natural ingredients.",
    "I guarantee you will love it.", "Satisfaction guaranteed.", "Our meat is halal.",
    "It is not halal.", "Everything is gluten free.", "There are no nuts in our kitchen.",
    "It is nut-free.", "It contains no milk.", "Perfectly safe for allergies, it is safe to eat.",
    "It cures colds.", "Very healthy food.", "Fresh from the garden.", "All homemade.",
    "A large is $12.", "A large costs twelve dollars.", "Large pizzas are nine bucks.",
    "A small is 14 inches.", "We close at 10 AM.", "We open at 8.", "Open until midnight.",
    "We are open 24/7.", "We never close.", "It takes 20 minutes.",
    "Twenty minutes to your door.",
    "It takes an hour.", "Come next Monday.", "Since 1985.", "Since nineteen eighty five.",
    "Call 555-0199.", "Call five five five oh one nine nine.", "Ten percent off.", "50% off!",
    "Half price today.", "Buy one get one.", "Three pizzas for $25.", "Two pizzas for €25.",
    "You get a refund.", "Full money back.", "I have booked a table.", "I'll order it for you.",
    "Your order is on its way.", "Visit www.pizza.example now.", "I am a real person.",
    "I'm not a robot.", "As a woman I love it.", "My mother made it.", "It is １３ dollars.",
    "It is thir\u200bteen dollars.", "Only 1\u200b3 dollars.", "a dollar", "It weighs 2.5 kg.",
    "全部免费！", "外送免费。", "今天不要钱。", "全城最好吃的披萨，最好。", "全网最低价。",
    "绝对新鲜。",
    "我们保证准时。", "都是有机食材。", "清真食品。", "不含坚果。", "大号十二元。",
    "大号12美元。",
    "小号十五块。", "上午十点关门。", "八点开门。", "二十分钟送到。", "打九折。", "半价优惠。",
    "买一送一。", "百分之二十。", "电话是五五五零一九九。", "星期一休息。",
    "成立于一九八五年。", "我是真人。",
    "我不是机器人。", "已经帮你下单了。", "送你一份礼物。", "二十四小时营业。", "有十种口味。",
    "十三块五。",
    "It is fine for people with allergies.", "It is suitable for celiacs.", "Totally wheatless.",
    "It costs next to nothing.", "A fiver.", "A few bucks.", "We're open till late.",
    "You can get your money returned.", "I had pizza for lunch.", "过敏的人也能吃。", "不会过敏。",
    "没有猪肉。", "不用付钱。", "无需付费。", "再送一份小食。", "打个对折。", "几块钱就行。",
    "Yes, we have pineapple pizza!", "I'm so glad you enjoyed my food.", "I'm happy to eat pizza.",
]  # fmt: skip


@pytest.mark.parametrize("text", FALSE)
def test_what_the_facts_do_not_hold_is_stopped(text: str) -> None:
    assert ALL.problems(text)
    assert NONE.problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "Feel free to ask!", "I'm happy to talk.", "I love a good song.", "That sounds lovely!",
        "Best wishes to you!", "I'm doing my best.", "I'm artificial, you know.",
        "你好，很高兴认识你。",
        "一起聊聊吧！", "你今天怎么样？", "One of those days, I see.",
        "I'd rather listen to you.",
    ],
)  # fmt: skip
def test_plain_talk_passes_without_facts(text: str) -> None:
    assert NONE.problems(text) == []
    assert not is_sensitive(text)


# Written apart from the lists of the reader under test.
ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spoken_english(n: int) -> str:
    """Say 0 to 9999 in words."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + (f"-{ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        rest = f" and {spoken_english(n % 100)}" if n % 100 else ""
        return f"{ONES[n // 100]} hundred{rest}"
    rest = f" {spoken_english(n % 1000)}" if n % 1000 else ""
    return f"{spoken_english(n // 1000)} thousand{rest}"


def spoken_chinese(n: int) -> str:
    """Say 1 to 9999 in characters."""
    digits = "零一二三四五六七八九"
    text, gap = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // place % 10
        if digit:
            text += ("零" if gap and text else "") + digits[digit] + name
            gap = False
        else:
            gap = True
    return text.removeprefix("一") if 10 <= n < 20 else text


HELD_NUMBERS = {2, 3, 9, 10, 11, 12, 14, 15, 22, 23, 25, 30}
NUMBERS = st.integers(1, 9999).filter(lambda n: n not in HELD_NUMBERS)
UNITS_EN = st.sampled_from(
    ["dollars", "bucks", "minutes", "hours", "percent", "inches", "pizzas", "people", "days", ""]
)
UNITS_ZH = st.sampled_from(["元", "块", "美元", "分钟", "小时", "寸", "个", "位", "天", "折"])
FRAMES = st.sampled_from(["{}", "It is {} now.", "Well, {}!", "That makes {}, I think.", "only {}"])


@given(NUMBERS, UNITS_EN, FRAMES, st.booleans())
def test_no_english_number_gets_through(n: int, unit: str, frame: str, words: bool) -> None:
    # "one" alone is a pronoun more often than a number.
    if n == 1 and unit in ("", "pizzas", "people") and words:
        return
    said = f"{spoken_english(n) if words else n} {unit}".strip()
    assert ALL.problems(frame.format(said))
    assert NONE.problems(frame.format(said))


@given(NUMBERS, UNITS_ZH, st.booleans())
def test_no_chinese_number_gets_through(n: int, unit: str, words: bool) -> None:
    if n == 1 and unit in ("个", "位", "天") and words:
        return
    text = f"一共是{spoken_chinese(n) if words else n}{unit}哦。"
    assert ALL.problems(text)
    assert NONE.problems(text)


@given(st.decimals(0, 2000, places=2).filter(lambda d: d not in HELD_NUMBERS and d > 0))
def test_no_price_gets_through(price: object) -> None:
    assert ALL.problems(f"It is ${price}.")


@given(st.integers(0, 23), st.integers(0, 59))
def test_no_time_gets_through(hour: int, minute: int) -> None:
    if minute == 0 and hour % 12 in (10, 11):
        return
    assert ALL.problems(f"See you at {hour:02d}:{minute:02d}.")


@given(st.text("0123456789", min_size=7, max_size=11).filter(lambda d: not d.endswith("5550123")))
def test_no_telephone_number_gets_through(digits: str) -> None:
    assert ALL.problems(f"Call {digits[:3]}-{digits[3:]} now.")


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    find_amounts(text)
    find_claims(text)


def test_denied_claims_are_others() -> None:
    assert find_claims("It is not halal.") == {Claim("halal", denied=True)}
    assert find_claims("这不是清真的") == {Claim("halal", denied=True)}


def changed(path: Path, old: str, new: str) -> Catalogue:
    source = Path(__file__).parents[2] / "agents" / "data" / "pizza_shop.json"
    text = json.dumps(json.loads(source.read_text("utf-8")), ensure_ascii=False)
    assert old in text
    target = path / "catalogue.json"
    target.write_text(text.replace(old, new), "utf-8")
    return load_catalogue(target)


def test_a_catalogue_claims_only_what_it_lists(tmp_path: Path) -> None:
    check_catalogue(CATALOGUE)
    boast = changed(tmp_path, "We open at 11 AM,", "The best shop opens at 11 AM,")
    with pytest.raises(AgentValueError, match=r"'hours'.*'every_day'.*best"):
        check_catalogue(boast)
    bare = changed(tmp_path, "Above $25 it's free.", "And it's free.")
    with pytest.raises(AgentValueError, match=r"'delivery'.*free without"):
        check_catalogue(bare)


@pytest.mark.parametrize(
    "text",
    [
        "We have wonderful chefs.", "Our kitchen uses flour.", "We also take cheques.",
        "Our pizzas are huge.", "It's all on our menu.", "我们有菠萝披萨。", "我们用面粉。",
        "我们也送饮料。", "菜单上什么都有。",
    ],
)  # fmt: skip
def test_talk_without_facts_says_nothing_of_the_shop(text: str) -> None:
    assert NONE.problems(text)
    assert is_sensitive(text)


# True words of a fact in the wrong places.
TWISTED = [
    ("delivery", "Delivery costs $25, and it's free above $3."),
    ("delivery", "Your whole order above $25 is free."),
    ("delivery", "Orders above $25 cost $3 for delivery."),
    ("delivery", "It's $25."),
    ("delivery", "It's free under $25."),
    ("delivery", "We deliver anywhere, in about 30 minutes."),
    ("delivery", "外送费二十五美元。"),
    ("delivery", "满三美元免外送费。"),
    ("hours", "We open at 10 PM."),
    ("hours", "We're open from 10 PM to 11 AM."),
    ("hours", "10 PM to 11 AM."),
    ("hours", "Open until 11 AM."),
    ("hours", "Yes, every day of the week."),
    ("hours", "晚上十点开门。"),
    ("hours", "从晚上十点到上午十一点。"),
    ("prices", "A small is $15."),
    ("prices", "It's $9 for the large one."),
    ("prices", "The biggest is $12."),
    ("prices", "A large is 10 inches wide."),
    ("prices", "大号九美元。"),
    ("gluten_free", "The gluten-free base comes in large too, for $2 more."),
    ("gluten_free", "The gluten-free base comes in all sizes."),
    ("gluten_free", "The gluten-free base has no eggs."),
    ("gluten_free", "无麸质饼底大号也有。"),
    ("payment", "Cash only."),
    ("payment", "We don't take cards."),
    ("payment", "We take cash, card and cheques."),
    ("payment", "只收现金。"),
    ("payment", "不收现金。"),
    ("allergens", "Our kitchen doesn't use nuts."),
    ("allergens", "Nothing has eggs."),
    ("vegan", "We have only one vegan pizza, the Garden."),
]

STRAIGHT = [
    ("delivery", "Delivery is $3, or free above $25."),
    ("delivery", "Sure thing, delivery is free for orders over $25."),
    ("delivery", "外送费是三美元，满二十五美元免外送费哦。"),
    ("hours", "We are open from 11 AM to 10 PM every day."),
    ("hours", "We open at eleven in the morning and close at ten in the evening."),
    ("hours", "上午十一点到晚上十点都在。"),
    ("prices", "The small is $9, the medium $12 and the large $15."),
    ("prices", "$9 for a small and $15 for a large."),
    ("prices", "A large is 14 inches wide and costs $15."),
    ("prices", "大号十五美元，小号九美元哦。"),
    ("gluten_free", "Sure, there's a gluten-free base for $2 more, in small and medium."),
    ("payment", "You can pay by card or in cash."),
]


@pytest.mark.parametrize(("fact", "text"), TWISTED)
def test_a_fact_is_not_twisted(fact: str, text: str) -> None:
    assert Guard([CATALOGUE.fact(fact)]).problems(text)


@pytest.mark.parametrize(("fact", "text"), STRAIGHT)
def test_a_fact_may_be_told_in_other_words(fact: str, text: str) -> None:
    assert Guard([CATALOGUE.fact(fact)]).problems(text) == []


def test_a_figure_may_be_about_what_was_said_just_before() -> None:
    guard = Guard([CATALOGUE.fact("prices")])
    assert guard.problems(" It is 14 inches wide.", "A large is $15.") == []
    assert guard.problems(" It is 10 inches wide.", "A large is $15.") == ["10 inches"]
    assert guard.problems("It is 14 inches wide.") == ["14 inches"]
    # Two prices in a row need a name each.
    assert guard.problems(" It is $15.", "A large is $15.") == ["$15"]


def test_figures_without_sides_are_left_to_the_catalogue() -> None:
    hours = replace(CATALOGUE.fact("hours"), figures=())
    assert Guard([hours]).problems("We open at 11 AM, and close at 10 PM.") == ["11 am", "10 pm"]
    assert Guard([hours]).problems("We open every day.") == []
    offer = CATALOGUE.fact("offer")
    assert offer.figures == ()
    assert Guard([offer]).problems("Two large pizzas are $25 this week.") == []


def test_a_catalogue_answers_no_question_with_a_yes(tmp_path: Path) -> None:
    with pytest.raises(AgentValueError, match=r"'Yes, we do.*opens with a yes or a no"):
        check_catalogue(changed(tmp_path, "We do have a gluten", "Yes, we do have a gluten"))
