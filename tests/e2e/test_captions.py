"""Captions, made from events in the browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.browser import watched_page

SHOW = """async (events) => {
  const { Captions } = await import("/static/captions.js");
  const list = document.createElement("ol");
  const captions = new Captions(list, (key) => key);
  for (const event of events) captions.handle(event);
  return [...list.children].map((item) => ({
    classes: [...item.classList].filter((name) => name !== "caption"),
    text: item.querySelector(".words").textContent,
    provisional: item.querySelector(".provisional")?.textContent ?? "",
    elements: item.querySelectorAll(".words *:not(.provisional)").length,
  }));
}"""

TRANSCRIPTION = "conversation.item.input_audio_transcription"
Event = dict[str, Any]


@pytest.fixture(scope="module")
def page(browser: Browser, quiet_url: str) -> Iterator[Page]:
    page = watched_page(browser, quiet_url)
    yield page
    page.context.close()


def _started(item: str) -> Event:
    return {"type": "input_audio_buffer.speech_started", "item_id": item, "audio_start_ms": 0}


def _heard(item: str, delta: str) -> Event:
    return {"type": f"{TRANSCRIPTION}.delta", "item_id": item, "delta": delta}


def _final(item: str, text: str) -> Event:
    return {"type": f"{TRANSCRIPTION}.completed", "item_id": item, "transcript": text}


def _said(item: str, delta: str) -> Event:
    return {"type": "response.output_audio_transcript.delta", "item_id": item, "delta": delta}


def _show(page: Page, *events: Event) -> list[Event]:
    shown: list[Event] = page.evaluate(SHOW, list(events))
    return shown


def test_what_is_still_being_said_is_provisional(page: Page) -> None:
    (caption,) = _show(page, _started("a"), _heard("a", "When do"), _heard("a", " you"))
    assert caption["classes"] == ["user"]
    assert (caption["text"], caption["provisional"]) == ("When do you", "When do you")


def test_the_final_text_replaces_it(page: Page) -> None:
    events = [_started("a"), _heard("a", "Wenn do"), _final("a", "When do you open?")]
    (caption,) = _show(page, *events)
    assert (caption["text"], caption["provisional"]) == ("When do you open?", "")


def test_speech_without_text_yet_is_open(page: Page) -> None:
    (caption,) = _show(page, _started("a"))
    assert caption["classes"] == ["user", "open"]


@pytest.mark.parametrize(
    "end",
    [
        {"type": "input_audio_buffer.cleared"},
        {"type": f"{TRANSCRIPTION}.failed", "item_id": "a", "error": {}},
        {"type": f"{TRANSCRIPTION}.completed", "item_id": "a", "transcript": ""},
        {"type": "conversation.item.deleted", "item_id": "a"},
    ],
)
def test_what_was_no_speech_goes_away(page: Page, end: Event) -> None:
    shown = _show(page, _started("b"), _final("b", "Hello"), _started("a"), end)
    assert [caption["text"] for caption in shown] == ["Hello"]


def test_the_reply_grows_by_clauses(page: Page) -> None:
    shown = _show(
        page, _final("a", "Open?"), _said("b", "We open at 11 AM,"), _said("b", " daily.")
    )
    assert [(caption["classes"], caption["text"]) for caption in shown] == [
        (["user"], "Open?"),
        (["host"], "We open at 11 AM, daily."),
    ]


def test_an_interrupted_reply_keeps_what_was_heard(page: Page) -> None:
    cut = {"type": "conversation.item.truncated", "item_id": "b", "transcript": "We open"}
    (caption,) = _show(page, _said("b", "We open at 11 AM."), cut)
    assert caption["text"] == "We open"
    assert caption["classes"] == ["host", "cut"]


def test_another_servers_truncation_has_no_text(page: Page) -> None:
    cut = {"type": "conversation.item.truncated", "item_id": "b", "audio_end_ms": 300}
    (caption,) = _show(page, _said("b", "We open."), cut)
    assert caption["text"] == "We open."
    assert "cut" in caption["classes"]


def test_a_typed_question_appears_once(page: Page) -> None:
    content = [{"type": "input_text", "text": "When do you open?"}]
    item = {"id": "a", "role": "user", "content": content}
    added, done = ({"type": f"conversation.item.{end}", "item": item} for end in ("added", "done"))
    assert [caption["text"] for caption in _show(page, added, done)] == ["When do you open?"]


def test_text_is_never_markup(page: Page) -> None:
    text = "<img src=x onerror=alert(1)><b>bold</b>"
    shown = _show(page, _heard("a", text), _said("b", text))
    assert [(caption["text"], caption["elements"]) for caption in shown] == [(text, 0), (text, 0)]


def test_unknown_events_change_nothing(page: Page) -> None:
    assert _show(page, {"type": "session.created"}, {"type": "__proto__"}, {"type": "x"}) == []


def test_a_long_conversation_stays_bounded(page: Page) -> None:
    shown = _show(page, *(_final(f"item{number}", str(number)) for number in range(500)))
    assert len(shown) == 200
    assert shown[-1]["text"] == "499"
