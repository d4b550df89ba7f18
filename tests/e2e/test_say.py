"""`vivant say`: a finished, playable film in both languages, read back."""

import re
from pathlib import Path

import av
import numpy as np
import pytest
import soxr
from numpy.typing import NDArray

from encoder.whisper import WhisperRecognizer
from pipeline.configuration import Configuration
from pipeline.errors import ConfigurationError
from pipeline.mp4 import AI_NOTICE
from pipeline.say import NothingSpokenError, say

SIZE = (180, 320)


def read(path: Path) -> tuple[list[NDArray[np.uint8]], NDArray[np.float32], int, str]:
    """Return pictures (luma), sound, its rate and the comment of a film."""
    with av.open(str(path)) as film:
        comment = film.metadata.get("comment", "")
        pictures = [frame.to_ndarray(format="gray") for frame in film.decode(video=0)]
        rate = film.streams.audio[0].rate
    with av.open(str(path)) as film:
        chunks = [frame.to_ndarray()[0] for frame in film.decode(audio=0)]
    return (
        [picture.astype(np.uint8, copy=False) for picture in pictures],
        np.concatenate(chunks).astype(np.float32),
        rate,
        comment,
    )


@pytest.mark.parametrize(
    ("text", "language", "voice", "heard"),
    [
        ("Welcome to our shop. A large pizza is $15.", "en", "light", r"15|[Ff]ifteen"),
        ("欢迎光临我们的小店。", "zh", "kokoro", r"欢迎光"),
    ],
)
def test_a_film_is_playable_and_says_the_text(
    models: Path, tmp_path: Path, text: str, language: str, voice: str, heard: str
) -> None:
    path = tmp_path / "film.mp4"
    configuration = Configuration(cache=models.parent)
    report = say(text, path, configuration=configuration, size=SIZE, voice=voice)
    pictures, sound, rate, comment = read(path)
    assert report["voices"] == [voice]
    # Both texts welcome the viewer in their first words.
    assert re.fullmatch(r"\['welcome@[01]\.\d\d'\]", str(report["actions"]))
    assert report["left_out"] == []
    assert len(pictures) == report["pictures"]
    assert abs(len(pictures) / 25 - len(sound) / rate) < 0.1
    assert pictures[0].shape == SIZE[::-1]
    assert comment == AI_NOTICE
    recogniser = WhisperRecognizer(models / "whisper-base")
    narrow = soxr.resample(sound, rate, 16_000).astype(np.float32)
    assert re.search(heard, recogniser.open((language,)).final(narrow).text)
    moved = [np.abs(b.astype(int) - a).mean() for a, b in zip(pictures, pictures[5:], strict=False)]
    assert max(moved) > 0.2
    assert pictures[0].std() > 10


def test_what_cannot_be_filmed_is_named(models: Path, tmp_path: Path) -> None:
    configuration = Configuration(cache=models.parent)
    path = tmp_path / "film.mp4"
    with pytest.raises(NothingSpokenError, match="👍"):
        say("👍", path, configuration=configuration, size=SIZE, voice="light")
    with pytest.raises(ConfigurationError, match="'noir'"):
        say("Hello", path, configuration=configuration, style="noir")
    with pytest.raises(ConfigurationError, match="'nobody'"):
        say("Hello", path, configuration=configuration, avatar="nobody", size=SIZE, voice="light")
    assert not path.exists()


def test_a_seed_moves_the_host_alike_and_without_one_it_never_does(
    models: Path, tmp_path: Path
) -> None:
    configuration = Configuration(cache=models.parent)
    made = []
    for number, seed in enumerate((5, 5, None)):
        path = tmp_path / f"{number}.mp4"
        report = say(
            "So here we are.",
            path,
            configuration=configuration,
            size=SIZE,
            voice="light",
            seed=seed,
        )
        assert (report["seed"] == 5) == (seed == 5)
        made.append(read(path)[0])
    same = [np.abs(a.astype(int) - b).mean() for a, b in zip(made[0], made[1], strict=True)]
    other = [np.abs(a.astype(int) - b).mean() for a, b in zip(made[0], made[2], strict=True)]
    assert max(same) == 0.0
    assert max(other) > 0.1
