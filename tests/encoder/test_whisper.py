from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from encoder.errors import EncoderError, EncoderValueError
from encoder.measure import recognition_times
from encoder.recognizer import Transcript
from encoder.whisper import WHOLE, WhisperRecognizer, Window
from tests.encoder.scoring import errors
from tests.recordings import Recording


def _rate(recordings: dict[str, Recording], texts: dict[str, str], language: str) -> float:
    counts = [
        errors(recordings[name], text)
        for name, text in texts.items()
        if recordings[name].language == language and "hard" not in recordings[name].tags
    ]
    return sum(wrong for wrong, _ in counts) / sum(said for _, said in counts)


def test_english_and_mandarin_are_understood(
    spoken: dict[str, Recording], finals: dict[str, Transcript]
) -> None:
    texts = {name: transcript.text for name, transcript in finals.items()}
    assert _rate(spoken, texts, "en") <= 0.07
    assert _rate(spoken, texts, "zh") <= 0.15


def test_no_recording_is_far_off(
    spoken: dict[str, Recording], finals: dict[str, Transcript]
) -> None:
    for name, transcript in finals.items():
        wrong, said = errors(spoken[name], transcript.text)
        assert wrong <= (0.75 if "hard" in spoken[name].tags else 0.3) * said, transcript.text


def test_the_language_is_detected(
    spoken: dict[str, Recording], finals: dict[str, Transcript]
) -> None:
    assert {name: found.language for name, found in finals.items()} == {
        name: recording.language for name, recording in spoken.items()
    }


def test_finals_are_stable_confident_and_speech(
    spoken: dict[str, Recording], finals: dict[str, Transcript]
) -> None:
    for name, transcript in finals.items():
        assert transcript.speech
        assert transcript.provisional == ""
        assert transcript.text == transcript.stable == transcript.text.strip()
        assert transcript.confidence > (0.2 if "hard" in spoken[name].tags else 0.5)


def test_mandarin_is_written_in_simplified_characters(finals: dict[str, Transcript]) -> None:
    written = "".join(found.text for found in finals.values() if found.language == "zh")
    assert not set(written) & set("這個麼時間國產會從車們說過還開對現點種樣沒錢與觸")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_seconds_heard_serve_as_well_as_the_whole_window(
    spoken: dict[str, Recording], finals: dict[str, Transcript], models: Path, language: str
) -> None:
    whole = WhisperRecognizer(models / "whisper-base", window=WHOLE)
    same = [name for name in spoken if spoken[name].language == language]
    short = sorted(same, key=lambda name: spoken[name].samples()[0].size)[:3]
    texts = {name: whole.open().final(spoken[name].samples()[0]).text for name in short}
    cut = {name: finals[name].text for name in short}
    assert _rate(spoken, cut, language) <= _rate(spoken, texts, language) + 0.05


def test_noise_music_and_silence_are_no_speech(
    recordings: dict[str, Recording], recognizer: WhisperRecognizer
) -> None:
    signals = [
        recording.samples()[0] for recording in recordings.values() if recording.kind != "speech"
    ]
    signals += [signal[:16_000] for signal in signals]
    signals += [np.zeros(24_000, np.float32)]
    signals += [np.random.default_rng(5).normal(0, 0.01, 24_000).astype(np.float32)]
    for samples in signals:
        transcript = recognizer.open().final(samples)
        assert not transcript.speech, transcript
        assert transcript.text == ""


def _short(spoken: dict[str, Recording], language: str) -> Recording:
    """Return the shortest plain recording of a language."""
    plain = [
        recording
        for recording in spoken.values()
        if recording.language == language and not {"hard", "digits"} & set(recording.tags)
    ]
    return min(plain, key=lambda recording: recording.samples()[0].size)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_stable_text_is_never_taken_back(
    spoken: dict[str, Recording], recognizer: WhisperRecognizer, language: str
) -> None:
    samples, _ = _short(spoken, language).samples()
    recognition = recognizer.open()
    stable, shown = "", []
    for end in range(8_000, samples.size + 1, 8_000):
        partial = recognition.partial(samples[:end])
        assert partial.stable.startswith(stable)
        assert partial.text == partial.stable + partial.provisional
        stable = partial.stable
        shown.append(partial.text)
    assert stable
    assert len(set(shown)) > 2
    wrong, said = errors(_short(spoken, language), shown[-1])
    assert wrong <= 0.4 * said


def test_two_equal_decodes_make_a_prefix_stable(
    spoken: dict[str, Recording], recognizer: WhisperRecognizer
) -> None:
    samples, _ = _short(spoken, "en").samples()
    recognition = recognizer.open(("en",))
    first, second = recognition.partial(samples), recognition.partial(samples)
    assert first.stable == ""
    assert first.provisional == first.provisional.lstrip()
    assert second.stable
    assert second.text == first.text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_recognition_is_deterministic_and_shared_between_threads(
    spoken: dict[str, Recording], recognizer: WhisperRecognizer, language: str
) -> None:
    samples, _ = _short(spoken, language).samples()
    expected = recognizer.open().final(samples)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: recognizer.open().final(samples), range(2)))
    assert found == [expected] * 2


def test_final_may_be_called_again_when_speech_resumes(
    spoken: dict[str, Recording], recognizer: WhisperRecognizer
) -> None:
    samples, _ = _short(spoken, "en").samples()
    recognition = recognizer.open()
    recognition.partial(samples[: samples.size // 2])
    recognition.final(samples[: samples.size // 2])
    assert recognition.final(samples) == recognizer.open().final(samples)


def test_detection_keeps_to_the_languages_given(
    spoken: dict[str, Recording], recognizer: WhisperRecognizer
) -> None:
    samples, _ = _short(spoken, "zh").samples()
    assert recognizer.open(("en",)).final(samples).language == "en"
    assert recognizer.open(("zh",)).final(samples).language == "zh"


def test_too_little_to_hear_is_no_speech(recognizer: WhisperRecognizer) -> None:
    for count in (0, 1, 1_000):
        recognition = recognizer.open(("zh", "en"))
        for transcript in (
            recognition.partial(np.zeros(count, np.float32)),
            recognition.final(np.zeros(count, np.float32)),
        ):
            assert transcript == Transcript("", "", "zh", 0.0, False)


def test_bad_input_is_named(recognizer: WhisperRecognizer, tmp_path: Path) -> None:
    with pytest.raises(EncoderValueError, match="30 s at most"):
        recognizer.open().final(np.zeros(481_000, np.float32))
    with pytest.raises(EncoderValueError, match="int16"):
        recognizer.open().partial(np.zeros(16_000, np.int16))
    with pytest.raises(EncoderValueError, match=r"\('fr',\)"):
        recognizer.open(("fr",))
    with pytest.raises(EncoderValueError, match="accepted are"):
        recognizer.open(())
    with pytest.raises(EncoderError, match=r"model\.bin is missing"):
        WhisperRecognizer(tmp_path)


@pytest.mark.parametrize(
    ("seconds", "frames"), [(0.2, 600), (5.7, 600), (5.71, 650), (9.0, 950), (30.0, 3000)]
)
def test_the_window_covers_the_utterance(seconds: float, frames: int) -> None:
    assert Window().frames(seconds) == frames


def test_times_are_measured_by_length(recognizer: WhisperRecognizer) -> None:
    tone = np.sin(np.arange(32_000) / 8).astype(np.float32)
    times = recognition_times(recognizer, [tone, tone[:16_000]], repeats=1)
    assert [time.utterance for time in times] == [1.0, 2.0]
    assert all(time.encode > 0 and time.decode > 0 and time.total > 0 for time in times)
    with pytest.raises(EncoderValueError, match="0 utterances"):
        recognition_times(recognizer, [])
