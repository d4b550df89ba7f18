"""Questions to ask in a benchmark: spoken by a voice of ours, and real recordings."""

import json
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from avatar.voice import Voice
from pipeline.assets import Registry
from pipeline.configuration import SpeakSettings
from pipeline.voices import load_voice

RECORDINGS: Final = Path(__file__).resolve().parents[3] / "shared" / "audio"

# Other speakers than the host's, so that nobody talks to themselves.
SPEAKERS: Final = {"en": "kokoro:am_michael", "zh": "kokoro:zm_yunxi"}
TEXTS: Final = {
    "en": (
        "When do you open?",
        "How much is a large pizza?",
        "Do you deliver?",
        "Where is your shop?",
        "Do you have anything gluten free?",
        "How can I pay?",
        "What is the offer of the week?",
        "Do you have vegan pizza?",
        "What is your phone number?",
        "How long does delivery take?",
    ),
    "zh": (
        "你们几点开门？",
        "大披萨多少钱？",
        "你们送外卖吗？",
        "你们的店在哪里？",
        "可以用什么付款？",
        "有素食披萨吗？",
    ),
}
# Recordings that break off, mix speakers or are too noisy test other things.
_OTHER_KINDS: Final = frozenset({"cut-sentence", "two-speakers", "code-switch", "hard"})
_LONGEST_GAP: Final = 0.5


@dataclass(frozen=True, slots=True)
class Question:
    """A recording of somebody asking; `speech_end` in seconds from its beginning."""

    path: Path
    language: str
    text: str
    speech_end: float
    real: bool


def questions(
    languages: Sequence[str], count: int, registry: Registry, folder: Path = RECORDINGS
) -> list[Question]:
    """Return `count` questions, real recordings and spoken ones in turn, over `languages`.

    Where there are no recordings all are spoken by our voices.
    """
    spoken = [q for language in languages for q in _spoken(language, registry)]
    real = [q for q in _recorded(folder) if q.language in languages]
    chosen = []
    for index in range(count):
        source = real if real and index % 2 else spoken
        chosen.append(source[(index // (2 if real else 1)) % len(source)])
    return chosen


def _spoken(language: str, registry: Registry) -> list[Question]:
    folder = registry.cache / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    voice: Voice | None = None
    made = []
    for index, text in enumerate(TEXTS[language]):
        path = folder / f"{SPEAKERS[language].partition(':')[2]}-{index}.wav"
        if not path.exists():
            voice = voice or load_voice(SPEAKERS[language], SpeakSettings(), registry)
            _write(path, _speech(voice, text, language))
        made.append(Question(path, language, text, _speech_end(path), real=False))
    return made


def _speech(voice: Voice, text: str, language: str) -> NDArray[np.float32]:
    chunks = [speech.samples for speech in voice.speak(text, language, cancelled=Event())]
    return np.concatenate(chunks)


def _write(path: Path, samples: NDArray[np.float32]) -> None:
    part = path.with_suffix(".part")
    with wave.open(str(part), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SPEECH_RATE)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype(np.int16).tobytes())
    part.replace(path)


def _speech_end(path: Path) -> float:
    """Return where a spoken question ends: its last sample above -40 dBFS."""
    with wave.open(str(path), "rb") as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    return float((np.flatnonzero(np.abs(samples) > 328)[-1] + 1) / rate)


def _recorded(folder: Path) -> list[Question]:
    index = folder / "index.json"
    if not index.is_file():
        return []
    entries: list[dict[str, Any]] = json.loads(index.read_text("utf-8"))
    return [
        Question(
            folder / entry["file"],
            entry["language"],
            entry["text"],
            float(entry["speech_segments_s"][-1][1]),
            real=True,
        )
        for entry in entries
        if _complete(entry)
    ]


def _complete(entry: dict[str, Any]) -> bool:
    segments = entry.get("speech_segments_s") or []
    if entry["kind"] != "speech" or _OTHER_KINDS & set(entry["tags"]) or not segments:
        return False
    ends, starts = [end for _, end in segments[:-1]], [start for start, _ in segments[1:]]
    return all(start - end <= _LONGEST_GAP for end, start in zip(ends, starts, strict=True))
