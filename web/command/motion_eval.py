"""`vivant motion eval`: the gesture network, judged."""

import argparse
import sys

from web.command.arguments import add_config, add_report, count, existing_file
from web.command.outcome import write_report

_BASELINES = ("unforced", "whole", "unanchored")


def add_eval(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `eval` to the commands of `motion`."""
    text = "measure gestures against true motion and baselines on the corpus's test"
    parser = actions.add_parser("eval", help=text, description=text)
    parser.add_argument(
        "weights", nargs="?", type=existing_file, metavar="WEIGHTS",
        help="of recipe full (those that ship)",
    )  # fmt: skip
    parser.add_argument(
        "--same", type=existing_file, metavar="WEIGHTS",
        help="of recipe full, after as many steps as the baselines",
    )  # fmt: skip
    for name in _BASELINES:
        parser.add_argument(
            f"--{name}", type=existing_file, metavar="WEIGHTS", help=f"of recipe {name}"
        )
    parser.add_argument("--most", type=count, help="test sequences used (all)")
    parser.add_argument(
        "--minutes", type=count, default=60, help="of one stream, for its drift (60)"
    )
    add_report(parser)
    add_config(parser)
    parser.set_defaults(run=_eval)


def _eval(chosen: argparse.Namespace) -> int:
    from tqdm import tqdm

    from motion.streaming.checkpoint import load_checkpoint
    from motion.trained import trained_gestures
    from pipeline.configuration import load_configuration
    from pipeline.motion_eval import Judge, Weights, evaluate

    full = load_checkpoint(chosen.weights) if chosen.weights else trained_gestures()
    others = (chosen.same, chosen.unforced, chosen.whole, chosen.unanchored)
    weights = Weights(full, *(path and load_checkpoint(path) for path in others))
    with tqdm(file=sys.stderr, unit=" stages") as bar:

        def tell(stage: str) -> None:
            bar.update()
            bar.set_description(stage, refresh=True)

        tell("judges")
        judge = Judge(load_configuration(chosen.config).cache, chosen.most or 0)
        report = evaluate(judge, weights, minutes=chosen.minutes, tell=tell)
    write_report(report, chosen.report)
    return 0
