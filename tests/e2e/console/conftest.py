"""The console over rooms in memory, in a browser whose errors fail the test."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette

from tests.e2e.browser import WAIT_MS
from tests.fakes.console_server import LivelyRooms, lively_app
from tests.fakes.rooms import FakeRoom
from tests.web.server import running

# A machine that does much else keeps a page waiting; what never comes is missed all the same.
expect.set_options(timeout=WAIT_MS)


@dataclass
class Console:
    """A served console.

    Attributes:
        url: of the server.
        rooms: what stands behind it.
        app: what is served.
    """

    url: str
    rooms: LivelyRooms
    app: Starlette

    @property
    def room(self) -> FakeRoom:
        """The room there is from the beginning."""
        return self.rooms.room("demo")

    def told(self) -> list[str]:
        """Return the types of what the room was told, in order."""
        return [command.type for command, _ in self.room.told]


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    app, rooms = lively_app(tmp_path)
    with running(app) as url:
        yield Console(url, rooms, app)


Opened = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, console: Console) -> Iterator[Opened]:
    """Open a page of the console; what goes wrong in any of them fails the test.

    `where` is what stands behind "#"; other arguments are those of a browser's context.
    """
    pages: list[Page] = []
    troubles: list[str] = []

    def opened(where: str = "", **options: object) -> Page:
        chosen = {"locale": "en-US", "viewport": {"width": 1600, "height": 950}} | options
        page = browser.new_context(**chosen).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda said: troubles.append(said.text) if said.type == "error" else None
        )
        page.goto(f"{console.url}/console/{where}")
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.context.close()
    # A refusal that a test asks for is told by the browser too.
    refused = (
        "status of 4",
        "ERR_CONNECTION",
        "ERR_INCOMPLETE",
        "ERR_EMPTY",
        "ERR_NETWORK",
        "ERR_INTERNET",
    )
    assert [each for each in troubles if not any(mark in each for mark in refused)] == []
