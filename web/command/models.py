"""`vivant models`: list, fetch and verify the files of the models."""

import argparse
from typing import TYPE_CHECKING

from web.command.arguments import add_config
from web.command.outcome import CommandError, note

if TYPE_CHECKING:
    from pipeline.assets import Asset, Registry


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
        add_config(action)
        action.set_defaults(run=run)


def _registry(chosen: argparse.Namespace) -> "Registry":
    from pipeline.assets import Registry
    from pipeline.configuration import load_configuration

    return Registry(load_configuration(chosen.config).cache)


def _list(chosen: argparse.Namespace) -> int:
    registry = _registry(chosen)
    wanted = [registry.asset(name) for name in chosen.names] or registry.entries()
    for asset in wanted:
        state = "here" if _is_here(registry, asset) else "missing"
        print(
            f"{asset.name:24} {asset.size / 1e6:8.1f} MB  {state:8} {asset.licence:20} {asset.what}"
        )
    return 0


def _is_here(registry: "Registry", asset: "Asset") -> bool:
    """Whether every file is there in its size; `verify` reads the bytes too."""
    folder = registry.models / asset.name
    paths = [(folder / file.path, file.size) for file in asset.files]
    return all(path.is_file() and path.stat().st_size == size for path, size in paths)


def _fetch(chosen: argparse.Namespace) -> int:
    from web.command.progress import ProgressBars

    registry = _registry(chosen)
    with ProgressBars() as bars:
        registry.fetch(chosen.names, bars.show)
        if not chosen.names:
            from pipeline.prepared import prepare_avatars

            prepare_avatars(registry.cache, progress=bars.show)
    print("all models are complete")
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    problems = _registry(chosen).verify(chosen.names)
    for problem in problems:
        note(f"{problem.asset}/{problem.file}: {problem.state}")
    if problems:
        raise CommandError(f"{len(problems)} files are not right; try: vivant models fetch")
    print("all models are complete")
    return 0
