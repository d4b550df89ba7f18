"""What lips learn from: the mouths of takes, and of what else those takes could have been."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from motion.lips.training import LipSequence
from pipeline.corpus.building import hash_of, takes_folder
from pipeline.corpus.mouths import mouths_of
from pipeline.corpus.plan import HEARD
from pipeline.corpus.takes import read_take
from pipeline.corpus.varying import varied

# Takes of a voice: how many are enough, how often it is heard otherwise at most, and one in how
# many is kept to decide by, unless it has but a few.
_ENOUGH: Final = 42
_MOST_TIMES: Final = 6
_KEPT_EVERY: Final = 20
_FEW: Final = 4


def lip_lessons(cache: Path, seed: int) -> tuple[list[LipSequence], list[LipSequence]]:
    """Return what lips learn from, and what decides when a contact counts: other takes.

    Who says little is heard again as others in other rooms; of who says much, every other take is
    itself. Talk and nonsense of a speaker count as two voices, so both are heard often.
    """
    takes: dict[str, list[Path]] = {}
    for kind in ("train", HEARD):
        for path in sorted(takes_folder(cache).glob(f"{kind}-*.safetensors")):
            takes.setdefault(path.stem.rpartition("-")[0], []).append(path)
    lessons: list[LipSequence] = []
    held: list[LipSequence] = []
    for voice, paths in takes.items():
        kept = max(1, len(paths) // _KEPT_EVERY) if len(paths) >= _FEW else 0
        held += [replace(mouths_of(read_take(path)), voice=voice) for path in paths[:kept]]
        times = min(_MOST_TIMES, -(-_ENOUGH // len(paths)))
        lessons += [replace(one, voice=voice) for one in _heard(paths[kept:], times, seed)]
    return lessons, held


def _heard(paths: Sequence[Path], times: int, seed: int) -> Iterator[LipSequence]:
    """Yield the mouths of takes, each as often as said."""
    for number, path in enumerate(paths):
        take = read_take(path)
        for again in range(times):
            rng = np.random.default_rng(hash_of(seed, path.stem, again))
            itself = again == 0 and (times > 1 or number % 2 == 0)
            yield mouths_of(take if itself else varied(take, rng))
