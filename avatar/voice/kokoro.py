"""`KokoroVoice`: the good voice, English and Mandarin, Kokoro-82M through onnxruntime."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avatar.errors import AvatarValueError
from avatar.speech import Speech
from avatar.voice import english, mandarin
from avatar.voice.alphabet import kokoro_ids
from avatar.voice.base import VoiceInfo
from avatar.voice.graph import INT64, with_ceiling
from avatar.voice.loudness import gain
from avatar.voice.normalise import normalise
from avatar.voice.pieces import Piece, pieces
from avatar.voice.request import check_language, check_speed
from avatar.voice.session import VoiceSession
from avatar.voice.sound import finish

_DURATIONS: Final = "/encoder/Gather_output_0"
_ROUNDED: Final = "/encoder/Clip_output_0"
_CEILING: Final = "longest"
_UNIT: Final = 600 / 24_000
# What is heard comes earlier than the durations say: measured on sibilants, 0.055 s.
_LEAD: Final = 0.055
# The model draws out its end, and works for that silence. Units for the last sound (it still
# needs room for its echo, in Mandarin more), the punctuation and the closing symbol.
_ENDINGS: Final = {"en": (8, 4, 1), "zh": (18, 6, 1)}
_UNLIMITED: Final = 1000
_STYLES: Final = (510, 1, 256)


class KokoroVoice:
    """Speaks English and Mandarin, each with a speaker of its own, and both inside a sentence.

    Args:
        model: the ONNX file.
        speakers: for "en" and "zh" (or one of them) the speaker's name and file, float32
            [510, 1, 256]: the style for every number of symbols.
        threads: threads of one run.
        lexicon: written form -> respelling, or /phonemes/.
    """

    def __init__(
        self,
        model: Path,
        speakers: Mapping[str, tuple[str, Path]],
        *,
        name: str = "kokoro",
        threads: int = 2,
        lexicon: Mapping[str, str] | None = None,
    ) -> None:
        self.info = VoiceInfo(name, "kokoro", tuple(speakers), "Apache-2.0")
        self._styles = {language: _styles(path) for language, (_, path) in speakers.items()}
        self._gains = {language: gain(speaker) for language, (speaker, _) in speakers.items()}
        self._lexicon = dict(lexicon or {})
        self._session = VoiceSession(
            with_ceiling(model.read_bytes(), _ROUNDED, _CEILING), _DURATIONS, INT64, threads
        )
        english.warm_up()
        if "zh" in speakers:
            mandarin.warm_up()

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """See `Voice.speak`."""
        check_language(self.info, language)
        check_speed(speed)
        return self._speech(text, language, cancelled, speed)

    def _speech(self, text: str, language: str, cancelled: Event, speed: float) -> Iterator[Speech]:
        for piece in pieces(normalise(text, language, self._lexicon)):
            made = self._session.run(self._inputs(piece, language, speed), cancelled)
            if made is None:
                return
            samples, durations = made
            ends = np.cumsum(durations[:-1], dtype=np.float64) * _UNIT - _LEAD
            yield finish(samples, ends, piece, self._gains[language])

    def _inputs(self, piece: Piece, language: str, speed: float) -> dict[str, NDArray[np.generic]]:
        ids = kokoro_ids(piece.symbols)
        longest = np.full((1, len(ids) + 2), _UNLIMITED, np.float32)
        ending = _ENDINGS[piece.words[-1].language]
        if piece.pause and len(ids) >= len(ending):
            longest[0, -len(ending) :] = ending
        return {
            "tokens": np.array([[0, *ids, 0]], np.int64),
            "style": self._styles[language][min(len(ids), len(self._styles[language]) - 1)],
            "speed": np.array([speed], np.float32),
            _CEILING: longest,
        }


def _styles(path: Path) -> NDArray[np.float32]:
    styles = np.fromfile(path, np.float32)
    if styles.size != np.prod(_STYLES):
        raise AvatarValueError(
            f"{path.name} holds {styles.size} numbers; a Kokoro speaker has {_STYLES} float32"
        )
    return styles.reshape(_STYLES)
