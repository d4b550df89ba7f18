import asyncio
import threading

import pytest

from agents.errors import ModelError
from agents.handover import Handover


async def test_items_arrive_in_order_and_the_writer_waits() -> None:
    pieces: Handover[int] = Handover(asyncio.get_running_loop(), 2)
    written: list[int] = []

    def write() -> None:
        for n in range(20):
            assert pieces.put(n)
            written.append(n)
        pieces.finish()

    thread = threading.Thread(target=write)
    thread.start()
    received = []
    async for piece in pieces:
        received.append(piece)
        # Two wait, one is in hand and one may be noted late.
        assert len(written) <= len(received) + 3
    thread.join()
    assert received == list(range(20))


async def test_closing_frees_a_writer_that_waits() -> None:
    pieces: Handover[int] = Handover(asyncio.get_running_loop(), 1)
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.extend(pieces.put(n) for n in range(3)))
    thread.start()
    assert await anext(pieces) == 0
    pieces.close()
    await asyncio.to_thread(thread.join)
    assert results[-1] is False
    assert pieces.closed
    with pytest.raises(StopAsyncIteration):
        await anext(pieces)


async def test_an_error_reaches_the_reader_after_the_items() -> None:
    pieces: Handover[int] = Handover(asyncio.get_running_loop(), 2)
    pieces.put(1)
    pieces.finish(ModelError("broken", retry=False))
    assert await anext(pieces) == 1
    with pytest.raises(ModelError, match="broken"):
        await anext(pieces)


def test_a_closed_loop_ends_the_writing() -> None:
    loop = asyncio.new_event_loop()
    pieces: Handover[int] = Handover(loop, 2)
    loop.close()
    assert pieces.put(1) is False
