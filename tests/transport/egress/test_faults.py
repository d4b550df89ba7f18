"""Ingests and processes that do not do their part: the session is never held up."""

import asyncio
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from tests.transport.egress.ingests import (
    black_hole,
    ffmpeg_listener,
    free_port,
    nginx,
    recorded,
    relay,
    silent_ingest,
    url,
)
from tests.transport.egress.media import SIZE, Source, read
from transport.egress.egress import Egress, open_egress
from transport.egress.packets import QUEUE_SECONDS
from transport.egress.states import EgressTimes
from transport.egress.targets import RtmpTarget

TIMES = EgressTimes(answer=0.5, first_retry=0.1, last_retry=0.3, hanging=0.7, close=1)
MOST_QUEUED = QUEUE_SECONDS * 75 + 3


def opened(source: Source, port: int, times: EgressTimes = TIMES) -> Egress:
    return open_egress(
        RtmpTarget(url(port), allow_private=True),
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
        times=times,
    )


async def hand_over_much(source: Source, egress: Egress) -> None:
    """Hand over more than fits, as quickly as it can be made."""
    for _ in range(15 * 25):
        source.tick(egress)
        assert egress.statistics.queued <= MOST_QUEUED
        await asyncio.sleep(0)


@pytest.mark.parametrize("kind", ["silent", "refused", "black hole"])
async def test_an_ingest_that_does_not_answer(kind: str) -> None:
    source = Source()
    ingest = black_hole() if kind == "black hole" else silent_ingest()
    with ingest as port:
        egress = opened(source, free_port() if kind == "refused" else port)
        await source.live(1.2, egress)
        await source.until("reconnecting")
        await hand_over_much(source, egress)
        message = egress.statistics.error
        expected = "Connection refused" if kind == "refused" else "does not answer"
        assert expected in message
        assert egress.statistics.sent == 0
        assert egress.statistics.dropped > 0
        async with asyncio.timeout(TIMES.close + 2):
            await egress.close()
    assert egress.statistics.state == "ended"
    assert source.was_never_held_up()


async def test_an_ingest_that_stops_reading(tmp_path: Path) -> None:
    source, port, folder = Source(), free_port(), tmp_path / "nginx"
    with nginx(port, folder):
        async with relay(port) as ingest:
            egress = opened(source, ingest.port)
            await source.until("running")
            await source.fast(2, egress)
            ingest.reads.clear()
            while egress.statistics.state == "running":
                source.tick(egress)
                assert egress.statistics.queued <= MOST_QUEUED
                await asyncio.sleep(0.0005)
            assert "does not answer" in egress.statistics.error
            assert any("too slow" in event.message for event in source.told)
            dropped = egress.statistics.dropped
            assert dropped > 0
            ingest.reads.set()
            await source.until("running")
            await source.fast(3, egress)
            await egress.close()
        await source.reached(lambda: len(recorded(folder)) == 2)
    seen = read(recorded(folder)[-1])
    assert seen.monotonic
    assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)
    assert source.was_never_held_up()


async def test_a_connection_that_breaks_off(tmp_path: Path) -> None:
    source, port, folder = Source(), free_port(), tmp_path / "nginx"
    with nginx(port, folder):
        async with relay(port) as ingest:
            egress = opened(source, ingest.port)
            await source.until("running")
            await source.fast(2, egress)
            await ingest.hang_up()
            source.tick(egress)
            await source.until("reconnecting")
            await source.until("running")
            await egress.close()
    assert source.was_never_held_up()


async def test_a_stopped_process_is_ended_and_replaced(tmp_path: Path) -> None:
    source, port, file = Source(), free_port(), tmp_path / "taken.flv"
    with ffmpeg_listener(port, file):
        egress = opened(source, port)
        await source.until("running")
        stopped = egress.process
        assert stopped is not None
        os.kill(stopped, signal.SIGSTOP)
        await hand_over_much(source, egress)
        lost = await source.until("reconnecting")
        assert "hangs" in lost.statistics.error
        with pytest.raises(ProcessLookupError):
            os.kill(stopped, 0)
        await egress.close()
    assert source.was_never_held_up()


async def test_the_session_keeps_its_pace_while_everything_fails() -> None:
    source = Source()
    with silent_ingest() as silent, black_hole() as hole:
        ports = (silent, hole, free_port())
        outputs = [opened(source, port) for port in ports]
        await source.live(3, *outputs)
        await asyncio.gather(*(egress.close() for egress in outputs))
    assert all(egress.statistics.state == "ended" for egress in outputs)
    assert source.was_never_held_up()
    assert float(np.median(source.late)) < 0.01
    assert max(source.late) < 0.3


async def test_what_never_succeeds_fails_in_the_end() -> None:
    source = Source()
    egress = opened(source, free_port(), EgressTimes(first_retry=0.01, patience=0.3))
    failed = await source.until("failed")
    assert "Connection refused" in failed.message
    source.tick(egress)
    assert egress.statistics.queued == 0
    await egress.close()


async def test_waits_between_tries_grow() -> None:
    source = Source()
    egress = opened(source, free_port(), EgressTimes(first_retry=0.02, last_retry=0.08))
    await source.reached(lambda: len(source.told) >= 4)
    await egress.close()
    waits = [event.message.rpartition(" in ")[2] for event in source.told[:4]]
    assert waits == ["0.02 s", "0.04 s", "0.08 s", "0.08 s"]
