"""The access token of the page in Chromium: out of the address, typed, sent with every request."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.browser import WAIT_MS, connect, shows, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine
from transport.access.access import Access
from transport.access.keys import Keys
from transport.access.secret import Secret

TOKEN = "ek_right"
REFUSED = {
    "error": {
        "type": "invalid_request_error",
        "code": "invalid_api_key",
        "message": "a token is needed",
        "param": None,
    }
}


@dataclass
class Door:
    """Lets requests with the right token through, and notes the others."""

    accepted: str = TOKEN
    passed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __call__(self, route: Route) -> None:
        request = route.request
        name = f"{request.method} {request.url.split('/v1/')[1]}"
        if request.headers.get("authorization") == f"Bearer {self.accepted}":
            self.passed.append(name)
            route.continue_()
        else:
            self.refused.append(name)
            route.fulfill(status=401, json=REFUSED)


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def locked(browser: Browser, door: Door) -> Iterator[Page]:
    """A page, not gone anywhere yet, whose server wants a token."""
    page = watched_page(browser, "about:blank", locale="en-US")
    page.route("**/v1/**", door)
    page.set_default_timeout(WAIT_MS)
    yield page
    page.context.close()


def test_a_token_in_the_address_is_used_and_hidden(locked: Page, url: str, door: Door) -> None:
    locked.goto(f"{url}/?shop=3#token={TOKEN}")
    connect(locked)
    with locked.expect_request("**/hangup") as hung_up:
        locked.get_by_role("button", name="End call").click()
    assert hung_up.value.headers["authorization"] == f"Bearer {TOKEN}"
    assert locked.url == f"{url}/?shop=3"
    assert door.refused == []
    assert {"GET voices", "GET looks", "POST realtime/calls"} <= set(door.passed)
    locked.reload()
    expect(locked.locator("#access")).to_be_hidden()
    assert door.refused == []  # the tab keeps it


def test_without_a_token_the_page_asks_for_one(locked: Page, url: str) -> None:
    locked.goto(url)
    expect(locked.locator("#access-text")).to_have_text("This host asks for an access token.")
    field = locked.get_by_label("Access token")
    expect(field).to_be_focused()
    field.fill("wrong")
    locked.keyboard.press("Enter")
    expect(locked.locator("#access-text")).to_contain_text("is not accepted")
    assert locked.locator("#voice option").count() == 1
    field.fill(f" {TOKEN} ")
    locked.get_by_role("button", name="Continue").click()
    expect(locked.locator("#voice option")).to_have_count(3)
    expect(locked.locator("#access")).to_be_hidden()
    connect(locked)


def test_a_token_that_runs_out_is_asked_for_again(locked: Page, url: str, door: Door) -> None:
    locked.goto(f"{url}/#token={TOKEN}")
    expect(locked.locator("#voice option")).to_have_count(3)
    door.accepted = "ek_next"
    locked.get_by_role("button", name="Start talking").click()
    expect(locked.locator("#access-text")).to_contain_text("or no longer")
    shows(locked, "Not connected")
    locked.evaluate("location.hash = 'token=ek_next'")  # as a new link in the same tab
    expect(locked.locator("#access")).to_be_hidden()
    shows(locked, "Listening")
    assert locked.url == f"{url}/"


def test_a_token_never_stands_in_an_address(locked: Page, url: str) -> None:
    asked: list[str] = []
    locked.on("request", lambda request: asked.append(request.url))
    locked.goto(f"{url}/#token={TOKEN}")
    connect(locked)
    assert asked
    assert not [address for address in asked if TOKEN in address.split("#")[0]]


def test_a_server_with_keys(browser: Browser, engine: FakeEngine) -> None:
    key = "a-key-of-this-test-alone-0123456789"
    access = Access(Keys(single=key), Secret(b"of this test alone, thirty-two b"))
    with serving(engine, access=access) as url:
        page = watched_page(browser, url, locale="en-US")
        page.get_by_role("button", name="Start talking").click()
        field = page.get_by_label("Access token")
        field.fill("somebody-elses")
        page.keyboard.press("Enter")
        expect(page.locator("#access-text")).to_contain_text("is not accepted")
        assert engine.opened == []
        field.fill(key)
        page.keyboard.press("Enter")
        shows(page, "Listening")  # the call that was wanted
        page.get_by_role("button", name="End call").click()
        shows(page, "Not connected")
        page.wait_for_timeout(300)
        assert engine.sessions == 0  # to hang up, too, the key is shown
        page.context.close()
