"""The examples of docs/javascript-sdk.md in Chromium, as pages of another site."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.browser import WAIT_MS, events_of, play_as_microphone, tell, until, watched_page
from tests.e2e.server import serving
from tests.e2e.site import site
from tests.e2e.test_page import _speech
from tests.fakes.engine import FakeEngine, FakeScript
from transport.streams import Streams
from transport.whep import Viewers
from transport.whip import Publishers
from web.streams import Broadcasting

GUIDE: Final = Path(__file__).parents[2] / "docs" / "javascript-sdk.md"
PLACE: Final = "https://host.example"
MOST_LINES: Final = 16


def examples() -> dict[str, str]:
    """Return the guide's pages by the heading they stand under."""
    found: dict[str, str] = {}
    for part in GUIDE.read_text("utf-8").split("\n## ")[1:]:
        heading, _, rest = part.partition("\n")
        for page in re.findall(r"```html\n(.*?)```", rest, re.DOTALL):
            assert heading not in found
            found[heading] = page
    return found


EXAMPLES: Final = examples()


class Guide:
    """Opens the guide's pages, as pages of a site that the server lets in."""

    def __init__(self, browser: Browser, port: int, pages: dict[str, str], url: str) -> None:
        self.engine: FakeEngine
        self._browser = browser
        self._origin = f"http://localhost:{port}"
        self._pages = pages
        self.url = url
        self._opened: list[Page] = []
        self.errors: list[str] = []

    def blank(self) -> Page:
        """Return a page that has gone nowhere."""
        page = watched_page(self._browser, "about:blank")
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(WAIT_MS)
        self._opened.append(page)
        return page

    def show(self, heading: str, page: Page | None = None) -> Page:
        """Open the example under a heading: its code with the address of this server, no more."""
        page = page or self.blank()
        self._pages["/page"] = EXAMPLES[heading].replace(PLACE, self.url)
        page.goto(f"{self._origin}/page")
        return page

    def close(self) -> None:
        for page in self._opened:
            page.context.close()


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine([FakeScript(reply_seconds=1.5)])


@pytest.fixture
def guide(browser: Browser, engine: FakeEngine) -> Iterator[Guide]:
    pages: dict[str, str] = {"/host-token": "ek_short"}
    streams = Streams(engine)
    casting = Broadcasting(streams, Viewers(streams), Publishers(streams))
    with (
        site(pages) as port,
        serving(engine, origins=[f"http://localhost:{port}"], streams=casting) as url,
    ):
        guide = Guide(browser, port, pages, url)
        yield guide
        guide.close()
        assert guide.errors == []


def test_the_examples_are_short() -> None:
    assert len(EXAMPLES) >= 8
    for heading, page in EXAMPLES.items():
        assert page.count("\n") <= MOST_LINES, heading


def test_talk_to_the_host(guide: Guide, engine: FakeEngine) -> None:
    page = guide.show("Talk to the host")
    page.evaluate("window.watch.standIn()")
    page.get_by_role("button", name="Talk").click()
    until(page, "document.querySelector('video').videoWidth > 0")
    assert engine.opened[0].options.language == "en"
    play_as_microphone(page, _speech(), 48_000)
    expect(page.locator("#said")).to_have_text("beep")


def test_ask_in_writing(guide: Guide, engine: FakeEngine) -> None:
    page = guide.show("Ask in writing")
    expect(page.locator("#answer")).to_have_text("beep")
    assert engine.opened[0].texts == ["When do you open?"]
    assert engine.opened[0].options.video is None


def test_show_what_goes_on(guide: Guide) -> None:
    page = guide.blank()
    page.add_init_script("window.watch.standIn()")
    guide.show("Show what goes on", page)
    until(page, "document.querySelector('video').videoWidth > 0")
    play_as_microphone(page, _speech(), 48_000)
    expect(page.locator("#phase")).to_have_text("hearing")
    expect(page.locator("#phase")).to_have_text("speaking")
    expect(page.locator("#phase")).to_have_text("listening")
    expect(page.locator("#captions")).to_have_text("You: a loud soundHost: beep")


def test_let_the_host_call_your_functions(guide: Guide) -> None:
    page = guide.blank()
    page.add_init_script("window.watch.listenIn()")
    guide.show("Let the host call your functions", page)
    until(page, "window.watch.sent.length === 4")  # the question, and what the function gave
    until(page, "window.watch.events.some(({ delta }) => delta === 'beep')")
    (wanted,) = events_of(page, "response.function_call_arguments.done")
    item, go_on = page.evaluate("window.watch.sent.slice(2)")
    assert item["item"] == {
        "type": "function_call_output",
        "call_id": wanted["call_id"],
        "output": '{"status":"on its way"}',  # the engine here asks without an order
    }
    assert go_on == {"type": "response.create"}
    call = {"type": "function_call", "call_id": "c1", "name": wanted["name"]}
    call["arguments"] = '{"order": "A17"}'
    page.evaluate("window.watch.follow('#asked')")
    tell(page, {"type": "response.done", "response": {"status": "completed", "output": [call]}})
    until(page, "window.watch.followed.some(([text]) => text === 'A17')")


def test_tokens(guide: Guide) -> None:
    page = guide.blank()
    seen: list[str | None] = []

    def note(route: Route) -> None:
        seen.append(route.request.headers.get("authorization"))
        route.continue_()

    page.route("**/v1/**", note)
    guide.show("Tokens", page)
    expect(page.locator("#state")).to_have_text("connected")
    assert seen
    assert set(seen) == {"Bearer ek_short"}


def test_when_the_connection_breaks(guide: Guide) -> None:
    page = guide.show("When the connection breaks")
    expect(page.locator("#line")).to_have_text("connected")
    tell(page, {"type": "session.created", "session": {"avatar": {"resume_token": "again"}}})
    gone = {"error": {"code": "session_gone", "message": "over"}}
    headers = {"access-control-allow-origin": "*"}
    page.route("**/calls?resume=again", lambda r: r.fulfill(status=404, json=gone, headers=headers))
    page.evaluate("window.watch.cut()")
    expect(page.locator("#line")).to_have_text("over: gone")


def test_draw_the_host_yourself(guide: Guide, engine: FakeEngine) -> None:
    page = guide.show("Draw the host yourself")
    until(page, "document.querySelector('#jaw').value !== ''")
    until(page, "document.querySelector('#sound').srcObject?.active === true")
    assert engine.opened[0].options.motion
    assert engine.opened[0].options.video is None
    until(page, "document.querySelector('#sound').currentTime > 0.2")
    assert engine.opened[0].texts == ["When do you open?"]


def test_direct_the_host(guide: Guide, engine: FakeEngine) -> None:
    page = guide.show("Direct the host")
    until(page, "document.querySelector('video').videoWidth > 0")
    session = engine.opened[0]
    until(page, "window.watch.events.filter(({ type }) => type === 'session.updated').length > 1")
    assert (session.options.scene, session.options.style) == ("kitchen", "lively")
    assert session.options.framing is None  # of the scene that came
    assert session.acts == [("wave", {})]
    assert events_of(page, "error") == []


def test_watch_a_stream(guide: Guide) -> None:
    page = guide.blank()
    opened = page.request.post(f"{guide.url}/v1/streams", data={"name": "evening-sale"})
    assert opened.status == 201
    guide.show("Watch a stream", page)
    until(page, "document.querySelector('video').videoWidth > 0")
    assert page.evaluate("document.querySelector('video').muted")
    page.get_by_role("button", name="Sound").click()
    until(page, "!document.querySelector('video').muted")


def test_every_example_is_tried() -> None:
    tried = set(re.findall(r"^def test_(\w+)\(", Path(__file__).read_text("utf-8"), re.M))
    assert {heading.lower().replace(" ", "_") for heading in EXAMPLES} <= tried
