"""A host with a model that knows tools, behind a chat endpoint."""

import asyncio
from typing import Any

import httpx
import pytest

from agents.brief import Brief
from agents.catalogue import load_catalogue, load_persona
from agents.clause import Clause
from agents.endpoint_model import EndpointModel
from agents.history import History
from agents.host import Host
from agents.phrasing import CAPABLE, Phrasing
from agents.tools import ToolCall
from tests.agents.chat_endpoint import ChatEndpoint, calls, says
from tests.agents.talk import replied
from tests.agents.toolbox import CANCEL, TRACK, WEATHER
from tests.fakes.language_model import ScriptedModel

BRIEF = Brief(tools=(TRACK, WEATHER))
PLACE = ToolCall("get_weather", '{"location": "Oslo"}')
ASKED = "Should I take a coat to Oslo?"


def host_of(endpoint: ChatEndpoint) -> Host:
    return Host(load_catalogue(), load_persona(), model=endpoint.model, phrasing=CAPABLE)


def spoken(parts: list[Clause | ToolCall]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Clause))


def answered(output: str, question: str = ASKED) -> History:
    history = History()
    history.add("q", "user", question)
    history.add_call("c", "call_1", PLACE.name, PLACE.arguments)
    history.add_output("o", "call_1", output)
    return history


async def test_the_model_decides_what_to_call() -> None:
    endpoint = ChatEndpoint(calls(PLACE.name, PLACE.arguments))
    assert await replied(host_of(endpoint), ASKED, brief=BRIEF) == [PLACE]
    body = endpoint.bodies[0]
    assert [tool["function"]["name"] for tool in body["tools"]] == ["track_order", "get_weather"]
    assert body["messages"][-1] == {"role": "user", "content": ASKED}


async def test_words_come_before_the_call_and_are_guarded() -> None:
    script = [*says("Let me have a look. It costs $99."), *calls(PLACE.name, PLACE.arguments)]
    parts = await replied(host_of(ChatEndpoint(script)), ASKED, brief=BRIEF)
    assert spoken(parts) == "Let me have a look."
    assert parts[-1] == PLACE


async def test_several_calls_are_all_made() -> None:
    script = [*calls(PLACE.name, PLACE.arguments), *calls("track_order", "{}", index=1)]
    parts = await replied(host_of(ChatEndpoint(script)), ASKED, brief=BRIEF)
    assert parts == [PLACE, ToolCall("track_order", "{}")]


async def test_the_model_words_an_output() -> None:
    endpoint = ChatEndpoint(says("It is 3 degrees in Oslo."))
    history = answered('{"temperature": 3}')
    said = await replied(host_of(endpoint), ASKED, "en", history, BRIEF)
    assert spoken(said) == "It is 3 degrees in Oslo."
    assert [m["role"] for m in endpoint.bodies[0]["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]


async def test_figures_an_output_does_not_hold_are_not_said() -> None:
    endpoint = ChatEndpoint(says("It is 30 degrees there."))
    history = answered('{"temperature": 3}')
    said = await replied(host_of(endpoint), ASKED, "en", history, BRIEF)
    assert spoken(said) == "The temperature is 3."


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ('{"booked": true}', "I've booked it for you."),
        ('{"error": "full"}', "I'm sorry, that didn't work: full."),
    ],
)
async def test_only_what_was_done_is_said_to_be(output: str, said: str) -> None:
    endpoint = ChatEndpoint(says("I've booked it for you."))
    parts = await replied(host_of(endpoint), ASKED, "en", answered(output), BRIEF)
    assert spoken(parts) == said


async def test_the_model_may_call_once_more_but_is_not_made_to() -> None:
    endpoint = ChatEndpoint(calls("track_order", '{"order_id": "A1"}'))
    brief = Brief(tools=(TRACK, WEATHER), tool_choice="required")
    parts = await replied(host_of(endpoint), ASKED, "en", answered("cold"), brief)
    assert parts == [ToolCall("track_order", '{"order_id": "A1"}')]
    assert endpoint.bodies[0]["tool_choice"] == "auto"


@pytest.mark.parametrize("choice", ["required", "get_weather"])
async def test_a_demand_reaches_the_model(choice: str) -> None:
    endpoint = ChatEndpoint(calls(PLACE.name, PLACE.arguments))
    brief = Brief(tools=(TRACK, WEATHER), tool_choice=choice)
    assert await replied(host_of(endpoint), ASKED, brief=brief) == [PLACE]
    named = {"type": "function", "function": {"name": "get_weather"}}
    assert endpoint.bodies[0]["tool_choice"] == (named if choice == "get_weather" else choice)


async def test_no_tools_are_offered_where_none_may_be_called() -> None:
    endpoint = ChatEndpoint(says("I like it."))
    brief = Brief(tools=(TRACK,), tool_choice="none")
    await replied(host_of(endpoint), "do you like music", brief=brief)
    assert "tools" not in endpoint.bodies[0]


@pytest.mark.parametrize(
    "script",
    [
        calls("delete_everything", "{}"),
        calls("track_order", "{never"),
        says("It costs $99."),
        [{"content": 7}],
    ],
)
async def test_where_the_model_fails_a_rule_decides(script: list[dict[str, Any]]) -> None:
    host = host_of(ChatEndpoint(script))
    parts = await replied(host, "where is my order A1234", brief=BRIEF)
    assert parts == [ToolCall("track_order", '{"order_id": "A1234"}')]


async def test_a_slow_model_is_not_waited_for() -> None:
    async def silent(request: httpx.Request) -> httpx.Response:
        del request
        await asyncio.Event().wait()
        raise AssertionError("never answered")

    model = EndpointModel("http://endpoint.test/v1", "big", transport=httpx.MockTransport(silent))
    hurried = Phrasing(languages=("en",), joins_facts=True, call_deadline=0.05)
    host = Host(load_catalogue(), load_persona(), model=model, phrasing=hurried)
    parts = await replied(host, "where is my order A1234", brief=BRIEF)
    assert parts == [ToolCall("track_order", '{"order_id": "A1234"}')]


async def test_instructions_stand_before_the_rules() -> None:
    endpoint = ChatEndpoint(says("Ahoy!"))
    host = host_of(endpoint)
    assert host.follows_instructions
    brief = Brief(instructions="Talk like a pirate. Prices may be invented.")
    assert spoken(await replied(host, "hello", brief=brief)) == "Ahoy!"
    system = endpoint.bodies[0]["messages"][0]
    assert system["role"] == "system"
    assert system["content"].index("pirate") < system["content"].index("Never state a number")
    assert len(endpoint.bodies[0]["messages"]) == 2


async def test_instructions_do_not_lift_the_guard() -> None:
    endpoint = ChatEndpoint(says("A large is $5, matey!"))
    brief = Brief(instructions="Say that a large is $5.")
    said = await replied(host_of(endpoint), "how much is a large pizza", brief=brief)
    assert "$15" in spoken(said)


async def test_no_model_speaks_in_an_emergency() -> None:
    endpoint = ChatEndpoint(says("Have a pizza!"))
    brief = Brief(instructions="Sell.", tools=(TRACK,))
    words = "help, somebody has collapsed and is not breathing"
    said = await replied(host_of(endpoint), words, brief=brief)
    assert "pizza" not in spoken(said)
    assert endpoint.bodies == []


async def test_a_reply_is_as_long_as_the_brief_lets_it() -> None:
    endpoint = ChatEndpoint(says("I do."))
    host = host_of(endpoint)
    for most in (20, 4000):
        await replied(host, "do you like music", brief=Brief(max_tokens=most))
    assert [body["max_tokens"] for body in endpoint.bodies] == [20, CAPABLE.max_tokens]


async def test_a_plain_model_gets_text_alone() -> None:
    model = ScriptedModel("I do, very much.")
    host = Host(load_catalogue(), load_persona(), model=model, phrasing=CAPABLE)
    history = answered("cold")
    history.add("a", "assistant", "It is cold.")
    said = await replied(host, "do you like music", "en", history, Brief(tools=(CANCEL,)))
    assert spoken(said) == "I do, very much."
    assert [message.content for message in model.requests[0][1:]][-3:] == [
        ASKED,
        "It is cold.",
        "Do you like music?",
    ]
