"""Workers: order, bounds, cancellation that waits for the acknowledgement."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from threading import Event

import pytest

from pipeline.worker import Worker, WorkerBusyError


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("test", inbox=2)
    yield worker
    worker.close()


async def test_calls_run_in_order_and_return(worker: Worker) -> None:
    seen: list[int] = []
    results = await asyncio.gather(*(worker.run(_note, seen, n) for n in range(3)))
    assert results == [0, 1, 4]
    assert seen == [0, 1, 2]


async def test_errors_come_back(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 // 0)


async def test_a_full_inbox_refuses(worker: Worker) -> None:
    gate = Event()
    waiting = [asyncio.create_task(worker.run(gate.wait)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(WorkerBusyError, match="test"):
        await worker.run(gate.wait)
    gate.set()
    assert await asyncio.gather(*waiting) == [True] * 3
    assert await worker.run(lambda: 7) == 7


async def test_cancelling_a_call_waits_until_it_has_left(worker: Worker) -> None:
    began, gate, left = Event(), Event(), Event()

    def call() -> None:
        began.set()
        gate.wait()
        left.set()

    task = asyncio.create_task(worker.run(call))
    await asyncio.to_thread(began.wait)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left.is_set()


async def test_a_cancelled_call_that_waits_never_runs(worker: Worker) -> None:
    gate, ran = Event(), Event()
    first = asyncio.create_task(worker.run(gate.wait))
    second = asyncio.create_task(worker.run(ran.set))
    await asyncio.sleep(0)
    second.cancel()
    gate.set()
    await first
    with pytest.raises(asyncio.CancelledError):
        await second
    assert not ran.is_set()


async def test_a_stream_gives_all_and_ends(worker: Worker) -> None:
    got = [item async for item in worker.stream(lambda _: iter(range(5)), ahead=2)]
    assert got == list(range(5))


async def test_a_stream_passes_its_error_on(worker: Worker) -> None:
    def broken(_cancelled: Event) -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    async with aclosing(worker.stream(broken)) as stream:
        assert await anext(stream) == 1
        with pytest.raises(ValueError, match="broken"):
            await anext(stream)


async def test_closing_a_stream_stops_and_waits_for_it(worker: Worker) -> None:
    left = Event()

    def endless(cancelled: Event) -> Iterator[int]:
        try:
            while not cancelled.is_set():
                yield 1
        finally:
            left.set()

    async with aclosing(worker.stream(endless, ahead=1)) as stream:
        assert await anext(stream) == 1
    assert left.is_set()
    assert await worker.run(lambda: 3) == 3


def _note(seen: list[int], n: int) -> int:
    seen.append(n)
    return n * n


async def test_a_stream_that_cannot_begin_passes_its_error_on(worker: Worker) -> None:
    def refuses(_cancelled: Event) -> Iterator[int]:
        raise ValueError("refused at once")

    with pytest.raises(ValueError, match="refused at once"):
        await anext(worker.stream(refuses))
    assert await worker.run(lambda: 5) == 5
