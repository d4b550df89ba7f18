from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from encoder.activity import WINDOW
from encoder.errors import EncoderError, EncoderValueError
from encoder.silero import SileroNetwork, SileroVad
from encoder.turns import TurnDetector
from tests.recordings import Recording

TICK = WINDOW / 16_000


def _windows(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    return samples[: samples.size // WINDOW * WINDOW].reshape(-1, WINDOW)


def _probabilities(activity: SileroVad, samples: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.array([activity.probability(window) for window in _windows(samples)])


def _marked(
    segments: tuple[tuple[float, float], ...], count: int, margin: float
) -> NDArray[np.bool]:
    """Return which windows lie in a segment, widened by `margin` seconds on both sides."""
    marked = np.zeros(count, bool)
    for start, end in segments:
        marked[max(round((start - margin) / TICK), 0) : max(round((end + margin) / TICK), 0)] = True
    return marked


def _check_segments(path: Path, recording: Recording, gain: float) -> None:
    samples, rate = recording.samples()
    assert rate == 16_000
    speech = _probabilities(SileroVad(path), samples * np.float32(gain)) >= 0.35
    inner = _marked(recording.segments, speech.size, -0.1)
    outer = _marked(recording.segments, speech.size, 0.1)
    assert speech[inner].mean() > 0.85, recording.path.stem
    assert speech[~outer].sum() <= 0.12 * (~outer).sum() + 3, recording.path.stem


def test_speech_is_found_where_it_is(spoken: dict[str, Recording], silero: Path) -> None:
    for recording in spoken.values():
        _check_segments(silero, recording, 1.0)


def test_quiet_speech_is_found_too(spoken: dict[str, Recording], silero: Path) -> None:
    for recording in spoken.values():
        if "hard" not in recording.tags:
            _check_segments(silero, recording, 0.1)


def test_noise_and_music_confirm_no_turn(recordings: dict[str, Recording], silero: Path) -> None:
    for recording in recordings.values():
        if recording.kind in ("noise", "music"):
            samples, _ = recording.samples()
            for start in range(0, samples.size - 32_000, 16_000):
                detector = TurnDetector(SileroVad(silero))
                events = detector.push(samples[start:])
                kinds = [type(event).__name__ for event in events]
                assert "SpeechConfirmed" not in kinds, (recording.path.stem, start)


def test_silence_tones_and_hiss_are_no_speech(silero: Path) -> None:
    seconds = np.arange(32_000) / 16_000
    hiss = np.random.default_rng(0).normal(0, 0.1, 32_000)
    for signal in (np.zeros(32_000), 0.3 * np.sin(2 * np.pi * 440 * seconds), hiss):
        assert not TurnDetector(SileroVad(silero)).push(signal.astype(np.float32))


def test_a_reset_network_hears_as_for_the_first_time(
    spoken: dict[str, Recording], silero: Path
) -> None:
    window = next(iter(spoken.values())).samples()[0][16_000 : 16_000 + WINDOW]
    activity = SileroVad(silero)
    first = [activity.probability(window) for _ in range(3)]
    assert first[0] != first[1]
    activity.reset()
    assert [activity.probability(window) for _ in range(3)] == first


def test_one_network_hears_many_signals_at_once(spoken: dict[str, Recording], silero: Path) -> None:
    signals = [recording.samples()[0][:32_000] for recording in spoken.values()][:4]
    alone = [_probabilities(SileroVad(silero), signal) for signal in signals]
    network = SileroNetwork(silero)
    with ThreadPoolExecutor(len(signals)) as threads:
        together = threads.map(lambda s: _probabilities(SileroVad(network), s), signals)
        for expected, found in zip(alone, together, strict=True):
            assert np.array_equal(expected, found)
    # Window by window in turn they do not disturb each other either.
    first, second = SileroVad(network), SileroVad(network)
    for n, (one, other) in enumerate(zip(*map(_windows, signals[:2]), strict=False)):
        assert first.probability(one) == alone[0][n]
        assert second.probability(other) == alone[1][n]


def test_a_session_on_a_shared_network_loads_nothing(
    silero: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SileroNetwork(silero)
    monkeypatch.delattr("encoder.silero.onnxruntime.InferenceSession")
    assert SileroVad(network).probability(np.zeros(WINDOW, np.float32)) < 0.2


def test_windows_of_another_size_are_refused(silero: Path) -> None:
    with pytest.raises(EncoderValueError, match=r"accepted is float32 \[512\]"):
        SileroVad(silero).probability(np.zeros(256, np.float32))
    with pytest.raises(EncoderValueError, match="float64"):
        SileroVad(silero).probability(np.zeros(512))  # type: ignore[arg-type]


def test_a_missing_or_foreign_model_is_named(tmp_path: Path, models: Path) -> None:
    with pytest.raises(EncoderError, match="no voice activity model"):
        SileroVad(tmp_path / "none.onnx")
    with pytest.raises(EncoderError, match="accepted is Silero VAD"):
        SileroVad(models / "piper-joe" / "voice.onnx")
