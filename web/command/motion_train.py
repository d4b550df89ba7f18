"""`vivant motion train`: the corpus is built, gestures and lips are learnt from it."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from web.command.arguments import (
    add_config,
    add_report,
    count,
    existing_file,
    new_file,
    share,
    weight,
)
from web.command.outcome import write_report

if TYPE_CHECKING:
    from motion.lips.training import LipProgress
    from motion.streaming.training import Progress

_RECIPES = ("full", "unforced", "whole", "unanchored")


def add_train(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `train` to the commands of `motion`."""
    text = "build the corpus, and teach gestures and lips from it"
    parser = actions.add_parser("train", help=text, description=text)
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")

    corpus = what.add_parser(
        "corpus", help="write, speak and set in motion; goes on where it was stopped"
    )
    corpus.add_argument("--share", type=share, default=1.0, help="of the minutes planned (1)")
    corpus.add_argument("--threads", type=count, default=1, help="of each voice (1)")

    gestures = what.add_parser("gestures", help="StreamingTalk, or one of its baselines")
    gestures.add_argument("--recipe", choices=_RECIPES, default="full")
    gestures.add_argument("--steps", type=count, default=4000)
    gestures.add_argument("--batch", type=count, default=32)
    gestures.add_argument(
        "--keep", type=Path, metavar="FILE", help="the training's state; goes on from it"
    )

    gestures.add_argument(
        "--start", type=existing_file, metavar="FILE", help="a checkpoint to teach further"
    )
    gestures.add_argument("--rate", type=share, default=1.2e-3, help="the highest (0.0012)")
    gestures.add_argument(
        "--steady", type=weight, default=0.0, help="weight of what trembles in the loss (0)"
    )

    lips = what.add_parser("lips", help="mouth shapes from sound")
    lips.add_argument("--steps", type=count, default=5500)

    for each in (gestures, lips):
        each.add_argument("-o", "--output", type=new_file, required=True, metavar="OUT")
        each.add_argument("--seed", type=int, default=1)
        each.add_argument("--threads", type=count, default=2, help="of torch (2)")
    for each, run in ((corpus, _corpus), (gestures, _gestures), (lips, _lips)):
        add_report(each)
        add_config(each)
        each.set_defaults(run=run)


def _corpus(chosen: argparse.Namespace) -> int:
    from tqdm import tqdm

    from pipeline.configuration import load_configuration
    from pipeline.learning import build_corpus

    with tqdm(unit=" takes", file=sys.stderr) as bar:

        def tell(step: str, done: int, of: int, seconds: float) -> None:
            del seconds
            bar.total, bar.n = of, done
            bar.set_description(step, refresh=True)

        cache = load_configuration(chosen.config).cache
        report = build_corpus(cache, share=chosen.share, threads=chosen.threads, tell=tell)
    write_report(report, chosen.report)
    return 0


def _gestures(chosen: argparse.Namespace) -> int:
    from pipeline.configuration import load_configuration
    from pipeline.learning import RECIPES, train_gestures

    recipe = replace(
        RECIPES[chosen.recipe],
        steps=chosen.steps,
        batch=chosen.batch,
        rate=chosen.rate,
        steady=chosen.steady,
        seed=chosen.seed,
        threads=chosen.threads,
    )
    cache = load_configuration(chosen.config).cache
    with _steps(chosen.steps) as told:
        report = train_gestures(
            cache, chosen.output, recipe, told, keep=chosen.keep, start=chosen.start
        )
    write_report(report, chosen.report)
    return 0


def _lips(chosen: argparse.Namespace) -> int:
    from motion.lips.training import LipRecipe
    from pipeline.configuration import load_configuration
    from pipeline.learning import train_lips

    recipe = LipRecipe(steps=chosen.steps, seed=chosen.seed, threads=chosen.threads)
    cache = load_configuration(chosen.config).cache
    with _steps(chosen.steps) as told:
        report = train_lips(cache, chosen.output, recipe, told)
    write_report(report, chosen.report)
    return 0


@contextmanager
def _steps(steps: int) -> Iterator[Callable[["Progress | LipProgress"], None]]:
    """Show a training's steps and losses, a line each besides the bar."""
    from tqdm import tqdm

    with tqdm(total=steps, unit=" steps", file=sys.stderr) as bar:

        def tell(progress: "Progress | LipProgress") -> None:
            bar.n = progress.step
            bar.refresh()
            bar.write(json.dumps(asdict(progress)), file=sys.stderr)

        yield tell
