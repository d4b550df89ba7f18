"""Owned tasks end with their owner."""

import asyncio

from pipeline.tasks import Tasks


async def test_closing_cancels_and_waits() -> None:
    tasks, left = Tasks(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.append(1)

    tasks.start(work(), "one")
    tasks.start(work(), "two")
    await asyncio.sleep(0)
    await tasks.close()
    assert left == [1, 1]
    await tasks.close()


async def test_an_error_reaches_the_loop() -> None:
    tasks, seen = Tasks(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: seen.append(context))

    async def broken() -> None:
        raise ValueError("broken")

    task = tasks.start(broken(), "broken")
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert "broken" in str(seen[0]["exception"])
