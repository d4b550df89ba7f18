"""The page of docs/build-your-own-client.md in Chromium, as a page of another site."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline.contract import WIRE_RATE
from tests.e2e.browser import WAIT_MS, play_as_microphone, until, watched_page
from tests.e2e.server import serving
from tests.e2e.site import site
from tests.fakes.engine import FakeEngine, FakeScript

GUIDE: Final = Path(__file__).parents[2] / "docs" / "build-your-own-client.md"
# Notes when each piece of sound is to be played, and for how long.
COUNT: Final = """
  window.played = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when) {
    if (this.context.sampleRate === 24000) window.played.push([when, this.buffer.duration]);
    start.call(this, when);
  };
"""


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine([FakeScript(reply_seconds=1.0)])


@pytest.fixture
def page(browser: Browser, engine: FakeEngine) -> Iterator[Page]:
    """The guide's page, with this server's address and nothing else changed."""
    (code,) = re.findall(r"```html\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    pages: dict[str, str] = {}
    with (
        site(pages) as port,
        serving(engine, origins=[f"http://localhost:{port}"]) as url,
    ):
        pages["/"] = code.replace("ws://127.0.0.1:8080", url.replace("http", "ws"))
        page = watched_page(browser, "about:blank")
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_default_timeout(WAIT_MS)
        page.add_init_script(COUNT)
        page.goto(f"http://localhost:{port}/")
        yield page
        page.context.close()
        assert errors == []


def test_what_is_typed_is_answered_aloud(page: Page, engine: FakeEngine) -> None:
    until(page, "document.querySelector('#ask') !== null")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#answer")).to_have_text("beep")
    until(page, "window.played.length >= 45")
    times = np.array(page.evaluate("window.played"))
    assert times[:, 1].sum() == pytest.approx(1.0, abs=0.12)
    assert np.all(np.diff(times[:, 0]) >= times[:-1, 1] - 1e-9), "no piece is played over another"
    assert engine.opened[0].texts == ["When do you open?"]


def test_what_is_said_is_heard(page: Page, engine: FakeEngine) -> None:
    page.evaluate("window.watch.standIn()")
    page.get_by_role("button", name="Talk").click()
    until(page, "window.watch.microphone !== undefined")
    times = np.arange(WIRE_RATE) / WIRE_RATE
    tone = (0.4 * np.sin(2 * np.pi * 220 * times)).astype(np.float32)
    play_as_microphone(page, tone, WIRE_RATE)
    expect(page.locator("#answer")).to_have_text("beep")
    assert engine.opened[0].texts == []
