"""`vivant models`: list, fetch and verify the files of the models."""

import argparse
from typing import TYPE_CHECKING

from web.command.outcome import CommandError, note, usage

if TYPE_CHECKING:
    from pipeline.assets import Registry


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `models` to the commands."""
    parser = commands.add_parser("models", help="list, fetch and verify model files")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, run, text in (
        ("list", _list, "show every model: size, licence, whether it is here"),
        ("fetch", _fetch, "download what is missing"),
        ("verify", _verify, "check the files against their SHA-256"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        action.add_argument("names", nargs="*", metavar="NAME", help="only these models")
        action.set_defaults(run=run)


def _registry() -> "Registry":
    from pipeline.assets import Registry

    return Registry()


def _list(chosen: argparse.Namespace) -> int:
    wanted = set(chosen.names)
    entries = _registry().entries()
    unknown = wanted - {entry.name for entry in entries}
    if unknown:
        raise usage(f"no model is called {', '.join(sorted(unknown))}")
    for entry in entries:
        if not wanted or entry.name in wanted:
            print(entry)
    return 0


def _fetch(chosen: argparse.Namespace) -> int:
    from web.command.progress import ProgressBars

    registry = _registry()
    with ProgressBars() as bars:
        registry.fetch(chosen.names, bars.show)
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    faults = list(_registry().verify(chosen.names))
    for fault in faults:
        note(str(fault))
    if faults:
        raise CommandError(f"{len(faults)} models are missing or damaged; try: vivant models fetch")
    print("all models are complete")
    return 0
