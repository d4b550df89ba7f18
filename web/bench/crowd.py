"""A crowd of callers who come and go in every way there is, in a process of their own.

Callers take turns in how they behave:

- *polite*: talks, hangs up by request;
- *closing*: talks, closes the connection without a request, as a tab that is closed;
- *vanishing*: talks, then loses the network without a word;
- *silent*: makes an offer and never comes;
- *returning*: talks, vanishes, and goes on with the same session over a new connection at once.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from transport.caller import Caller, HttpSignalling
from transport.errors import CallFailedError, CallRefusedError
from transport.microphone import Microphone

Manner = Literal["polite", "closing", "vanishing", "silent", "returning"]
MANNERS: Final[tuple[Manner, ...]] = get_args(Manner)
SOUND_S: Final = 10.0
FULL: Final = 503


@dataclass(frozen=True, slots=True)
class Visit:
    """How one caller fared.

    Attributes:
        manner: see above.
        answered: calls that the server answered.
        resumed: those of them that went on with the session before.
        refused_s: how long each refusal took, in seconds, from the sending of the offer on.
        retry_after_s: what each refusal for want of room told; None where it told nothing.
        problem: how the server refused otherwise.
        late: what did not come in time, on a machine that has too much to do.
    """

    manner: Manner
    answered: int = 0
    resumed: int = 0
    refused_s: tuple[float, ...] = ()
    retry_after_s: tuple[int | None, ...] = ()
    problem: str = ""
    late: str = ""


@dataclass(frozen=True, slots=True)
class Storm:
    """What a crowd saw: a visit each, the seconds it took, and CPU seconds of its process."""

    visits: tuple[Visit, ...]
    seconds: float
    cpu_seconds: float

    def counts(self) -> dict[str, int]:
        """Return how many calls were answered, how many of those went on with a session, and how
        many were refused for want of room; and how many callers waited in vain.
        """
        return {
            "answered": sum(visit.answered for visit in self.visits),
            "resumed": sum(visit.resumed for visit in self.visits),
            "refused": sum(len(visit.refused_s) for visit in self.visits),
            "late": sum(bool(visit.late) for visit in self.visits),
        }

    @property
    def problems(self) -> list[str]:
        """How the server refused, beside being full and telling when to come again."""
        silent = [
            f"{visit.manner}: a full server did not tell when to come again"
            for visit in self.visits
            if None in visit.retry_after_s
        ]
        return [f"{v.manner}: {v.problem}" for v in self.visits if v.problem] + silent

    @property
    def refused_s(self) -> float | None:
        """The longest that a refusal took, in seconds."""
        return max((each for visit in self.visits for each in visit.refused_s), default=None)


@dataclass
class _Diary:
    answered: int = 0
    resumed: int = 0
    refused_s: list[float] = field(default_factory=list)
    retry_after_s: list[int | None] = field(default_factory=list)


def send_crowd(url: str, clients: int, per_second: float, stay_s: float) -> Storm:
    """Send a crowd from a new process and wait until it has gone. Blocks.

    Args:
        url: the server.
        clients: how many come.
        per_second: how many come each second.
        stay_s: seconds that each stays.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as process:
        return process.submit(_crowd, url, clients, per_second, stay_s).result()


def _crowd(url: str, clients: int, per_second: float, stay_s: float) -> Storm:
    began, cpu = time.monotonic(), time.process_time()
    visits = asyncio.run(_all(url, clients, per_second, stay_s))
    return Storm(tuple(visits), time.monotonic() - began, time.process_time() - cpu)


async def _all(url: str, clients: int, per_second: float, stay_s: float) -> list[Visit]:
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def come(index: int) -> Visit:
        await asyncio.sleep(max(0.0, began + index / per_second - loop.time()))
        return await _visit(url, MANNERS[index % len(MANNERS)], stay_s)

    return await asyncio.gather(*(come(index) for index in range(clients)))


async def _visit(url: str, manner: Manner, stay_s: float) -> Visit:
    diary, problem, late = _Diary(), "", ""
    try:
        await _WAYS[manner](url, stay_s, diary)
    except CallRefusedError as error:
        if error.status == FULL:
            diary.retry_after_s.append(error.retry_after_s)
        else:
            problem = str(error)
    except CallFailedError as error:
        late = str(error)
    refused, retry = tuple(diary.refused_s), tuple(diary.retry_after_s)
    return Visit(manner, diary.answered, diary.resumed, refused, retry, problem, late)


async def _polite(url: str, stay_s: float, diary: _Diary) -> None:
    async with Caller(Microphone(), video=False) as caller:
        await _talk(caller, HttpSignalling(url), stay_s, diary)


async def _closing(url: str, stay_s: float, diary: _Diary) -> None:
    async with Caller(Microphone(), video=False) as caller:
        await _talk(caller, _NeverHangsUp(url), stay_s, diary)


async def _vanishing(url: str, stay_s: float, diary: _Diary) -> None:
    async with Caller(Microphone(), video=False) as caller:
        await _talk(caller, HttpSignalling(url), stay_s, diary)
        await caller.vanish()


async def _silent(url: str, _stay_s: float, diary: _Diary) -> None:
    async with Caller(Microphone(), video=False) as caller:
        await caller.offer(_Noted(_NeverHangsUp(url), diary))
        await caller.vanish()


async def _returning(url: str, stay_s: float, diary: _Diary) -> None:
    async with Caller(Microphone(), video=False) as first:
        await _talk(first, HttpSignalling(url), stay_s / 2, diary)
        session = await _session(first)
        await first.vanish()
    wishes = {"resume": session["avatar"]["resume_token"]}
    async with Caller(Microphone(), video=False) as second:
        await _talk(second, HttpSignalling(url, wishes), stay_s / 2, diary)
        diary.resumed += (await _session(second))["id"] == session["id"]


async def _session(caller: Caller) -> dict[str, Any]:
    created = await caller.event("session.created", SOUND_S)
    session: dict[str, Any] = created["session"]
    return session


_WAYS: Final[dict[Manner, Callable[[str, float, _Diary], Awaitable[None]]]] = {
    "polite": _polite,
    "closing": _closing,
    "vanishing": _vanishing,
    "silent": _silent,
    "returning": _returning,
}


class _NeverHangsUp(HttpSignalling):
    """Leaves it to the server to notice the end."""

    async def hang_up(self) -> None:
        return


async def _talk(caller: Caller, signalling: HttpSignalling, stay_s: float, diary: _Diary) -> None:
    """Call, hear sound, and stay."""
    await caller.connect(_Noted(signalling, diary))
    await caller.until(lambda: caller.sounds or None, SOUND_S, "sound")
    await asyncio.sleep(stay_s)


class _Noted:
    """A signalling that notes in a diary what came of its offers."""

    def __init__(self, signalling: HttpSignalling, diary: _Diary) -> None:
        self._signalling = signalling
        self._diary = diary

    async def call(self, offer_sdp: str) -> str:
        began = time.monotonic()
        try:
            answer = await self._signalling.call(offer_sdp)
        except CallRefusedError:
            self._diary.refused_s.append(time.monotonic() - began)
            raise
        self._diary.answered += 1
        return answer

    async def hang_up(self) -> None:
        await self._signalling.hang_up()
