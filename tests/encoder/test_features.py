import numpy as np
from faster_whisper.feature_extractor import FeatureExtractor

from encoder.features import log_mel


def test_features_are_those_of_the_reference() -> None:
    samples = np.random.default_rng(3).normal(0, 0.1, 32_000).astype(np.float32)
    expected = FeatureExtractor()(samples, padding=0)
    np.testing.assert_allclose(log_mel(samples, 200), expected, atol=1e-4)


def test_the_signal_is_continued_with_silence_or_cut() -> None:
    samples = np.random.default_rng(4).normal(0, 0.1, 16_000).astype(np.float32)
    longer = log_mel(samples, 150)
    assert longer.shape == (80, 150)
    assert longer.dtype == np.float32
    silent = np.concatenate([samples, np.zeros(8_000, np.float32)])
    np.testing.assert_array_equal(longer, log_mel(silent, 150))
    np.testing.assert_array_equal(log_mel(samples, 50), log_mel(samples[:8_000], 50))


def test_the_loudest_bins_are_those_of_the_tone() -> None:
    tone = np.sin(2 * np.pi * 1000 * np.arange(16_000) / 16_000).astype(np.float32)
    loudest = log_mel(tone, 100)[:, 10:90].argmax(axis=0)
    assert set(loudest) <= {25, 26, 27}
