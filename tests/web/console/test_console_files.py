"""The console as it is kept: libraries, words in two languages, colours, sizes of files."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest

from agents.brain.context import CONTEXT
from agents.brain.limits import Limits
from agents.rundown.gestures import GESTURES
from tests.web.console.templates import literals
from tests.web.test_page import _contrast
from web.page import STATIC

CONSOLE = STATIC / "console"
VENDOR = CONSOLE / "vendor"
AXE = Path(__file__).parents[2] / "e2e" / "console" / "vendor"
SOURCES = sorted(path for path in CONSOLE.rglob("*.js") if path.parent != VENDOR)
WORDS = sorted((CONSOLE / "words").glob("*.js"))
VIEWS = [path for path in SOURCES if path not in WORDS and path.name != "words.js"]
FILES = sorted(
    path.relative_to(STATIC).as_posix()
    for path in CONSOLE.rglob("*")
    if path.suffix in (".js", ".css")
)
ENTRY = re.compile(r'^    "?([\w.]+)"?: "((?:[^"\\]|\\.)*)",?$', re.MULTILINE)
# Names that are the same in every language.
SAME = {"brand", "voice.kokoro", "figures.unitLevel"}


def _name(path: Path) -> str:
    return path.relative_to(CONSOLE).as_posix()


@pytest.mark.parametrize("folder", [VENDOR, AXE], ids=["console", "axe"])
def test_libraries_are_as_they_were_published(folder: Path) -> None:
    readme = (folder / "README.md").read_text("utf-8")
    sums = {name: digest for digest, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", readme, re.M)}
    kept = [path for path in folder.iterdir() if path.name != "README.md"]
    assert kept
    for path in kept:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sums[path.name], path.name
    assert any("licence" in path.name for path in kept)


def test_the_changed_library_differs_from_upstream_as_the_readme_says() -> None:
    readme = (VENDOR / "README.md").read_text("utf-8")
    text = (VENDOR / "preact-hooks.js").read_text("utf-8")
    upstream = text.replace('from"./preact.js"', 'from"preact"')
    for ending in (
        "\n//# sourceMappingURL=hooks.mjs.map\n",
        "//# sourceMappingURL=hooks.mjs.map\n",
    ):
        digest = hashlib.sha256((upstream.rstrip("\n") + ending).encode()).hexdigest()
        if digest in readme:
            return
    raise AssertionError("preact-hooks.js has other changes than the README names")


@pytest.mark.parametrize("name", FILES)
async def test_files_are_served(client: httpx.AsyncClient, name: str) -> None:
    response = await client.get(f"/static/{name}")
    assert response.status_code == 200
    assert response.content == (STATIC / name).read_bytes()


async def test_the_console_is_served_and_only_what_it_has(client: httpx.AsyncClient) -> None:
    page = await client.get("/console/")
    assert page.status_code == 200
    assert "unsafe" not in page.headers["content-security-policy"]
    assert (await client.get("/console")).headers["location"] == "/console/"
    for name in ("console/%2e%2e/server.js", "console/vendor/README.md", "console/x/y/z.js"):
        assert (await client.get(f"/static/{name}")).status_code == 404, name


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_files_stay_small_and_relative(path: Path) -> None:
    text = path.read_text("utf-8")
    if path not in WORDS:
        assert len(text.splitlines()) <= 400
    assert "// @ts-check" in text.splitlines()[0]
    assert not re.search(r"""["'(`]/(?:static|v1|console)""", text)
    for name in re.findall(r"""(?:from |import\()"(\.[^"]+)\"""", text):
        assert (path.parent / name).resolve().is_file(), name


@pytest.mark.parametrize("path", VIEWS, ids=_name)
def test_all_text_comes_from_the_words(path: Path) -> None:
    for literal in literals(path.read_text("utf-8")):
        texts = re.findall(r">([^<>]*)<", f">{literal}<" if "<" not in literal else literal)
        named = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"\0]+)"', literal)
        for text in (*texts, *named):
            if re.search(r"[A-Za-z]{2,}|[\u4e00-\u9fff]", text.replace("dBFS", "")):
                raise AssertionError(f"{text!r} stands in the markup itself")


def _words() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {"en": {}, "zh": {}}
    for path in WORDS:
        english, mandarin = path.read_text("utf-8").split("\n  zh: {", 1)
        for language, part in (("en", english), ("zh", mandarin)):
            for key, text in ENTRY.findall(part):
                assert key not in found[language], key
                found[language][key] = text
    return found


def test_both_languages_have_every_word() -> None:
    words = _words()
    assert len(words["en"]) > 400
    assert words["en"].keys() == words["zh"].keys()
    for key, text in words["en"].items():
        mandarin = words["zh"][key]
        assert text, key
        names = [set(re.findall(r"\{(\w+)", each)) for each in (text, mandarin)]
        assert names[0] == names[1], key
        if key not in SAME and key != "otherLanguage":
            assert re.search(r"[\u4e00-\u9fff]", mandarin), key
            assert not re.search(r"[\u4e00-\u9fff]", text), key


def test_the_gestures_to_choose_from_are_those_hosts_can_do() -> None:
    keys = [key for key in _words()["en"] if key.startswith("gesture.")]
    assert keys == [f"gesture.{name}" for name in GESTURES]


def test_every_limit_that_forbids_and_every_figure_has_words() -> None:
    words = _words()["en"].keys()
    said = re.search(r"Names are (.+?)\. To keep", Limits.forbids.__doc__ or "", re.DOTALL)
    assert said is not None
    names = re.findall(r'"(\w+)"', said[1])
    assert len(names) == 20
    assert {f"limit.{name}" for name in names} <= words
    assert {f"figure.{name}" for name in CONTEXT} <= words


def test_every_word_that_is_used_exists_and_none_is_left_over() -> None:
    words = _words()["en"].keys()
    text = "\n".join(path.read_text("utf-8") for path in (*VIEWS, STATIC / "access.js"))
    used = set(re.findall(r'\bt(?:Or)?\("([\w.]+)"', text))
    assert used <= words, used - words
    quoted = set(re.findall(r'"([\w.]+)"', text))
    begun = set(re.findall(r"`([a-zA-Z]+\.)\$\{", text))
    suffixed = {f"{each}{end}" for each in quoted for end in ("En", "Zh")}
    left = {
        key
        for key in words - quoted - suffixed
        if not any(key.startswith(prefix) for prefix in begun)
    }
    assert not left


TEXT_ON = [
    ("ink", "ground"), ("ink", "sheet"), ("ink", "sunken"), ("ink", "raised"), ("soft", "ground"),
    ("soft", "sheet"), ("soft", "sunken"), ("soft", "hover"), ("on-accent", "accent"),
    ("on-accent", "accent-strong"), ("accent-strong", "tint"), ("accent", "sheet"),
    ("on-live", "live"), ("danger", "sheet"), ("danger", "danger-tint"), ("sheet", "danger"),
    ("amber", "amber-tint"), ("amber", "sheet"),
]  # fmt: skip
EDGE_ON = [("edge", "sheet"), ("edge", "ground"), ("accent", "ground")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_have_the_contrast_of_wcag_aa(theme: str) -> None:
    text = (CONSOLE / "styles" / "tokens.css").read_text("utf-8")
    light = text.split(":root {")[1].split("}")[0]
    dark = text.split('data-theme="dark"] {')[1].split("}")[0]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    if theme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", dark))
    for first, ground in TEXT_ON:
        assert _contrast(colours[first], colours[ground]) >= 4.5, (first, ground)
    for edge, ground in EDGE_ON:
        assert _contrast(colours[edge], colours[ground]) >= 3, (edge, ground)


def test_the_systems_dark_theme_is_the_chosen_one() -> None:
    text = (CONSOLE / "styles" / "tokens.css").read_text("utf-8")
    system = text.split('not([data-theme="light"]) {')[1].split("}")[0]
    chosen = text.split('data-theme="dark"] {')[1].split("}")[0]
    assert system.split() == chosen.split()
