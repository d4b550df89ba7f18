"""The calls of tools in a chat endpoint's stream."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.endpoint_model import EndpointModel
from agents.errors import ModelError
from agents.llm import CallMessage, Exchange, Message, OutputMessage, ToolModel
from agents.tool_stream import CallParts
from agents.tools import Tool, ToolCall, ToolChoice
from tests.agents.chat_endpoint import ChatEndpoint, calls, says

TRACK = Tool(
    "track_order",
    "Where an order is.",
    {"type": "object", "properties": {"id": {"type": "string"}}},
)
HOURS = Tool("hours")
ASKED = [Message("user", "Where is A1?")]


async def converse(
    endpoint: ChatEndpoint, choice: ToolChoice = "auto", *tools: Tool
) -> list[str | ToolCall]:
    stream = endpoint.model.converse(ASKED, tools=tools or (TRACK, HOURS), tool_choice=choice)
    return [piece async for piece in stream]


async def test_a_call_is_put_together() -> None:
    endpoint = ChatEndpoint([*says("One moment."), *calls("track_order", '{"id": "A1"}')])
    assert await converse(endpoint) == ["One", " moment.", ToolCall("track_order", '{"id": "A1"}')]
    body = endpoint.bodies[0]
    assert body["tool_choice"] == "auto"
    assert body["tools"][0] == {
        "type": "function",
        "function": {
            "name": "track_order",
            "description": "Where an order is.",
            "parameters": {"type": "object", "properties": {"id": {"type": "string"}}},
        },
    }


async def test_several_calls_keep_their_order_and_none_is_empty_arguments() -> None:
    first, second = calls("track_order", '{"id": "A1"}'), calls("hours", "", index=1)
    mixed = [second[0], *first]
    assert await converse(ChatEndpoint(mixed)) == [
        ToolCall("track_order", '{"id": "A1"}'),
        ToolCall("hours", "{}"),
    ]


async def test_a_named_tool_is_demanded_as_the_protocol_has_it() -> None:
    endpoint = ChatEndpoint(calls("hours", "{}"))
    await converse(endpoint, "hours")
    assert endpoint.bodies[0]["tool_choice"] == {"type": "function", "function": {"name": "hours"}}


async def test_calls_and_outputs_are_sent_as_the_protocol_has_them() -> None:
    endpoint = ChatEndpoint(says("It is shipped."))
    told: list[Exchange] = [
        *ASKED,
        CallMessage("call_1", "track_order", "{}"),
        OutputMessage("call_1", "shipped"),
    ]
    pieces = [piece async for piece in endpoint.model.converse(told)]
    assert pieces == ["It", " is", " shipped."]
    assert "tools" not in endpoint.bodies[0]
    assert endpoint.bodies[0]["messages"][1:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "track_order", "arguments": "{}"},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "shipped"},
    ]


@pytest.mark.parametrize(
    ("deltas", "problem"),
    [
        (calls("delete_all", "{}"), "delete_all"),
        (calls("hours", '{"a": '), "no JSON object"),
        (calls("hours", "[1]"), "no JSON object"),
        (calls("hours", '{"a": "' + "x" * 20000 + '"}', step=4000), "characters"),
        ([{"tool_calls": "hours"}], "no list"),
        ([{"tool_calls": ["hours"]}], "no object"),
        ([{"tool_calls": [{"index": "0", "function": {}}]}], "another shape"),
        ([{"tool_calls": [{"function": {"name": 7}}]}], "no text"),
        ([c for n in range(17) for c in calls("hours", "{}", index=n)], "more than 16"),
    ],
)
async def test_what_is_no_proper_call_is_a_models_error(
    deltas: list[dict[str, Any]], problem: str
) -> None:
    with pytest.raises(ModelError, match=problem):
        await converse(ChatEndpoint(deltas))


async def test_plain_streaming_has_text_alone() -> None:
    endpoint = ChatEndpoint(says("We open at 11."))
    pieces = [piece async for piece in endpoint.model.stream(ASKED)]
    assert "".join(pieces) == "We open at 11."
    assert "tools" not in endpoint.bodies[0]


def test_an_endpoint_knows_tools() -> None:
    assert isinstance(EndpointModel("http://endpoint.test/v1", "big"), ToolModel)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=9) | st.booleans(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["index", "function", "name", "arguments"]), inner)
        ),
    )
)
def test_any_delta_is_read_or_refused(delta: object) -> None:
    parts = CallParts(["hours"])
    try:
        parts.add(delta)
        made = parts.whole()
    except ModelError:
        return
    assert all(
        call.name == "hours" and isinstance(json.loads(call.arguments), dict) for call in made
    )
