"""`pip install vivant` alone: what it needs, and what it says when it is asked for more.

A finder that knows nothing but the packages of a default install stands in for such an install.
"""

import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ("encoder", "agents", "motion", "avatar", "pipeline", "transport", "web", "vivant")

ALONE = """
import sys
from importlib.machinery import PathFinder

allowed = set({allowed!r})
ours = set({ours!r})

class Alone:
    @staticmethod
    def find_spec(name, path=None, target=None):
        top = name.partition(".")[0]
        if top in allowed or top in ours or top in sys.stdlib_module_names:
            return None
        spec = PathFinder.find_spec(top)
        if spec is None or "site-packages" not in str(spec.origin):
            return None
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Alone)
"""


def _default_install() -> set[str]:
    """Return the top-level modules that the base dependencies bring, with what they need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, seen = [Requirement(item).name for item in project["dependencies"]], set[str]()
    modules: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        found = distribution(name)
        modules |= {
            file.parts[0].removesuffix(".py").partition(".")[0]
            for file in found.files or []
            if file.suffix in (".py", ".so")
        }
        needs = [Requirement(item) for item in found.requires or []]
        waiting += [
            need.name
            for need in needs
            if need.marker is None or need.marker.evaluate({"extra": ""})
        ]
    return modules


def _run(code: str) -> "subprocess.CompletedProcess[str]":
    alone = ALONE.format(allowed=sorted(_default_install()), ours=OURS)
    return subprocess.run(
        [sys.executable, "-c", alone + code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


def test_the_sdk_needs_nothing_but_the_base_dependencies() -> None:
    heavy = ["torch", "av", "aiortc", "onnxruntime", "starlette", "scipy", "PIL", "httpx"]
    code = f"""
import vivant
vivant.connect(tools=[])
ours = {OURS!r}
print(sorted(set({heavy!r}) & set(sys.modules)))
print(sorted(name for name in sys.modules if name.partition('.')[0] in ours
             and not name.startswith(('vivant', 'transport.', 'transport'))))
"""
    done = _run(code)
    assert done.stderr == ""
    heavy_found, others = done.stdout.splitlines()
    assert heavy_found == "[]"
    assert others == "['pipeline', 'pipeline.errors']"


def test_the_stand_in_keeps_other_packages_out() -> None:
    done = _run("import torch")
    assert "ModuleNotFoundError: No module named 'torch'" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["say", "hello", "-o", "hello.mp4"],
        ["talk", "pyproject.toml", "--url", "http://127.0.0.1:1"],
        ["bench", "realtime"],
        ["models", "list"],
        ["avatar", "list"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_say_what_they_need_in_one_line(arguments: list[str]) -> None:
    done = _run(f"from web.command import main; sys.exit(main({arguments!r}))")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"vivant: vivant {arguments[0]} needs ")
    assert line.endswith("pip install 'vivant[server]'")


def test_help_needs_nothing() -> None:
    done = _run("from web.command import main; sys.exit(main(['--help']))")
    assert (done.returncode, done.stderr) == (0, "")
    assert "serve" in done.stdout
