"""From 24 to 48 kHz without clicks, with a delay that never changes."""

import numpy as np
from scipy.signal.windows import blackmanharris

from pipeline.contract import FRAME_SAMPLES
from pipeline.upsample import DELAY_SAMPLES, FADE_SAMPLES, Upsampler


def test_the_delay_is_two_frames_for_every_frame() -> None:
    upsampler = Upsampler()
    sound = np.zeros(24_000, np.float32)
    clicks = (3000, 9007, 20_000)
    for at in clicks:
        sound[at] = 0.9
    out = np.concatenate([upsampler.push(frame) for frame in sound.reshape(-1, 480)])
    for at in clicks:
        wire = 2 * at + DELAY_SAMPLES
        near = out[wire - 200 : wire + 200].astype(float)
        assert int(np.argmax(near)) - 200 == 0


def test_a_sine_stays_a_sine() -> None:
    upsampler = Upsampler()
    times = np.arange(2 * 24_000) / 24_000
    sine = (0.5 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)
    out = np.concatenate([upsampler.push(frame) for frame in sine.reshape(-1, 480)])
    steady = out[DELAY_SAMPLES + 4800 :][:81_600] / 32767
    spectrum = np.abs(np.fft.rfft(steady * blackmanharris(len(steady))))
    spectrum /= spectrum.max()
    frequencies = np.fft.rfftfreq(len(steady), 1 / 48_000)
    assert spectrum[np.abs(frequencies - 440) > 20].max() < 10 ** (-50 / 20)


def test_a_cut_fades_within_ten_milliseconds() -> None:
    upsampler = Upsampler()
    for _ in range(10):
        upsampler.push(np.full(480, 0.5, np.float32))
    upsampler.cut()
    after = [upsampler.push(np.zeros(480, np.float32)) for _ in range(4)]
    assert after[0][0] > 16_000
    assert np.abs(np.diff(after[0].astype(int))).max() < 50
    assert not after[0][FADE_SAMPLES:].any()
    assert not np.concatenate(after[1:]).any()
    assert all(len(frame) == FRAME_SAMPLES for frame in after)


def test_too_loud_is_clipped() -> None:
    upsampler = Upsampler()
    out = np.concatenate([upsampler.push(np.full(480, 3.0, np.float32)) for _ in range(8)])
    assert out.max() == 32767
