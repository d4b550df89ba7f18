"""The MP4 writer: read back what was written."""

from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE, Mp4Writer, RecordingError
from tests.fakes.pictures import counter_picture, read_counter

SIZE = (128, 224)
RATE = 48_000


def tone(seconds: float) -> NDArray[np.float32]:
    times = np.arange(round(seconds * RATE)) / RATE
    return (0.4 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)


def write_seconds(path: Path, seconds: int) -> None:
    with Mp4Writer(path, SIZE) as writer:
        for index in range(25 * seconds):
            writer.picture(counter_picture(*SIZE, index))
            writer.sound(tone(1 / 25))


def heard(path: Path) -> NDArray[np.float32]:
    """Return the sound of the file from media time zero, float32 [n]."""
    with av.open(str(path)) as file:
        parts = list(file.decode(audio=0))
    assert parts[0].time is not None
    start = round(parts[0].time * RATE)
    sound = np.concatenate([part.to_ndarray()[0] for part in parts]).astype(np.float32)
    return sound[max(0, -start) :]


def test_streams_durations_and_common_start(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    write_seconds(path, 2)
    with av.open(str(path)) as file:
        video, audio = file.streams.video[0], file.streams.audio[0]
        assert (video.codec_context.name, video.codec_context.profile) == ("h264", "High")
        assert audio.codec_context.name == "aac"
        assert (video.width, video.height, audio.rate) == (*SIZE, RATE)
        assert file.duration is not None
        assert file.duration / av.time_base == pytest.approx(2.0, abs=0.05)
        firsts: list[float | None] = [next(file.decode(video)).time]
        file.seek(0)
        firsts.append(next(file.decode(audio)).time)
        assert firsts == pytest.approx([0, 0], abs=0.025)
        assert file.metadata["comment"] == AI_NOTICE


def test_pictures_come_back_in_order_25_a_second(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    write_seconds(path, 2)
    with av.open(str(path)) as file:
        frames = list(file.decode(video=0))
    assert [read_counter(f.to_ndarray(format="gray").astype(np.uint8)) for f in frames] == list(
        range(50)
    )
    assert [frame.time for frame in frames] == pytest.approx([index / 25 for index in range(50)])


def test_sound_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    with Mp4Writer(path, SIZE) as writer:
        for index in range(25):
            writer.picture(counter_picture(*SIZE, index))
        writer.sound(tone(0.2), position=24_000)
    sound = heard(path)
    onset = int(np.argmax(np.abs(sound) > 0.1))
    assert onset == pytest.approx(24_000, abs=240)
    assert np.abs(sound[:23_000]).max() < 0.01


def test_int16_and_odd_pieces_give_one_clean_tone(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    pcm = (tone(1.0) * 32_767).astype(np.int16)
    with Mp4Writer(path, SIZE) as writer:
        writer.picture(counter_picture(*SIZE, 0))
        for start in range(0, len(pcm), 137):
            writer.sound(pcm[start : start + 137])
    middle = heard(path)[9_600:38_400]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    peak = int(spectrum.argmax())
    assert peak * RATE / len(middle) == pytest.approx(440, abs=2)
    spectrum[peak - 8 : peak + 9] = 0
    assert spectrum.max() < 0.01 * np.abs(np.fft.rfft(middle * np.hanning(len(middle)))).max()


def test_pictures_at_given_positions(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    with Mp4Writer(path, SIZE) as writer:
        writer.sound(tone(1.0))
        for position in (0, 1_920, 1_920, 9_600):
            writer.picture(counter_picture(*SIZE, position // 1_920), position)
    with av.open(str(path)) as file:
        assert [frame.time for frame in file.decode(video=0)] == pytest.approx([0, 0.04, 0.2])


def test_faststart(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    write_seconds(path, 1)
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_no_half_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    writer = Mp4Writer(path, SIZE)
    writer.picture(counter_picture(*SIZE, 0))
    assert not path.exists()
    with pytest.raises(ZeroDivisionError), writer:
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays_until_the_new_one_is_done(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    path.write_bytes(b"old")
    writer = Mp4Writer(path, SIZE)
    writer.picture(counter_picture(*SIZE, 0))
    writer.sound(tone(0.1))
    assert path.read_bytes() == b"old"
    assert writer.close() == path
    assert writer.close() == path
    assert path.read_bytes() != b"old"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    writer = Mp4Writer(tmp_path / "out.mp4", SIZE)
    writer.sound(tone(0.1))
    with pytest.raises(RecordingError, match="needs pictures and sound"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_after_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    write_seconds(path, 1)
    writer = Mp4Writer(path, SIZE)
    writer.discard()
    writer.discard()
    with pytest.raises(RecordingError, match="closed"):
        writer.picture(counter_picture(*SIZE, 0))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="nowhere"):
        Mp4Writer(tmp_path / "nowhere" / "out.mp4", SIZE)


@pytest.mark.parametrize(
    ("size", "fps", "rate"), [((63, 64), 25, RATE), ((64, 64), 0, RATE), ((64, 64), 25, 11_025)]
)
def test_settings_are_bounded(tmp_path: Path, size: tuple[int, int], fps: int, rate: int) -> None:
    with pytest.raises(ConfigurationError, match="accepted"):
        Mp4Writer(tmp_path / "out.mp4", size, fps, rate)


def test_wrong_media_is_refused(tmp_path: Path) -> None:
    writer = Mp4Writer(tmp_path / "out.mp4", SIZE)
    with pytest.raises(ConfigurationError, match="accepted: uint8"):
        writer.picture(np.zeros((10, 10), np.uint8))
    with pytest.raises(ConfigurationError, match="accepted: int16 or float32"):
        writer.sound(np.zeros((2, 10), np.int16))
    writer.discard()
