"""A day on air under a virtual clock, with a busy room.

`python -m tests.agents.show.test_day` prints what was measured as a table; `--hours 24` and
`--language zh` choose.
"""

import argparse
import gc
import tracemalloc
from array import array
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Final

from agents.answer import to_clauses
from agents.clause import Language
from agents.rundown.drafting import draft
from agents.rundown.said import normalised
from agents.shop.sample import sample_shop
from agents.show.director import Director
from agents.show.line import Line
from agents.show.pace import seconds_of
from agents.show.question import Question
from agents.show.viewers import ViewerEvent, ViewerKind

_BEGIN: Final = 1_800_000_000.0
_HOUR: Final = 3600.0
_ASKED: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("How much is it?", "What colours are there?", "Is it heavy?", "What is it made of?",
           "How long does shipping take?", "Can I return it?", "Does it come with a warranty?"),
    "zh": ("多少钱？", "有什么颜色？", "重不重？", "什么材质的？", "几天发货？", "可以退货吗？",
           "保修多久？"),
}  # fmt: skip
# Events a minute: mean numbers in a busy room.
_RATES: Final[dict[ViewerKind, float]] = {
    "chat": 4.0, "join": 6.0, "follow": 0.5, "gift": 0.3, "order": 0.8, "like": 20.0, "leave": 5.0,
}  # fmt: skip


@dataclass
class Day:
    """What was seen over a day.

    Attributes:
        lines: how many, by kind.
        repeats: texts said again within the hour, by kind of line.
        rounds: when the opening began.
        memory: bytes held by Python, hour by hour.
        orders: how many were made; `unthanked`: ids of those nobody has been thanked for.
    """

    lines: Counter[str] = field(default_factory=Counter)
    repeats: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    orders: int = 0
    unthanked: set[str] = field(default_factory=set)
    waited: "array[float]" = field(default_factory=lambda: array("d"))
    written: int = 0
    left: int = 0
    replaced: int = 0
    silent_s: float = 0.0


class Room:
    """Plays a director as a session would, and brings it viewers."""

    def __init__(self, language: Language, seed: int = 0) -> None:
        self.now = _BEGIN
        self.random = Random(seed)
        shop = sample_shop()
        self.products = [product.id for product in shop if product.stock != 0]
        run = draft(shop, language, now=_BEGIN)
        self.language = language
        self.director = Director(run, shop, now=lambda: self.now, random=Random(seed + 1))
        self.day = Day()
        self.number = 0
        self.recent: deque[tuple[float, str]] = deque()
        self.known: Counter[str] = Counter()
        self.asked: dict[str, float] = {}
        self.prepared: Line | None = None

    def run(self, hours: float) -> Day:
        """Play for some hours of the room's time."""
        marks = iter(range(1, int(hours) + 2))
        mark = next(marks)
        self.prepared = self.director.next()
        while self.now < _BEGIN + hours * _HOUR:
            self._line()
            if self.now >= _BEGIN + mark * _HOUR:
                gc.collect()
                self.day.memory.append(tracemalloc.get_traced_memory()[0])
                mark = next(marks)
        for _ in range(40):  # what was ordered last is thanked for
            self._line(quiet=True)
        self.day.left = sum(not one.replaced for one in self.director.left)
        self.day.replaced = sum(one.replaced for one in self.director.left)
        return self.day

    def _line(self, *, quiet: bool = False) -> None:
        line = self.prepared or self.director.next()
        self.prepared = None
        if line is None:
            self.now += 1.0
            self.day.silent_s += 1.0
            return
        self.director.began(line)
        self._heard(line)
        self.prepared = self.director.next()
        seconds = seconds_of(line.clauses, "usual") * self.random.uniform(0.9, 1.1)
        for part in range(4):
            self.now += seconds / 4
            if not quiet:
                self._viewers(seconds / 4)
            self._answers()
            if part < 3 and self.director.urgent and self.prepared is not None:
                self.director.dropped(self.prepared)
                self.prepared = self.director.next()
        self.director.ended(line, True)

    def _heard(self, line: Line) -> None:
        day = self.day
        day.lines[line.kind] += 1
        day.unthanked.difference_update(line.events)
        if line.kind == "answer":
            day.waited.extend(
                [self.now - self.asked.pop(e) for e in line.events if e in self.asked]
            )
        while self.recent and self.now - self.recent[0][0] >= _HOUR:
            _, old = self.recent.popleft()
            self.known[old] -= 1
            if not self.known[old]:
                del self.known[old]
        text = normalised(line.text)
        if text in self.known:
            day.repeats[line.kind] += 1
        self.known[text] += 1
        self.recent.append((self.now, text))
        if line.item == "opening" and line.sentence == 0:
            day.rounds.append(self.now)

    def _viewers(self, seconds: float) -> None:
        for kind, rate in _RATES.items():
            for _ in range(_poisson(self.random, rate * seconds / 60)):
                self._event(kind)

    def _event(self, kind: ViewerKind) -> None:
        self.number += 1
        name = self.random.choice(("Anna", "Ben", "小李", "Zoë", "Max_77", "阿明", "K"))
        product = self.random.choice(self.products)
        text = self.random.choice(_ASKED[self.language]) if kind == "chat" else ""
        viewer = f"v{self.random.randrange(3000)}"
        event = ViewerEvent(
            f"e{self.number}", kind, viewer, name, text, self.now,
            product=product if kind == "order" else None, gift="Rose" if kind == "gift" else "",
        )  # fmt: skip
        if kind == "order":
            self.day.orders += 1
            self.day.unthanked.add(event.id)
        if self.director.hear(event).status in ("queued", "merged") and kind == "chat":
            self.asked[event.id] = self.now

    def _answers(self) -> None:
        for question in self._questions():
            text = "It is written on the card." if question.language == "en" else "卡片上写着。"
            self.director.answered(question, to_clauses(text, question.language))
        for question in self.director.overdue():
            self.day.written += 1
            for event in question.events:
                self.asked.pop(event, None)

    def _questions(self) -> Iterator[Question]:
        while (question := self.director.question()) is not None:
            yield question


def _poisson(random: Random, mean: float) -> int:
    count, product = 0, random.random()
    limit = 2.718281828459045**-mean
    while product > limit:
        count += 1
        product *= random.random()
    return count


def play(hours: float, language: Language) -> Day:
    """Return what was seen over some hours."""
    tracemalloc.start()
    try:
        return Room(language).run(hours)
    finally:
        tracemalloc.stop()


def check(day: Day) -> None:
    """Assert what must hold of a day, or of some hours."""
    # Who asks the same as a namesake did may be told the same; nothing else is said again.
    assert not day.repeats.keys() - {"answer"}
    assert day.repeats["answer"] <= day.lines["answer"] // 100
    assert not day.unthanked
    assert day.silent_s == 0.0
    # All that is remembered is remembered for an hour: after two, memory no longer grows.
    if len(day.memory) > 4:
        assert day.memory[-1] < 1.15 * max(day.memory[1:3])
    rounds = [b - a for a, b in pairwise(day.rounds)]
    if len(rounds) > 8:
        first, last = rounds[: len(rounds) // 2], rounds[len(rounds) // 2 :]
        # Rounds vary with what is asked; they do not grow.
        assert sum(last) / len(last) < 1.1 * sum(first) / len(first)


def test_hours_on_air_repeat_nothing_and_lose_nothing() -> None:
    """Three hours; the whole day is what the module does when it is run."""
    day = play(3.0, "en")
    check(day)
    assert day.lines["script"] > 500


def test_hours_on_air_in_chinese() -> None:
    check(play(1.5, "zh"))


def main() -> None:
    """Print what was measured as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--language", choices=("en", "zh"), default="en")
    given = parser.parse_args()
    day = play(given.hours, given.language)
    waited = sorted(day.waited) or [0.0]
    rounds = [b - a for a, b in pairwise(day.rounds)] or [0.0]
    rows = {
        "hours": given.hours,
        "lines": sum(day.lines.values()),
        **{f"  {kind}": count for kind, count in day.lines.most_common()},
        "repeated within an hour": dict(day.repeats) or 0,
        "left out, or replaced by another fact": f"{day.left}, {day.replaced} (of the last 200)",
        "orders": day.orders,
        "orders without thanks": len(day.unthanked),
        "answered in writing": day.written,
        "question to answer, median s": round(waited[len(waited) // 2], 1),
        "question to answer, p95 s": round(waited[int(len(waited) * 0.95)], 1),
        "round, mean s": round(sum(rounds) / len(rounds), 1),
        "round, shortest and longest s": f"{min(rounds):.0f}, {max(rounds):.0f}",
        "silence, s": day.silent_s,
        "memory by hour, MB": " ".join(f"{each / 1e6:.1f}" for each in day.memory),
    }
    for name, value in rows.items():
        print(f"{name:44} {value}")  # noqa: T201


if __name__ == "__main__":
    main()
