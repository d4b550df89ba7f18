"""Chromium for the tests, and what a test watches inside the page."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, Playwright, expect

WAIT_MS = 15_000
WATCH = (Path(__file__).parent / "watch.js").read_text("utf-8")
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-renderer-backgrounding",
    "--mute-audio",
)
_FAKE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


@contextmanager
def chromium(playwright: Playwright, *arguments: str, microphone: bool = True) -> Iterator[Browser]:
    """Give a browser; with `microphone`, a device of its own that needs no permission."""
    path = next(found for name in _NAMES if (found := shutil.which(name)))
    chosen = [*_ARGUMENTS, *(_FAKE if microphone else ()), *arguments]
    browser = playwright.chromium.launch(executable_path=path, args=chosen)
    try:
        yield browser
    finally:
        browser.close()


def watched_page(browser: Browser, url: str, **options: Any) -> Page:
    """Open the page with `watch.js` in it; any error in the page fails the test that reads it."""
    page = browser.new_context(**options).new_page()
    page.add_init_script(WATCH)
    page.goto(url)
    return page


def shows(page: Page, word: str, wait_ms: float = WAIT_MS) -> None:
    """Wait until the page says that it is in the state called `word`."""
    expect(page.locator("#state")).to_have_text(word, timeout=wait_ms)


def connect(page: Page) -> None:
    """Press the button and wait until the call stands."""
    page.get_by_role("button", name="Start talking").click()
    shows(page, "Listening")


def tell(page: Page, *events: dict[str, Any]) -> None:
    """Let the page take events as if the server had sent them."""
    page.evaluate("events => window.watch.tell(...events)", list(events))


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true; the page's policy forbids Playwright's own waiting."""
    for _ in range(WAIT_MS // 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{condition} did not come true")


@dataclass(frozen=True)
class Watched:
    """What a page received.

    Attributes:
        sound: float32 [n], mono, at `rate` Hz.
        pictures: uint8 [n, height, width], grey.
        levels: float32 [n]: root mean square of the sound around each picture.
    """

    sound: NDArray[np.float32]
    rate: int
    pictures: NDArray[np.uint8]
    levels: NDArray[np.float32]


def received(page: Page) -> Watched:
    """Take what the page has received since the call began or the last taking."""
    found = page.evaluate("window.watch.take()")
    height, width = found["height"], found["width"]
    pictures = np.frombuffer(base64.b64decode(found["pictures"]), np.uint8)
    return Watched(
        sound=np.frombuffer(base64.b64decode(found["sound"]), np.float32),
        rate=found["rate"],
        pictures=pictures.reshape(-1, height, width),
        levels=np.asarray(found["levels"], np.float32),
    )


def events_of(page: Page, kind: str) -> list[dict[str, Any]]:
    """Return the server events of one type that the page received, in their order."""
    found = page.evaluate("kind => window.watch.events.filter(({ type }) => type === kind)", kind)
    events: list[dict[str, Any]] = found
    return events


def play_as_microphone(page: Page, samples: NDArray[np.float32], rate: int) -> None:
    """Let the page's stand-in microphone hear float32 [n] samples at `rate` Hz, now."""
    data = base64.b64encode(np.ascontiguousarray(samples, np.float32).tobytes()).decode()
    page.evaluate("([data, rate]) => window.watch.speak(data, rate)", [data, rate])
