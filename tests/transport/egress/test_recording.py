"""Recordings: the file is what the session was, and a killed process leaves one that plays."""

import asyncio
import multiprocessing
import os
import signal
from pathlib import Path

import av
import pytest

from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE
from tests.transport.egress.media import PICTURE, SIZE, Source, beep, coded_gop, names, read
from transport.egress.child import Opened, egress_process
from transport.egress.egress import open_egress
from transport.egress.errors import OutputError
from transport.egress.outputs import Job, open_output, salvage
from transport.egress.packets import Packet
from transport.egress.states import EgressTimes
from transport.egress.targets import RecordingTarget


async def test_a_recording_is_what_the_session_was(tmp_path: Path) -> None:
    source = Source()
    target = RecordingTarget(tmp_path / "films", "film")
    egress = open_egress(
        target, size=SIZE, request_keyframe=source.request_keyframe, told=source.tell
    )
    await source.fast(7, egress)
    await egress.close()
    await egress.close()
    assert source.states == ["running", "ended"]
    assert names(tmp_path / "films") == ["film.mp4"]
    seen = read(target.part(1))
    assert len(seen.pictures) == 175
    assert seen.monotonic
    assert seen.flashes == pytest.approx([1, 3, 5])
    assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)
    assert seen.metadata["comment"] == AI_NOTICE
    assert egress.statistics.sent == 7 * 75
    assert egress.statistics.dropped == 0


async def test_keyframes_come_every_two_seconds_of_media(tmp_path: Path) -> None:
    source = Source()
    egress = open_egress(
        RecordingTarget(tmp_path, "film"),
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
    )
    await source.fast(9, egress)
    await egress.close()
    seconds = [position / 48_000 for position in source.keyframes]
    # Three pictures after it is asked for, which does not add up.
    assert seconds == pytest.approx([0, 2.12, 4.12, 6.12, 8.12])


async def test_what_is_written_is_what_was_encoded(tmp_path: Path) -> None:
    source = Source()
    target = RecordingTarget(tmp_path, "film")
    egress = open_egress(
        target, size=SIZE, request_keyframe=source.request_keyframe, told=source.tell
    )
    await source.fast(1, egress)
    await egress.close()
    with av.open(str(target.part(1))) as file:
        video, audio = file.streams.video[0], file.streams.audio[0]
        assert (video.codec_context.name, video.profile) == ("h264", "Constrained Baseline")
        assert (video.width, video.height) == SIZE
        assert (audio.codec_context.name, audio.profile, audio.rate) == ("aac", "LC", 48_000)
        extradata = video.codec_context.extradata
        assert extradata is not None
        assert extradata[0] == 1  # AVCC, not start codes
        packets = [bytes(packet) for packet in file.demux(video) if packet.size]
    assert all(int.from_bytes(packet[:4], "big") < len(packet) for packet in packets)


async def test_sound_alone(tmp_path: Path) -> None:
    source = Source()
    target = RecordingTarget(tmp_path, "talk")
    egress = open_egress(
        target, size=None, request_keyframe=source.request_keyframe, told=source.tell
    )
    await source.fast(4, egress, pictures=False)
    await egress.close()
    seen = read(target.part(1), pictures=False)
    assert seen.beeps == pytest.approx([1, 3], abs=0.005)
    with av.open(str(target.part(1))) as file:
        assert [stream.type for stream in file.streams] == ["audio"]


async def test_a_killed_process_leaves_a_film_and_the_next_goes_on(tmp_path: Path) -> None:
    source = Source()
    target = RecordingTarget(tmp_path, "film")
    egress = open_egress(
        target, size=SIZE, request_keyframe=source.request_keyframe, told=source.tell
    )
    await source.fast(9, egress)
    await source.reached(lambda: egress.statistics.sent > 5 * 75)
    assert egress.process is not None
    os.kill(egress.process, signal.SIGKILL)
    lost = await source.until("reconnecting")
    assert "died" in lost.message
    await source.until("running")
    await source.fast(4, egress)
    await egress.close()
    assert names(tmp_path) == ["film.2.mp4", "film.mp4"]
    first, second = read(target.part(1)), read(target.part(2))
    assert first.pictures[-1] > 4
    assert first.flashes[:2] == pytest.approx([1, 3])
    assert second.beeps == pytest.approx(second.flashes, abs=0.005)
    assert len(second.flashes) >= 1
    assert egress.statistics.reconnects == 1


async def test_a_process_told_to_end_finishes_its_file(tmp_path: Path) -> None:
    source = Source()
    target = RecordingTarget(tmp_path, "film")
    egress = open_egress(
        target, size=SIZE, request_keyframe=source.request_keyframe, told=source.tell
    )
    await source.fast(3, egress)
    assert egress.process is not None
    os.kill(egress.process, signal.SIGTERM)
    lost = await source.until("reconnecting")
    assert "told to end" in lost.message
    await source.until("running")
    await source.fast(2, egress)
    await egress.close()
    assert egress.statistics.state == "ended"
    assert names(tmp_path) == ["film.2.mp4", "film.mp4"]
    with av.open(str(target.part(1))) as film:
        assert film.duration is not None
        assert len(list(film.decode(video=0))) == pytest.approx(film.duration / 40_000, abs=1)
    assert len(read(target.part(2)).pictures) > 25


async def test_a_stopped_process_does_not_hold_up_close(tmp_path: Path) -> None:
    source = Source()
    egress = open_egress(
        RecordingTarget(tmp_path, "film"),
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
        times=EgressTimes(close=0.5),
    )
    await source.fast(5, egress)
    await source.reached(lambda: egress.statistics.sent > 3 * 75)
    assert egress.process is not None
    os.kill(egress.process, signal.SIGSTOP)
    for _ in range(300):
        source.tick(egress)
    async with asyncio.timeout(5):
        await egress.close()
    assert len(read(tmp_path / "film.mp4").pictures) >= 50


async def test_a_folder_that_cannot_be_made_fails_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "film").touch()
    source = Source()
    egress = open_egress(
        RecordingTarget(tmp_path / "film" / "inner", "a"),
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
        times=EgressTimes(first_retry=0.01, last_retry=0.01, patience=0.5),
    )
    failed = await source.until("failed")
    assert "Not a directory" in failed.message
    source.tick(egress)
    assert egress.statistics.queued == 0
    await egress.close()
    assert egress.statistics.state == "failed"


async def test_a_session_without_output_leaves_nothing(tmp_path: Path) -> None:
    source = Source()
    egress = open_egress(
        RecordingTarget(tmp_path, "film"),
        size=SIZE,
        request_keyframe=source.request_keyframe,
        told=source.tell,
    )
    await egress.close()
    assert egress.statistics.state == "ended"
    assert names(tmp_path) == []


def test_the_file_is_finished_when_the_server_dies(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    target = RecordingTarget(tmp_path, "film")
    job = Job(target, SIZE, part=1, timeout=1)
    process = context.Process(target=egress_process, args=(theirs, job))
    process.start()
    theirs.close()
    assert ours.recv() == Opened()
    for index, coded in enumerate(coded_gop(bright=False)):
        ours.send(Packet(coded.data, index * PICTURE, sound=False, keyframe=coded.keyframe))
        ours.send(Packet(beep(index * PICTURE, PICTURE).tobytes(), index * PICTURE, sound=True))
    ours.close()
    process.join(20)
    assert process.exitcode == 0
    assert names(tmp_path) == ["film.mp4"]
    assert len(read(target.part(1)).pictures) == 50


def test_two_recordings_of_one_name_do_not_meet(tmp_path: Path) -> None:
    first, second = RecordingTarget(tmp_path, "film"), RecordingTarget(tmp_path, "film")
    output = open_output(Job(first, SIZE, part=1, timeout=1))
    with pytest.raises(OutputError, match="is being made") as refused:
        open_output(Job(second, SIZE, part=1, timeout=1))
    assert not refused.value.retryable
    assert not salvage(second, 1, written=0)
    with pytest.raises(ConfigurationError, match="'film' exists"):
        RecordingTarget(tmp_path, "film")
    assert first.files == [tmp_path / ".film.mp4.partial"]
    for packet in (
        Packet(coded_gop(bright=False)[0].data, 0, sound=False, keyframe=True),
        Packet(bytes(1920), 0, sound=True),
    ):
        output.add(packet)
    output.close()
    (tmp_path / "film-2.mp4").touch()
    assert first.files == [tmp_path / "film.mp4"]
    with pytest.raises(OutputError, match="exists"):
        open_output(Job(second, SIZE, part=1, timeout=1))


async def test_a_size_no_picture_has_is_refused(tmp_path: Path) -> None:
    source = Source()
    with pytest.raises(ConfigurationError, match="width is 63"):
        open_egress(
            RecordingTarget(tmp_path, "film"),
            size=(63, 64),
            request_keyframe=source.request_keyframe,
            told=source.tell,
        )
