"""The whole of it in Chromium: real models hear, think, speak, move and draw."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, Playwright, expect

from pipeline import warming
from pipeline.building import build_engine
from pipeline.configuration import (
    Configuration,
    PictureSettings,
    ServerSettings,
    SpeakSettings,
)
from pipeline.contract import WIRE_RATE
from pipeline.engine import LiveEngine
from tests.conftest import SHARED
from tests.e2e.browser import (
    Watched,
    chromium,
    events_of,
    play_as_microphone,
    received,
    watched_page,
)
from tests.e2e.server import serving
from tests.e2e.speech import Samples, listener, resampled, speaker, write_wave
from tests.recordings import Recording, load_recordings

WAIT_MS = 60_000
FREED_SECONDS = 10.0
LATE_MS = 250  # a timer of a busy browser
QUIET, LOUD = 0.002, 0.02
NEAR = 6  # pictures; a quarter of a second


@pytest.fixture(scope="module")
def say(models: Path) -> Callable[[str], Samples]:
    return speaker(models)


@pytest.fixture(scope="module")
def recognise(models: Path) -> Callable[[Samples, int, str], str]:
    return listener(models)


@pytest.fixture(scope="module")
def engine(models: Path) -> LiveEngine:
    configuration = Configuration(
        cache=models.parent,
        server=ServerSettings(sessions=1),
        # Kokoro takes what the light voice lacks: Mandarin.
        speak=SpeakSettings(voices=("light", "kokoro"), threads=1, rehearse=False),
        draw=PictureSettings(width=360, height=640),
    )
    with pytest.MonkeyPatch.context() as patch:
        # At its longest sentences Kokoro alone would take twenty seconds.
        patch.setattr(warming, "LONG", warming.SHORT)
        return build_engine(configuration)


@pytest.fixture(scope="module")
def address(engine: LiveEngine) -> Iterator[str]:
    with serving(engine, engine.voice_languages) as address:
        yield address


@pytest.fixture(scope="module")
def asking(
    playwright: Playwright, say: Callable[[str], Samples], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser whose microphone says "When do you open?" once in every call."""
    path = tmp_path_factory.mktemp("microphone") / "question.wav"
    write_wave(path, say("When do you open?"), lead=3.0, trail=60.0)
    with chromium(playwright, f"--use-file-for-fake-audio-capture={path}%noloop") as browser:
        yield browser


def _call(page: Page) -> None:
    """Start a call in which the head fills the picture, so that the mouth can be seen."""
    page.set_default_timeout(WAIT_MS)
    page.route(
        "**/v1/realtime/calls",
        lambda route: route.continue_(url=f"{route.request.url}?framing=head"),
    )
    page.get_by_role("button", name="Start talking").click()
    expect(page.locator("body")).to_have_class(re.compile("live"), timeout=WAIT_MS)


def _state(page: Page, word: str) -> None:
    expect(page.locator("#state")).to_have_text(word, timeout=WAIT_MS)


def _freed(engine: LiveEngine) -> None:
    deadline = time.monotonic() + FREED_SECONDS
    while engine.sessions:
        assert time.monotonic() < deadline, f"{engine.sessions} sessions are left"
        threading.Event().wait(0.02)


@dataclass(frozen=True)
class Answered:
    """One spoken question and its answer, as the page showed and received them."""

    asked: str
    answer: str
    wait: str
    received: Watched
    clauses: list[dict[str, Any]]
    subtitles: list[tuple[str, float]]


@pytest.fixture(scope="module")
def answered(asking: Browser, address: str, engine: LiveEngine) -> Answered:
    page = watched_page(asking, address, locale="en-US")
    page.evaluate("window.watch.follow('#subtitle')")
    _call(page)
    _state(page, "Hearing you")
    _state(page, "Speaking")
    _state(page, "Listening")
    page.wait_for_timeout(1000)
    found = Answered(
        asked=page.locator(".caption.user .words").inner_text(),
        answer=page.locator(".caption.host .words").inner_text(),
        wait=page.locator(".latency").inner_text(),
        received=received(page),
        clauses=events_of(page, "response.output_audio_transcript.delta"),
        subtitles=page.evaluate("window.watch.followed"),
    )
    page.context.close()
    _freed(engine)
    return found


def test_it_hears_the_answer(
    answered: Answered, recognise: Callable[[Samples, int, str], str]
) -> None:
    assert "open" in answered.asked.lower()
    assert re.search(r"11.*10", answered.answer)
    heard = recognise(answered.received.sound, answered.received.rate, "en")
    assert re.search(r"\b(11|eleven)\b", heard, re.IGNORECASE), heard
    assert re.search(r"\b(10|ten)\b", heard, re.IGNORECASE), heard


def test_its_subtitles_follow_the_sound(answered: Answered) -> None:
    *shown, (last, ended) = answered.subtitles
    texts = [clause["delta"].strip() for clause in answered.clauses]
    starts = [clause["audio_start_ms"] for clause in answered.clauses]
    assert len(texts) > 1
    assert [text for text, _ in shown] == texts
    assert last == ""
    first = shown[0][1]
    assert [at - first for _, at in shown] == pytest.approx(starts, abs=LATE_MS)
    # A clause takes about its share of the letters of the time it all takes to say.
    letters = np.cumsum([0, *map(len, texts)])
    shares = np.array([*starts, ended - first]) / (ended - first)
    assert shares == pytest.approx(letters / letters[-1], abs=0.15)


def test_it_measures_the_wait(answered: Answered) -> None:
    assert re.search(r"\d\.\d\d s from the end of your speech", answered.wait)


def test_it_sees_the_figure_move(answered: Answered) -> None:
    pictures = answered.received.pictures.astype(np.float32)
    assert pictures.std() > 20  # neither black nor blank
    changes = np.abs(np.diff(pictures, axis=0)).mean(axis=(1, 2))
    assert (changes > 0.05).mean() > 0.5  # also at rest it breathes


def test_the_mouth_moves_with_the_sound_and_rests_in_silence(answered: Answered) -> None:
    levels = answered.received.levels
    around = [levels[max(0, at - NEAR) : at + NEAR + 1].max() for at in range(len(levels))]
    loudest = np.array(around)
    opening = _opening(answered.received.pictures)
    talking, resting = loudest > LOUD, loudest < QUIET
    assert talking.sum() > 10
    assert resting.sum() > 10
    assert opening[talking].max() > 1.1 * np.median(opening[resting])
    # The forehead sways with the mouth and is drawn at the same quality: what the mouth changes
    # beyond it, from one picture to the next, is speech.
    pictures = answered.received.pictures
    moving = _changes(pictures, (0.47, 0.56)) / (_changes(pictures, (0.25, 0.34)) + 0.3)
    assert np.median(moving[talking[1:]]) > 2.5 * np.median(moving[resting[1:]])


def _changes(pictures: NDArray[np.uint8], rows: tuple[float, float]) -> NDArray[np.float64]:
    """Return how much a band of the face changes from picture to picture, grey levels [n - 1]."""
    height, width = pictures.shape[1:]
    top, bottom = (round(height * share) for share in rows)
    band = pictures[:, top:bottom, width * 39 // 100 : width * 63 // 100].astype(np.float64)
    changes: NDArray[np.float64] = np.abs(np.diff(band, axis=0)).mean(axis=(1, 2))
    return changes


def _opening(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the dark share of the mouth's surroundings, [n]: an open mouth is darker."""
    height, width = pictures.shape[1:]
    rows, columns = (
        slice(height // 2, height * 6 // 10),
        slice(width * 35 // 100, width * 65 // 100),
    )
    cheeks = pictures[:, height * 44 // 100 : height * 49 // 100, columns]
    skin = np.median(cheeks, axis=(1, 2))
    mouth = pictures[:, rows, columns]
    dark: NDArray[np.float64] = (mouth < 0.6 * skin[:, None, None]).mean(axis=(1, 2))
    return dark


def test_reloading_finds_a_free_slot(asking: Browser, address: str, engine: LiveEngine) -> None:
    page = watched_page(asking, address, locale="en-US")
    for _ in range(2):
        _call(page)
        assert (engine.sessions, engine.limit) == (1, 1)
        page.reload()
        _freed(engine)
    _call(page)
    _state(page, "Speaking")  # the microphone has asked again, and is answered again
    page.get_by_role("button", name="End call").click()
    _freed(engine)
    page.context.close()


@pytest.fixture
def page(browser: Browser, address: str, engine: LiveEngine) -> Iterator[Page]:
    """A page with a microphone to speak into."""
    page = watched_page(browser, address, locale="en-US")
    page.evaluate("window.watch.standIn()")
    yield page
    page.goto("about:blank")
    _freed(engine)
    page.context.close()


def test_speaking_over_the_answer_interrupts_it(
    page: Page, say: Callable[[str], Samples], recognise: Callable[[Samples, int, str], str]
) -> None:
    _call(page)
    page.get_by_label("Type a question").fill("When do you open?")
    page.keyboard.press("Enter")
    _state(page, "Speaking")
    page.wait_for_timeout(500)
    play_as_microphone(page, say("How much is a large Margherita pizza?"), WIRE_RATE)
    expect(page.locator(".caption.host.cut")).to_have_count(1, timeout=WAIT_MS)
    (cut,) = events_of(page, "conversation.item.truncated")
    made = "".join(
        event["delta"]
        for event in events_of(page, "response.output_audio_transcript.delta")
        if event["item_id"] == cut["item_id"]
    )
    kept = cut["transcript"].rstrip(" —")
    assert made.startswith(kept)
    assert len(kept) < len(made)
    received(page)  # what was said before
    expect(page.locator(".caption.host")).to_have_count(2, timeout=WAIT_MS)
    _state(page, "Speaking")
    _state(page, "Listening")
    watched = received(page)
    heard = recognise(watched.sound, watched.rate, "en")
    assert re.search(r"15|fifteen", heard), heard
    assert not re.search(r"every day|week", heard), heard


def test_it_answers_mandarin_in_mandarin(
    page: Page, models: Path, recognise: Callable[[Samples, int, str], str]
) -> None:
    ask = speaker(models, "kokoro:zf_xiaoxiao", "zh")
    said, answers = page.locator(".caption.user .words"), page.locator(".caption.host .words")
    _call(page)
    play_as_microphone(page, ask("外送要多久？"), WIRE_RATE)
    _state(page, "Speaking")
    _state(page, "Listening")
    expect(said).to_have_text(re.compile("外送.*多久"))
    expect(answers).to_have_text(re.compile("三十分钟"))
    watched = received(page)
    heard = recognise(watched.sound, watched.rate, "zh")
    assert re.search("三十|30", heard), heard
    play_as_microphone(page, _person_asking(ask), WIRE_RATE)
    expect(said.nth(1)).to_have_text(re.compile("天气"), timeout=WAIT_MS)
    expect(answers.nth(1)).to_have_text(re.compile("[\u4e00-\u9fff]{4}"), timeout=WAIT_MS)


def _person_asking(ask: Callable[[str], Samples]) -> Samples:
    """Return a person's question in Mandarin, or our own voice's asking it."""
    if not (SHARED / "audio" / "index.json").is_file():
        return ask("今天天气怎么样？")
    return _utterance(load_recordings(SHARED / "audio")["mix_en_zh_turns"], 1)


def _utterance(recording: Recording, number: int) -> Samples:
    """Return one stretch of speech of a recording, with what is around it."""
    samples, rate = recording.samples()
    start, end = recording.segments[number]
    around = slice(round((start - 0.2) * rate), round((end + 0.2) * rate))
    return resampled(samples[around], rate, WIRE_RATE)


def test_a_person_is_understood(page: Page, say: Callable[[str], Samples]) -> None:
    _call(page)
    play_as_microphone(page, _person_speaking(say), WIRE_RATE)
    words = page.locator(".caption.user .words")
    expect(words.first).to_have_text(re.compile("help me with that"), timeout=WAIT_MS)
    _state(page, "Speaking")
    _state(page, "Listening")
    assert np.abs(received(page).sound).max() > LOUD


def _person_speaking(say: Callable[[str], Samples]) -> Samples:
    """Return one utterance of a recorded telephone call, or our own voice's saying it."""
    if not (SHARED / "audio" / "index.json").is_file():
        return say("Hi, I was wondering whether you could help me with that.")
    return _utterance(load_recordings(SHARED / "audio")["en_phone_two_speakers"], 1)
