"""Arguments of tools, made of questions by rule."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.arguments import answers_to, fill
from agents.clause import Language
from agents.slots import slots_of
from agents.tools import Tool
from tests.agents.toolbox import (
    BOOK,
    FLIGHT,
    LIGHT,
    NOTE,
    ORDER,
    RECEIPT,
    SEARCH,
    STOCK,
    TOOLS,
    TRACK,
    WEATHER,
    described,
    one_of,
    text,
)

FILLED: list[tuple[Tool, str, dict[str, Any]]] = [
    (TRACK, "Where's my order A1234?", {"order_id": "A1234"}),
    (TRACK, "where is order number one two three four", {"order_id": "1234"}),
    (TRACK, "track order a one two three", {"order_id": "A123"}),
    (TRACK, "order ORD-2024-001 please", {"order_id": "ORD-2024-001"}),
    (TRACK, "我的订单A1234到哪了", {"order_id": "A1234"}),
    (TRACK, "帮我查一下订单号幺二三四五", {"order_id": "12345"}),
    (WEATHER, "What's the weather in New York tomorrow?", {"location": "New York"}),
    (WEATHER, "weather paris in fahrenheit", {"location": "paris", "unit": "fahrenheit"}),
    (WEATHER, "北京明天天气怎么样", {"location": "北京"}),
    (WEATHER, "上海今天多少度，用摄氏度", {"location": "上海", "unit": "celsius"}),
    (
        STOCK,
        "do you have the red jacket in size M",
        {"product": "jacket", "color": "red", "size": "M"},
    ),
    (STOCK, "is the Garden Hoodie still in stock?", {"product": "Garden Hoodie"}),
    (STOCK, "请问红色的运动鞋42码有货吗", {"product": "运动鞋", "color": "红色", "size": "42"}),
    (
        BOOK,
        "book a table for two tomorrow at 7 pm",
        {"party_size": 2, "date": "tomorrow", "time": "7 pm"},
    ),
    (
        BOOK,
        "a table for four people next Friday at half past seven, outside, under the name Anna",
        {
            "party_size": 4,
            "date": "next Friday",
            "time": "half past seven",
            "outdoor": True,
            "name": "Anna",
        },
    ),
    (
        BOOK,
        "我想订位，五位，周六下午六点半",
        {"party_size": 5, "date": "周六", "time": "下午六点半"},
    ),
    (
        ORDER,
        "I want to order two large pizzas with mushroom and extra cheese for pickup",
        {
            "size": "large",
            "quantity": 2,
            "topping": ["mushroom", "extra cheese"],
            "method": "pickup",
        },
    ),
    (
        BOOK,
        "帮我订一张四人的桌子，周五晚上八点",
        {"party_size": 4, "date": "周五", "time": "晚上八点"},
    ),
    (ORDER, "order a medium one", {"size": "medium", "quantity": 1}),
    (ORDER, "我要点一份大号披萨，外送", {"size": "large", "quantity": 1, "method": "delivery"}),
    (
        FLIGHT,
        "find flights from London to New York on March 5th",
        {"origin": "London", "destination": "New York", "date": "March 5th"},
    ),
    (FLIGHT, "从北京到上海明天的航班", {"origin": "北京", "destination": "上海", "date": "明天"}),
    (
        SEARCH,
        "show me running shoes under 100 dollars",
        {"query": "running shoes", "max_price": 100},
    ),
    (SEARCH, "有没有蓝色的雨伞", {"query": "蓝色的雨伞"}),
    (LIGHT, "turn on the kitchen light", {"room": "kitchen", "on": True}),
    (LIGHT, "switch the living room lights off", {"room": "living_room", "on": False}),
    (RECEIPT, "send it to bob.smith@example.com please", {"email": "bob.smith@example.com"}),
    (NOTE, "leave a message saying I will be late", {"message": "I will be late"}),
    (NOTE, "帮我留言说我会晚到", {"message": "我会晚到"}),
]

LACKING = [
    (TRACK, "where is my order", ["order_id"]),
    (WEATHER, "is it raining", ["location"]),
    (BOOK, "I want to book a table", ["party_size", "date", "time"]),
    (BOOK, "a table for forty people tomorrow at 7 pm", ["party_size"]),
    (ORDER, "a small or a large one", ["size"]),
    (RECEIPT, "send me the receipt", ["email"]),
]


def language_of(question: str) -> Language:
    return "zh" if any("\u4e00" <= c <= "\u9fff" for c in question) else "en"


def question_id(value: object) -> str:
    return value.name if isinstance(value, Tool) else str(value)[:40]


@pytest.mark.parametrize(("tool", "question", "arguments"), FILLED, ids=question_id)
def test_arguments_are_what_was_said(tool: Tool, question: str, arguments: dict[str, Any]) -> None:
    filled = fill(tool, question, language_of(question))
    assert filled.arguments == arguments
    assert filled.complete


@pytest.mark.parametrize(("tool", "question", "missing"), LACKING, ids=question_id)
def test_what_was_not_said_is_missing(tool: Tool, question: str, missing: list[str]) -> None:
    filled = fill(tool, question, "en")
    assert [slot.name for slot in filled.missing] == missing
    assert not filled.complete


def single(schema: dict[str, Any], name: str = "value") -> Tool:
    return Tool("tool", "", described([name], **{name: schema}))


@pytest.mark.parametrize(
    ("schema", "question", "value"),
    [
        ({"type": "string", "pattern": r"^[A-Z]{2}\d{4}$"}, "is it ab1234 or so", None),
        ({"type": ["string", "null"], "enum": ["red", "blue", None]}, "none of them", None),
        ({"type": "string", "const": "now"}, "anything", "now"),
        ({"type": "string", "default": "blue", "enum": ["red", "blue"]}, "any", "blue"),
        ({"type": "integer", "enum": [10, 20]}, "twenty please", 20),
        ({"type": "array", "items": {"type": "number"}}, "between 3 and 7.5", [3, 7.5]),
    ],
)
def test_schemas_decide(schema: dict[str, Any], question: str, value: object) -> None:
    filled = fill(single(schema), question, "en")
    assert filled.arguments.get("value") == value


def test_a_pattern_chooses_the_spelling_of_a_code() -> None:
    tool = single({"type": "string", "pattern": r"^[A-Z]{2}\d{4}$"}, "order_id")
    assert fill(tool, "it is ab1234", "en").arguments == {"order_id": "AB1234"}
    assert not fill(tool, "it is 1234", "en").complete


def test_references_optionals_and_objects_are_followed() -> None:
    schema = {
        "type": "object",
        "$defs": {"Size": {"type": "string", "enum": ["small", "large"]}},
        "properties": {
            "size": {"$ref": "#/$defs/Size"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "guest": {
                "type": "object",
                "properties": {"email": {"type": "string", "format": "email"}},
                "required": ["email"],
            },
        },
        "required": ["size", "note", "guest"],
    }
    filled = fill(Tool("tool", "", schema), "the large one for a.b@example.org", "en")
    assert filled.arguments["size"] == "large"
    assert filled.arguments["guest"] == {"email": "a.b@example.org"}
    assert filled.complete
    lacking = fill(Tool("tool", "", schema), "the large one", "en")
    assert [slot.path for slot in lacking.missing] == [("guest", "email")]


@pytest.mark.parametrize(
    ("tool", "said", "value"),
    [
        (TRACK, "it's A1234", "A1234"),
        (TRACK, "I have no idea", None),
        (WEATHER, "Paris, please.", "Paris"),
        (WEATHER, "在北京吧", "北京"),
        (BOOK, "for four", 4),
        (BOOK, "hello", None),
        (ORDER, "the large one", "large"),
        (ORDER, "大号的", "large"),
        (RECEIPT, "a at b", None),
    ],
)
def test_an_answer_gives_what_was_asked_for(tool: Tool, said: str, value: object) -> None:
    slot = next(slot for slot in slots_of(tool.parameters) if slot.required)
    assert answers_to(slot, said, language_of(said), tool.parameters) == value


@pytest.mark.parametrize(
    ("said", "value"), [("yes please", True), ("不用了", False), ("Tom", None)]
)
def test_yes_and_no_are_answers(said: str, value: bool | None) -> None:
    slot = slots_of(described([], outdoor={"type": "boolean"}))[0]
    assert answers_to(slot, said, language_of(said), {}) == value


WORDS = st.sampled_from(
    [
        "I", "want", "two", "large", "pizzas", "A1234", "tomorrow", "at", "half", "past", "seven",
        "$5", "not", "in", "New", "York", "北京", "明天", "七点", "一份", "大号", "no.", "#7",
        "a@b.co", "1e999", "½", "٣", "二〇", "hundred", "and", "1,000", "one", ",", "?",
    ]
)  # fmt: skip
QUESTIONS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map(" ".join))
LEAVES = st.one_of(
    st.just({"type": "string"}),
    st.just(text("Order number", pattern="^[A-Z]+[0-9]{2,4}$")),
    st.builds(
        lambda a, b: {"type": "integer", "minimum": a, "maximum": b},
        st.integers(-5, 5),
        st.integers(0, 99),
    ),
    st.builds(lambda a: {"type": "number", "exclusiveMinimum": a}, st.floats(-9, 9)),
    st.just({"type": "boolean"}),
    st.just(one_of("small", "large", "extra large")),
    st.just({"type": ["string", "null"], "maxLength": 4}),
    st.just({"enum": [1, "two", True, None]}),
    st.just({"allOf": [{"type": "string"}]}),
    st.just({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    st.just({"oneOf": [{"type": "integer"}, {"type": "string", "minLength": 3}]}),
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda i, n: {"type": "array", "items": i, "minItems": n}, inner, st.integers(0, 2)
        ),
        st.builds(lambda i: described(["name"], name=i), inner),
    ),
    max_leaves=3,
)
NAMES = st.sampled_from(
    ["order_id", "date", "when", "city", "name", "quantity", "on", "query", "x", "message"]
)


@given(QUESTIONS, st.dictionaries(NAMES, SCHEMAS, max_size=4), st.data())
def test_whatever_is_said_complete_arguments_are_valid(
    question: str, properties: dict[str, Any], data: st.DataObject
) -> None:
    required = [name for name in properties if data.draw(st.booleans())]
    tool = Tool("tool", "Does something with an order.", described(required, **properties))
    language: Language = data.draw(st.sampled_from(["en", "zh"]))
    filled = fill(tool, question, language)
    valid = jsonschema_rs.validator_for(dict(tool.parameters)).is_valid(filled.arguments)
    assert valid or not filled.complete
    assert (
        filled.complete
        or filled.missing
        or not valid
        or "allOf" in str(properties)
        or "oneOf" in str(properties)
    )


@given(QUESTIONS, st.sampled_from(TOOLS), st.sampled_from(["en", "zh"]))
def test_any_tool_hears_anything(question: str, tool: Tool, language: Language) -> None:
    filled = fill(tool, question, language)
    assert (
        jsonschema_rs.validator_for(dict(tool.parameters)).is_valid(filled.arguments)
        == filled.complete
    )
