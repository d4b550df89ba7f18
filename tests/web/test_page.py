"""The page as it is served: headers, files, words and labels."""

import re
from html.parser import HTMLParser

import httpx
import pytest

from web.page import STATIC

FILES = sorted(path.name for path in STATIC.iterdir() if path.is_file() and path.suffix != ".html")
PAGE = (STATIC / "index.html").read_text("utf-8")
WATCH = (STATIC / "watch.html").read_text("utf-8")
# Each page with the way from its address to the folder of files.
PAGES = [(PAGE, "static/"), (WATCH, "../static/")]


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def _elements(page: str) -> list[tuple[str, dict[str, str]]]:
    parser = _Elements()
    parser.feed(page)
    return parser.found


async def test_the_page_keeps_to_itself(client: httpx.AsyncClient) -> None:
    response = await client.get("/")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "microphone=(self)" in response.headers["permissions-policy"]


async def test_refusals_carry_the_headers_too(client: httpx.AsyncClient) -> None:
    response = await client.get("/nowhere")
    assert response.status_code == 404
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", FILES)
async def test_files_are_served_with_their_type(client: httpx.AsyncClient, name: str) -> None:
    response = await client.get(f"/static/{name}")
    assert response.status_code == 200
    kind = {
        "js": "text/javascript",
        "ts": "text/plain",
        "css": "text/css",
        "svg": "image/svg+xml",
        "jpg": "image/jpeg",
    }
    assert response.headers["content-type"].startswith(kind[name.rsplit(".", 1)[1]])
    assert response.content == (STATIC / name).read_bytes()


async def test_a_file_that_has_not_changed(client: httpx.AsyncClient) -> None:
    first = await client.get("/static/page.js")
    again = await client.get("/static/page.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


async def test_a_stream_has_a_page(client: httpx.AsyncClient) -> None:
    response = await client.get("/watch/evening-sale")
    assert response.status_code == 200
    assert response.text == WATCH
    assert "script-src 'self';" in response.headers["content-security-policy"]
    for name in ("Nobody", "a%2Fb", "..%2Fsecret", "a" * 41, "-a"):
        assert (await client.get(f"/watch/{name}")).status_code == 404, name


def test_the_pages_say_that_the_host_is_artificial() -> None:
    assert "You are talking to an AI-generated host." in PAGE
    assert "You are watching an AI-generated host." in WATCH


@pytest.mark.parametrize(("page", "folder"), PAGES, ids=["index", "watch"])
def test_a_page_has_nothing_from_elsewhere_and_nothing_inline(page: str, folder: str) -> None:
    for tag, attributes in _elements(page):
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        for name in ("src", "href"):
            address = attributes.get(name, "#")
            file = STATIC / address.removeprefix(folder)
            # Relative, so that a proxy may serve the page under a path of its own.
            own = address.startswith(folder) and file.is_file()
            assert address.startswith("#") or address == "console/" or own
    assert "<style" not in page
    assert not re.search(r"<script(?![^>]*src=)", page)


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_a_path_from_the_root(name: str) -> None:
    text = (STATIC / name).read_bytes()
    assert not re.search(rb"""["'(`]/(?:static|v1)""", text)


@pytest.mark.parametrize("page", [PAGE, WATCH], ids=["index", "watch"])
def test_every_control_has_a_name(page: str) -> None:
    labels = {attributes["for"] for tag, attributes in _elements(page) if "for" in attributes}
    for tag, attributes in _elements(page):
        if tag in ("input", "select"):
            assert attributes["id"] in labels
        if tag == "video":
            assert attributes["aria-label"]
    for control in re.findall(r"<button[^>]*>.*?</button>", page, re.DOTALL):
        text = re.sub(r"<[^>]*>", "", control).strip()
        assert text or "aria-label=" in control or 'id="message-action"' in control, control


TEXT_ON = [
    ("ink", "paper"),
    ("ink", "sheet"),
    ("ink", "tint"),
    ("ink", "alert"),
    ("soft", "paper"),
    ("soft", "sheet"),
    ("soft", "tint"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("danger", "alert"),
    ("paper", "ink"),
]
EDGE_ON = [("field", "sheet"), ("field", "paper"), ("accent", "sheet"), ("accent", "paper")]


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_have_the_contrast_of_wcag_aa(scheme: int) -> None:
    style = (STATIC / "style.css").read_text("utf-8")
    block = style.split(":root {")[scheme + 1].split("}")[0]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for text, ground in TEXT_ON:
        assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for edge, ground in EDGE_ON:
        assert _contrast(colours[edge], colours[ground]) >= 3, (edge, ground)


def _words() -> dict[str, set[str]]:
    text = (STATIC / "words.js").read_text("utf-8")
    english, mandarin = text.split("  zh: {", 1)
    entry = re.compile(r'^    (?:"([\w.]+)"|(\w+)):', re.MULTILINE)
    return {
        name: {first or second for first, second in entry.findall(part)}
        for name, part in (("en", english), ("zh", mandarin.split("\n  },")[0]))
    }


def test_both_languages_have_every_word() -> None:
    words = _words()
    assert words["en"] == words["zh"]
    used = set(re.findall(r'data-(?:word|label|hint)="([\w.]+)"', PAGE + WATCH))
    for name in FILES:
        if name.endswith(".js"):
            text = (STATIC / name).read_text("utf-8")
            used |= set(re.findall(r'\bsay\("([\w.]+)"', text))
            used |= set(re.findall(r'notices\.show\("([\w.]+)"', text))
            used |= set(re.findall(r'word: "([\w.]+)"', text))
    assert used <= words["en"]
    states = re.findall(r'enter\("(\w+)"\)', (STATIC / "page.js").read_text("utf-8"))
    assert {f"state.{state}" for state in states} <= words["en"]
