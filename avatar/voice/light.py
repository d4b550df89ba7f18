"""`LightVoice`: the voice for weak machines, English, a Piper voice through onnxruntime alone."""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarValueError
from avatar.speech import SPEECH_RATE, Speech
from avatar.voice import english
from avatar.voice.base import VoiceInfo
from avatar.voice.graph import FLOAT, with_given
from avatar.voice.loudness import gain
from avatar.voice.normalise import normalise
from avatar.voice.pieces import pieces
from avatar.voice.piper_alphabet import BEGIN, END, PAD, piper_ids
from avatar.voice.request import check_language, check_speed
from avatar.voice.session import VoiceSession
from avatar.voice.sound import finish

_DURATIONS: Final = "/Ceil_output_0"
_HOP: Final = 256
_LEAD: Final = 0.02
_SPEAKER: Final = "light"
# The model draws noise for its rhythm, one column for each symbol, and for its sound, one for each
# frame of 256 samples: the tensors that hold it, and those it is as large as.
_RHYTHM: Final = ("/dp/RandomNormalLike_output_0", "/dp/ConstantOfShape_output_0")
_SOUND: Final = ("/RandomNormalLike_output_0", "/Transpose_3_output_0")
# Room for twice the symbols, and over three times the seconds, of the longest piece at half speed.
_RHYTHM_SHAPE: Final = (1, 2, 2048)
_SOUND_SHAPE: Final = (1, 192, 8192)


class LightVoice:
    """Speaks English with a Piper (VITS) model. Phone times are the model's own durations.

    The noise that the model shapes into speech is always the same, so a sentence always sounds
    alike, whatever was said before it.

    Args:
        model: the ONNX file; 256 samples for each unit of duration.
        configuration: the voice's JSON beside it (`phoneme_id_map`, `audio`, `inference`).
        threads: threads of one run.
        lexicon: written form -> respelling, or /phonemes/.
    """

    def __init__(
        self,
        model: Path,
        configuration: Path,
        *,
        name: str = "light",
        threads: int = 2,
        lexicon: Mapping[str, str] | None = None,
    ) -> None:
        self.info = VoiceInfo(name, "piper", ("en",), "CC0-1.0")
        settings = json.loads(configuration.read_text("utf-8"))
        self._numbers: dict[str, list[int]] = settings["phoneme_id_map"]
        self._rate: int = settings["audio"]["sample_rate"]
        inference = settings["inference"]
        self._noise = (inference["noise_scale"], inference["noise_w"])
        missing = [mark for mark in (BEGIN, END, PAD) if mark not in self._numbers]
        if missing:
            raise AvatarValueError(f"{configuration.name} has no symbol {missing[0]!r}")
        self._gain = gain(_SPEAKER)
        self._lexicon = dict(lexicon or {})
        given = with_given(model.read_bytes(), *_RHYTHM, "rhythm")
        given = with_given(given, *_SOUND, "sound")
        self._session = VoiceSession(given, _DURATIONS, FLOAT, threads)
        drawn = np.random.default_rng(0)
        self._rhythm = drawn.standard_normal(_RHYTHM_SHAPE, np.float32)
        self._sound = drawn.standard_normal(_SOUND_SHAPE, np.float32)
        english.warm_up()

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """See `Voice.speak`. Chinese characters are refused like the language "zh"."""
        check_language(self.info, language)
        check_speed(speed)
        if any(unicodedata.name(letter, "").startswith("CJK") for letter in text):
            check_language(self.info, "zh")
        return self._speech(text, cancelled, speed)

    def _speech(self, text: str, cancelled: Event, speed: float) -> Iterator[Speech]:
        for piece in pieces(normalise(text, "en", self._lexicon)):
            ids, ranges = piper_ids(piece.symbols, self._numbers)
            made = self._session.run(self._inputs(ids, speed), cancelled)
            if made is None:
                return
            samples, durations = made
            from scipy.signal import resample_poly  # takes a second to import

            resampled = resample_poly(samples, SPEECH_RATE, self._rate).astype(np.float32)
            yield finish(resampled, self._ends(durations, ranges) - _LEAD, piece, self._gain)

    def _inputs(self, ids: list[int], speed: float) -> dict[str, NDArray[np.generic]]:
        noise, rhythm = self._noise
        return {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": np.array([noise, 1 / speed, rhythm], np.float32),
            "rhythm": self._rhythm,
            "sound": self._sound,
        }

    def _ends(
        self, durations: NDArray[np.float32], ranges: list[tuple[int, int]]
    ) -> NDArray[np.float64]:
        times = np.concatenate([[0.0], np.cumsum(durations, dtype=np.float64)]) * _HOP / self._rate
        return times[[ranges[0][0], *(end for _, end in ranges)]]
