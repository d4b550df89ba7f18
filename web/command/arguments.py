"""Types of arguments, each of which says what it accepts."""

import argparse
import math
import re
from pathlib import Path
from urllib.parse import urlsplit

_SIZE = re.compile(r"(\d{2,4})x(\d{2,4})")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def size(text: str) -> tuple[int, int]:
    """Parse "540x960" into (width, height): even numbers from 64 to 4096."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size; accepted: such as 540x960, even numbers from 64 to 4096"
        )
    width, height = int(match[1]), int(match[2])
    if width % 2 or height % 2 or not (64 <= width <= 4096 and 64 <= height <= 4096):
        raise argparse.ArgumentTypeError(f"{text!r}: accepted are even numbers from 64 to 4096")
    return width, height


def port(text: str) -> int:
    """Parse a port; 0 lets the system choose."""
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port from 0 to 65535")
    return int(text)


def server_url(text: str) -> str:
    """Parse the address of a server, which may have a path prefix; return it without a last "/"."""
    try:
        parts = urlsplit(text)
        fit = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that are not closed, or a port beyond 65535
        fit = False
    if not fit or parts.query or parts.fragment or any(c.isspace() for c in text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address of a server; accepted: such as http://127.0.0.1:8080"
        )
    return text.rstrip("/")


def room_id(text: str) -> str:
    """Parse the id of a room."""
    if _NAME.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no id of a room; accepted: 1 to 40 of a-z, 0-9, - and _, the first a "
            "letter or digit"
        )
    return text


def signed_seconds(text: str) -> float:
    """Parse a number of seconds, which may be negative."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return value


def minutes(text: str) -> float:
    """Parse a positive number of minutes."""
    return _positive(text, "minutes")


def metres(text: str) -> float:
    """Parse a positive number of metres."""
    return _positive(text, "metres")


def count(text: str) -> int:
    """Parse a whole number from 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def rate(text: str) -> float:
    """Parse how many a second."""
    value = _positive(text, "questions a second")
    if value > 100:
        raise argparse.ArgumentTypeError(f"{text!r}: accepted are up to 100 a second")
    return value


def speed(text: str) -> float:
    """Parse how many times as fast, 0.1 to 1000."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no speed from 0.1 to 1000")
    return value


def share(text: str) -> float:
    """Parse a share, above 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no share above 0 and up to 1")
    return value


def weight(text: str) -> float:
    """Parse a weight, 0 to 10000."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1e4:
        raise argparse.ArgumentTypeError(f"{text!r} is no weight from 0 to 10000")
    return value


def assignment(text: str) -> tuple[str, str]:
    """Parse NAME=VALUE."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise argparse.ArgumentTypeError(f"{text!r}; accepted: NAME=VALUE")
    return name, value


def existing_file(text: str) -> Path:
    """Parse the path of a file that is there."""
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text!r}")
    return path


def new_file(text: str) -> Path:
    """Parse the path of a file to write; its folder must be there."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: its folder is missing, or it is a folder")
    return path


def new_film(text: str) -> Path:
    """Parse the path of a film to write."""
    if not text.lower().endswith(".mp4"):
        raise argparse.ArgumentTypeError(f"{text!r}; accepted: a name that ends in .mp4")
    return new_file(text)


def _positive(text: str, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of {unit}")
    return value


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add `--config FILE`, the settings to start from."""
    parser.add_argument("--config", type=existing_file, metavar="FILE")


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add `--report REPORT.json`, where the last line of stdout is written too."""
    parser.add_argument("--report", type=new_file, metavar="REPORT.json")


def add_look(parser: argparse.ArgumentParser) -> None:
    """Add `--avatar`, `--scene`, `--style` and `--framing`: who, where, how, and how near."""
    add_figure(parser)
    parser.add_argument("--style", metavar="NAME", help="how they move, such as calm or lively")


def add_figure(parser: argparse.ArgumentParser) -> None:
    """Add `--avatar`, `--scene` and `--framing`: who, where and how near."""
    parser.add_argument("--avatar", metavar="NAME", help="who; see: vivant avatar list")
    parser.add_argument("--scene", metavar="NAME", help="where, such as studio, shop or kitchen")
    parser.add_argument("--framing", choices=("head", "half", "full"), help="how much is seen")
