"""What the corpus consists of: takes, each of one voice, language and script, from one seed."""

import random
from dataclasses import dataclass
from typing import Final

from agents.clause import Language
from pipeline.corpus.grammar import Sentence, Split, grammar_of
from pipeline.corpus.nonsense import nonsense

SEED: Final = 20_261_130
_TAKE_SECONDS: Final = 30.0
# Seconds a sentence of a voice takes with its pause, near enough to plan by.
_SECONDS: Final[dict[Language, float]] = {"en": 4.1, "zh": 4.0}
_TALK_SENTENCES: Final = 5.5  # of a talk, on average


@dataclass(frozen=True, slots=True)
class Part:
    """Some minutes of the corpus: who speaks, in which language, for training or for the test.

    What is not `moved` is only listened to: lips learn from it, gestures do not. It is nonsense.
    """

    split: Split
    voice: str
    language: Language
    minutes: float
    moved: bool = True


@dataclass(frozen=True, slots=True)
class TakePlan:
    """One take: its name (also its file's), who speaks how fast, and the script."""

    name: str
    split: Split
    voice: str
    language: Language
    speed: float
    seed: int
    script: tuple[Sentence, ...]


def _kokoro(
    split: Split, language: Language, minutes: float, names: str, moved: bool = True
) -> list[Part]:
    speakers = names.split()
    share = minutes / len(speakers)
    return [Part(split, f"kokoro:{name}", language, share, moved) for name in speakers]


_MANDARIN: Final = "zf_xiaobei zf_xiaoni zm_yunjian zm_yunxi zf_xiaoxiao zm_yunxia"
_MORE_ENGLISH: Final = "am_fenrir af_sarah bf_isabella bm_fable am_onyx af_nova am_eric bf_alice"

# The light voice is quick and carries the bulk of English. The test's speakers are others, but
# the light voice, of which there is one, speaks there too, with other sentences.
PARTS: Final[tuple[Part, ...]] = (
    Part("train", "light", "en", 216.0),
    *_kokoro("train", "zh", 21.0, _MANDARIN),
    *_kokoro("train", "en", 10.5, "af_heart am_michael bf_emma am_puck af_nicole bm_george"),
    Part("test", "light", "en", 10.0),
    *_kokoro("test", "zh", 4.0, "zf_xiaoyi zm_yunyang"),
    *_kokoro("test", "en", 3.0, "af_bella am_adam"),
    # Lips must know closures in any throat and any word.
    Part("train", "light", "en", 30.0, moved=False),
    *_kokoro("train", "zh", 9.0, _MANDARIN, moved=False),
    *_kokoro("train", "en", 8.0, _MORE_ENGLISH, moved=False),
)
HEARD: Final = "heard"  # begins the names of takes that are not moved


def plan_takes(
    seed: int = SEED, share: float = 1.0, parts: tuple[Part, ...] = PARTS
) -> list[TakePlan]:
    """Return the takes in the order they should be made: every part grows evenly.

    Args:
        seed: of everything that is drawn.
        share: of the minutes of every part, above 0; at least one take each is made.
    """
    placed: list[tuple[float, int, TakePlan]] = []
    for number, part in enumerate(parts):
        count = max(1, round(share * part.minutes * 60.0 / _TAKE_SECONDS))
        placed += [
            ((index + 0.5) / count, number, _take(seed, number, index, part))
            for index in range(count)
        ]
    return [take for _, _, take in sorted(placed, key=lambda each: each[:2])]


def _take(seed: int, number: int, index: int, part: Part) -> TakePlan:
    own = seed * 1_000_003 + number * 10_007 + index
    rng = random.Random(own)
    script: list[Sentence] = []
    while len(script) * _SECONDS[part.language] < _TAKE_SECONDS - _TALK_SENTENCES:
        if part.moved:
            script += grammar_of(part.language).talk(rng, part.split)
        else:
            script.append(nonsense(part.language, rng))
    speed = rng.uniform(0.88, 1.16)
    speaker = part.voice.partition(":")[2] or part.voice
    kind = part.split if part.moved else HEARD
    name = f"{kind}-{part.language}-{speaker}-{index:04d}"
    return TakePlan(
        name, part.split, part.voice, part.language, round(speed, 3), own, tuple(script)
    )
