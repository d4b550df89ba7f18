"""Browsers and servers of the tests that drive a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.e2e.browser import WAIT_MS, chromium, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine, FakeScript


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, stopped with this package: its event loop is in the way of other tests'."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with chromium(playwright) as browser:
        yield browser


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine([FakeScript(reply_seconds=2.0)], limit=1)


@pytest.fixture
def url(engine: FakeEngine) -> Iterator[str]:
    with serving(engine) as url:
        yield url


@pytest.fixture(scope="package")
def quiet_url() -> Iterator[str]:
    """A server for pages that make no calls."""
    with serving(FakeEngine()) as url:
        yield url


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """The page, in English at a desk's width; an error in it fails the test."""
    page = watched_page(browser, url, locale="en-US", viewport={"width": 1280, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(WAIT_MS)
    yield page
    page.context.close()
    assert not errors
