"""Before a call stands: the microphone's permission, a proxy's path, ICE servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect

from pipeline.looks import Looks
from tests.e2e.browser import connect, shows, until, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine

PREFIX = "/hosts/mia"
LIVE = "window.watch.granted.map((stream) => stream.getTracks()[0].readyState)"


def test_ending_a_call_while_the_browser_asks(page: Page, engine: FakeEngine) -> None:
    page.evaluate("window.watch.askFirst()")
    page.get_by_role("button", name="Start talking").click()
    shows(page, "Microphone?")
    page.get_by_role("button", name="End call").click()
    shows(page, "Not connected")
    expect(page.get_by_role("button", name="Start talking")).to_be_focused()
    page.evaluate("window.watch.allow()")
    until(page, f"{LIVE}.includes('ended')")
    assert engine.sessions == 0
    connect(page)
    assert page.evaluate(LIVE) == ["ended", "live"]


def test_a_call_begun_anew_while_the_browser_asks(page: Page, engine: FakeEngine) -> None:
    page.evaluate("window.watch.askFirst()")
    for _ in range(2):
        page.get_by_role("button", name="Start talking").click()
        shows(page, "Microphone?")
        page.get_by_role("button", name="End call").click()
    page.get_by_role("button", name="Start talking").click()
    page.evaluate("window.watch.allow()")
    shows(page, "Listening")
    assert sorted(page.evaluate(LIVE)) == ["ended", "ended", "live"]
    assert engine.sessions == 1


@pytest.fixture
def proxied(engine: FakeEngine, tmp_path: Path) -> Iterator[str]:
    with serving(engine, prefix=PREFIX, looks=Looks(tmp_path)) as url:
        yield f"{url}{PREFIX}/"


def test_it_works_under_the_path_of_a_proxy(
    browser: Browser, engine: FakeEngine, proxied: str
) -> None:
    page = watched_page(browser, proxied, locale="en-US")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    expect(page.locator("#voice option")).to_have_count(3)
    connect(page)
    assert engine.sessions == 1
    with page.expect_response("**/hangup") as hung_up:
        page.get_by_role("button", name="End call").click()
    # The page closes its connection at once, so the call may have ended before it is hung up.
    assert hung_up.value.status in (200, 404)
    shows(page, "Not connected")
    assert engine.sessions == 0
    rest = [answer for answer in answers if not answer.url.endswith("/hangup")]
    strays = [a.url for a in answers if not a.url.startswith(proxied)]
    strays += [answer.url for answer in rest if not answer.ok]
    assert strays == []
    page.context.close()


def test_a_call_is_hung_up_where_the_answer_says(page: Page, engine: FakeEngine) -> None:
    """The address is relative to that of the answer, which a proxy may have moved."""
    places: list[str] = []

    def rename(route: Route) -> None:
        answer = route.fetch()
        places.append(answer.headers["location"])
        moved = {**answer.headers, "location": "calls/../calls/renamed"}
        route.fulfill(response=answer, headers=moved)

    page.route("**/v1/realtime/calls", rename)
    connect(page)
    with page.expect_request("**/hangup") as hung_up:
        page.get_by_role("button", name="End call").click()
    assert hung_up.value.url.endswith("/v1/realtime/calls/renamed/hangup")
    assert places[0] not in hung_up.value.url
    assert engine.limit == 1


def test_the_servers_ice_servers_are_used(page: Page) -> None:
    servers = [
        {"urls": ["stun:127.0.0.1:9"]},
        {"urls": "turn:127.0.0.1:9", "username": "guest", "credential": "word"},
    ]
    offered = {"voices": [], "default": "tone", "ice_servers": servers}
    page.route("**/v1/voices", lambda route: route.fulfill(json=offered))
    connect(page)
    assert page.evaluate("window.watch.settings") == {"iceServers": servers}


@pytest.mark.parametrize("status", [200, 500])
def test_a_server_without_ice_servers(page: Page, status: int) -> None:
    page.route("**/v1/voices", lambda route: route.fulfill(status=status, json={}))
    connect(page)
    assert page.evaluate("window.watch.settings") == {"iceServers": []}
