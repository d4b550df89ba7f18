"""Sound and picture are in step after an hour, and after what was left out."""

import io
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from tests.transport.egress.media import PICTURE, SIZE, beep, coded_gop, read
from transport.egress.muxing import Muxer
from transport.egress.outputs import Job, open_output
from transport.egress.packets import WIRE_RATE, Packet
from transport.egress.targets import RecordingTarget

HOUR = 3600
BRIGHT_EVERY = 60  # seconds


def sound(second: int) -> Packet:
    """Return a second of sound: a beep at the beginning of each minute but the first."""
    loud = second % BRIGHT_EVERY == 0 and second > 0
    samples = beep(WIRE_RATE, WIRE_RATE) if loud else np.zeros(WIRE_RATE, np.int16)
    return Packet(samples.tobytes(), second * WIRE_RATE, sound=True)


def pictures(second: int) -> list[Packet]:
    """Return two seconds of pictures, bright at the beginning of each minute but the first."""
    bright = second % BRIGHT_EVERY == 0 and second > 0
    return [
        Packet(coded.data, second * WIRE_RATE + index * PICTURE, False, coded.keyframe)
        for index, coded in enumerate(coded_gop(bright=bright))
    ]


def last_minutes(file: io.BytesIO | Path, start: float) -> tuple[list[float], list[float]]:
    """Return when pictures turn bright and when sound begins, from `start` seconds on."""
    where: Any = str(file) if isinstance(file, Path) else file
    with av.open(where, "r") as container:
        container.seek(int(start * av.time_base))
        flashes, dark = [], False
        for picture in container.decode(video=0):
            bright = float(picture.to_ndarray()[: SIZE[1]].mean()) > 120
            if bright and dark:
                flashes.append(picture.time or 0.0)
            dark = not bright
    if not isinstance(file, Path):
        file.seek(0)
    with av.open(where, "r") as container:
        container.seek(int(start * av.time_base))
        beeps, quiet_since = [], None
        for frame in container.decode(audio=0):
            loud = np.nonzero(np.abs(frame.to_ndarray()[0]) > 0.1)[0]
            if len(loud) and quiet_since is not None and (frame.time or 0) - quiet_since > 1:
                beeps.append((frame.time or 0.0) + float(loud[0]) / WIRE_RATE)
            if len(loud) or quiet_since is None:
                quiet_since = frame.time
    return flashes, beeps


def test_a_recording_of_an_hour(tmp_path: Path) -> None:
    target = RecordingTarget(tmp_path, "hour")
    output = open_output(Job(target, SIZE, part=1, timeout=1))
    for second in range(0, HOUR, 2):
        for packet in (sound(second), sound(second + 1), *pictures(second)):
            output.add(packet)
    output.close()
    with av.open(str(target.part(1))) as file:
        for stream in file.streams:
            assert stream.duration is not None
            assert stream.time_base is not None
            assert float(stream.duration * stream.time_base) == pytest.approx(HOUR, abs=0.03)
        times = [packet.pts for packet in file.demux(video=0) if packet.pts is not None]
        assert len(times) == HOUR * 25
        assert set(np.diff(times)) == {3600}
    flashes, beeps = last_minutes(target.part(1), HOUR - 130)
    assert flashes == pytest.approx([HOUR - 120, HOUR - 60], abs=0.001)
    assert beeps == pytest.approx(flashes, abs=0.005)


def test_times_over_rtmp_do_not_drift() -> None:
    sent, minutes = io.BytesIO(), 10
    options = {"flvflags": "no_duration_filesize"}
    muxer = Muxer(av.open(sent, "w", format="flv", options=options), SIZE)
    for second in range(0, minutes * 60, 2):
        for packet in (sound(second), sound(second + 1), *pictures(second)):
            muxer.add(packet)
    muxer.close()
    sent.seek(0)
    times: dict[str, list[int]] = {"video": [], "audio": []}
    with av.open(sent, "r") as file:
        for coded in file.demux():
            if coded.dts is not None:
                times[coded.stream.type].append(coded.dts)
    # FLV counts milliseconds. The encoder's first block of sound comes before the first picture.
    assert times["video"] == [21 + 40 * index for index in range(minutes * 60 * 25)]
    blocks = np.arange(len(times["audio"])) * 1024 / 48
    assert float(np.abs(np.array(times["audio"]) - blocks).max()) <= 1
    sent.seek(0)
    flashes, beeps = last_minutes(sent, minutes * 60 - 130)
    assert flashes[-2:] == pytest.approx([minutes * 60 - 120 + 0.021, minutes * 60 - 60 + 0.021])
    assert beeps[-2:] == pytest.approx(flashes[-2:], abs=0.005)


def test_what_was_dropped_leaves_the_rest_in_step(tmp_path: Path) -> None:
    target = RecordingTarget(tmp_path, "gaps")
    output = open_output(Job(target, SIZE, part=1, timeout=1))
    for second in range(0, 20, 2):
        if second in (6, 8):  # dropped up to the next keyframe
            continue
        gop = coded_gop(bright=second % 4 == 0)
        for index in range(100):
            at = second * WIRE_RATE + index * PICTURE // 2
            samples = beep(WIRE_RATE + at % WIRE_RATE) * np.int16(second % 4 == 0)
            output.add(Packet(samples.tobytes(), at, sound=True))
            if index % 2 == 0:
                coded = gop[index // 2]
                output.add(Packet(coded.data, at, False, coded.keyframe))
    output.close()
    seen = read(target.part(1))
    assert seen.flashes == pytest.approx([4, 12, 16], abs=0.001)
    assert [b for b in seen.beeps if b > 1] == pytest.approx(seen.flashes, abs=0.005)
    assert seen.monotonic
    assert len(seen.pictures) == 8 * 50


def test_sound_that_came_before_the_first_keyframe_is_kept_in_step(tmp_path: Path) -> None:
    target = RecordingTarget(tmp_path, "late")
    output = open_output(Job(target, SIZE, part=1, timeout=1))
    # Sound at odd positions, and a picture 0.3 s later than the first of it.
    start = 5 * WIRE_RATE + 333
    for index in range(200):
        at = start + index * 960
        output.add(Packet(beep(at).tobytes(), at, sound=True))
        if index >= 15 and index % 2 == 0:
            coded = coded_gop(bright=False)[(index - 16) // 2 % 50]
            output.add(Packet(coded.data, at, False, coded.keyframe))
    output.close()
    seen = read(target.part(1))
    # The frame 100 is the first with sound, the first picture came with the frame 16.
    assert seen.beeps == pytest.approx([(100 - 16) * 960 / WIRE_RATE], abs=0.005)
