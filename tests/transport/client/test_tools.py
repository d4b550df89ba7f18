"""Functions as tools: schema, arguments, results, and calls of the host."""

import asyncio
import json
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

import vivant
from tests.transport.client.server import FakeServer, Message, metadata
from transport.client.tools import Tool, Toolbox


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Guest(BaseModel):
    name: str
    people: Annotated[int, Field(ge=1)] = 2


def order(
    title: str,
    copy: int = 1,
    size: Size = Size.LARGE,
    side: Annotated[Literal["salad", "bread"] | None, Field(description="with it")] = None,
) -> dict[str, object]:
    """Order a dish.

    Only after it was confirmed.
    """
    return {"title": title, "copy": copy, "size": size, "side": side}


def test_a_schema_is_made_of_annotations() -> None:
    definition = Tool.of(order).definition()
    assert definition["name"] == "order"
    assert definition["description"] == "Order a dish.\n\nOnly after it was confirmed."
    schema = definition["parameters"]
    assert schema["required"] == ["title"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["copy"] == {"type": "integer", "default": 1}
    assert schema["properties"]["side"]["description"] == "with it"
    assert schema["$defs"]["Size"]["enum"] == ["small", "large"]


async def test_arguments_are_checked_and_results_are_json() -> None:
    tool = Tool.of(order)
    told = await tool.call('{"title": "Pizza", "size": "small", "side": "salad"}')
    assert json.loads(told) == {"title": "Pizza", "copy": 1, "size": "small", "side": "salad"}
    for wrong in ('{"title": 1}', "{}", '{"title": "a", "more": 1}', "no JSON", "[]"):
        assert list(json.loads(await tool.call(wrong))) == ["error"]
    assert "side" in json.loads(await tool.call('{"title": "a", "side": "soup"}'))["error"]


async def test_models_are_arguments_and_text_stays_text() -> None:
    async def seat(guest: Guest) -> str:
        return f"{guest.name}, {guest.people}"

    assert await Tool.of(seat).call('{"guest": {"name": "Li"}}') == "Li, 2"
    assert "people" in await Tool.of(seat).call('{"guest": {"name": "Li", "people": 0}}')


async def test_what_goes_wrong_is_told_to_the_host() -> None:
    def broken() -> None:
        raise KeyError("table")

    async def endless() -> str:
        return "a" * 20_000

    def odd() -> object:
        return object()

    async def gives_up() -> None:
        raise asyncio.CancelledError

    assert json.loads(await Tool.of(broken).call("")) == {"error": "KeyError: 'table'"}
    assert "16000" in await Tool.of(endless).call("{}")
    assert "no JSON" in await Tool.of(odd).call("{}")
    assert "cancelled" in await Tool.of(gives_up).call("{}")
    assert "no function" in await Toolbox().call("fly", "{}")


def _untyped(anything):  # type: ignore[no-untyped-def]
    return anything


class _Named:
    __name__ = "named"


def _starred(*words: str) -> None:
    del words


def _of_no_json(callback: "asyncio.Task[None]") -> None:
    del callback


def _unknown(value: "Missing") -> None:  # type: ignore[name-defined]  # noqa: F821
    del value


@pytest.mark.parametrize("handler", [_untyped, _starred, _of_no_json, _unknown, 3, _Named()])
def test_what_cannot_be_a_tool_is_refused(handler: Any) -> None:
    with pytest.raises(vivant.ClientValueError):
        Tool.of(handler)


def test_there_may_be_too_many() -> None:
    def numbered(index: int) -> Any:
        def handler() -> None: ...

        handler.__name__ = f"tool_{index}"
        return handler

    toolbox = Toolbox()
    for index in range(32):
        toolbox.add(numbered(index))
    toolbox.add(numbered(0))
    with pytest.raises(vivant.ClientValueError, match="32"):
        toolbox.add(order)


def _calling(*calls: tuple[str, str, str]) -> Any:
    """Return a behaviour: call functions first, then answer with what they gave."""

    def respond(server: FakeServer, event: Message) -> None:
        outputs = [
            one["item"]["output"]
            for one in server.received
            if one["type"] == "conversation.item.create"
            and one["item"]["type"] == "function_call_output"
        ]
        if outputs:
            server.answer("resp_2", "; ".join(outputs), metadata=metadata(event))
            return
        server.begin("resp_1", metadata(event))
        server.text("resp_1", "One moment. ")
        for name, call_id, arguments in calls:
            server.send(
                "response.function_call_arguments.done",
                response_id="resp_1",
                item_id=f"item_{call_id}",
                output_index=0,
                call_id=call_id,
                name=name,
                arguments=arguments,
            )
        server.done("resp_1", "One moment. ")

    return respond


async def test_calls_of_the_host_are_answered_and_the_reply_goes_on(server: FakeServer) -> None:
    def left(pizza: str) -> int:
        """Say how many are left."""
        return len(pizza)

    server.on["response.create"] = _calling(
        ("left", "call_1", '{"pizza": "margherita"}'), ("left", "call_2", '{"pizza": 1}')
    )
    async with vivant.connect(server.url, tools=[left]) as conversation:
        reply = await conversation.ask("How many?")
        text = await reply.text()
        assert text.startswith("One moment. 10; {")
        assert (reply.id, reply.status) == ("resp_2", "completed")
        assert len(await reply.sound()) == 960
    assert server.counts["response.create"] == 2
    created = [e["item"] for e in server.received if e["type"] == "conversation.item.create"]
    assert [item.get("call_id") for item in created] == [None, "call_1", "call_2"]


async def test_functions_may_be_offered_later(server: FakeServer) -> None:
    server.on["response.create"] = _calling(("left", "call_1", "{}"))
    async with vivant.connect(server.url) as conversation:

        @conversation.tool
        async def left() -> str:
            """Say how many are left."""
            return "three"

        assert await (await conversation.ask("?")).text() == "One moment. three"
        assert await left() == "three"
    assert server.received[0]["type"] == "session.update"
    assert server.received[0]["session"]["tools"][0]["name"] == "left"
    assert server.counts["session.update"] == 1


async def test_a_cancelled_response_takes_its_calls_with_it(server: FakeServer) -> None:
    stopped = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    def respond(server: FakeServer, event: Message) -> None:
        server.begin("resp_1", metadata(event))
        server.send(
            "response.function_call_arguments.done",
            response_id="resp_1",
            item_id="item_1",
            output_index=0,
            call_id="call_1",
            name="slow",
            arguments="{}",
        )

    server.on["response.create"] = respond
    server.on["response.cancel"] = lambda server, _: server.done("resp_1", status="cancelled")
    async with vivant.connect(server.url, tools=[slow]) as conversation:
        reply = await conversation.ask("?")
        await reply.cancel()
        await reply.finished()
        async with asyncio.timeout(15):
            await stopped.wait()
    assert (reply.status, server.counts["response.create"]) == ("cancelled", 1)


async def test_closing_stops_what_runs(server: FakeServer) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    server.on["response.create"] = _calling(("slow", "call_1", "{}"))
    async with vivant.connect(server.url, tools=[slow]) as conversation:
        await conversation.ask("?")
        await started.wait()
    assert stopped.is_set()


async def test_calls_nobody_handles_are_left_to_events(server: FakeServer) -> None:
    server.on["response.create"] = _calling(("elsewhere", "call_1", "{}"))
    async with vivant.connect(server.url) as conversation:
        reply = await conversation.ask("?")
        assert await reply.text() == "One moment. "
    assert server.counts["response.create"] == 1
