"""`vivant motion`: files of motion, converted and shown; actions, shown and listed."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from web.command.actions import add_list, add_show
from web.command.arguments import (
    add_config,
    add_figure,
    add_report,
    count,
    existing_file,
    metres,
    new_file,
    share,
    size,
)
from web.command.outcome import write_report

if TYPE_CHECKING:
    from motion.lips.training import LipProgress
    from motion.streaming.training import Progress

_RECIPES = ("full", "unforced", "whole", "unanchored")
_FORMATS = ".safetensors (clips of ours), .bvh, .npz (BEAT2), .npy (HumanML3D)"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `motion` to the commands."""
    parser = commands.add_parser("motion", help="convert and show motion; show actions")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_convert(actions)
    _add_preview(actions)
    add_show(actions)
    add_list(actions)


def _add_convert(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = f"write motion in another format: {_FORMATS}"
    parser = actions.add_parser("convert", help="write motion in another format", description=text)
    _add_source(parser)
    parser.add_argument("output", type=new_file, metavar="OUT", help=_FORMATS)
    parser.add_argument("--half", action="store_true", help="store a clip at half precision")
    add_report(parser)
    parser.set_defaults(run=_convert)


def _add_preview(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "draw motion as a video, without sound"
    parser = actions.add_parser("preview", help=text, description=text)
    _add_source(parser)
    parser.add_argument("-o", "--output", type=new_file, required=True, metavar="OUT.mp4")
    add_figure(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="picture size, as 720x1280")
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_preview)


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=existing_file, metavar="IN", help=_FORMATS)
    parser.add_argument(
        "--scale", type=metres, default=0.01, metavar="M", help="metres a unit of a BVH is (0.01)"
    )
    parser.add_argument("--up", choices=("y", "z"), default="y", help="what is up in a BVH (y)")


def _convert(chosen: argparse.Namespace) -> int:
    from motion.formats import known_ending, read_motion, write_motion

    known_ending(chosen.output)  # before work is done for it
    clip = read_motion(chosen.source, scale=chosen.scale, up=chosen.up)
    write_motion(clip, chosen.output, half=chosen.half)
    report = {"output": str(chosen.output), "seconds": clip.seconds, "poses": len(clip.rotations)}
    write_report(report, chosen.report)
    return 0


def _preview(chosen: argparse.Namespace) -> int:
    from tqdm import tqdm

    from motion.formats import read_motion
    from pipeline.configuration import load_configuration
    from pipeline.preview import preview

    clip = read_motion(chosen.source, scale=chosen.scale, up=chosen.up)
    with tqdm(total=len(clip.rotations), unit=" pictures", file=sys.stderr, leave=False) as bar:
        report = preview(
            clip,
            chosen.output,
            configuration=load_configuration(chosen.config),
            avatar=chosen.avatar,
            scene=chosen.scene,
            framing=chosen.framing,
            size=chosen.size,
            progress=bar.update,
        )
    write_report(report, chosen.report)
    return 0


def _add_train(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
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

    lips = what.add_parser("lips", help="mouth shapes from sound")
    lips.add_argument("--steps", type=count, default=3000)

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
        seed=chosen.seed,
        threads=chosen.threads,
    )
    cache = load_configuration(chosen.config).cache
    with _steps(chosen.steps) as told:
        report = train_gestures(cache, chosen.output, recipe, told, keep=chosen.keep)
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
