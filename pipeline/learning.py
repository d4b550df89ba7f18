"""`vivant motion train`: the corpus, and what is learnt from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from motion.lips.deciding import decide
from motion.lips.stream import LipCheckpoint, save_lips
from motion.lips.training import LipProgress, LipRecipe, LipTrainer
from motion.streaming.checkpoint import load_checkpoint
from motion.streaming.training import Progress, Recipe, Trainer, train
from pipeline.assets import Registry
from pipeline.corpus.building import load_motion, move_corpus, moved_seconds, takes_folder
from pipeline.corpus.grammar import Split
from pipeline.corpus.lessons import lip_lessons
from pipeline.corpus.plan import SEED, plan_takes
from pipeline.corpus.speaking import speak_corpus
from pipeline.corpus.takes import CorpusError

# What the gesture network is compared with: the same network, taught otherwise.
RECIPES: Final[dict[str, Recipe]] = {
    "full": Recipe(),
    "unforced": Recipe(forced=0.0),
    "whole": Recipe(whole=True, forced=0.0),
    "unanchored": Recipe(unanchored=True, forced=0.0),
}


def build_corpus(
    cache: Path,
    *,
    seed: int = SEED,
    share: float = 1.0,
    threads: int = 1,
    tell: Callable[[str, int, int, float], object] = lambda *_: None,
) -> dict[str, object]:
    """Speak what is not spoken yet, set in motion what does not move yet; return what is there.

    Args:
        share: of the minutes of every part.
        tell: called with the step ("spoken", "moved"), how many of how many takes are done of it,
            and the seconds just made.
    """
    takes = plan_takes(seed, share)
    registry = Registry(cache)
    for done, (_, seconds) in enumerate(
        speak_corpus(takes, takes_folder(cache), registry, threads), 1
    ):
        tell("spoken", done, len(takes), seconds)
    for done, (_, made) in enumerate(move_corpus(cache, seed), 1):
        tell("moved", done, len(takes), float(made))
    found: dict[str, object] = {"takes": len(takes), "seed": seed}
    splits: tuple[Split, ...] = ("train", "test")
    for split in splits:
        found[f"{split}_hours"] = round(moved_seconds(cache, split) / 3600.0, 2)
    return found


def train_gestures(
    cache: Path,
    output: Path,
    recipe: Recipe,
    report: Callable[[Progress], object],
    *,
    keep: Path | None = None,
    start: Path | None = None,
) -> dict[str, object]:
    """Teach the gesture network; the checkpoint is written at every report.

    Args:
        keep: file of the training's whole state; a run that was stopped goes on from it.
        start: a checkpoint to teach further.

    Raises:
        CorpusError: there is no corpus.
        MotionValueError: `keep` or `start` do not fit.
    """
    begun = load_checkpoint(start) if start else None
    sequences = [sequence for _, sequence in load_motion(cache, "train")]
    if not sequences:
        raise CorpusError("there is no corpus yet; accepted: after `vivant motion train corpus`")
    trainer = Trainer(sequences, recipe, state=keep, start=begun)
    made = train(trainer, output, report)
    return made.trained | {"output": str(output), "megabytes": _megabytes(output)}


def train_lips(
    cache: Path, output: Path, recipe: LipRecipe, report: Callable[[LipProgress], object]
) -> dict[str, object]:
    """Teach the lip network.

    Raises:
        CorpusError: there is no corpus.
    """
    lessons, held = lip_lessons(cache, recipe.seed)
    if not lessons:
        raise CorpusError("there is no corpus yet; accepted: after `vivant motion train corpus`")
    trainer = LipTrainer(lessons, recipe)
    for progress in trainer.run():
        report(progress)
    made = trainer.finished()
    points = decide(made.net, held)
    about = made.trained | {"points": [round(float(point), 3) for point in points]}
    save_lips(LipCheckpoint(made.net, about), output)
    return about | {"output": str(output), "megabytes": _megabytes(output)}


def _megabytes(path: Path) -> float:
    return round(path.stat().st_size / 1e6, 2)
