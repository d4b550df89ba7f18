"""What is read off received pictures: flashes against clicks, the mouth against the voice."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.options import VideoFormat
from pipeline.video import VideoEncoder
from transport.jitter import ReceivedPicture
from transport.measure import PictureArrival, SoundArrival
from web.bench.pictures import flash_offset, lip_offset

RATE = 48_000
SECONDS = 16


class Received:
    """What the measurements read of a `transport.talk.Caller`."""

    codec = "h264"

    def __init__(self) -> None:
        self.coded: list[ReceivedPicture] = []
        self.pictures: list[PictureArrival] = []
        self.samples: list[tuple[int, NDArray[np.int16]]] = []
        self.sounds: list[SoundArrival] = []
        self._encoder = VideoEncoder(VideoFormat("h264", 180, 320))

    def see(self, planes: NDArray[np.uint8], media: float, arrival: float) -> None:
        self.coded.append(ReceivedPicture(self._encoder.encode(planes).data, round(media * 90_000)))
        self.pictures.append(PictureArrival(arrival, media))


def plain(luma: int) -> NDArray[np.uint8]:
    planes = np.full((480, 180), 128, np.uint8)
    planes[:320] = luma
    return planes


@pytest.mark.parametrize("late", [0.0, 0.12])
def test_flashes_are_matched_with_clicks(late: float) -> None:
    received = Received()
    for index in range(100):
        media = index * 0.04
        bright = media % 1.0 < 0.12
        received.see(plain(210 if bright else 40), media, media + 0.05 + late)
    for index in range(200):
        media = index * 0.02
        loud = media % 1.0 < 0.12
        edges = (0.0, 0.02) if loud else (None, None)
        received.sounds.append(SoundArrival(media + 0.05, media, *edges))
    offset = flash_offset(received)  # type: ignore[arg-type]
    assert offset == pytest.approx(late, abs=0.001)


@pytest.mark.parametrize("late", [-0.04, 0.0, 0.08])
def test_the_lag_of_the_mouth_is_found(late: float) -> None:
    received = Received()
    random = np.random.default_rng(2)
    syllables = random.uniform(0, 1, SECONDS * 5)
    for index in range(SECONDS * 25):
        media = index * 0.04
        at = (media - late) * 5
        opening = float(np.interp(at, np.arange(len(syllables)), syllables))
        planes = plain(160)
        planes[100:140, 70:110] = round(160 - 110 * opening)
        received.see(planes, media, media)
    noise = random.standard_normal(960)
    for index in range(SECONDS * 50):
        at = (index + 0.5) * 0.02 * 5
        level = float(np.interp(at, np.arange(len(syllables)), syllables))
        samples = (0.09 * 32768 * level * noise / noise.std()).astype(np.int16)
        received.samples.append((index * 960, samples))
    offset = lip_offset(received)  # type: ignore[arg-type]
    assert offset == pytest.approx(late, abs=0.025)


def test_a_still_picture_has_no_lag() -> None:
    received = Received()
    for index in range(50):
        received.see(plain(160), index * 0.04, index * 0.04)
    assert lip_offset(received) is None  # type: ignore[arg-type]
    assert flash_offset(received) is None  # type: ignore[arg-type]
