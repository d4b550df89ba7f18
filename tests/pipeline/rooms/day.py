"""Hours of a busy room under the virtual clock, and what came of them."""

import asyncio
import gc
import resource
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from agents.rundown.drafting import draft
from agents.rundown.said import normalised
from agents.shop.sample import sample_shop
from agents.show.viewers import ViewerEvent
from pipeline.rooms import commands
from tests.fakes.theatre import FakePerformer
from tests.pipeline.rooms.house import House

HOUR_S = 3600.0
STEP_S = 20.0


@dataclass
class Day:
    """What came of it.

    Attributes:
        lines: how many were heard to their end.
        repeated: lines of the script, bridges and the like that were heard twice within an hour.
        memory: resident megabytes at the end of each hour.
        objects: objects Python holds at the end of each hour.
        rows: lines kept at the end of each hour.
        waits: seconds answers were waited for.
        late: metric points that were not 5 s after the one before.
    """

    lines: int = 0
    repeated: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    late: int = 0


async def live(folder: Path, hours: int, keep_rows: int = 2000) -> Day:
    """Let a room with the sample shop be on air for some hours, with viewers."""
    shop = sample_shop()
    house = House(folder, rundown=draft(shop, "en", rundown_id="run"))
    house.shop = shop
    house.rooms._keep_rows = keep_rows
    await house.start()
    await house.rooms.command("room", commands.Start(), "op")
    performer, day, chance = house.performer, Day(), Random(3)
    said: dict[str, float] = {}
    viewers = _viewers(chance, [product.id for product in shop])
    for _ in range(hours):
        for _ in range(int(HOUR_S / STEP_S)):
            await house.clock.run(STEP_S)
            await house.rooms.hear("room", next(viewers))
            _listen(performer, said, day)
        await _note(house, day)
    points = (await house.state()).metrics
    times = [point.at for point in points]
    day.late = sum(abs(b - a - 5) > 0.01 for a, b in pairwise(times))
    day.waits = [each.waited_s for each in (await house.state()).chat if each.waited_s is not None]
    await house.rooms.close()
    return day


def _listen(performer: FakePerformer, said: dict[str, float], day: Day) -> None:
    for heard in performer.heard:
        if not heard.whole:
            continue
        day.lines += 1
        key = normalised(heard.text)
        if heard.line.kind != "answer" and heard.began - said.get(key, -1e9) < HOUR_S:
            day.repeated.append(heard.text)
        said[key] = heard.began
    performer.heard.clear()


async def _note(house: House, day: Day) -> None:
    house.host.asked.clear()
    house.host.shops[:-1] = []
    await asyncio.sleep(0)
    gc.collect()
    day.objects.append(len(gc.get_objects()))
    day.memory.append(_resident_mb())
    count = "select count(*) from lines"
    day.rows.append(await house.store.read(lambda c: c.exec_driver_sql(count).scalar_one()))


def _resident_mb() -> float:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize() / 2**20


def _viewers(chance: Random, products: list[str]) -> Iterator[list[ViewerEvent]]:
    """Yield what viewers do within a few seconds."""
    number = 0
    inside: deque[str] = deque(maxlen=50)
    while True:
        events = []
        for _ in range(chance.randrange(4)):
            number += 1
            viewer = f"v{number % 500}"
            kind = chance.choice(["chat", "join", "like", "click", "order", "gift", "leave"])
            inside.append(viewer)
            text = f"what about {number}, is it warm?" if kind == "chat" else ""
            product = chance.choice(products) if kind in ("click", "order") else None
            events.append(
                ViewerEvent(f"e{number}", kind, viewer, f"Ann{number % 500}", text, product=product)  # type: ignore[arg-type]
            )
        yield events
