"""A connection that breaks and is made again in Chromium."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.browser import (
    connect,
    events_of,
    received,
    shows,
    tell,
    until,
    watched_page,
)
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine, FakeScript
from transport.aiortc_hooks import cut_off
from transport.calls import Calls

SILENCE_MS = 30_000  # until a browser holds a path for lost
CALLS = "**/v1/realtime/calls*"
GONE = {"error": {"type": "invalid_request_error", "code": "session_gone", "message": "it is over"}}


class Resuming:
    """Stands for a server that keeps sessions: a resumed call is another one, as far as it goes."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.failures = 0
        self.gone = False

    def __call__(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        token = parse_qs(address.query).get("resume")
        if token is None:
            return route.continue_()
        self.tokens += token
        if self.gone:
            return route.fulfill(status=404, json=GONE)
        if len(self.tokens) <= self.failures:
            return route.abort()
        return route.continue_(url=address._replace(query="").geturl())


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine([FakeScript(reply_seconds=2.0)], limit=4)


@pytest.fixture
def resuming(page: Page) -> Resuming:
    handler = Resuming()
    page.route(CALLS, handler)
    return handler


def _connect(page: Page) -> None:
    _connect_told(page, {"name": "mia", "resume_token": "again"})


def _connect_told(page: Page, avatar: dict[str, str]) -> None:
    """Connect, and let the server have told that of the session."""
    connect(page)
    until(page, "window.watch.events.some(({ type }) => type === 'session.created')")
    tell(page, {"type": "session.created", "session": {"id": "sess_0", "avatar": avatar}})


def _break(page: Page) -> None:
    """Take the network away from under the page: the browser tells it as of a lost path."""
    page.evaluate("window.watch.cut()")


def test_the_conversation_goes_on(page: Page, resuming: Resuming) -> None:
    _connect(page)
    _ask(page, "First?")
    shows(page, "Speaking")
    resuming.failures = 2
    _break(page)
    shows(page, "Reconnecting…")
    expect(page.get_by_role("button", name="End call")).to_be_visible()
    shows(page, "Listening")
    assert resuming.tokens == ["again"] * 3
    expect(page.locator(".caption.user .words")).to_have_text("First?")
    expect(page.locator("#message")).to_be_hidden()
    _ask(page, "Second?")
    shows(page, "Speaking")
    until(page, "!document.querySelector('video').paused")
    assert page.evaluate("document.querySelector('video').srcObject.active")


def test_what_is_asked_meanwhile_waits(page: Page, resuming: Resuming, engine: FakeEngine) -> None:
    _connect(page)
    resuming.failures = 2
    _break(page)
    shows(page, "Reconnecting…")
    _ask(page, "Still there?")
    shows(page, "Speaking")
    assert engine.opened[1].texts == ["Still there?"]


def test_a_session_that_is_gone(page: Page, resuming: Resuming) -> None:
    _connect(page)
    resuming.gone = True
    _break(page)
    shows(page, "Call over")
    expect(page.get_by_role("alert")).to_have_text("This conversation has ended.")
    assert resuming.tokens == ["again"]
    page.get_by_role("button", name="Start a new call").click()
    shows(page, "Listening")
    assert resuming.tokens == ["again"]


def test_the_network_that_comes_back_is_tried_at_once(page: Page, resuming: Resuming) -> None:
    _connect(page)
    resuming.failures = 4
    _break(page)
    shows(page, "Reconnecting…")
    for attempt in (1, 2, 3, 4, 5):
        page.evaluate("window.dispatchEvent(new Event('online'))")
        for _ in range(100):
            if len(resuming.tokens) >= attempt:
                break
            page.wait_for_timeout(10)
    shows(page, "Listening")


def test_a_path_that_is_well_is_left_alone(page: Page, resuming: Resuming) -> None:
    _connect(page)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(300)
    shows(page, "Listening")
    assert resuming.tokens == []


def test_ending_it_while_it_reconnects(page: Page, resuming: Resuming) -> None:
    _connect(page)
    resuming.failures = 100
    _break(page)
    shows(page, "Reconnecting…")
    page.get_by_role("button", name="End call").click()
    shows(page, "Not connected")
    tried = len(resuming.tokens)
    page.wait_for_timeout(1500)
    assert len(resuming.tokens) == tried


def test_a_server_that_keeps_no_sessions(page: Page) -> None:
    _connect_told(page, {})
    _break(page)
    shows(page, "Connection lost")
    expect(page.get_by_role("alert")).to_have_text("The connection was lost.")
    page.get_by_role("button", name="Reconnect").click()
    shows(page, "Listening")


def test_a_path_that_falls_silent(browser: Browser, engine: FakeEngine) -> None:
    """Nothing of the server arrives any more, and nobody says so; the browser finds out itself."""
    calls = Calls(engine)
    with serving(engine, calls=calls) as url:
        page = watched_page(browser, url, locale="en-US")
        with page.expect_response(lambda response: response.status == 201) as posted:
            connect(page)
        _ask(page, "First?")
        shows(page, "Speaking")
        call_id = posted.value.headers["location"].rpartition("/")[2]
        peer = calls._serving.get(call_id)
        assert peer is not None
        cut_off(peer._connection.rtc)
        shows(page, "Reconnecting…", SILENCE_MS)
        shows(page, "Listening")
        first, second = events_of(page, "session.created")
        assert second["session"]["id"] == first["session"]["id"]
        assert second["session"]["avatar"]["resumed"] is True
        received(page)
        _ask(page, "Second?")
        shows(page, "Speaking")
        assert [session.texts for session in engine.opened] == [["First?", "Second?"]]
        expect(page.locator(".caption.user .words")).to_have_text(["First?", "Second?"])
        until(page, "window.watch.peer.connectionState === 'connected'")
        shows(page, "Listening")
        after = received(page)
        assert np.abs(after.sound).max() > 0.05
        assert len(after.pictures) > 10
        page.context.close()


def _ask(page: Page, text: str) -> None:
    page.get_by_label("Type a question").fill(text)
    page.keyboard.press("Enter")
