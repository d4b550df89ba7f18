"""A language model that fails is told of once, and left alone until it may have come back."""

import asyncio
from contextlib import aclosing

import pytest

from agents.errors import ModelError
from agents.llm import Message
from pipeline.watching import FIRST_REST, GIVEN_UP, PATIENCE, WatchedModel, watched
from tests.fakes.clock import VirtualClock
from tests.fakes.language_model import ScriptedModel

ASKED = [Message("user", "hello")]


class Watching:
    def __init__(self, model: ScriptedModel) -> None:
        self.clock = VirtualClock()
        self.told: list[str | None] = []
        self.model = watched(model, self.clock, self.told.append)

    async def ask(self) -> str:
        return "".join([piece async for piece in self.model.stream(ASKED)])


async def test_a_model_that_works_is_heard_and_nothing_is_told() -> None:
    watching = Watching(ScriptedModel("hello there"))
    assert await watching.ask() == "hello there"
    assert watching.told == []
    assert type(watching.model) is WatchedModel


async def test_trouble_is_told_once_and_so_is_its_end() -> None:
    script = ScriptedModel("hello there", fails_after=0)
    watching = Watching(script)
    for _ in range(3):
        with pytest.raises(ModelError):
            await watching.ask()
    assert len(watching.told) == 1
    assert "the script ends" in (watching.told[0] or "")
    assert len(script.requests) == 1, "it was left alone"
    await watching.clock.run(FIRST_REST)
    script._fails_after = None
    assert await watching.ask() == "hello there"
    assert watching.told[1:] == [None]


async def test_a_model_is_left_alone_the_longer_the_longer_it_fails() -> None:
    script = ScriptedModel("hello there", fails_after=0)
    watching = Watching(script)
    for _ in range(30):
        with pytest.raises(ModelError):
            await watching.ask()
        await watching.clock.run(FIRST_REST)
    assert 3 <= len(script.requests) <= 7


async def test_a_model_that_often_says_nothing_in_time_counts_as_failing() -> None:
    watching = Watching(ScriptedModel("hello there", stalls_after=0))

    async def wait() -> None:
        async with aclosing(watching.model.stream(ASKED)) as pieces:  # type: ignore[type-var]
            async for _ in pieces:
                pass

    for _ in range(GIVEN_UP):
        assert not watching.told
        task = asyncio.create_task(wait())
        await watching.clock.run(PATIENCE + 0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert "0.6 s" in (watching.told[0] or "")
