"""Parsing, exit codes and the one line an error gets."""

import argparse
import logging
import sys
from collections.abc import Sequence
from importlib.metadata import version

from web.command import avatar, bench, data, keys, models, motion, room, say, serve, talk
from web.command.outcome import CommandError

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0, 1 failure, 2 usage, 130 Ctrl-C."""
    parser = build_parser()
    try:
        chosen = parser.parse_args(arguments)
    except SystemExit as exit_:  # argparse has printed its own line
        return exit_.code if isinstance(exit_.code, int) else USAGE
    level = logging.INFO if chosen.verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    try:
        return int(chosen.run(chosen) or 0)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except CommandError as error:
        print(f"vivant: {error}", file=sys.stderr)
        return error.code
    except ModuleNotFoundError as error:
        # `pip install vivant` alone brings the client SDK; what serves is an extra.
        missing = f"vivant {chosen.command} needs {error.name}, which is not installed"
        print(f"vivant: {missing}: pip install 'vivant[server]'", file=sys.stderr)
        return FAILED
    except (RuntimeError, ValueError, OSError) as error:
        # Every package roots its errors in these; their messages are written for people.
        if chosen.verbose:
            logging.getLogger(__name__).exception("%s failed", chosen.command)
        print(f"vivant: {_one_line(error)}", file=sys.stderr)
        return FAILED


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each sets `run`."""
    parser = argparse.ArgumentParser(
        prog="vivant",
        description="A real-time digital human: speak to it, it answers as live video.",
    )
    parser.add_argument("--version", action="version", version=f"vivant {version('vivant')}")
    parser.add_argument("-v", "--verbose", action="store_true", help="show log lines on stderr")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (serve, room, talk, say, avatar, motion, models, keys, data, bench):
        module.add_parser(commands)
    return parser


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text or type(error).__name__
