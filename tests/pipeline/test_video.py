"""The video encoder: what it writes decodes, obeys and stays within its profile."""

from typing import cast

import av
import numpy as np
import pytest
from av.video.codeccontext import VideoCodecContext
from numpy.typing import NDArray

from pipeline.errors import ConfigurationError
from pipeline.options import VideoCodec, VideoFormat
from pipeline.video import MIN_BITRATE, CodedPicture, EncodingError, VideoEncoder
from tests.fakes.pictures import counter_picture, figure_picture, read_counter

CODECS: tuple[VideoCodec, ...] = ("vp8", "h264")
SIZE = (270, 480)


def encoder(codec: VideoCodec, bitrate: int = 800_000, seconds: float = 10.0) -> VideoEncoder:
    return VideoEncoder(VideoFormat(codec, *SIZE, bitrate), keyframe_seconds=seconds)


def decoder(codec: VideoCodec) -> VideoCodecContext:
    name = "libvpx" if codec == "vp8" else "h264"
    return cast(VideoCodecContext, VideoCodecContext.create(name, "r"))


def decode(codec: VideoCodec, pictures: list[CodedPicture]) -> list[NDArray[np.uint8]]:
    """Return the luma of every picture, uint8 [height, width]."""
    context = decoder(codec)
    packets = [av.Packet(picture.data) for picture in pictures]
    frames = [frame for packet in [*packets, None] for frame in context.decode(packet)]
    return [frame.to_ndarray(format="gray").astype(np.uint8) for frame in frames]


def nal_units(data: bytes) -> dict[int, bytes]:
    """Return the NAL units of an access unit by type."""
    units = [unit.rstrip(b"\0") for unit in data.split(b"\0\0\1")[1:]]
    return {unit[0] & 31: unit for unit in units}


@pytest.mark.parametrize("codec", CODECS)
def test_every_picture_comes_out_at_once_and_shows_what_went_in(codec: VideoCodec) -> None:
    writer = encoder(codec)
    pictures = [writer.encode(counter_picture(*SIZE, index)) for index in range(40)]
    assert [read_counter(luma) for luma in decode(codec, pictures)] == list(range(40))


@pytest.mark.parametrize("codec", CODECS)
def test_only_the_first_and_requested_pictures_are_keyframes(codec: VideoCodec) -> None:
    writer = encoder(codec)
    keyframes = []
    for index in range(30):
        if index == 17:
            writer.request_keyframe()
        if writer.encode(figure_picture(*SIZE, index)).keyframe:
            keyframes.append(index)
    assert keyframes == [0, 17]


@pytest.mark.parametrize("codec", CODECS)
def test_a_keyframe_starts_a_stream_of_its_own(codec: VideoCodec) -> None:
    writer = encoder(codec)
    pictures = []
    for index in range(20):
        if index == 12:
            writer.request_keyframe()
        pictures.append(writer.encode(counter_picture(*SIZE, index)))
    assert [read_counter(luma) for luma in decode(codec, pictures[12:])] == list(range(12, 20))


@pytest.mark.parametrize("codec", CODECS)
def test_keyframes_come_within_the_interval(codec: VideoCodec) -> None:
    writer = encoder(codec, seconds=0.4)
    flags = [writer.encode(figure_picture(*SIZE, index)).keyframe for index in range(31)]
    assert [index for index, flag in enumerate(flags) if flag] == [0, 10, 20, 30]


@pytest.mark.parametrize("codec", CODECS)
def test_the_rate_follows_down_and_up(codec: VideoCodec) -> None:
    rng = np.random.default_rng(1)
    base = figure_picture(*SIZE, 0).astype(np.int16)
    writer = encoder(codec, 900_000)

    def second_of_noise() -> int:
        noisy = (base + rng.integers(-12, 12, base.shape)).clip(16, 235).astype(np.uint8)
        return 8 * len(writer.encode(noisy).data)

    def rate() -> float:
        for _ in range(25):
            second_of_noise()
        return sum(second_of_noise() for _ in range(50)) / 2

    assert rate() == pytest.approx(900_000, rel=0.25)
    writer.set_bitrate(300_000)
    assert rate() == pytest.approx(300_000, rel=0.3)
    writer.set_bitrate(800_000)
    assert rate() == pytest.approx(800_000, rel=0.25)


def test_vp8_does_not_reopen_for_a_small_change() -> None:
    writer = encoder("vp8", 800_000)
    writer.encode(figure_picture(*SIZE, 0))
    writer.set_bitrate(720_000)
    assert not writer.encode(figure_picture(*SIZE, 1)).keyframe
    writer.set_bitrate(400_000)
    assert writer.encode(figure_picture(*SIZE, 2)).keyframe


@pytest.mark.parametrize(("asked", "got"), [(1, MIN_BITRATE), (10**9, 800_000), (500_000, 500_000)])
def test_the_rate_is_clamped(asked: int, got: int) -> None:
    writer = encoder("h264")
    writer.set_bitrate(asked)
    assert writer.bitrate == got


def test_h264_is_constrained_baseline_without_b_pictures() -> None:
    writer = encoder("h264")
    first = writer.encode(figure_picture(*SIZE, 0))
    sps = nal_units(first.data)[7]
    assert sps[1] == 66
    assert sps[2] & 0x40, "constraint_set1_flag"
    assert sps[3] == 31
    assert {5, 7, 8} <= nal_units(first.data).keys()
    context = decoder("h264")
    context.decode(av.Packet(first.data))
    assert not context.has_b_frames
    assert writer.encode(figure_picture(*SIZE, 1)).data.startswith(b"\0\0\0\1")


def test_h264_carries_its_colours() -> None:
    context = decoder("h264")
    context.decode(av.Packet(encoder("h264").encode(figure_picture(*SIZE, 0)).data))
    assert (context.colorspace, context.color_primaries, context.color_trc) == (1, 1, 1)
    assert context.color_range == 1


@pytest.mark.parametrize("shape", [(480, 270), (720, 272), (720, 270, 1)])
def test_a_picture_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ConfigurationError, match="accepted: uint8 \\(720, 270\\)"):
        encoder("vp8").encode(np.zeros(shape, np.uint8))


def test_a_closed_encoder_says_so() -> None:
    writer = encoder("vp8")
    writer.close()
    writer.close()
    with pytest.raises(EncodingError, match="closed"):
        writer.encode(figure_picture(*SIZE, 0))


@pytest.mark.parametrize(("threads", "seconds"), [(0, 10.0), (17, 10.0), (1, 0.0), (1, 90.0)])
def test_settings_are_bounded(threads: int, seconds: float) -> None:
    with pytest.raises(ConfigurationError, match="accepted"):
        VideoEncoder(VideoFormat(), threads=threads, keyframe_seconds=seconds)
