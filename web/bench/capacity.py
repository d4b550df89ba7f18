"""`vivant bench capacity`: how many conversations a machine holds, and what happens past that.

A *level* is what a buyer chooses: the size of the picture. A machine *holds* a number of sessions
at a level when in each of them 95 of 100 pictures come within 40 ms of their time at 25 a second
(`transport.measure`: those that are missing are not on time), when 95 of 100 answers of all of them
begin within 1.5 s of the question's end, and no question stays unanswered. Callers ask one question
after the other without interrupting, which loads a machine more than people do. They live in this
process, the server in others; both take the machine's processors, and the report says how much.
"""

import asyncio
import multiprocessing
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import httpx
from tqdm import tqdm

from pipeline.assets import Registry
from pipeline.configuration import load_configuration
from transport.caller import Caller, HttpSignalling
from transport.errors import CallFailedError, CallRefusedError
from transport.measure import on_time_share, percentile
from transport.microphone import Microphone
from transport.report import TalkReport
from transport.talk import converse_with
from web.bench.machine import Meter, Shares
from web.bench.questions import Question, questions
from web.bench.viewers import COUNTS, watch_more
from web.command.child import own_server
from web.command.outcome import note

LEVELS: Final = {"small": (360, 640), "standard": (540, 960), "high": (720, 1280)}
DEFAULT: Final = "standard"
ON_TIME: Final = 0.95
ANSWER_S: Final = 1.5
# Callers come one after the other, as people do, and do not speak in step.
APART_S: Final = 1.3
ASKED: Final = 4
# Once more where the machine had something else to do meanwhile.
ATTEMPTS: Final = 2
TRIES_APART_S: Final = 0.5
# How often calls past the limit begin and cease, so that what else the machine does falls on both.
TURNS: Final = 5

_LEVEL = re.compile(r"^vivant_picture_level (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """So many sessions at once, and how they fared.

    Attributes:
        on_time: the least share of pictures on time of a session, 0 to 1.
        p95_s, median_s: from the end of a question to the first sound of its answer.
        answered, unanswered: questions.
        picture_level: how far the renderer's quality gave way, 0 is the best.
        shares: processor seconds a second.
    """

    level: str
    sessions: int
    on_time: float
    p95_s: float | None
    median_s: float | None
    answered: int
    unanswered: int
    picture_level: int
    shares: Shares

    @property
    def held(self) -> bool:
        """Whether the machine holds so many."""
        return (
            self.on_time >= ON_TIME
            and self.p95_s is not None
            and self.p95_s <= ANSWER_S
            and not self.unanswered
        )


@dataclass(frozen=True, slots=True)
class Refusals:
    """What happened past the limit.

    Attributes:
        tries: calls beyond the limit; none of them was taken.
        refused_s: how long the slowest refusal took.
        on_time_before, on_time_during: share of pictures on time of the sessions that run, while
            nobody else calls and while somebody does, means over the times in turn.
    """

    tries: int
    refused_s: float
    on_time_before: float
    on_time_during: float


def run(
    *,
    voice: str = "light",
    most: int = 8,
    step_s: float = 30.0,
    quick: bool = False,
    config: Path | None = None,
) -> dict[str, Any]:
    """Measure each level with one session more at a time; then refusals, then viewers.

    Args:
        most: sessions to try at a level.
        step_s: how long each number of sessions talks at least.
        quick: the default level alone, 12 s a step, and four viewers at most.

    Raises:
        CommandError: the server could not be started.
        CallFailedError: a call broke, or a call past the limit was taken.
    """
    levels = (DEFAULT,) if quick else tuple(LEVELS)
    step_s = 12.0 if quick else step_s
    asked = questions(("en",), 2 * ASKED, Registry(load_configuration(config).cache))
    arguments = ["--voice", voice, *(["--config", str(config)] if config else [])]
    steps: list[Step] = []
    for level in levels:
        with own_server([*arguments, *_sized(level), "--sessions", str(most)]) as url:
            steps += asyncio.run(_rise(url, level, asked, most, step_s))
    held = {level: _held(steps, level) for level in levels}
    limit = max(1, held[DEFAULT])
    with own_server([*arguments, *_sized(DEFAULT), "--sessions", str(limit)]) as url:
        note(f"calls past the limit of {limit}")
        refusals = asyncio.run(_refuse(url, asked, limit, step_s))
    with own_server([*arguments, *_sized(DEFAULT), "--sessions", "1"]) as url:
        note("viewers of one stream")
        counts = [count for count in COUNTS if count <= 4] if quick else COUNTS
        meter = Meter()
        watched = asyncio.run(watch_more(url, LEVELS[DEFAULT], counts, step_s / 3, ON_TIME))
        watching = meter.read()
    return _summary(voice, steps, held, refusals, watched, watching)


def _sized(level: str) -> list[str]:
    width, height = LEVELS[level]
    return ["--size", f"{width}x{height}"]


def _held(steps: Sequence[Step], level: str) -> int:
    return max((s.sessions for s in steps if s.level == level and s.held), default=0)


async def _rise(
    url: str, level: str, asked: Sequence[Question], most: int, step_s: float
) -> list[Step]:
    """Hold one session more at a time until they are too many, twice in a row."""
    steps: list[Step] = []
    await _hold(url, asked[:1], 1, 0.0)  # nobody measures the first call of a server
    for sessions in tqdm(range(1, most + 1), desc=level, file=sys.stderr, leave=False):
        for _ in range(ATTEMPTS):
            steps.append(await _try(url, level, asked, sessions, step_s))
            if steps[-1].held:
                break
        else:
            break
    return steps


async def _try(
    url: str, level: str, asked: Sequence[Question], sessions: int, step_s: float
) -> Step:
    meter = Meter()
    talks = await _hold(url, asked, sessions, step_s)
    step = _step(level, talks, await _picture_level(url), meter.read())
    note(
        f"{level}, {sessions}: {step.on_time:.3f} on time, answers within "
        f"{step.p95_s or 0:.2f} s, {'held' if step.held else 'not held'}"
    )
    return step


async def _hold(
    url: str, asked: Sequence[Question], sessions: int, at_least_s: float
) -> list[TalkReport]:
    """Hold so many conversations at once."""
    callers = [Caller(Microphone()) for _ in range(sessions)]
    return await asyncio.gather(
        *(_talk(url, caller, asked, index, at_least_s) for index, caller in enumerate(callers))
    )


async def _talk(
    url: str, caller: Caller, asked: Sequence[Question], index: int, at_least_s: float
) -> TalkReport:
    mine = [asked[(index + turn) % len(asked)] for turn in range(min(ASKED, len(asked)))]
    await asyncio.sleep(index * APART_S)
    async with caller:
        return await converse_with(
            caller,
            HttpSignalling(url),
            [question.path for question in mine],
            speech_ends={question.path: question.speech_end for question in mine},
            at_least_s=at_least_s,
        )


def _step(level: str, talks: Sequence[TalkReport], picture_level: int, shares: Shares) -> Step:
    turns = [turn for talk in talks for turn in talk.turns]
    waits = [turn.voice_to_voice_s for turn in turns if turn.voice_to_voice_s is not None]
    return Step(
        level=level,
        sessions=len(talks),
        on_time=round(min(talk.frames_on_time or 0.0 for talk in talks), 4),
        p95_s=_rounded(percentile(waits, 0.95)),
        median_s=_rounded(percentile(waits, 0.5)),
        answered=len(waits),
        unanswered=sum(turn.status == "none" for turn in turns),
        picture_level=picture_level,
        shares=shares,
    )


async def _picture_level(url: str) -> int:
    async with httpx.AsyncClient(trust_env=False) as client:
        found = _LEVEL.search((await client.get(f"{url}/metrics")).text)
    return int(float(found[1])) if found else 0


async def _refuse(url: str, asked: Sequence[Question], limit: int, step_s: float) -> Refusals:
    """Fill the server; then, in turn, leave it alone for a while and call again and again.

    Those calls come from another process, so that the callers here are as idle as before.
    """
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as elsewhere:
        return await _by_turns(url, asked, limit, step_s, elsewhere)


async def _by_turns(
    url: str, asked: Sequence[Question], limit: int, step_s: float, elsewhere: ProcessPoolExecutor
) -> Refusals:
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(elsewhere, _knock, url, 0.0)  # it is there, and has imported all
    callers = [Caller(Microphone()) for _ in range(limit)]
    coming = limit * APART_S + 3.0
    talking = [
        asyncio.create_task(_talk(url, caller, asked, index, coming + 2 * step_s))
        for index, caller in enumerate(callers)
    ]
    waits: list[float] = []
    before: list[float] = []
    during: list[float] = []
    try:
        await asyncio.sleep(coming)
        for _ in range(TURNS):
            began = loop.time()
            await asyncio.sleep(step_s / TURNS)
            middle = loop.time()
            waits += await loop.run_in_executor(elsewhere, _knock, url, step_s / TURNS)
            before += [_on_time(caller, began, middle) for caller in callers]
            during += [_on_time(caller, middle, loop.time()) for caller in callers]
    finally:
        for task in talking:
            task.cancel()
        await asyncio.wait(talking)
    return Refusals(
        len(waits), round(max(waits), 4), round(fmean(before), 4), round(fmean(during), 4)
    )


def _knock(url: str, seconds: float) -> list[float]:
    """Call a full server again and again; return how long it took each time to say so."""

    async def again() -> list[float]:
        loop = asyncio.get_running_loop()
        until, waits = loop.time() + seconds, []
        while loop.time() < until:
            waits.append(await _refused(url))
            await asyncio.sleep(TRIES_APART_S)
        return waits

    return asyncio.run(again())


async def _refused(url: str) -> float:
    loop = asyncio.get_running_loop()
    signalling = _Clocked(url)
    async with Caller(Microphone()) as caller:
        try:
            await caller.offer(signalling)
        except CallRefusedError as error:
            if error.status != httpx.codes.SERVICE_UNAVAILABLE or not error.retry_after_s:
                raise CallFailedError(f"a full server said something else: {error}") from error
            return loop.time() - signalling.began
    raise CallFailedError("a server that is full has taken a call")


class _Clocked(HttpSignalling):
    """Notes when the offer was sent."""

    began = 0.0

    async def call(self, offer_sdp: str) -> str:
        self.began = asyncio.get_running_loop().time()
        return await super().call(offer_sdp)


def _on_time(caller: Caller, start: float, stop: float) -> float:
    pictures = [picture for picture in caller.pictures if start <= picture.arrival < stop]
    return on_time_share(pictures) or 0.0


def _summary(
    voice: str,
    steps: Sequence[Step],
    held: dict[str, int],
    refusals: Refusals,
    watched: Sequence[tuple[int, float]],
    watching: Shares,
) -> dict[str, Any]:
    sessions = held[DEFAULT]
    tried = [s for s in steps if s.level == DEFAULT and s.sessions == max(1, sessions)]
    at = max(tried, key=lambda step: (step.held, step.on_time), default=None)
    return {
        "voice": voice,
        "sessions": sessions,
        "sessions_by_level": {
            f"{level} {LEVELS[level][0]}x{LEVELS[level][1]}": count for level, count in held.items()
        },
        "p95": at.p95_s if at else None,
        "on_time": at.on_time if at else None,
        "viewers_per_encode": max((n for n, share in watched if share >= ON_TIME), default=0),
        **asdict(refusals),
        "cpu": asdict(at.shares) if at else None,
        "cpu_watching": asdict(watching),
        "steps": [{**asdict(step), "held": step.held} for step in steps],
        "viewers": [{"viewers": n, "on_time": round(share, 4)} for n, share in watched],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
