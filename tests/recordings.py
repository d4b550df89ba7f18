"""Recordings with known content, for tests that hear."""

import json
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Recording:
    """A mono 16-bit recording: what is said, in which language, and where there is speech.

    `kind`: "speech", "noise" or "music". `segments`: (start, end) of speech in seconds.
    """

    path: Path
    kind: str
    language: str
    text: str
    tags: tuple[str, ...]
    segments: tuple[tuple[float, float], ...]

    def samples(self) -> tuple[NDArray[np.float32], int]:
        """Return float32 [n] in [-1, 1] and its sample rate."""
        with wave.open(str(self.path), "rb") as file:
            rate = file.getframerate()
            data = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        return (data / 32768).astype(np.float32), rate


def load_recordings(folder: Path) -> dict[str, Recording]:
    """Return the recordings of `folder` by file stem."""
    entries = json.loads((folder / "index.json").read_text("utf-8"))
    return {Path(entry["file"]).stem: _recording(folder, entry) for entry in entries}


def _recording(folder: Path, entry: dict[str, object]) -> Recording:
    segments = entry.get("speech_segments_s") or []
    tags = entry.get("tags") or []
    assert isinstance(segments, list)
    assert isinstance(tags, list)
    return Recording(
        path=folder / str(entry["file"]),
        kind=str(entry["kind"]),
        language=str(entry["language"]),
        text=str(entry.get("text") or ""),
        tags=tuple(str(tag) for tag in tags),
        segments=tuple((float(start), float(end)) for start, end in segments),
    )
