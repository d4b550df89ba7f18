"""`vivant bench soak`: hours of talk and hundreds of calls; what grows, and what is left over."""

import asyncio
import re
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from tqdm import tqdm

from pipeline.assets import Registry
from pipeline.configuration import load_configuration
from transport.caller import Caller, HttpSignalling
from transport.errors import CallFailedError
from transport.microphone import Microphone, load_utterance
from web.bench.questions import Question, questions
from web.command.child import own_server
from web.command.outcome import note

SAMPLE_S: Final = 2.0
WARM_SHARE: Final = 0.25  # of the time: caches fill, and the allocator finds its size
REPLY_S: Final = 30.0
# A session waits half a minute for a client that was lost, whose silence is noticed before.
SETTLE_S: Final = 75.0
LEFT_BEHIND: Final = ("sessions", "threads", "tasks", "files")
WARM_CYCLES: Final = 3

_SAMPLE = re.compile(r"^(vivant_\w+)(?:\{process=\"(\w+)\"\})? (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the server and its drawing process hold at one moment."""

    memory: float
    sessions: float
    threads: float
    tasks: float
    files: float


def run(
    *, minutes: float = 30.0, cycles: int = 200, voice: str = "light", config: Path | None = None
) -> dict[str, Any]:
    """Talk for `minutes`, then connect and disconnect `cycles` times, a third in mid-speech.

    `memory_growth` compares the medians of the second quarter and of the last quarter of the
    talk. `leaked` counts sessions, threads, tasks and files that the cycles left behind.

    Raises:
        CommandError: the server could not be started.
        CallFailedError: the call broke.
    """
    registry = Registry(load_configuration(config).cache)
    asked = questions(("en",), 8, registry)
    arguments = [
        "--voice",
        voice,
        "--sessions",
        "2",
        *(["--config", str(config)] if config else []),
    ]
    with own_server(arguments) as url:
        return asyncio.run(_soak(url, asked, minutes, cycles, voice))


async def _soak(
    url: str, asked: Sequence[Question], minutes: float, cycles: int, voice: str
) -> dict[str, Any]:
    note(f"talking for {minutes:g} minutes")
    memory, turns = await _talk(url, asked, 60 * minutes)
    note(f"{cycles} calls")
    await _cycle(url, asked, WARM_CYCLES)
    before = await settled(url)
    await _cycle(url, asked, cycles)
    after = await settled(url)
    left = left_behind(before, after)
    early, late = _quarters(memory)
    return {
        "voice": voice,
        "minutes": minutes,
        "turns": turns,
        "memory_mb": round(late / 1e6, 1),
        "memory_growth": round(late / early - 1, 4),
        "cycles": cycles,
        "cycles_memory_growth": round(after.memory / before.memory - 1, 4),
        "leaked": sum(max(0, count) for count in left.values()),
        "left": left,
    }


async def _talk(url: str, asked: Sequence[Question], seconds: float) -> tuple[list[float], int]:
    """Ask one question after the other; return memory samples and how many were answered."""
    memory: list[float] = []
    turns = 0
    async with Caller(Microphone()) as caller:
        await caller.connect(HttpSignalling(url))
        watching = asyncio.create_task(_watch(url, memory, seconds))
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until:
                question = asked[turns % len(asked)]
                await _ask(caller, question)
                turns += 1
                _forget(caller)
        finally:
            watching.cancel()
            await asyncio.wait({watching})
    return memory, turns


async def _ask(caller: Caller, question: Question) -> None:
    start = len(caller.events)
    await caller.microphone.speak(load_utterance(question.path, question.speech_end))
    await caller.event("output_audio_buffer.stopped", REPLY_S, start)


def _forget(caller: Caller) -> None:
    """The caller notes all it receives, for reports; here only the newest matters."""
    caller.sounds.clear()
    caller.pictures.clear()
    caller.events.clear()


async def _watch(url: str, memory: list[float], seconds: float) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        with tqdm(total=round(seconds), unit="s", file=sys.stderr, leave=False) as bar:
            while True:
                memory.append((await _holdings(url, client)).memory)
                await asyncio.sleep(SAMPLE_S)
                bar.update(SAMPLE_S)


async def _cycle(url: str, asked: Sequence[Question], cycles: int) -> None:
    for index in tqdm(range(cycles), unit="call", file=sys.stderr, leave=False):
        async with aclosing(_connected(url)) as callers:
            async for caller in callers:
                if index % 3 == 2:
                    await _leave_in_mid_speech(caller, asked[index % len(asked)])


async def _connected(url: str) -> Any:
    async with Caller(Microphone()) as caller:
        await caller.connect(HttpSignalling(url))
        yield caller


async def _leave_in_mid_speech(caller: Caller, question: Question) -> None:
    start = len(caller.events)
    caller.send(
        {
            "type": "conversation.item.create",
            "item": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": question.text}],
            },
        }
    )
    caller.send({"type": "response.create"})
    await caller.event("output_audio_buffer.started", REPLY_S, start)


async def settled(url: str) -> Holdings:
    """Return what is held once no session is left and nothing of them is being freed any more.

    Raises:
        CallFailedError: sessions are left after more than a minute.
    """
    async with httpx.AsyncClient(trust_env=False) as client:
        before = await _holdings(url, client)
        deadline = time.monotonic() + SETTLE_S
        while time.monotonic() < deadline:
            await asyncio.sleep(SAMPLE_S)
            holdings = await _holdings(url, client)
            still = all(getattr(holdings, kind) == getattr(before, kind) for kind in LEFT_BEHIND)
            if still and not holdings.sessions:
                return holdings
            before = holdings
    if holdings.sessions:
        raise CallFailedError(f"{holdings.sessions:g} sessions are left after {SETTLE_S:g} s")
    return holdings


def left_behind(before: Holdings, after: Holdings) -> dict[str, int]:
    """Return how many more there are of each kind."""
    return {name: int(getattr(after, name) - getattr(before, name)) for name in LEFT_BEHIND}


async def _holdings(url: str, client: httpx.AsyncClient) -> Holdings:
    answer = await client.get(f"{url}/metrics")
    values: dict[str, float] = {}
    for name, _, value in _SAMPLE.findall(answer.text):
        values[name] = values.get(name, 0.0) + float(value)
    return Holdings(
        values["vivant_resident_bytes"],
        values["vivant_sessions"],
        values["vivant_threads"],
        values["vivant_tasks"],
        values["vivant_open_files"],
    )


def _quarters(memory: Sequence[float]) -> tuple[float, float]:
    """Return the medians of the second and of the last quarter."""
    quarter = max(1, round(len(memory) * WARM_SHARE))
    return statistics.median(memory[quarter : 2 * quarter]), statistics.median(memory[-quarter:])
