"""The outgoing tracks: timestamps from positions, bounded, and pictures only from a keyframe on."""

import asyncio
from typing import cast

import numpy as np
import pytest
from aiortc.codecs import get_decoder
from aiortc.jitterbuffer import JitterFrame
from aiortc.mediastreams import MediaStreamError
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from av.audio.frame import AudioFrame

from pipeline.contract import EncodedPicture, SoundFrame
from transport.incoming import mono
from transport.outgoing import (
    MAX_PICTURES,
    MAX_SOUND_PACKETS,
    OpusEncoder,
    PictureTrack,
    SoundTrack,
)

OPUS = RTCRtpCodecParameters(mimeType="audio/opus", clockRate=48_000, channels=2, payloadType=96)


def tone(position: int) -> SoundFrame:
    times = (position + np.arange(960)) / 48_000
    return SoundFrame((9_000 * np.sin(2 * np.pi * 440 * times)).astype(np.int16), position)


def picture(index: int, keyframe: bool = False) -> EncodedPicture:
    return EncodedPicture(bytes([index % 256]), keyframe, index * 1_920)


def picture_track() -> tuple[PictureTrack, list[int]]:
    asked: list[int] = []
    return PictureTrack(lambda: asked.append(1)), asked


def test_opus_gives_the_tone_back_within_three_milliseconds() -> None:
    encoder, decoder = OpusEncoder(), get_decoder(OPUS)
    parts = []
    for index in range(50):
        data = encoder.encode(tone(960 * index))
        frames = decoder.decode(JitterFrame(data, 960 * index))
        parts += [mono(cast(AudioFrame, frame)) for frame in frames]
    heard = np.concatenate(parts)[9_600:38_400].astype(np.float64)
    said = np.concatenate([tone(960 * index).samples for index in range(50)]) / 32_768
    lags = range(160)
    errors = [np.abs(heard - said[9_600 - lag : 38_400 - lag]).mean() for lag in lags]
    assert int(np.argmin(errors)) == pytest.approx(120, abs=12)
    assert min(errors) < 0.01


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="accepted: \\(960,\\)"):
        OpusEncoder().encode(SoundFrame(np.zeros(480, np.int16), 0))


async def test_sound_is_stamped_with_its_position() -> None:
    track = SoundTrack()
    for position in (0, 960, 4_800):
        track.put(tone(position))
    packets = [await track.recv() for _ in range(3)]
    assert [packet.pts for packet in packets] == [0, 960, 4_800]


async def test_pictures_are_stamped_with_their_position() -> None:
    track, _ = picture_track()
    track.put(picture(0, keyframe=True))
    track.put(picture(3))
    packets = [await track.recv() for _ in range(2)]
    assert [packet.pts for packet in packets] == [0, 3 * 3_600]


async def test_the_oldest_sound_gives_way() -> None:
    track = SoundTrack()
    for index in range(MAX_SOUND_PACKETS + 3):
        track.put(tone(960 * index))
    assert track.dropped == 3
    assert (await track.recv()).pts == 3 * 960


async def test_nothing_is_shown_before_a_keyframe() -> None:
    track, asked = picture_track()
    track.put(picture(0))
    track.put(picture(1, keyframe=True))
    assert (await track.recv()).pts == 3_600
    assert track.dropped == 1
    assert asked == []


async def test_a_jam_of_pictures_waits_for_a_keyframe() -> None:
    track, asked = picture_track()
    track.put(picture(0, keyframe=True))
    for index in range(1, MAX_PICTURES + 4):
        track.put(picture(index))
    assert asked == [1]
    track.put(picture(90, keyframe=True))
    track.put(picture(91))
    assert [(await track.recv()).pts for _ in range(2)] == [90 * 3_600, 91 * 3_600]
    assert track.dropped == MAX_PICTURES + 4


async def test_a_stopped_track_ends_and_takes_no_more() -> None:
    track = SoundTrack()
    waiting = asyncio.create_task(track.recv())
    await asyncio.sleep(0)
    track.put(tone(0))
    assert (await waiting).pts == 0
    waiting = asyncio.create_task(track.recv())
    await asyncio.sleep(0)
    track.stop()
    with pytest.raises(MediaStreamError):
        await waiting
    track.put(tone(960))
    with pytest.raises(MediaStreamError):
        await track.recv()
