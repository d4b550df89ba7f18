"""A log is played when its events are due, whatever the speed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from agents.show.viewers import ViewerEvent
from pipeline.errors import ConfigurationError
from pipeline.rooms.receipt import Receipt
from tests.fakes.clock import VirtualClock
from transport.chat.events import MOST
from transport.chat.log import Entry
from transport.chat.player import Player


@dataclass
class Platform:
    """Notes when events were brought; takes some time for each batch."""

    clock: VirtualClock
    takes: float = 0.0
    refuse: str = ""
    came: list[tuple[float, list[str]]] = field(default_factory=list)

    async def bring(self, events: Sequence[ViewerEvent]) -> list[Receipt]:
        self.came.append((self.clock.now(), [event.id for event in events]))
        if self.takes:
            await self.clock.sleep_until(self.clock.now() + self.takes)
        return [
            Receipt(event.id, "refused" if event.id == self.refuse else "taken") for event in events
        ]


def _entries(*moments: float) -> list[Entry]:
    return [Entry(at, ViewerEvent(f"e{n}", "join", "v")) for n, at in enumerate(moments)]


async def _play(player: Player, clock: VirtualClock, seconds: float) -> bool:
    task = asyncio.create_task(player.play())
    await clock.run(seconds)
    done = task.done()
    task.cancel()
    await asyncio.wait({task})
    return done


@pytest.mark.parametrize("speed", [0.5, 1.0, 4.0])
async def test_events_are_brought_when_they_are_due(speed: float) -> None:
    clock = VirtualClock()
    began, platform = clock.now(), Platform(clock)
    player = Player(_entries(0, 2, 6), platform.bring, clock, speed=speed)
    assert await _play(player, clock, 6 / speed + 0.1)
    assert [round(at - began, 3) for at, _ in platform.came] == [0, 2 / speed, 6 / speed]
    assert (player.progress.sent, player.progress.taken, player.progress.seconds) == (3, 3, 6)


async def test_those_that_come_together_are_brought_together() -> None:
    clock = VirtualClock()
    platform = Platform(clock, refuse="e1")
    moments = [0.0, 0.05, 0.09, 0.5, *([1.0] * (MOST + 5))]
    player = Player(_entries(*moments), platform.bring, clock)
    assert await _play(player, clock, 2)
    assert [len(ids) for _, ids in platform.came] == [3, 1, MOST, 5]
    assert player.progress.refused == 1
    assert player.progress.total == player.progress.sent == len(moments)


async def test_a_room_that_is_slow_is_not_sent_more_than_it_takes() -> None:
    clock = VirtualClock()
    platform = Platform(clock, takes=1.0)
    player = Player(_entries(0, 0.2, 0.4, 0.6), platform.bring, clock)
    assert not await _play(player, clock, 2.5)
    assert len(platform.came) == 3


async def test_another_run_has_other_ids() -> None:
    clock = VirtualClock()
    platform = Platform(clock)
    await _play(Player(_entries(0), platform.bring, clock, run="r1"), clock, 1)
    assert platform.came[0][1] == ["r1-e0"]


@pytest.mark.parametrize("speed", [0, 0.01, 2000, True, float("nan")])
def test_a_speed_that_is_not_accepted(speed: float) -> None:
    with pytest.raises(ConfigurationError, match=r"accepted: 0\.1 to 1000"):
        Player([], Platform(VirtualClock()).bring, VirtualClock(), speed=speed)
