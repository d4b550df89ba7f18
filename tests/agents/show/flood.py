"""Ten minutes under a flood of questions, played by a stage under a virtual clock.

`python -m tests.agents.show.flood` prints what was measured as a table; `--rate` (questions a
second), `--minutes` and `--language` choose.
"""

import argparse
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from agents.answer import to_clauses
from agents.clause import Language
from agents.rundown.drafting import draft
from agents.shop.sample import sample_shop
from agents.show.director import Director
from agents.show.line import Line
from agents.show.pace import seconds_of
from agents.show.question import Question
from agents.show.viewers import ViewerEvent
from transport.chat.log import Entry
from web.bench.chatter import Chatter, make_log

BEGIN = 1_800_000_000.0
STEP_S = 0.25
MAKING_S = 0.6  # an answer, measured with the shop's host on two cores
_LENGTHS = (40, 60, 80, 110)  # characters of answers in English
_ANSWERS: dict[Language, tuple[str, str]] = {
    "en": ("It is what the card says, ", "and a little more of it follows here, "),
    "zh": ("卡片上写着的就是，", "这里再多说几句话，"),
}


@dataclass
class Flood:
    """What was heard.

    Attributes:
        seconds: of air for each kind of line.
        waited: seconds from each question to its spoken answer's beginning.
        late: of those, how many began both after 6 s and after the line that ran when it was asked.
        items: visits that were begun, in order.
        turns: sentences of the script that were heard in each of its turns.
    """

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    waited: list[float] = field(default_factory=list)
    late: int = 0
    written: int = 0
    items: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    lines: list[tuple[float, Line]] = field(default_factory=list)

    @property
    def total(self) -> float:
        """Seconds of air."""
        return sum(self.seconds.values())

    def share(self, *kinds: str) -> float:
        """Return the share of the air of some kinds of line, 0 to 1."""
        return sum(self.seconds[kind] for kind in kinds) / self.total

    def waited_p95(self) -> float:
        """Return the time within which 95 % of the spoken answers began, in seconds."""
        return sorted(self.waited)[int(len(self.waited) * 0.95)]


class FloodedRoom:
    """A director among events, as a session plays it: one line is heard, one is prepared."""

    def __init__(self, entries: list[Entry], language: Language, seed: int = 0) -> None:
        self.now = BEGIN
        self.random = Random(seed)
        self.language = language
        shop = sample_shop()
        run = draft(shop, language, now=BEGIN)
        self.director = Director(run, shop, now=lambda: self.now, random=Random(seed + 1))
        self.entries = deque(entries)
        self.flood = Flood()
        self.making: list[tuple[float, Question]] = []
        self.asked: dict[str, tuple[float, float]] = {}  # when, and when its line ended
        self.ends = BEGIN
        self.prepared: Line | None = None
        self.turn = 0

    def run(self, seconds: float, each: Callable[[], None] = lambda: None) -> Flood:
        """Play for so long, calling `each` after every line."""
        until = self.now + seconds
        while self.now < until:
            self.line()
            each()
        return self.flood

    def line(self) -> None:
        """Play one line to its end."""
        line = self.prepared or self.director.next()
        self.prepared = None
        if line is None:
            self._pass(1.0)
            self.flood.seconds["silence"] += 1.0
            return
        self.director.began(line)
        seconds = seconds_of(line.clauses, self.director.paced) * self.random.uniform(0.9, 1.1)
        self._note(line, seconds)
        self.ends = self.now + seconds
        self._late()
        self.prepared = self.director.next()
        self._pass(seconds)
        self.director.ended(line, True)

    def _pass(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + STEP_S)
            self._bring()
            self._answer()
            self._late()
            if self.director.urgent and self.prepared is not None:
                self.director.dropped(self.prepared)
                self.prepared = self.director.next()

    def _bring(self) -> None:
        while self.entries and BEGIN + self.entries[0].at <= self.now:
            event: ViewerEvent = self.entries.popleft().event
            heard = self.director.hear(event)
            if event.kind == "chat" and heard.status in ("queued", "merged"):
                self.asked[event.id] = (self.now, self.ends)

    def _answer(self) -> None:
        while len(self.making) < 2 and (question := self.director.question()) is not None:
            self.making.append((self.now + MAKING_S, question))
        for at, question in list(self.making):
            if at <= self.now:
                self.making.remove((at, question))
                known = self.random.random() < 0.85
                self.director.answered(
                    question, self._words(question), ("fact.price",) if known else ()
                )

    def _words(self, question: Question) -> tuple:  # type: ignore[type-arg]
        first, more = _ANSWERS[question.language]
        length = self.random.choice(_LENGTHS) // (1 if question.language == "en" else 3)
        text = (first + more * 4)[:length].rstrip(" ,，")
        return tuple(to_clauses(text + (". " if question.language == "en" else "。"),
                                question.language))  # fmt: skip

    def _late(self) -> None:
        late = self.director.overdue()
        self.flood.written += len(late)
        for question in late:
            for event in question.events:
                self.asked.pop(event, None)
        self.director.forgotten()

    def _note(self, line: Line, seconds: float) -> None:
        flood = self.flood
        flood.lines.append((self.now, line))
        flood.seconds[line.kind] += seconds
        if line.kind == "script":
            self.turn += 1
            if not flood.items or flood.items[-1] != line.item:
                flood.items.append(line.item or "")
        elif line.kind != "bridge" and self.turn:
            flood.turns.append(self.turn)
            self.turn = 0
        for event in line.events:
            if event not in self.asked:
                continue
            at, ends = self.asked.pop(event)
            if line.kind == "answer":
                flood.waited.append(self.now - at)
                flood.late += self.now - at > 6.0 and self.now > ends + 0.5


def flooded(rate: float, minutes: float, language: Language, seed: int = 0) -> FloodedRoom:
    """Return a room that is to be asked so many questions a second."""
    entries = make_log(sample_shop(), Chatter(minutes=minutes, rate=rate))
    return FloodedRoom(entries, language, seed)


def main() -> None:
    """Print what was measured as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=2.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--language", choices=("en", "zh"), default="en")
    parser.add_argument("--lines", type=int, default=0, help="print so many of the lines")
    given = parser.parse_args()
    flood = flooded(given.rate, given.minutes, given.language).run(given.minutes * 60)
    for kind, seconds in sorted(flood.seconds.items(), key=lambda one: -one[1]):
        print(f"{kind:12} {seconds / flood.total:6.1%}")  # noqa: T201
    turns = Counter(flood.turns)
    print(f"items begun {len(flood.items)}; sentences a turn {dict(sorted(turns.items()))}")  # noqa: T201
    print(f"answered aloud {len(flood.waited)}, written {flood.written}")  # noqa: T201
    print(f"p95 {flood.waited_p95():.1f} s, late {flood.late / len(flood.waited):.1%}")  # noqa: T201
    for at, line in flood.lines[-given.lines :] if given.lines else ():
        print(f"{at - BEGIN:6.0f} {line.kind:8} {line.item:14} {line.text}")  # noqa: T201


if __name__ == "__main__":
    main()
