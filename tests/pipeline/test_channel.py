"""Bounded channels that forget turns which are over."""

import asyncio

import pytest

from pipeline.channel import Channel, Envelope


async def test_order_is_kept() -> None:
    channel: Channel[str] = Channel(3)
    for word in ("a", "b", "c"):
        assert await channel.put(Envelope(1, word))
    assert [(await channel.get()).payload for _ in range(3)] == ["a", "b", "c"]


async def test_a_full_channel_makes_the_writer_wait() -> None:
    channel: Channel[int] = Channel(1)
    await channel.put(Envelope(1, 1))
    writer = asyncio.create_task(channel.put(Envelope(1, 2)))
    await asyncio.sleep(0)
    assert not writer.done()
    assert (await channel.get()).payload == 1
    assert await writer
    assert (await channel.get()).payload == 2


async def test_dropping_a_turn_frees_its_writer_and_keeps_later_turns() -> None:
    channel: Channel[int] = Channel(2)
    await channel.put(Envelope(1, 1))
    await channel.put(Envelope(2, 2))
    writer = asyncio.create_task(channel.put(Envelope(1, 3)))
    await asyncio.sleep(0)
    assert channel.drop_through(1) == 1
    assert not await writer
    assert (await channel.get()).payload == 2
    assert not await channel.put(Envelope(1, 4))
    assert len(channel) == 0


async def test_force_drops_the_oldest() -> None:
    channel: Channel[int] = Channel(2)
    assert [channel.force(Envelope(1, n)) for n in range(4)] == [0, 0, 1, 1]
    assert [(await channel.get()).payload for _ in range(2)] == [2, 3]


async def test_force_spares_what_it_is_told_to_as_long_as_it_can() -> None:
    channel: Channel[int] = Channel(3)

    def small(number: int) -> bool:
        return number < 10

    dropped = [channel.force(Envelope(1, n), spare=small) for n in (1, 11, 2, 12, 3, 4)]
    assert dropped == [0, 0, 0, 1, 1, 1]
    assert [(await channel.get()).payload for _ in range(3)] == [2, 3, 4]


async def test_several_readers_share() -> None:
    channel: Channel[int] = Channel(4)
    readers = [asyncio.create_task(channel.get()) for _ in range(3)]
    await asyncio.sleep(0)
    for n in range(3):
        await channel.put(Envelope(1, n))
    assert sorted([(await reader).payload for reader in readers]) == [0, 1, 2]


def test_a_channel_needs_room() -> None:
    with pytest.raises(ValueError, match="0"):
        Channel[int](0)
