"""Lines a voice has rehearsed: the openings of ready answers, spoken before they are needed.

Synthesising the first clause is most of the wait for a voice that is good and slow. What a host
says from its catalogue begins in a few dozen ways, so those are spoken once, kept on disk, and
played at once; all that follows, and every answer made up by a model, is spoken as it comes.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

from avatar.speech import Phone, Speech, Word
from avatar.voice import Voice, VoiceInfo
from avatar.voice.normalise import normalise
from avatar.voice.pieces import pieces
from pipeline.assets import Progress

LONGEST: Final = 6.0  # seconds of one line
MOST: Final = 200  # lines of one language
_FORMAT: Final = 2


class RehearsedVoice:
    """A voice that plays the lines it has rehearsed, and speaks everything else as before.

    Args:
        voice: who speaks.
        folder: where rehearsed lines are kept, one file for each.
        mark: names what besides the words shapes the sound (the model's hash, the lexicon), so
            that a change of it is a new rehearsal.
    """

    def __init__(self, voice: Voice, folder: Path, mark: str) -> None:
        self._voice = voice
        self._folder = folder
        self._mark = mark
        self._lines: dict[tuple[str, str], tuple[Speech, ...]] = {}

    @property
    def info(self) -> VoiceInfo:
        return self._voice.info

    def rehearse(
        self,
        texts: Mapping[str, Sequence[str]],
        progress: Progress | None = None,
        *,
        kept: bool = False,
    ) -> None:
        """Speak the texts of each language that have not been spoken before. Blocks.

        Args:
            kept: only those that have been spoken before are read.

        Raises:
            AvatarError: the voice failed.
        """
        wanted = [
            (language, text.strip())
            for language, lines in texts.items()
            if language in self.info.languages
            for text in lines[:MOST]
        ]
        for number, (language, text) in enumerate(wanted, 1):
            path = self._path(language, text)
            spoken = _read(path) or (() if kept else self._speak(language, text, path))
            if spoken and sum(speech.seconds for speech in spoken) <= LONGEST:
                self._lines[language, text] = spoken
            if progress is not None:
                progress(f"voice {self.info.name}: rehearsing", number, len(wanted))

    def speak(
        self, text: str, language: str, *, cancelled: Event, speed: float = 1.0
    ) -> Iterator[Speech]:
        """See `Voice.speak`."""
        known = self._lines.get((language, text.strip())) if speed == 1.0 else None
        if known is not None:
            return _until(known, cancelled)
        return self._voice.speak(text, language, cancelled=cancelled, speed=speed)

    def _speak(self, language: str, text: str, path: Path) -> tuple[Speech, ...]:
        spoken = tuple(self._voice.speak(text, language, cancelled=Event()))
        _write(path, spoken)
        return spoken

    def _path(self, language: str, text: str) -> Path:
        # How the text is read is part of the key: a reading that is mended must be heard.
        spoken = normalise(text, language)
        read = [spoken.text, *(piece.symbols for piece in pieces(spoken))]
        key = json.dumps([_FORMAT, self._mark, self.info.name, language, text, read])
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.safetensors"


def _until(chunks: Sequence[Speech], cancelled: Event) -> Iterator[Speech]:
    for speech in chunks:
        if cancelled.is_set():
            return
        yield speech


def _write(path: Path, spoken: Sequence[Speech]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    times = [
        {
            "words": [[w.text, w.start, w.end] for w in speech.words],
            "phones": [[p.ipa, p.start, p.end, p.stress] for p in speech.phones],
        }
        for speech in spoken
    ]
    sounds = {str(index): speech.samples for index, speech in enumerate(spoken)}
    part = path.with_suffix(f".{os.getpid()}.part")  # another server may rehearse as well
    save_file(sounds, part, {"times": json.dumps(times)})
    part.replace(path)


def _read(path: Path) -> tuple[Speech, ...]:
    """Return a kept line; nothing where there is none, or a damaged one."""
    if not path.is_file():
        return ()
    try:
        with safe_open(path, "numpy") as file:
            times: list[dict[str, Any]] = json.loads(file.metadata()["times"])
        sounds = load_file(path)
    except SafetensorError:
        return ()
    return tuple(
        Speech(
            sounds[str(index)].astype(np.float32, copy=False),
            tuple(Word(*word) for word in entry["words"]),
            tuple(Phone(*phone) for phone in entry["phones"]),
        )
        for index, entry in enumerate(times)
    )
