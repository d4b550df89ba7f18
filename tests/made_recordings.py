"""Recordings for a clone that has none beside it: spoken by the voices that ship, or made up."""

import wave
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from avatar.speech import SPEECH_RATE
from avatar.voice import Voice
from avatar.voice.registry import VoiceFiles, open_voice
from tests.recordings import Recording

RATE: Final = 16_000
Sound = NDArray[np.float32]


@dataclass(frozen=True)
class Line:
    """What is said at a stretch, by whom, after how much silence (seconds)."""

    speaker: str
    language: str
    text: str
    after: float = 0.3


@dataclass(frozen=True)
class Plan:
    """A recording to make: its lines, and what it has in common with the real ones."""

    tags: tuple[str, ...]
    lines: tuple[Line, ...]


# Numbers are written in figures, as in the real recordings, and as a recogniser writes them.
PLANS: Final = {
    "en_made_read": Plan(
        ("read",),
        (Line("am_michael", "en", "The garden was quiet, and nobody had opened the gate."),),
    ),
    "en_made_digits": Plan(
        ("digits", "pauses"),
        (
            Line("af_bella", "en", "one two three four"),
            Line("af_bella", "en", "nine eight seven six", 1.3),
        ),
    ),
    "en_made_cut": Plan(
        ("cut-sentence", "read"),
        (Line("am_adam", "en", "the formal review of activities by the"),),
    ),
    "en_phone_two_speakers": Plan(
        ("telephone", "two-speakers", "pauses"),
        (
            Line("af_bella", "en", "Hello, could you help me with an order?"),
            Line("am_adam", "en", "Certainly, which color would you like?", 1.7),
        ),
    ),
    "zh_made_read": Plan(("read",), (Line("zf_xiaoyi", "zh", "今天早上公园里有很多人在跑步。"),)),
    "zh_made_numbers": Plan(
        ("read", "numbers", "long-silence"),
        (Line("zm_yunxi", "zh", "这座桥有200米长，去年8月建成。", 1.5),),
    ),
    "mix_en_zh_turns": Plan(
        ("code-switch", "pauses"),
        (
            Line("am_michael", "en", "What's the weather like today?"),
            Line("zf_xiaoyi", "zh", "今天天气怎么样？", 1.8),
            Line("am_michael", "en", "How do I get to the station?", 1.8),
            Line("zf_xiaoyi", "zh", "请问车站怎么走？", 1.8),
        ),
    ),
}


def make_recordings(models: Path, folder: Path) -> dict[str, Recording]:
    """Return made recordings by name, writing those that `folder` lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {name: _spoken(name, plan, models, folder) for name, plan in PLANS.items()}
    noise = np.random.default_rng(1)
    hum = 0.05 * noise.standard_normal(6 * RATE).astype(np.float32)
    made["noise_made"] = _write(folder / "noise_made.wav", hum, "noise", ("noise",))
    made["music_made"] = _write(folder / "music_made.wav", _music(), "music", ("music",))
    return made


def _spoken(name: str, plan: Plan, models: Path, folder: Path) -> Recording:
    path = folder / f"{name}.wav"
    parts, segments, at = [], [], 0.0
    for line in plan.lines:
        speech = _speech(line, models)
        parts += [np.zeros(round(line.after * RATE), np.float32), speech]
        at += line.after
        loud = np.flatnonzero(np.abs(speech) > 0.01) / RATE
        segments.append((at + float(loud[0]), at + float(loud[-1])))
        at += len(speech) / RATE
    sound = np.concatenate([*parts, np.zeros(round(0.8 * RATE), np.float32)])
    languages = sorted({line.language for line in plan.lines})
    text = " ".join(line.text for line in plan.lines)
    recording = _write(path, sound, "speech", plan.tags)
    return Recording(
        recording.path, "speech", "+".join(languages), text, plan.tags, tuple(segments)
    )


def _speech(line: Line, models: Path) -> Sound:
    voice = _voice(line.speaker, models)
    chunks = [s.samples for s in voice.speak(line.text, line.language, cancelled=Event())]
    narrow: Sound = soxr.resample(np.concatenate(chunks), SPEECH_RATE, RATE)
    return narrow.astype(np.float32)


def _voice(speaker: str, models: Path) -> Voice:
    kokoro = models / "kokoro-82m"
    files = VoiceFiles(kokoro_model=kokoro / "model.onnx", kokoro_speakers=kokoro / "voices")
    return open_voice(f"kokoro:{speaker}", files)


def _music() -> Sound:
    """A beat of four tones with a drum on each."""
    times = np.arange(RATE // 2) / RATE
    drum = np.exp(-times * 30) * np.sin(2 * np.pi * 70 * times)
    bars = [
        0.3 * np.sin(2 * np.pi * tone * times) * np.exp(-times * 3) + 0.5 * drum
        for tone in (220, 277, 330, 440) * 3
    ]
    return np.concatenate(bars).astype(np.float32)


def _write(path: Path, sound: Sound, kind: str, tags: tuple[str, ...]) -> Recording:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.clip(sound, -1, 1) * 32767).astype(np.int16).tobytes())
    return Recording(path, kind, "none", "", tags, ())
