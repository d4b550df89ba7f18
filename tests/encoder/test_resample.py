import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from encoder.errors import EncoderValueError
from encoder.resample import QUALITIES, Quality, Resampler, mix_down
from tests.conftest import SHARED

TARGET = 16_000
TONE = 440.0


def _cases() -> list[tuple[int, int, int, bool]]:
    """Return (rate, channels, chunk, empty chunks between), ours and the shared ones."""
    own = [
        (8_000, 1, 80, False),
        (11_025, 2, 53, True),
        (44_100, 2, 441, False),
        (48_000, 1, 1, False),
        (48_000, 2, 960, True),
        (16_000, 1, 160, True),
        (96_000, 1, 7, False),
    ]
    return sorted({*own, *_shared_cases(SHARED / "cases" / "resampling.json")})


def _shared_cases(path: Path) -> list[tuple[int, int, int, bool]]:
    if not path.is_file():
        return []
    cases = json.loads(path.read_text("utf-8"))["cases"]
    return [(c["rate"], c["channels"], c["chunk"], "empty" in c["id"]) for c in cases]


def _sine(rate: int, channels: int, seconds: float = 2.0) -> NDArray[np.float32]:
    wave = 0.5 * np.sin(2 * np.pi * TONE * np.arange(round(seconds * rate)) / rate)
    return np.repeat(wave[:, None], channels, axis=1).astype(np.float32)


def _stream(
    resampler: Resampler, samples: NDArray[np.float32], chunk: int, empty: bool
) -> NDArray[np.float32]:
    out = []
    for start in range(0, len(samples), chunk):
        out.append(resampler.push(mix_down(samples[start : start + chunk])))
        if empty:
            out.append(resampler.push(np.zeros(0, np.float32)))
    return np.concatenate([*out, resampler.flush()])


def _loudest_other(samples: NDArray[np.float32], rate: int) -> float:
    """Return the strongest partial besides the tone, in dB relative to it."""
    spectrum = np.abs(np.fft.rfft(samples * np.blackman(samples.size)))
    frequencies = np.fft.rfftfreq(samples.size, 1 / rate)
    other = np.abs(frequencies - TONE) > 8
    return float(20 * np.log10(spectrum[other].max() / spectrum[~other].max()))


@pytest.mark.parametrize("quality", ["LQ", "HQ"])
@pytest.mark.parametrize(("rate", "channels", "chunk", "empty"), _cases())
def test_a_sine_stays_a_sine(
    rate: int, channels: int, chunk: int, empty: bool, quality: Quality
) -> None:
    heard = _stream(Resampler(rate, TARGET, quality), _sine(rate, channels), chunk, empty)
    assert heard.dtype == np.float32
    assert abs(heard.size - 2 * TARGET) <= 1
    assert _loudest_other(heard, TARGET) < -50
    assert np.abs(heard[1000:-1000]).max() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("rate", "channels", "chunk", "empty"), _cases())
def test_joins_do_not_click(rate: int, channels: int, chunk: int, empty: bool) -> None:
    heard = _stream(Resampler(rate, TARGET), _sine(rate, channels), chunk, empty)
    steepest = 0.5 * 2 * np.pi * TONE / TARGET
    assert np.abs(np.diff(heard[500:-500])).max() < 1.02 * steepest


@pytest.mark.parametrize(
    "pair", [(48_000, 16_000), (8_000, 16_000), (16_000, 24_000), (24_000, 48_000)]
)
def test_chunks_of_any_size_give_the_samples_of_one_push(pair: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, pair[0] // 2).astype(np.float32)
    whole = Resampler(*pair)
    expected = np.concatenate([whole.push(noise), whole.flush()])
    for chunk in (1, 137, 4_000):
        np.testing.assert_allclose(
            _stream(Resampler(*pair), noise, chunk, empty=True), expected, atol=1e-6
        )


@settings(deadline=None)
@given(
    st.integers(0, 3000),
    st.sampled_from([8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000]),
    st.sampled_from([16_000, 24_000, 48_000]),
)
def test_the_length_is_exact_after_flush(taken: int, source: int, target: int) -> None:
    resampler = Resampler(source, target)
    given_out = resampler.push(np.ones(taken, np.float32)).size + resampler.flush().size
    assert given_out == int(taken * target / source + 0.5)


def test_a_flushed_resampler_begins_anew() -> None:
    signal = np.random.default_rng(2).normal(0, 0.1, 4_800).astype(np.float32)
    resampler = Resampler(48_000, 16_000)
    first = _stream(resampler, signal, 960, empty=False)
    np.testing.assert_array_equal(_stream(resampler, signal, 960, empty=False), first)


def test_equal_rates_pass_through_at_once() -> None:
    resampler = Resampler(16_000, 16_000)
    signal = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(resampler.push(signal), signal)
    assert resampler.flush().size == 0


@pytest.mark.parametrize(("quality", "most"), [("LQ", 0.022), ("HQ", 0.042)])
def test_what_is_held_back_stays_small(quality: Quality, most: float) -> None:
    resampler = Resampler(48_000, 16_000, quality)
    given_out = 0
    for count in range(1, 101):
        given_out += resampler.push(np.zeros(960, np.float32)).size
        assert count * 960 / 48_000 - given_out / 16_000 < most


def test_mixing_down_takes_the_mean_of_the_channels() -> None:
    stereo = np.array([[1.0, 0.0], [0.5, -0.5]], np.float32)
    np.testing.assert_array_equal(mix_down(stereo), [0.5, 0.0])
    mono = stereo[:, 0]
    assert mix_down(mono) is mono


@pytest.mark.parametrize(
    ("source", "target", "quality"), [(0, 16_000, "HQ"), (16_000, -1, "HQ"), (8_000, 16_000, "X")]
)
def test_bad_settings_are_named(source: int, target: int, quality: Quality) -> None:
    assert quality not in QUALITIES or min(source, target) <= 0
    with pytest.raises(EncoderValueError, match=r"accepted are"):
        Resampler(source, target, quality)


def test_bad_samples_are_named() -> None:
    with pytest.raises(EncoderValueError, match="int16 samples"):
        Resampler(8_000, 16_000).push(np.zeros(4, np.int16))
    with pytest.raises(EncoderValueError, match="shape"):
        Resampler(8_000, 16_000).push(np.zeros((4, 2), np.float32))
    with pytest.raises(EncoderValueError, match="without a channel"):
        mix_down(np.zeros((4, 0), np.float32))
    with pytest.raises(EncoderValueError, match="float64 samples"):
        mix_down(np.zeros(4))  # type: ignore[arg-type]
