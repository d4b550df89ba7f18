"""The language model in process, on its real weights."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from agents.catalogue import load_catalogue, load_persona
from agents.errors import AgentValueError, ModelError
from agents.grounding import Guard
from agents.host import Host
from agents.llm import Message
from agents.local_model import LocalModel
from agents.phrasing import Phrasing
from tests.agents.talk import clauses, text

STORY = [Message("user", "Tell me a very long story about the sea.")]

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def gguf(models: Path) -> Path:
    return models / "smollm2-135m-instruct" / "model.gguf"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model(gguf: Path) -> AsyncIterator[LocalModel]:
    loaded = await asyncio.to_thread(LocalModel, gguf, max_waiting=2)
    yield loaded
    await loaded.aclose()


async def test_streams_a_reply_without_holding_the_loop(model: LocalModel) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.to_thread(lambda: None)

    counting = asyncio.ensure_future(count())
    question = [Message("user", "What is the capital of France? Answer in one sentence.")]
    pieces = [piece async for piece in model.stream(question, max_tokens=24)]
    counting.cancel()
    assert "Paris" in "".join(pieces)
    assert len(pieces) > 3
    assert turns > len(pieces)


async def test_the_same_prompt_gives_the_same_reply(model: LocalModel) -> None:
    replies = [[piece async for piece in model.stream(STORY, max_tokens=12)] for _ in range(2)]
    assert replies[0] == replies[1]
    assert len(replies[0]) == 12


async def test_closing_stops_the_model_and_frees_it(model: LocalModel) -> None:
    stream = model.stream(STORY, max_tokens=1500)
    await anext(stream)
    await stream.aclose()
    # 1500 tokens would take many seconds; the next request is served at once.
    started = time.monotonic()
    assert [p async for p in model.stream([Message("user", "Hi")], max_tokens=2)]
    assert time.monotonic() - started < 5


async def test_cancelling_while_the_prompt_is_read(model: LocalModel) -> None:
    long = [Message("user", "One more thing about the sea. " * 200)]
    waiting = asyncio.ensure_future(anext(model.stream(long, max_tokens=4)))
    await asyncio.wait({waiting}, timeout=0.2)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert [p async for p in model.stream([Message("user", "Hi")], max_tokens=2)]


async def test_refuses_more_requests_than_may_wait(model: LocalModel) -> None:
    streams = [model.stream(STORY, max_tokens=200) for _ in range(2)]
    first = asyncio.ensure_future(anext(streams[0]))
    second = asyncio.ensure_future(anext(streams[1]))
    await first
    with pytest.raises(ModelError, match="2 requests") as raised:
        await anext(model.stream(STORY))
    assert raised.value.retry
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    await streams[0].aclose()


async def test_a_prompt_longer_than_the_context(model: LocalModel) -> None:
    with pytest.raises(ModelError, match="context size") as raised:
        await anext(model.stream([Message("user", "sea " * 3000)]))
    assert not raised.value.retry


async def test_refuses_an_empty_prompt(model: LocalModel) -> None:
    with pytest.raises(AgentValueError, match="no messages"):
        await anext(model.stream([]))


async def test_its_port_serves_nobody_else(model: LocalModel) -> None:
    address = model._server.listening_address
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{address}/completion", json={"prompt": "hi", "n_predict": 1})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "question",
    ["do you like music", "what do you think about football", "are you happy", "do you dream"],
)
async def test_small_talk_is_grounded(model: LocalModel, question: str) -> None:
    host = Host(
        load_catalogue(), load_persona(), model=model, phrasing=Phrasing(deadline=20, stall=20)
    )
    answer = text(await clauses(host, question))
    assert answer[-1] in ".!?"
    assert Guard(load_catalogue().facts).problems(answer) == []


async def test_facts_do_not_wait_for_the_model(model: LocalModel) -> None:
    host = Host(load_catalogue(), load_persona(), model=model)
    await host.warm()
    busy = model.stream(STORY, max_tokens=200)
    await anext(busy)
    said = await clauses(host, "what time do you open")
    assert said[0].text == "We open at 11 AM,"
    await busy.aclose()


async def test_a_closed_model_says_so(gguf: Path) -> None:
    loaded = await asyncio.to_thread(LocalModel, gguf)
    stream = loaded.stream(STORY, max_tokens=500)
    await anext(stream)
    await loaded.aclose()
    await loaded.aclose()
    with pytest.raises(ModelError, match="was closed"):
        async for _ in stream:
            pass
    with pytest.raises(ModelError, match="is closed"):
        await anext(loaded.stream(STORY))


async def test_refuses_what_is_no_model(tmp_path: Path, gguf: Path) -> None:
    with pytest.raises(AgentValueError, match="no language model at"):
        LocalModel(tmp_path / "none.gguf")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing more")
    with pytest.raises(AgentValueError, match="cannot be loaded"):
        LocalModel(broken)
    with pytest.raises(AgentValueError, match="threads 0"):
        LocalModel(gguf, threads=0)
