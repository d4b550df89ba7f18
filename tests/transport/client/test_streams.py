"""Bounded queues: what a slow reader misses, and how that shows."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from transport.client.errors import ClientError, SlowConsumerError
from transport.client.media import AudioChunk, TextChunk, VideoPacket
from transport.client.streams import SoundStream, Stream, VideoStream


def _sound(index: int, seconds: float = 1.0) -> AudioChunk:
    return AudioChunk(np.zeros(round(24_000 * seconds), np.int16), index, "resp_1", "item_1")


async def _positions(stream: SoundStream[AudioChunk], count: int) -> list[float]:
    return [(await anext(stream)).position_ms for _ in range(count)]


async def test_the_newest_items_are_kept_and_the_rest_counted() -> None:
    stream: Stream[int] = Stream(3)
    for item in range(10):
        stream.put(item)
    stream.end()
    stream.put(99)
    assert [item async for item in stream] == [7, 8, 9]
    assert stream.dropped == 7


async def test_a_waiting_reader_is_woken() -> None:
    stream: Stream[int] = Stream(3)
    reader = asyncio.create_task(_next(stream))
    await asyncio.sleep(0)
    stream.put(1)
    stream.put(2)
    assert await reader == 1
    assert await anext(stream) == 2


async def test_a_reader_that_is_cancelled_loses_nothing() -> None:
    stream: Stream[int] = Stream(3)
    reader = asyncio.create_task(_next(stream))
    await asyncio.sleep(0)
    stream.put(1)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)
    assert await anext(stream) == 1


async def test_two_readers_at_once_are_told() -> None:
    stream: Stream[int] = Stream(3)
    reader = asyncio.create_task(_next(stream))
    await asyncio.sleep(0)
    with pytest.raises(ClientError, match="another task"):
        await anext(stream)
    stream.end(ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        await reader


async def test_lost_sound_shows_once_and_reading_goes_on() -> None:
    stream: SoundStream[AudioChunk] = SoundStream(3.0)
    for index in range(5):
        stream.put(_sound(index))
    with pytest.raises(SlowConsumerError, match=r"2\.00 s") as lost:
        await anext(stream)
    assert lost.value.lost_s == 2.0
    assert await _positions(stream, 3) == [2, 3, 4]
    assert stream.dropped == 2
    for index in range(5, 8):
        stream.put(_sound(index))
    assert await _positions(stream, 3) == [5, 6, 7], "reading has made room"


async def test_sound_that_is_cut_off_leaves_text_and_makes_room() -> None:
    stream: SoundStream[AudioChunk | TextChunk] = SoundStream(2.0)
    text = TextChunk("hello", None, "resp_1", "item_1")
    for item in (_sound(0), text, _sound(1)):
        stream.put(item)
    stream.clear()
    for index in (2, 3):
        stream.put(_sound(index))
    assert await anext(stream) == text
    assert len(stream) == 2


@pytest.mark.parametrize("keyframe_at", [0, 6])
async def test_pictures_go_on_at_a_keyframe(keyframe_at: int) -> None:
    stream, limit = VideoStream(), 250
    picture = VideoPacket(b"", "h264", False, 0.0)
    for index in range(limit):
        keyframe = index in (0, keyframe_at)
        stream.put(replace(picture, position_ms=index, keyframe=keyframe))
    stream.put(replace(picture, position_ms=limit))
    if keyframe_at:
        first = await anext(stream)
        assert (first.position_ms, first.keyframe, stream.dropped) == (keyframe_at, True, 6)
        return
    assert (len(stream), stream.dropped) == (0, limit + 1)
    stream.put(replace(picture, position_ms=limit + 1, keyframe=True))
    assert (await anext(stream)).position_ms == limit + 1


async def _next(stream: Stream[int]) -> int:
    return await anext(stream)
