"""A stage for directors: plays their lines as a session would, under a clock of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from agents.answer import to_clauses
from agents.rundown.document import Item, Rundown, Sentence
from agents.shop.product import Product, Shop
from agents.show.director import Director
from agents.show.line import Line
from agents.show.pace import seconds_of

SHOP = Shop(
    "harbour",
    {"en": "Harbour", "zh": "港湾"},
    (
        Product(
            "tote",
            {"en": "Harbour Tote", "zh": "港湾托特包"},
            price=Decimal("49.90"),
            attributes={
                "material": {"en": "waxed canvas", "zh": "上蜡帆布"},
                "colour": {"en": "navy and olive", "zh": "藏青和橄榄绿"},
            },
            points={"en": ("It stands on its own.",), "zh": ("放下就能立住。",)},
        ),
        Product(
            "mug", {"en": "Dawn Mug", "zh": "晨光杯"}, price=Decimal("18"),
            attributes={"size": {"en": "350 ml", "zh": "350毫升"}},
        ),
    ),
)  # fmt: skip


def item(name: str, count: int, product: str | None = None, **fields: object) -> Item:
    """Return an item whose sentences name themselves and are the same every time."""
    script = tuple(Sentence((f"{name} says {n}.",), fixed=True) for n in range(count))
    kind = "product" if product else "opening"
    return Item(name, kind, script, product=product, **fields)  # type: ignore[arg-type]


def rundown(*items: Item, loops: bool = True) -> Rundown:
    """Return a rundown in English."""
    return Rundown("r", "A rundown", "en", items, loops)


@dataclass
class Stage:
    """One session: a line is heard while the next is prepared.

    Attributes:
        heard: lines heard to their end, in order.
        cuts: lines that were cut while they were heard.
    """

    director: Director
    now: float = 1000.0
    heard: list[Line] = field(default_factory=list)
    cuts: list[Line] = field(default_factory=list)
    running: Line | None = None
    prepared: Line | None = None
    starts: dict[str, float] = field(default_factory=dict)

    def fill(self) -> None:
        """Have a line running and one prepared, as far as there are any."""
        if self.running is None:
            line = self.prepared or self.director.next()
            self.prepared = None
            if line is None:
                return
            self.running = line
            self.director.began(line)
            self.starts[line.id] = self.now
        if self.prepared is None:
            self.prepared = self.director.next()

    def wake(self) -> None:
        """Ask again, as the room does when something is urgent."""
        if self.prepared is not None:
            line, self.prepared = self.prepared, None
            self.director.dropped(line)
        self.fill()

    def heed(self) -> None:
        """Wake if the director says so, which must change what comes next: a session is woken at
        every event, and would prepare lines without ever saying one.
        """
        if self.director.urgent:
            self.wake()
            assert self.prepared is None or not self.director.urgent

    def finish(self) -> None:
        """Let the running line be heard to its end, and the next begin."""
        self.fill()
        self.heed()
        line = self.running
        if line is None:
            self.now += 1.0
            return
        self.now += seconds_of(line.clauses, "usual")
        self.heard.append(line)
        self.running = None
        self.director.ended(line, True)
        self.fill()

    def cut(self) -> None:
        """Cut the running line in the middle; what was prepared is withdrawn."""
        if self.running is None:
            return
        line, self.running = self.running, None
        self.now += seconds_of(line.clauses, "usual") / 2
        if self.prepared is not None:
            prepared, self.prepared = self.prepared, None
            self.director.dropped(prepared)
        self.cuts.append(line)
        self.director.ended(line, False)

    def answer(self, text: str = "It is $49.90.") -> int:
        """Answer all questions the director hands out; return how many."""
        count = 0
        while (question := self.director.question()) is not None:
            self.director.answered(question, to_clauses(text, question.language))
            count += 1
        return count

    def texts(self, *kinds: str) -> list[str]:
        """Return the texts heard of some kinds."""
        return [line.text for line in self.heard if line.kind in kinds]


def stage(run: Rundown, shop: Shop = SHOP, seed: int = 0, **fields: object) -> Stage:
    """Return a stage with a director on it."""
    holder: list[Stage] = []
    director = Director(
        run, shop, now=lambda: holder[0].now, random=Random(seed), **fields  # type: ignore[arg-type]
    )  # fmt: skip
    holder.append(Stage(director))
    return holder[0]


def restarted(old: Stage, run: Rundown, shop: Shop, snapshot: object, seed: int = 1) -> Stage:
    """Return a stage that goes on where a snapshot was taken, after a kill."""
    fresh = stage(run, shop, seed)
    fresh.now = old.now + 3.0
    fresh.heard = list(old.heard)
    fresh.director.restore(snapshot)
    return fresh


def positions(lines: Sequence[Line]) -> list[tuple[str | None, int | None]]:
    """Return item and sentence of the script's lines."""
    return [(line.item, line.sentence) for line in lines if line.kind == "script"]
