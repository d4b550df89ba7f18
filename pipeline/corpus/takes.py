"""`Take`: a script as it was spoken, and its file."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from agents.clause import Emotion, Language
from avatar.speech import Phone, Word
from pipeline.errors import VivantError

TAKE_RATE: Final = 16_000
_VERSION: Final = 1


class CorpusError(VivantError, ValueError):
    """A file of the corpus cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A clause of a take; all times in seconds from the take's start.

    Attributes:
        text: as it would be shown.
        start, end: bounds of its sound.
        words, phones: in order of time.
        turn: number of the talk it belongs to; between talks the host listens.
    """

    text: str
    start: float
    end: float
    emotion: Emotion
    words: tuple[Word, ...]
    phones: tuple[Phone, ...]
    turn: int


@dataclass(frozen=True, slots=True)
class Take:
    """A spoken script.

    Attributes:
        name: as planned.
        voice: who speaks.
        samples: int16 [n], mono, 16 kHz.
        lines: in order of time.
    """

    name: str
    voice: str
    language: Language
    samples: NDArray[np.int16]
    lines: tuple[Line, ...]

    @property
    def seconds(self) -> float:
        return len(self.samples) / TAKE_RATE


def write_take(take: Take, folder: Path) -> Path:
    """Write a take; the file appears only when it is whole."""
    about = {
        "version": _VERSION,
        "name": take.name,
        "voice": take.voice,
        "language": take.language,
        "lines": [_plain(line) for line in take.lines],
    }
    path = folder / f"{take.name}.safetensors"
    partial = path.with_suffix(".part")
    save_file({"samples": take.samples}, partial, {"take": json.dumps(about, ensure_ascii=False)})
    partial.replace(path)
    return path


def read_take(path: Path) -> Take:
    """Read what `write_take` wrote.

    Raises:
        CorpusError: it is no file of a take.
    """
    try:
        with safe_open(path, "numpy") as file:
            about = json.loads((file.metadata() or {})["take"])
            samples = file.get_tensor("samples")
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise CorpusError(f"{path.name}: {error}; accepted: a take of the corpus") from error
    if about["version"] != _VERSION:
        raise CorpusError(f"{path.name}: version {about['version']}; accepted: {_VERSION}")
    lines = tuple(_line(line) for line in about["lines"])
    return Take(about["name"], about["voice"], about["language"], samples, lines)


def _plain(line: Line) -> dict[str, object]:
    return {
        "text": line.text,
        "start": round(line.start, 4),
        "end": round(line.end, 4),
        "emotion": line.emotion,
        "turn": line.turn,
        "words": [[w.text, round(w.start, 4), round(w.end, 4)] for w in line.words],
        "phones": [[p.ipa, round(p.start, 4), round(p.end, 4), p.stress] for p in line.phones],
    }


def _line(plain: dict[str, object]) -> Line:
    words, phones = plain.pop("words"), plain.pop("phones")
    assert isinstance(words, list)
    assert isinstance(phones, list)
    return Line(
        **plain,  # type: ignore[arg-type]
        words=tuple(Word(*word) for word in words),
        phones=tuple(Phone(*phone) for phone in phones),
    )
