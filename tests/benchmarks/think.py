"""How soon the host and the small language model speak: one JSON line.

    python -m tests.benchmarks.think

Keys: first_clause_ms and retrieval_ms over the questions of the quality tables, without an
embedder; small_talk_first_clause_ms through the model with its guard; model_load_s,
model_first_token_ms behind a prompt already read, model_tokens_per_s; cancel_ms from cancelling
to the model's acknowledgement. Pairs are median and 95th percentile.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import platformdirs

from agents.catalogue import load_catalogue, load_persona
from agents.clause import Language
from agents.history import History
from agents.host import Host
from agents.llm import Message
from agents.local_model import LocalModel
from agents.phrasing import Phrasing
from agents.retrieve import Retriever
from tests.agents.questions import CHINESE, CHINESE_ELSE, ENGLISH, ENGLISH_ELSE

QUESTIONS: list[tuple[str, Language]] = [
    *((question, "en") for question in [q for q, _ in ENGLISH] + ENGLISH_ELSE),
    *((question, "zh") for question in [q for q, _ in CHINESE] + CHINESE_ELSE),
]
CHAT = [
    "do you like music", "what do you think about football", "do you dream", "are you happy",
    "do you like pizza", "do you want to dance",
]  # fmt: skip


async def main() -> None:
    """Measure and print."""
    host = Host(load_catalogue(), load_persona())
    report: dict[str, object] = {
        "first_clause_ms": _summary([await _first(host, q, lang) for q, lang in QUESTIONS]),
        "retrieval_ms": _summary(_retrieval()),
    }
    started = time.perf_counter()
    model = await asyncio.to_thread(LocalModel, _weights())
    report["model_load_s"] = round(time.perf_counter() - started, 2)
    talker = Host(load_catalogue(), load_persona(), model=model, phrasing=Phrasing(deadline=10))
    await talker.warm()
    report["small_talk_first_clause_ms"] = _summary([await _first(talker, q, "en") for q in CHAT])
    report |= await _model(model)
    await model.aclose()
    sys.stdout.write(json.dumps(report) + "\n")


async def _first(host: Host, question: str, language: Language) -> float:
    started = time.perf_counter()
    reply = host.reply(question, language, History())
    await anext(reply)
    took = time.perf_counter() - started
    await reply.aclose()
    return took * 1000


def _retrieval() -> list[float]:
    retriever = Retriever(load_catalogue())
    times = []
    for question, language in QUESTIONS:
        started = time.perf_counter()
        retriever.plan(question, language)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def _model(model: LocalModel) -> dict[str, object]:
    system = Message("system", "You are a friendly host. Reply with one short sentence. " * 4)
    await model.warm([system, Message("user", "Hi")])
    first, speed, cancel = [], [], []
    for number in range(6):
        asked = [system, Message("user", f"Tell me a story of {number} ships.")]
        started = time.perf_counter()
        stream = model.stream(asked, max_tokens=48)
        await anext(stream)
        begun = time.perf_counter()
        first.append((begun - started) * 1000)
        speed.append(await _count(stream) / (time.perf_counter() - begun))
        cancel.append(await _cancel(model, asked))
    return {
        "model_first_token_ms": _summary(first),
        "model_tokens_per_s": round(statistics.median(speed), 1),
        "cancel_ms": _summary(cancel),
    }


async def _cancel(model: LocalModel, asked: list[Message]) -> float:
    stream = model.stream(asked, max_tokens=500)
    await anext(stream)
    started = time.perf_counter()
    await stream.aclose()
    return (time.perf_counter() - started) * 1000


async def _count(stream: AsyncIterator[str]) -> int:
    return len([piece async for piece in stream])


def _summary(times: list[float]) -> list[float]:
    ordered = sorted(times)
    return [round(statistics.median(ordered), 2), round(ordered[int(0.95 * (len(ordered) - 1))], 2)]


def _weights() -> Path:
    cache = Path(os.environ.get("VIVANT_CACHE", platformdirs.user_cache_dir("vivant")))
    return cache / "models" / "smollm2-135m-instruct" / "model.gguf"


if __name__ == "__main__":
    asyncio.run(main())
