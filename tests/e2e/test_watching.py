"""The page of a stream in Chromium: it waits, plays over WHEP, comes back, and asks for a token."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.browser import WAIT_MS, received, shows, until, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine, FakeScript
from transport.streams import Streams
from transport.whep import Viewers
from transport.whip import Publishers
from web.streams import Broadcasting

# A browser that plays no sound before somebody has clicked; one that is driven counts as clicked.
HOLD_BACK = """
  const { play } = HTMLMediaElement.prototype;
  let clicked = false;
  window.addEventListener("click", () => (clicked = true), true);
  HTMLMediaElement.prototype.play = async function () {
    if (!this.muted && !clicked) throw new DOMException("no", "NotAllowedError");
    return play.call(this);
  };
"""
PLAYS = "document.querySelector('video').currentTime > 0.3"


@dataclass
class Air:
    """A server with streams, and the page of one."""

    url: str
    page: Page
    viewers: Viewers

    def begin(self) -> None:
        opened = self.page.request.post(f"{self.url}/v1/streams", data={"name": "lobby"})
        assert opened.status == 201

    def end(self) -> None:
        assert self.page.request.delete(f"{self.url}/v1/streams/lobby").status == 200

    def watch(self) -> None:
        self.page.goto(f"{self.url}/watch/lobby")

    def freed(self) -> None:
        for _ in range(100):
            if len(self.viewers) == 0:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{len(self.viewers)} viewers are left")


@pytest.fixture
def air(browser: Browser) -> Iterator[Air]:
    engine = FakeEngine([FakeScript(always=True)])
    streams = Streams(engine)
    viewers = Viewers(streams)
    with serving(engine, streams=Broadcasting(streams, viewers, Publishers(streams))) as url:
        page = watched_page(browser, "about:blank", locale="en-US")
        page.set_default_timeout(WAIT_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield Air(url, page, viewers)
        page.context.close()
        assert not errors


def test_a_stream_is_seen_and_after_a_tap_heard(air: Air) -> None:
    page = air.page
    page.add_init_script(HOLD_BACK)
    air.begin()
    air.watch()
    shows(page, "Live")
    expect(page.get_by_role("heading", name="lobby")).to_be_visible()
    expect(page.get_by_text("AI-generated", exact=True)).to_be_visible()
    page.get_by_role("button", name="Tap to unmute").click()
    expect(page.get_by_role("button", name="Tap to unmute")).to_be_hidden()
    until(page, PLAYS)
    assert not page.evaluate("document.querySelector('video').muted")
    page.wait_for_timeout(1000)
    found = received(page)
    assert (found.pictures[1:] != found.pictures[:-1]).any(axis=(1, 2)).sum() > 10
    spectrum = np.abs(np.fft.rfft(found.sound[-found.rate :]))
    assert spectrum.argmax() == pytest.approx(440, abs=5)
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    expect(page.get_by_role("button", name="Tap to unmute")).to_be_hidden()
    assert len(air.viewers) == 1
    page.goto("about:blank")
    air.freed()


def test_a_stream_that_is_not_there_yet_is_waited_for(air: Air) -> None:
    air.watch()
    shows(air.page, "Waiting for the stream to begin")
    expect(air.page.locator("#message")).to_be_hidden()
    air.begin()
    shows(air.page, "Live")
    until(air.page, PLAYS)


def test_a_stream_that_ends_and_begins_again(air: Air) -> None:
    air.begin()
    air.watch()
    shows(air.page, "Live")
    air.end()
    shows(air.page, "Waiting for the stream to begin")
    air.begin()
    shows(air.page, "Live")
    until(air.page, "!document.querySelector('video').paused")


def test_a_token_is_asked_for(air: Air) -> None:
    def door(route: Route) -> None:
        if route.request.headers.get("authorization") == "Bearer ek_right":
            route.continue_()
        else:
            route.fulfill(status=401, json={"error": {"code": "invalid_api_key", "message": "no"}})

    air.begin()
    air.page.route("**/v1/whep/**", door)
    air.watch()
    expect(air.page.locator("#access-text")).to_have_text("This host asks for an access token.")
    shows(air.page, "Not connected")
    air.page.get_by_label("Access token").fill("ek_right")
    air.page.keyboard.press("Enter")
    shows(air.page, "Live")


def test_a_viewer_whose_token_may_not_watch(air: Air) -> None:
    refusal = {"error": {"code": "scope", "message": "watch is not among its scopes"}}
    air.page.route("**/v1/whep/**", lambda route: route.fulfill(status=403, json=refusal))
    air.watch()
    expect(air.page.get_by_role("alert").first).to_have_text(
        "This access token does not permit watching: watch is not among its scopes"
    )
    shows(air.page, "Not connected")
    air.page.unroute("**/v1/whep/**")
    air.begin()
    air.page.get_by_role("button", name="Try again").click()
    shows(air.page, "Live")


def test_both_languages(air: Air) -> None:
    air.watch()
    air.page.get_by_role("button", name="中文").click()
    shows(air.page, "等待直播开始")
    expect(air.page.locator(".mark")).to_have_text("AI 生成")
    assert air.page.title() == "lobby · Vivant"
