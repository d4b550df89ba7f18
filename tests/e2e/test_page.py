"""The page in Chromium, talking to an engine without models."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from pipeline.contract import WIRE_RATE
from tests.e2e.browser import (
    WAIT_MS,
    chromium,
    connect,
    play_as_microphone,
    received,
    shows,
    tell,
    until,
    watched_page,
)
from tests.fakes.engine import FakeEngine

CONNECT_SECONDS = 10.0  # how long a call may take to connect before it is forgotten


def _freed(page: Page, engine: FakeEngine, seconds: float = 5.0) -> None:
    for _ in range(round(seconds * 20)):
        if engine.sessions == 0:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{engine.sessions} sessions are left")


def _speech(seconds: float = 1.0) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    times = np.arange(round(seconds * WIRE_RATE)) / WIRE_RATE
    return (0.4 * np.sin(2 * np.pi * 220 * times)).astype(np.float32)


def test_a_typed_question_is_answered(page: Page, engine: FakeEngine) -> None:
    connect(page)
    page.get_by_label("Type a question").fill("When do you open?")
    page.keyboard.press("Enter")
    shows(page, "Speaking")
    expect(page.locator(".caption.user .words")).to_have_text("When do you open?")
    expect(page.locator(".caption.host .words")).to_have_text("beep")
    expect(page.locator("#latency")).to_have_text(re.compile(r"^\d+\.\d\d s$"))
    expect(page.locator("#latency-how")).to_contain_text("sending your question")
    shows(page, "Listening")
    assert engine.opened[0].texts == ["When do you open?"]


def test_a_spoken_question_is_answered(page: Page) -> None:
    page.evaluate("window.watch.standIn()")
    connect(page)
    wishes = page.evaluate("window.watch.wishes.audio")
    assert wishes["echoCancellation"]
    assert wishes["noiseSuppression"]
    play_as_microphone(page, _speech(), WIRE_RATE)
    shows(page, "Hearing you")
    expect(page.locator(".caption.user.open")).to_have_count(1)
    shows(page, "Speaking")
    expect(page.locator(".caption.user .words")).to_have_text("a loud sound")
    expect(page.locator("#latency-how")).to_contain_text("from the end of your speech")
    expect(page.locator("#latency")).to_have_text(re.compile(r"^\d+\.\d\d s$"))
    measured = float(page.locator("#latency").inner_text().removesuffix(" s"))
    assert measured > 0.25  # the fake waits 0.3 s before it answers


def test_sound_and_moving_pictures_arrive(page: Page) -> None:
    connect(page)
    page.get_by_label("Type a question").fill("Hello")
    page.keyboard.press("Enter")
    shows(page, "Speaking")
    shows(page, "Listening")
    found = received(page)
    assert len(found.pictures) > 10
    assert (found.pictures[1:] != found.pictures[:-1]).any(axis=(1, 2)).sum() > 10
    loud = found.sound[np.abs(found.sound) > 0.05]
    assert len(loud) > found.rate  # over a second of the two seconds of tone
    spectrum = np.abs(np.fft.rfft(found.sound))
    assert spectrum.argmax() * found.rate / len(found.sound) == pytest.approx(440, abs=5)


@pytest.mark.parametrize(
    "last",
    [
        {"type": "response.done", "response": {"status": "completed", "output": []}},
        {"type": "avatar.turn.measured", "turn": 1, "response_id": "r", "timings": {}},
    ],
    ids=lambda event: event["type"],
)
def test_a_reply_without_sound_leaves_it_listening(page: Page, last: dict[str, Any]) -> None:
    connect(page)
    tell(page, {"type": "response.created", "response": {"id": "r"}})
    shows(page, "Thinking")
    tell(page, last)
    shows(page, "Listening")


def test_a_reply_that_is_made_before_it_sounds_is_waited_for(page: Page) -> None:
    connect(page)
    done = {"status": "completed", "output": [{"type": "message"}]}
    tell(page, {"type": "response.created", "response": {"id": "r"}})
    tell(page, {"type": "response.done", "response": done})
    shows(page, "Thinking")
    tell(page, {"type": "output_audio_buffer.started", "response_id": "r"})
    shows(page, "Speaking")
    tell(page, {"type": "avatar.turn.measured", "turn": 1, "response_id": "r", "timings": {}})
    shows(page, "Speaking")


def test_the_button_and_the_key_interrupt(page: Page) -> None:
    connect(page)
    ways: list[Callable[[], None]] = [
        lambda: page.click("#interrupt"),
        lambda: page.keyboard.press("Escape"),
    ]
    for number, stop in enumerate(ways, 1):
        page.get_by_label("Type a question").fill("Hello")
        page.keyboard.press("Enter")
        shows(page, "Speaking")
        stop()
        shows(page, "Listening")
        expect(page.locator(".caption.host.cut")).to_have_count(number)
    expect(page.locator(".caption.host .words").last).to_have_text("be")
    expect(page.locator("#message")).to_be_hidden()


def test_muting_silences_the_microphone(page: Page, engine: FakeEngine) -> None:
    page.evaluate("window.watch.standIn()")
    connect(page)
    page.get_by_role("button", name="Mute").click()
    shows(page, "You are muted")
    play_as_microphone(page, _speech(0.8), WIRE_RATE)
    page.wait_for_timeout(1500)
    heard = np.concatenate(engine.opened[0].taken)
    assert np.abs(heard).max() < 0.01
    page.get_by_role("button", name="Unmute").click()
    play_as_microphone(page, _speech(0.8), WIRE_RATE)
    shows(page, "Hearing you")


def test_voice_and_language_reach_the_session(page: Page, engine: FakeEngine) -> None:
    page.get_by_text("Voice and language").click()
    page.get_by_label("Voice", exact=True).select_option("hum")
    connect(page)
    assert engine.opened[0].options.voice == "hum"
    page.get_by_label("Conversation language").select_option("zh")
    page.get_by_label("Voice", exact=True).select_option("")
    page.get_by_label("Type a question").fill("Hello")
    page.keyboard.press("Enter")
    shows(page, "Speaking")  # events are taken in order, so the changes are in
    options = engine.opened[0].options
    assert (options.voice, options.language) == (None, "zh")


def test_ending_the_call_frees_the_place(page: Page, engine: FakeEngine) -> None:
    connect(page)
    assert engine.sessions == 1
    page.get_by_role("button", name="End call").click()
    shows(page, "Not connected")
    expect(page.get_by_role("button", name="Start talking")).to_be_focused()
    _freed(page, engine)


def test_reloading_finds_a_free_place(page: Page, engine: FakeEngine) -> None:
    for _ in range(3):
        connect(page)
        assert (engine.sessions, engine.limit) == (1, 1)
        page.reload()
        _freed(page, engine)
    connect(page)


def test_leaving_while_connecting_frees_the_place(page: Page, engine: FakeEngine) -> None:
    page.get_by_role("button", name="Start talking").click()
    for _ in range(200):
        if engine.sessions:
            break
        page.wait_for_timeout(10)
    page.goto("about:blank")
    _freed(page, engine, CONNECT_SECONDS + 2)


def test_a_full_server_counts_down(page: Page, browser: Browser, url: str) -> None:
    other = watched_page(browser, url, locale="en-US")
    connect(other)
    page.get_by_role("button", name="Start talking").click()
    expect(page.get_by_role("alert")).to_have_text("All places are taken right now.")
    again = page.locator("#message-action")
    expect(again).to_have_text(re.compile(r"Try again in \d s"))
    expect(again).to_be_disabled()
    other.context.close()
    expect(again).to_have_text("Try again", timeout=WAIT_MS)
    again.click()
    shows(page, "Listening")


def test_a_call_that_the_server_ends(page: Page, engine: FakeEngine, url: str) -> None:
    with page.expect_response(lambda response: response.status == 201) as posted:
        connect(page)
    place = posted.value.headers["location"]
    assert page.request.delete(url + place).status == 200
    shows(page, "Call over")
    expect(page.get_by_role("alert")).to_have_text("This conversation has ended.")
    page.get_by_role("button", name="Start a new call").click()
    shows(page, "Listening")
    assert engine.sessions == 1


def test_a_server_out_of_reach(page: Page) -> None:
    page.route("**/v1/realtime/calls", lambda route: route.abort())
    page.get_by_role("button", name="Start talking").click()
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    shows(page, "Not connected")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("alert")).to_have_text("无法连接服务器。")
    expect(page.locator("#message-action")).to_have_text("重试")
    page.get_by_role("button", name="English").click()
    page.unroute("**/v1/realtime/calls")
    page.get_by_role("button", name="Try again").click()
    shows(page, "Listening")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("NotAllowedError", "did not give access to the microphone"),
        ("NotFoundError", "No microphone was found"),
        ("NotReadableError", "in use by another program"),
    ],
)
def test_without_a_microphone_one_types(
    page: Page, engine: FakeEngine, error: str, words: str
) -> None:
    page.evaluate(
        "name => { navigator.mediaDevices.getUserMedia = async () => "
        "{ throw new DOMException('no', name); }; }",
        error,
    )
    page.get_by_role("button", name="Start talking").click()
    expect(page.get_by_role("alert")).to_contain_text(words)
    shows(page, "Type to ask")
    page.get_by_label("Type a question").fill("Hello")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_be_hidden()
    shows(page, "Speaking")
    assert engine.opened[0].texts == ["Hello"]


def test_a_microphone_that_is_unplugged(page: Page, engine: FakeEngine) -> None:
    page.evaluate("window.watch.standIn()")
    connect(page)
    page.evaluate("window.watch.unplug()")
    shows(page, "Type to ask")
    expect(page.get_by_role("alert")).to_contain_text("was disconnected")
    page.get_by_role("button", name="Turn on mic").click()
    shows(page, "Listening")
    assert engine.sessions == 1


def test_sound_that_the_browser_holds_back(page: Page) -> None:
    page.evaluate(
        "() => { const { play } = HTMLMediaElement.prototype; "
        "HTMLMediaElement.prototype.play = async function () { "
        "HTMLMediaElement.prototype.play = play; "
        "this.pause(); throw new DOMException('no', 'NotAllowedError'); }; }"
    )
    connect(page)
    expect(page.get_by_role("alert")).to_have_text("The browser holds the sound back.")
    page.get_by_role("button", name="Play the sound").click()
    expect(page.locator("#message")).to_be_hidden()
    until(page, "!document.querySelector('video').paused")


def test_ending_a_call_that_still_connects(page: Page, engine: FakeEngine) -> None:
    page.route("**/v1/realtime/calls", lambda _: None)  # no answer ever comes
    page.get_by_role("button", name="Start talking").click()
    shows(page, "Connecting")
    page.get_by_role("button", name="End call").click()
    shows(page, "Not connected")
    page.unroute("**/v1/realtime/calls")
    connect(page)
    expect(page.locator("#message")).to_be_hidden()
    assert engine.sessions == 1


def test_the_browser_itself_refuses_the_microphone(playwright: Playwright, url: str) -> None:
    with chromium(playwright, "--deny-permission-prompts", microphone=False) as browser:
        page = watched_page(browser, url, locale="en-US")
        page.get_by_role("button", name="Start talking").click()
        expect(page.get_by_role("alert")).to_contain_text("ype your questions")
        shows(page, "Type to ask")


def test_the_whole_call_by_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#talk")).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, "Listening")
    page.locator("#end").focus()
    page.keyboard.press("Space")
    shows(page, "Not connected")
    expect(page.locator("#talk")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("The call has ended.")


def test_both_languages_of_the_interface(browser: Browser, url: str) -> None:
    page = watched_page(browser, url, locale="zh-CN")
    expect(page.locator(".notice")).to_have_text("与您对话的是人工智能生成的主播。")
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.get_by_role("button", name="English").click()
    expect(page.locator(".notice")).to_have_text("You are talking to an AI-generated host.")
    expect(page.get_by_role("button", name="Start talking")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "en"
    page.context.close()


@pytest.mark.parametrize(
    ("width", "height"), [(320, 720), (390, 720), (740, 360), (768, 1024), (840, 720), (1280, 720)]
)
def test_nothing_is_cut_off_at_any_size(
    browser: Browser, url: str, width: int, height: int
) -> None:
    page = watched_page(browser, url, viewport={"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for name in ("#talk", "#tongue", "#send"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        if name != "#send":
            assert 0 <= box["y"] <= height - box["height"]
    stage = page.locator(".stage").bounding_box()
    assert stage is not None
    assert stage["width"] * stage["height"] > 0.2 * width * height  # the host is large
    page.context.close()
