"""How soon the console shows something useful on loopback: python -m tests.benchmarks.console_paint

Prints one JSON line: medians, in seconds, over fresh browser contexts, from the navigation to the
first contentful paint, and to the cards of the rooms.
"""

import json
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browser import chromium
from tests.fakes.console_server import lively_app
from tests.web.server import running

ROUNDS = 10
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
NOW = "performance.now()"


def measure(browser: Browser, url: str) -> tuple[float, float]:
    """Return seconds to the first contentful paint, and to the first card, nothing cached."""
    page = browser.new_context().new_page()
    page.goto(f"{url}/console/")
    page.locator(".room-card").first.wait_for()
    useful = page.evaluate(NOW)
    painted = page.evaluate(PAINT)
    page.context.close()
    return painted / 1000, useful / 1000


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        chromium(playwright, microphone=False) as browser,
        running(lively_app(Path(folder))[0]) as url,
    ):
        found = [measure(browser, url) for _ in range(ROUNDS)]
    painted, useful = (statistics.median(column) for column in zip(*found, strict=True))
    told = {"first_contentful_paint_s": round(painted, 3), "rooms_shown_s": round(useful, 3)}
    print(json.dumps({**told, "rounds": ROUNDS}))  # noqa: T201


if __name__ == "__main__":
    main()
