"""What a catalogue means is computed once, and read at the next start."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.embedding import kept_batches


class Embedder:
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        self.asked.append(texts)
        return np.array([[len(text), ord(text[0])] for text in texts], np.float32)


def test_batches_are_made_once_and_single_texts_are_not_kept(tmp_path: Path) -> None:
    first, second = Embedder(), Embedder()
    made = kept_batches(first, tmp_path)(["one", "three"])
    read = kept_batches(second, tmp_path)(["one", "three"])
    assert np.array_equal(made, read)
    assert second.asked == []
    kept_batches(second, tmp_path)(["three", "one"])
    kept_batches(second, tmp_path)(["one"])
    assert second.asked == [["three", "one"], ["one"]]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"\x08" + bytes(20)])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    kept_batches(Embedder(), tmp_path)(["one", "three"])
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage)
    again = Embedder()
    assert kept_batches(again, tmp_path)(["one", "three"]).shape == (2, 2)
    assert kept_batches(Embedder(), tmp_path)(["one", "three"]).shape == (2, 2)
    assert again.asked == [["one", "three"]]


def test_catalogues_of_long_ago_are_let_go(tmp_path: Path) -> None:
    for number in range(40):
        kept_batches(Embedder(), tmp_path)([f"{number}", "more"])
    assert len(list(tmp_path.iterdir())) == 32


def test_where_nothing_can_be_kept_it_is_computed(tmp_path: Path) -> None:
    folder = tmp_path / "a file"
    folder.write_bytes(b"")
    assert kept_batches(Embedder(), folder)(["one", "three"]).shape == (2, 2)
