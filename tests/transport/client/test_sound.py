"""Sound for the wire: shapes, rates, files."""

import wave
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from transport.client.errors import ClientValueError
from transport.client.sound import WIRE_RATE, Resampler, mono, pcm16, read_wav, write_wav


def _tone(frequency: float, rate: int, seconds: float) -> NDArray[np.float32]:
    times = np.arange(round(rate * seconds)) / rate
    return (0.5 * np.sin(2 * np.pi * frequency * times)).astype(np.float32)


def _resampled(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    resampler = Resampler(rate)
    return np.concatenate([resampler.feed(samples), resampler.flush()])


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_a_tone_keeps_its_pitch_place_and_loudness(rate: int) -> None:
    made = _resampled(_tone(1_000, rate, 0.5), rate)
    wanted = _tone(1_000, WIRE_RATE, 0.5)
    assert abs(len(made) - len(wanted)) <= 1
    inner = slice(1_200, -1_200)
    assert np.abs(made[: len(wanted)][inner] - wanted[inner]).max() < 2e-4


@pytest.mark.parametrize(("rate", "frequency"), [(48_000, 14_000), (44_100, 13_500)])
def test_what_the_wire_cannot_carry_does_not_alias(rate: int, frequency: float) -> None:
    made = _resampled(_tone(frequency, rate, 0.5), rate)
    assert np.abs(made[1_200:-1_200]).max() < 0.5 * 10 ** (-60 / 20)


@given(st.sampled_from([16_000, 44_100, 48_000]), st.lists(st.integers(0, 700), min_size=1))
def test_pieces_make_what_the_whole_makes(rate: int, cuts: list[int]) -> None:
    whole = np.random.default_rng(3).normal(0, 0.2, sum(cuts)).astype(np.float32)
    resampler = Resampler(rate)
    places = np.cumsum([0, *cuts])
    made = [resampler.feed(whole[start:end]) for start, end in pairwise(places)]
    pieces = np.concatenate([*made, resampler.flush()])
    np.testing.assert_allclose(pieces, _resampled(whole, rate), atol=1e-6)


def test_sound_at_the_rate_of_the_wire_passes_untouched() -> None:
    samples = _tone(440, WIRE_RATE, 0.1)
    assert np.array_equal(Resampler(WIRE_RATE).feed(samples), samples)


def test_every_accepted_shape_is_the_same_sound() -> None:
    samples = np.array([0, 16_384, -32_768], np.int16)
    wanted = [0.0, 0.5, -1.0]
    stereo = np.stack([samples, samples], axis=1)
    for sound in (samples.tobytes(), bytearray(samples.tobytes()), samples, stereo):
        assert mono(sound).tolist() == wanted
    assert mono(np.array([[0.5, 0.0]], np.float32)).tolist() == [0.25]
    assert np.frombuffer(pcm16(mono(samples)), "<i2").tolist() == [0, 16_384, -32_767]
    assert np.frombuffer(pcm16(np.array([2.0, -2.0], np.float32)), "<i2").tolist() == [
        32_767,
        -32_767,
    ]


@pytest.mark.parametrize(
    "sound",
    [
        b"odd",
        np.zeros((2, 2, 2), np.float32),
        np.zeros(3, np.int32),
        np.array([np.nan], np.float32),
    ],
)
def test_what_is_no_sound_is_refused(sound: bytes | NDArray[np.float32]) -> None:
    with pytest.raises(ClientValueError, match="accepted"):
        mono(sound)


@pytest.mark.parametrize("rate", [0, 7_999, 192_001, True])
def test_rates_out_of_range_are_refused(rate: int) -> None:
    with pytest.raises(ClientValueError, match="8000 to 192000"):
        Resampler(rate)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_wav_files_of_every_width(tmp_path: Path, width: int) -> None:
    path = tmp_path / "tone.wav"
    tone = _tone(440, 16_000, 0.1)
    wide = np.rint(tone * (2 ** (8 * width - 1) - 1)).astype(np.int32)
    if width == 1:
        data = (wide + 128).astype(np.uint8).tobytes()
    else:
        data = b"".join(int(value).to_bytes(width, "little", signed=True) for value in wide)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(width)
        file.setframerate(16_000)
        file.writeframes(data)
    samples, rate = read_wav(path)
    assert rate == 16_000
    assert np.abs(samples - tone).max() < 2 ** (2 - 8 * width) + 1e-6


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    written = np.array([0, 100, -32_768, 32_767], np.int16)
    write_wav(tmp_path / "out.wav", written)
    samples, rate = read_wav(tmp_path / "out.wav")
    assert rate == WIRE_RATE
    assert (samples * 32_768).tolist() == written.tolist()


@pytest.mark.parametrize("content", [b"", b"RIFF", b"no sound at all"])
def test_files_that_are_no_wav_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.wav"
    path.write_bytes(content)
    with pytest.raises(ClientValueError, match=r"broken\.wav"):
        read_wav(path)
    with pytest.raises(ClientValueError, match="absent"):
        read_wav(tmp_path / "absent.wav")
    with pytest.raises(ClientValueError, match="cannot be written"):
        write_wav(tmp_path, np.zeros(1, np.int16))
