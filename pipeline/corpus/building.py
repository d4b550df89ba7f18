"""Builds the corpus in its folder: takes are spoken once, then set in motion several times."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from motion.pose import POSES_PER_SECOND
from motion.streaming.dataset import (
    MotionSequence,
    poses_of,
    read_sequence,
    write_sequence,
)
from pipeline.corpus.choreography import choreographed
from pipeline.corpus.grammar import Split
from pipeline.corpus.plan import HEARD, SEED
from pipeline.corpus.takes import read_take

# How many people each take is set in motion as.
VARIANTS: Final[dict[Split, int]] = {"train": 3, "test": 1}


def takes_folder(cache: Path) -> Path:
    """Return where takes lie."""
    return cache / "corpus" / "takes"


def motion_folder(cache: Path) -> Path:
    """Return where takes in motion lie."""
    return cache / "corpus" / "motion"


def move_corpus(cache: Path, seed: int = SEED) -> Iterator[tuple[str, int]]:
    """Set every take in motion that is not yet; yield each name and how many are done of it.

    Takes that are only listened to stay as they are.
    """
    motion_folder(cache).mkdir(parents=True, exist_ok=True)
    for path in sorted(takes_folder(cache).glob("*.safetensors")):
        if path.stem.startswith(f"{HEARD}-"):
            continue
        split: Split = "train" if path.stem.startswith("train-") else "test"
        done = 0
        for variant in range(VARIANTS[split]):
            target = motion_folder(cache) / f"{path.stem}-{variant}.safetensors"
            if target.exists():
                continue
            own = hash_of(seed, path.stem, variant)
            sequence = choreographed(read_take(path), own)
            write_sequence(sequence, target, {"take": path.stem, "seed": str(own)})
            done += 1
        yield path.stem, done


def load_motion(cache: Path, split: Split) -> list[tuple[str, MotionSequence]]:
    """Return the sequences of a split with the names of their takes, in order of their names."""
    return [(path.stem, read_sequence(path)[0]) for path in _moved(cache, split)]


def moved_seconds(cache: Path, split: Split) -> float:
    """Return how long all sequences of a split are together."""
    return sum(poses_of(path) for path in _moved(cache, split)) / POSES_PER_SECOND


def _moved(cache: Path, split: Split) -> list[Path]:
    return sorted(motion_folder(cache).glob(f"{split}-*.safetensors"))


def hash_of(seed: int, name: str, variant: int) -> int:
    """Return a seed of its own for a variant of a take, the same on every machine."""
    value = seed * 31 + variant
    for character in name:
        value = (value * 1_000_003 + ord(character)) % (1 << 61)
    return value
