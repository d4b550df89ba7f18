"""Tools, briefs and the schemas of arguments."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.brief import PLAIN, Brief
from agents.errors import AgentValueError
from agents.schema import check_schema, fits, is_plain_pattern
from agents.tools import Tool, is_json_object
from tests.agents.toolbox import CANCEL, TRACK, described, text

ACCEPTED: list[dict[str, Any]] = [
    {},
    {"type": "object"},
    described(["a"], a=text("What")),
    described([], a={"$ref": "#/$defs/A"}) | {"$defs": {"A": {"type": "string"}}},
    described([], a={"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "A"}),
    described([], a={"type": ["number", "null"], "x-made-up": 7}),
    {"properties": {"a": True}, "type": "object"} | {"additionalProperties": False, "$schema": "…"},
]

REFUSED: list[tuple[Any, str]] = [
    ("{}", r"parameters\.type: '\{\}'"),
    ({"type": "array"}, r"parameters\.type: 'array'; accepted is 'object'"),
    (described([], a={"type": "str"}), r"properties\.a\.type: 'str'; accepted are string, number"),
    ({"type": "object", "properties": {"a": 7}}, r"properties\.a: 7"),
    (described([], a={"enum": []}), r"a\.enum: \[\]"),
    (described([], a={"minimum": "1"}), r"a\.minimum: '1'; accepted is a number"),
    (described([], a={"minLength": -1}), r"a\.minLength: -1"),
    (described([], a={"$ref": "#/$defs/B"}), r"a\.\$ref: '#/\$defs/B'"),
    (described([], a={"$ref": "https://example.com"}), r"a\.\$ref"),
    (described([], a={"description": 7}), r"a\.description: 7"),
    (described([], a={"anyOf": "x"}), r"a\.anyOf: 'x'"),
    (described(["b"], a={}), r"required: 'b'; accepted are a"),
    ({"type": "object", "properties": []}, r"properties: \[\]"),
    ({"type": "object", "required": "a"}, r"required: 'a'"),
    (described([], **{"x" * 65: {}}), "the name 'xxx"),
    (described([], a={"minimum": float("nan")}), "JSON"),
    (described([], a=text("x" * 2001)), "at most 2000|of at most 2000"),
    (described([], **{f"a{n}": text("x" * 1500) for n in range(12)}), "at most 16384"),
]


@pytest.mark.parametrize("schema", ACCEPTED)
def test_schemas_of_objects_are_accepted(schema: dict[str, Any]) -> None:
    tool = Tool("a_tool-1", "Does it.", schema)
    assert tool.parameters["type"] == "object"


@pytest.mark.parametrize(("schema", "problem"), REFUSED)
def test_a_refused_schema_names_the_place(schema: Any, problem: str) -> None:
    with pytest.raises(AgentValueError, match=problem):
        Tool("tool", "", schema)


def test_a_deep_schema_is_refused() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(9):
        deep = {"type": "array", "items": deep}
    with pytest.raises(AgentValueError, match="deeper than 8"):
        Tool("tool", "", described([], a=deep))


def test_a_tool_keeps_its_own_copy() -> None:
    schema = described([], a=text())
    tool = Tool("tool", "", schema)
    schema["properties"]["a"] = {"type": "boolean"}
    assert tool.properties["a"]["type"] == "string"


@pytest.mark.parametrize(
    "name", ["", "a b", "x" * 65, "auto", "none", "required", "名", "a.b", "a\n"]
)
def test_a_name_is_letters_digits_and_dashes(name: str) -> None:
    with pytest.raises(AgentValueError, match="1 to 64 letters"):
        Tool(name)


def test_a_brief_knows_which_tools_may_be_called() -> None:
    assert not PLAIN.may_call
    brief = Brief(tools=(TRACK, CANCEL))
    assert brief.callable_tools == (TRACK, CANCEL)
    assert not brief.demands
    assert Brief(tools=(TRACK, CANCEL), tool_choice="none").callable_tools == ()
    named = Brief(tools=(TRACK, CANCEL), tool_choice="cancel_order")
    assert named.callable_tools == (CANCEL,)
    assert named.demands


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"tool_choice": "track_order"}, "accepted are auto, none"),
        ({"tool_choice": "required"}, "accepted are auto, none"),
        ({"tools": (TRACK, TRACK)}, "'track_order' twice"),
        ({"tools": tuple(Tool(f"t{n}") for n in range(65))}, "at most 64"),
        ({"tools": (TRACK,), "tool_choice": "track"}, "required, track_order"),
        ({"tools": tuple(Tool(f"t{n}", "x" * 2000) for n in range(40))}, "at most 65536"),
        ({"instructions": "x" * 16385}, "at most 16384"),
        ({"max_tokens": 0}, "1 or more"),
    ],
)
def test_a_refused_brief_names_the_field(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(AgentValueError, match=problem):
        Brief(**fields)


SHORT = st.text(max_size=3)
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | SHORT
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SHORT, inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = st.sampled_from(
    [
        "type", "properties", "required", "items", "enum", "const", "anyOf", "oneOf", "$ref", "a",
        "minimum",
    ]
)  # fmt: skip
VALUES = st.sampled_from(["string", "integer", "object", "array", "#/properties/a", "#", "a"])
ANYTHING = st.recursive(
    JSON | VALUES,
    lambda inner: st.dictionaries(KEYWORDS, inner | st.lists(inner, max_size=3), max_size=5),
    max_leaves=12,
)


@given(st.fixed_dictionaries({"type": st.just("object")}, optional={"properties": ANYTHING}), JSON)
def test_any_schema_is_accepted_or_refused_and_what_fits_is_valid(
    schema: dict[str, Any], value: Any
) -> None:
    try:
        checked = check_schema(schema, "here")
    except AgentValueError:
        return
    if fits({"a": value}, checked, checked):
        assert jsonschema_rs.validator_for(checked).is_valid({"a": value})


def test_schemas_in_circles_are_weighed_in_time() -> None:
    names = "abcdefghij"
    around = {name: {"anyOf": [{"$ref": f"#/$defs/{o}"} for o in names]} for name in names}
    schema = described(["x"], x={"$ref": "#/$defs/a"}) | {"$defs": around}
    tool = Tool("tool", "", schema)
    assert not fits({"x": 1}, tool.parameters, tool.parameters)


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        (r"^A\d{4}$", True),
        (r"^ORD-[0-9]{4,8}$", True),
        (r"[A-Z]{2}\d+", True),
        (r"(a+)+$", False),
        (r"a*a*a*a*a*b", False),
        (r"x|y", False),
        (r"[", False),
        (r"(?=a)", False),
    ],
)
def test_only_patterns_that_end_soon_are_matched(pattern: str, plain: bool) -> None:
    assert is_plain_pattern(pattern) == plain


@pytest.mark.parametrize(
    ("text", "is_object"),
    [("{}", True), ("[]", False), ("{", False), ("", False), ("[" * 9999, False)],
)
def test_arguments_are_objects(text: str, is_object: bool) -> None:
    assert is_json_object(text) == is_object
