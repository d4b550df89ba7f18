"""HLS: a valid playlist, segments that begin with keyframes, old files gone."""

import os
import re
import signal
from pathlib import Path

import av
import pytest

from pipeline.mp4 import AI_NOTICE
from tests.transport.egress.media import SIZE, Source, names, read
from transport.egress.egress import Egress, open_egress
from transport.egress.targets import HlsTarget


def opened(source: Source, target: HlsTarget, size: tuple[int, int] | None = SIZE) -> Egress:
    return open_egress(
        target, size=size, request_keyframe=source.request_keyframe, told=source.tell
    )


def segments(playlist: str) -> dict[str, float]:
    """Return the segments of a playlist by name, with their seconds."""
    return {
        name: float(seconds) for seconds, name in re.findall(r"#EXTINF:([\d.]+),\n(\S+)", playlist)
    }


def target_duration(playlist: str) -> int:
    (seconds,) = re.findall(r"#EXT-X-TARGETDURATION:(\d+)", playlist)
    return int(seconds)


async def test_an_event_playlist_keeps_all(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "show", "event")
    egress = opened(source, target)
    await source.fast(9, egress)
    await egress.close()
    playlist = target.path.read_text("utf-8")
    lines = playlist.splitlines()
    assert lines[0] == "#EXTM3U"
    assert lines[-1] == "#EXT-X-ENDLIST"
    for line in ("#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-INDEPENDENT-SEGMENTS"):
        assert line in lines
    assert '#EXT-X-MAP:URI="init.mp4"' in lines
    durations = segments(playlist)
    assert list(durations.values()) == pytest.approx([2.12, 2, 2, 2, 0.88], abs=0.001)
    assert max(round(seconds) for seconds in durations.values()) <= target_duration(playlist) == 2
    assert names(target.path.parent) == sorted(["index.m3u8", "init.mp4", *durations])
    assert AI_NOTICE.encode() in (target.path.parent / "init.mp4").read_bytes()
    seen = read(target.path)
    assert len(seen.pictures) == 225
    assert seen.monotonic
    assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)
    assert len(seen.flashes) == 4


async def test_each_segment_plays_from_its_first_picture(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "show", "event")
    egress = opened(source, target)
    await source.fast(5, egress)
    await egress.close()
    init = (target.path.parent / "init.mp4").read_bytes()
    for name in segments(target.path.read_text("utf-8")):
        alone = tmp_path / f"{name}.mp4"
        alone.write_bytes(init + (target.path.parent / name).read_bytes())
        with av.open(str(alone)) as file:
            assert next(file.demux(video=0)).is_keyframe
        with av.open(str(alone)) as file:
            assert next(file.decode(video=0)).key_frame


async def test_a_sliding_playlist_deletes_what_it_lists_no_more(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "show", segments=3)
    target.path.parent.mkdir()
    (target.path.parent / "segment_999999.m4s").write_bytes(b"of an earlier stream")
    egress = opened(source, target)
    most = 0
    for _ in range(10):
        await source.fast(2, egress)
        await source.reached(lambda: egress.statistics.queued == 0)
        most = max(most, len(names(target.path.parent)))
    await egress.close()
    playlist = target.path.read_text("utf-8")
    assert len(segments(playlist)) == 3
    assert int(re.findall(r"MEDIA-SEQUENCE:(\d+)", playlist)[0]) >= 6
    assert "segment_999999.m4s" not in names(target.path.parent)
    # Those of the playlist, one that players may still fetch, one being written, two more files.
    assert most <= 3 + 2 + 2 + 1
    assert target_duration(playlist) == 2


async def test_extra_keyframes_make_no_other_segments(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "show", "event")
    egress = opened(source, target)
    for _ in range(9):  # viewers join all the time
        await source.fast(0.9, egress)
        source.request_keyframe()
    await egress.close()
    playlist = target.path.read_text("utf-8")
    assert target_duration(playlist) == 2
    assert all(1.5 < seconds < 2.5 for seconds in list(segments(playlist).values())[:-1])


async def test_the_playlist_goes_on_after_a_kill(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "show", "event")
    egress = opened(source, target)
    await source.fast(7, egress)
    await source.reached(lambda: egress.statistics.sent > 5 * 75)
    first_init = (target.path.parent / "init.mp4").read_bytes()
    before = segments(target.path.read_text("utf-8"))
    assert egress.process is not None
    os.kill(egress.process, signal.SIGKILL)
    await source.until("reconnecting")
    await source.until("running")
    await source.fast(6, egress)
    await egress.close()
    playlist = target.path.read_text("utf-8")
    after = segments(playlist)
    assert list(after)[: len(before)] == list(before)
    assert len(after) > len(before)
    assert (target.path.parent / "init.mp4").read_bytes() == first_init
    assert playlist.count("#EXT-X-DISCONTINUITY") == 1
    assert target_duration(playlist) == 2
    assert names(target.path.parent) == sorted(["index.m3u8", "init.mp4", *after])
    seen = read(target.path)
    assert len(seen.pictures) == round(sum(after.values()) * 25)
    assert seen.monotonic
    assert seen.beeps == pytest.approx(seen.flashes, abs=0.005)


async def test_sound_alone(tmp_path: Path) -> None:
    source = Source()
    target = HlsTarget(tmp_path, "talk", "event")
    egress = opened(source, target, size=None)
    await source.fast(7, egress, pictures=False)
    await egress.close()
    playlist = target.path.read_text("utf-8")
    assert target_duration(playlist) == 2
    assert sum(segments(playlist).values()) == pytest.approx(7, abs=0.1)
    assert len(read(target.path, pictures=False).beeps) == 3
