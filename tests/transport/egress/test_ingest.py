"""RTMP and RTMPS into real ingests: FFmpeg's listener and nginx with its RTMP module."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from pipeline.mp4 import AI_NOTICE
from tests.transport.egress.ingests import (
    KEY,
    certificate,
    ffmpeg_listener,
    free_port,
    nginx,
    recorded,
    relay,
    url,
)
from tests.transport.egress.media import SIZE, Source, read
from transport.egress.egress import Egress, open_egress
from transport.egress.states import EgressTimes
from transport.egress.targets import RtmpTarget

QUICK = EgressTimes(answer=2, first_retry=0.1, last_retry=0.2)


def opened(source: Source, target: RtmpTarget) -> Egress:
    return open_egress(
        target,
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
        times=QUICK,
    )


def local(port: int) -> RtmpTarget:
    return RtmpTarget(url(port), allow_private=True)


async def test_ffmpeg_takes_the_stream(tmp_path: Path) -> None:
    source, port, file = Source(), free_port(), tmp_path / "taken.flv"
    with ffmpeg_listener(port, file) as listener:
        egress = opened(source, local(port))
        await source.until("running")
        await source.fast(6, egress)
        await egress.close()
        listener.wait(10)
    seen = read(file)
    assert len(seen.pictures) >= 6 * 25 - 5  # from the first keyframe after it was accepted
    assert seen.monotonic
    assert len(seen.flashes) == 3
    assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)
    gaps = [b - a for a, b in zip(seen.keyframes, seen.keyframes[1:], strict=False)]
    assert max(gaps) == pytest.approx(2, abs=0.13)
    assert seen.metadata["comment"] == AI_NOTICE
    assert source.states[-2:] == ["running", "ended"]


async def test_ffmpeg_takes_sound_alone(tmp_path: Path) -> None:
    source, port, file = Source(), free_port(), tmp_path / "taken.flv"
    with ffmpeg_listener(port, file) as listener:
        egress = open_egress(
            local(port),
            size=None,
            request_keyframe=source.request_keyframe,
            told=source.tell,
            times=QUICK,
        )
        await source.until("running")
        await source.fast(4, egress, pictures=False)
        await egress.close()
        listener.wait(10)
    assert len(read(file, pictures=False).beeps) == 2


async def test_nginx_takes_the_stream_again_after_it_was_away(tmp_path: Path) -> None:
    source, port, folder = Source(), free_port(), tmp_path / "nginx"
    egress = opened(source, local(port))
    refused = await source.until("reconnecting")  # nobody is there yet
    assert "Connection refused" in refused.statistics.error
    with nginx(port, folder):
        await source.until("running")
        await source.fast(3, egress)
        await source.reached(lambda: egress.statistics.queued == 0)
    # A stream has no end of its own: that nobody takes it shows once there is more to send.
    async with asyncio.timeout(30):
        while source.told[-1].statistics.state != "reconnecting":
            await source.live(0.2, egress)
    for _ in range(75):
        source.tick(egress)
    again = tmp_path / "again"  # nginx names files by seconds, and may be back within one
    with nginx(port, again):
        await source.until("running")
        await source.fast(3, egress)
        await egress.close()
        await source.reached(lambda: len(recorded(again)) == 1)
    for file in (*recorded(folder), *recorded(again)):
        seen = read(file)
        assert len(seen.pictures) > 25
        assert seen.monotonic
        assert seen.pictures[0] < 0.1
        assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)
    assert egress.statistics.reconnects == 1
    assert all(KEY not in repr(event) for event in source.told)


async def test_a_kill_of_the_process_is_a_reconnect(tmp_path: Path) -> None:
    source, port, folder = Source(), free_port(), tmp_path / "nginx"
    with nginx(port, folder):
        egress = opened(source, local(port))
        await source.until("running")
        await source.live(1.5, egress)
        assert egress.process is not None
        os.kill(egress.process, signal.SIGKILL)
        await source.live(2.5, egress)
        assert source.states[-2:] == ["reconnecting", "running"]
        await egress.close()
        await source.reached(lambda: len(recorded(folder)) == 2)
    assert all(read(file).monotonic for file in recorded(folder))
    assert source.was_never_held_up()
    assert egress.statistics.queued == 0


async def test_rtmps_checks_the_certificate(tmp_path: Path) -> None:
    source, port, folder = Source(), free_port(), tmp_path / "nginx"
    context, trusted = certificate(tmp_path, "localhost")
    names: list[str] = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    with nginx(port, folder):
        async with relay(port, context) as ingest:
            place = url(ingest.port, "rtmps", "localhost")
            strict = opened(source, RtmpTarget(place, allow_private=True))
            failed = await source.until("failed")
            assert "certificate of localhost is not valid" in failed.statistics.error
            await strict.close()
            for target in (
                RtmpTarget(place, allow_private=True, ca_file=trusted),
                # nginx names a file by its key and second: another key, another file.
                RtmpTarget(f"{place}-b", allow_private=True, verify=False),
            ):
                source = Source()
                egress = opened(source, target)
                await source.until("running")
                await source.fast(2, egress)
                await egress.close()
                assert source.states[-1] == "ended"
        await source.reached(lambda: len(recorded(folder)) == 2)
    assert names == ["localhost"] * 3
    assert all(len(read(file).pictures) > 40 for file in recorded(folder))


async def test_a_private_address_behind_a_name_is_final() -> None:
    source = Source()
    egress = opened(source, RtmpTarget(url(free_port(), host="localhost")))
    failed = await source.until("failed")
    assert "localhost is at a private or local address" in failed.statistics.error
    await egress.close()
