"""A show of many hours by a virtual clock: the director and the host as they are, and no sound."""

import asyncio
import gc
import sys
import tracemalloc
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from tqdm import tqdm

from agents.brief import PLAIN
from agents.catalogue import load_persona
from agents.clause import Clause
from agents.history import History
from agents.host import Host
from agents.rundown.drafting import draft
from agents.rundown.said import normalised
from agents.shop.sample import sample_shop
from agents.shop.truth import FigureCheck
from agents.show.director import Director
from agents.show.line import Line
from agents.show.pace import seconds_of
from pipeline.rooms.hosts import anchor_file
from transport.chat.log import Entry
from transport.measure import percentile
from web.bench.chatter import Chatter, make_log
from web.bench.measures import false_figures

BEGIN: Final = 1_800_000_000.0
HOUR_S: Final = 3600.0
RATE: Final = 0.1  # questions a second
_ASKED: Final = ("answer", "operator")


@dataclass
class _Seen:
    """What was seen of a show; `memory`: megabytes that Python holds, hour by hour."""

    lines: Counter[str] = field(default_factory=Counter)
    repeats: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    asked: int = 0
    written: int = 0
    silent_s: float = 0.0


def run(hours: float = 24.0, rate: float = RATE, seed: int = 1) -> dict[str, Any]:
    """Play a show, and return what was seen."""
    tracemalloc.start()
    try:
        show = _Show(hours, rate, seed)
        asyncio.run(show.play())
    finally:
        tracemalloc.stop()
    seen = show.seen
    return {
        "hours": hours,
        "lines": sum(seen.lines.values()),
        "by_kind": dict(seen.lines),
        "repeats_within_hour": sum(n for kind, n in seen.repeats.items() if kind not in _ASKED),
        "answers_repeated": seen.repeats["answer"],
        "false_figures": len(seen.false),
        "false": seen.false[:20],
        "questions": seen.asked,
        "question_to_answer_p95_s": percentile(seen.waits, 0.95),
        "written": seen.written,
        "silent_s": seen.silent_s,
        "memory_mb": [round(each, 1) for each in seen.memory],
    }


class _Show:
    """Plays a director as a session would, and has a host answer what it asks to be answered."""

    def __init__(self, hours: float, rate: float, seed: int) -> None:
        shop = sample_shop()
        self.now = BEGIN
        self.seen = _Seen()
        self._hours = hours
        self._random = Random(seed)
        rundown = draft(shop, "en", now=BEGIN)
        self._fixed = {
            normalised(wording)
            for item in rundown
            for sentence in item.script
            if sentence.fixed
            for wording in sentence.wordings
        }
        self._director = Director(rundown, shop, now=lambda: self.now, random=Random(seed + 1))
        self._host = Host(None, load_persona(anchor_file()), shop=shop, now=lambda: self.now)
        self._check = FigureCheck(shop, lambda: self.now)
        self._log = _hourly(hours, rate, seed)
        self._next: Entry | None = next(self._log, None)
        self._sent: dict[str, float] = {}
        self._names: dict[str, str] = {}
        self._recent: deque[tuple[float, str]] = deque()
        self._known: Counter[str] = Counter()

    async def play(self) -> None:
        """Go through all hours."""
        prepared = self._director.next()
        with tqdm(total=self._hours, unit="h", file=sys.stderr, leave=False) as bar:
            while self.now < BEGIN + self._hours * HOUR_S:
                before = self.now
                prepared = await self._line(prepared)
                # The last line ends after the last hour.
                bar.update(min((self.now - before) / HOUR_S, max(0.0, self._hours - bar.n)))
                if (self.now - BEGIN) // HOUR_S > len(self.seen.memory):
                    gc.collect()
                    self.seen.memory.append(tracemalloc.get_traced_memory()[0] / 2**20)

    async def _line(self, prepared: Line | None) -> Line | None:
        """Speak one line while viewers come and ask; return the one that is prepared after it."""
        line = prepared or self._director.next()
        if line is None:
            self.now += 1.0
            self.seen.silent_s += 1.0
            await self._hear()
            return None
        self._director.began(line)
        self._note(line)
        after = self._director.next()
        seconds = seconds_of(line.clauses, "usual") * self._random.uniform(0.9, 1.1)
        for part in range(4):
            self.now += seconds / 4
            await self._hear()
            if part < 3 and self._director.urgent and after is not None:
                self._director.dropped(after)
                after = self._director.next()
        self._director.ended(line, True)
        return after

    async def _hear(self) -> None:
        """Bring what has happened by now, and have questions answered."""
        while self._next is not None and BEGIN + self._next.at <= self.now:
            event = self._next.event
            if self._director.hear(event).status in ("queued", "merged") and event.text:
                self._sent[event.id] = BEGIN + self._next.at
                self._names[event.id] = event.name
                self.seen.asked += 1
            self._next = next(self._log, None)
        while (question := self._director.question()) is not None:
            parts = self._host.reply(
                question.text, question.language, History(), PLAIN, focus=question.focus
            )
            clauses = [part async for part in parts if isinstance(part, Clause)]
            cited = tuple(dict.fromkeys(c for clause in clauses for c in clause.citations))
            self._director.answered(question, clauses, cited)
        for question in self._director.overdue():
            self.seen.written += 1
            for event_id in question.events:
                self._sent.pop(event_id, None)
                self._names.pop(event_id, None)

    def _note(self, line: Line) -> None:
        seen, text = self.seen, normalised(line.text)
        seen.lines[line.kind] += 1
        if line.kind == "answer":
            sent = [self._sent.pop(each) for each in line.events if each in self._sent]
            seen.waits.extend(self.now - at for at in sent)
        names = [self._names.pop(each, "") for each in line.events]
        told = {"kind": line.kind, "text": line.text, "product": line.product}
        false = false_figures(told, names, self._check)
        seen.false += [f"{line.text}: {figure}" for figure in false]
        while self._recent and self.now - self._recent[0][0] >= HOUR_S:
            _, old = self._recent.popleft()
            self._known[old] -= 1
            if not self._known[old]:
                del self._known[old]
        if self._known[text] > 0 and text not in self._fixed:
            seen.repeats[line.kind] += 1
        self._known[text] += 1
        self._recent.append((self.now, text))


def _hourly(hours: float, rate: float, seed: int) -> Iterator[Entry]:
    """Yield a log of many hours, made an hour at a time."""
    for number in range(int(hours) + 1):
        chatter = Chatter(minutes=60.0, rate=rate, seed=seed + number)
        for entry in make_log(sample_shop(), chatter):
            event = replace(entry.event, id=f"h{number}-{entry.event.id}")
            yield Entry(entry.at + number * HOUR_S, event)
