"""Subtitles over the picture: each clause while it sounds, not when its text arrives."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.browser import connect, tell, watched_page

STEPS = """async (steps) => {
  const { Subtitles } = await import("/static/subtitles.js");
  const element = document.createElement("p");
  const subtitles = new Subtitles(element);
  const shown = [];
  const from = performance.now();
  const note = () => shown.push([element.textContent, performance.now() - from]);
  new MutationObserver(note).observe(element, { childList: true });
  for (const [at, name, ...values] of steps) {
    setTimeout(() => subtitles[name](...values), at);
  }
  await new Promise((resolve) => setTimeout(resolve, 800));
  return shown;
}"""
LATE_MS = 150  # a timer of a busy browser

Event = dict[str, Any]


@pytest.fixture(scope="module")
def desk(browser: Browser, quiet_url: str) -> Page:
    return watched_page(browser, quiet_url)


def _shown(page: Page, *steps: list[Any]) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = page.evaluate(STEPS, list(steps))
    return found


def _shows_at(shown: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    assert [text for text, _ in shown] == [text for text, _ in expected]
    for (text, at), (_, due) in zip(shown, expected, strict=True):
        assert due - 5 <= at <= due + LATE_MS, (text, at, due)


def test_each_clause_waits_for_its_sound(desk: Page) -> None:
    shown = _shown(
        desk,
        [0, "add", "One,", 0],
        [0, "add", " two,", 200],
        [0, "add", " three.", 450],
        [150, "begin"],
        [740, "clear"],
    )
    _shows_at(shown, [("One,", 150), ("two,", 350), ("three.", 600), ("", 740)])


def test_a_clause_that_comes_late_is_shown_at_once(desk: Page) -> None:
    shown = _shown(desk, [0, "add", "One,", 0], [0, "begin"], [400, "add", "two.", 300])
    _shows_at(shown, [("One,", 0), ("two.", 400)])


def test_a_server_that_tells_no_times(desk: Page) -> None:
    shown = _shown(desk, [0, "add", "One,"], [100, "begin"], [300, "add", "two."])
    _shows_at(shown, [("One,", 100), ("two.", 300)])


def test_an_interruption_forgets_what_waited(desk: Page) -> None:
    shown = _shown(
        desk,
        [0, "add", "One,", 0],
        [0, "add", "two.", 300],
        [0, "begin"],
        [200, "clear"],
        [400, "add", "Three.", 0],
        [600, "begin"],
    )
    _shows_at(shown, [("One,", 0), ("", 200), ("Three.", 600)])


def test_a_cough_makes_what_waits_later(desk: Page) -> None:
    """What came before the silence is late by all of it, what came in it by the rest."""
    shown = _shown(
        desk,
        [0, "add", "One,", 0],
        [0, "add", "two,", 200],
        [0, "begin"],
        [100, "hold"],
        [300, "add", "three.", 600],
        [400, "resume"],
    )
    _shows_at(shown, [("One,", 0), ("two,", 500), ("three.", 700)])


def _clause(text: str, start_ms: int) -> Event:
    kind = "response.output_audio_transcript.delta"
    return {"type": kind, "item_id": "a", "delta": text, "audio_start_ms": start_ms}


def _buffer(what: str) -> Event:
    return {"type": f"output_audio_buffer.{what}", "response_id": "r"}


def test_the_page_says_what_is_heard(page: Page) -> None:
    connect(page)
    subtitle = page.locator("#subtitle")
    tell(page, {"type": "response.created", "response": {"id": "r"}})
    tell(page, _clause("We open at 11 AM,", 0), _clause(" and close at 10 PM.", 60_000))
    expect(page.locator(".caption.host .words")).to_have_text(
        "We open at 11 AM, and close at 10 PM."
    )
    expect(subtitle).to_have_text("")
    tell(page, _buffer("started"))
    expect(subtitle).to_have_text("We open at 11 AM,")
    tell(page, _buffer("cleared"))
    expect(subtitle).to_have_text("")
