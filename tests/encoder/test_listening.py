from pathlib import Path

import pytest

from encoder.silero import SileroVad
from encoder.turns import TurnDetector
from encoder.whisper import WhisperRecognizer
from tests.encoder.listening import Listener
from tests.encoder.scoring import errors
from tests.recordings import Recording


def _listen(recording: Recording, silero: Path, recognizer: WhisperRecognizer) -> Listener:
    listener = Listener(TurnDetector(SileroVad(silero)), recognizer)
    listener.listen(recording.samples()[0])
    return listener


def _tagged(recordings: dict[str, Recording], *tags: str) -> list[Recording]:
    return [recording for recording in recordings.values() if set(tags) <= set(recording.tags)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sentence_read_is_one_turn_with_its_words(
    spoken: dict[str, Recording], silero: Path, recognizer: WhisperRecognizer, language: str
) -> None:
    plain = [r for r in spoken.values() if r.language == language and set(r.tags) <= {"read"}]
    recording = min(plain, key=lambda r: r.samples()[0].size)
    listener = _listen(recording, silero, recognizer)
    (transcript,) = listener.turns
    wrong, said = errors(recording, transcript.text)
    assert wrong <= 0.3 * said
    assert listener.ended[0] <= 0.55


def test_a_sentence_broken_off_for_a_moment_stays_one_turn(
    spoken: dict[str, Recording], silero: Path, recognizer: WhisperRecognizer
) -> None:
    for recording in _tagged(spoken, "cut-sentence", "pauses"):
        assert len(_listen(recording, silero, recognizer).turns) == 1


def test_a_number_read_out_in_groups_stays_one_turn(
    spoken: dict[str, Recording], silero: Path, recognizer: WhisperRecognizer
) -> None:
    for recording in _tagged(spoken, "digits", "pauses"):
        assert len(_listen(recording, silero, recognizer).turns) == 1


def test_each_speaker_gets_a_turn_in_their_own_language(
    recordings: dict[str, Recording], silero: Path, recognizer: WhisperRecognizer
) -> None:
    for recording in _tagged(recordings, "code-switch"):
        languages = [turn.language for turn in _listen(recording, silero, recognizer).turns]
        assert languages == ["en", "zh", "en", "zh"]


def test_noise_and_music_take_no_turn(
    recordings: dict[str, Recording], silero: Path, recognizer: WhisperRecognizer
) -> None:
    for recording in recordings.values():
        if recording.kind != "speech":
            assert not _listen(recording, silero, recognizer).turns
