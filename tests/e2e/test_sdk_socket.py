"""The SDK over a WebSocket in Chromium: sound both ways, poses in time, keys, going on."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from pipeline.contract import WIRE_RATE
from tests.e2e.browser import play_as_microphone, received, until, watched_page
from tests.e2e.server import serving
from tests.e2e.test_page import _speech
from tests.fakes.engine import FakeEngine, FakeScript
from transport.access.access import Access
from transport.access.keys import Keys
from transport.access.secret import Secret

KEY = "a-key-of-this-test-alone-0123456789"
REPLY_SECONDS = 1.5
SOCKETS = """
  const Plain = window.WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Plain {
    constructor(...values) { super(...values); window.sockets.push(this); }
  };
"""
OPEN = """async ({ options, speaking }) => {
  const { Vivant } = await import("/static/vivant.js");
  const host = new Vivant({ transport: "websocket", ...options });
  Object.assign(window, { host, told: [], poses: [], audio: new Audio() });
  for (const type of ["state", "phase", "transcript", "reply", "error", "closed", "session"]) {
    host.on(type, (detail) => window.told.push([type, detail]));
  }
  host.on("motion", (pose) => window.poses.push([performance.now(), pose.positionMs,
    pose.rotations.length, pose.translation.length, pose.face.length]));
  host.on("media", (stream) => window.watch.record(stream.getAudioTracks()[0]));
  const microphone = speaking;
  await host.connect({ microphone, video: window.audio }).catch(({ kind }) => (window.kind = kind));
}"""

COUNT = """async () => {
  window.shown = [];
  const video = document.createElement("video");
  Object.assign(video, { srcObject: window.host.media, muted: true });
  const canvas = new OffscreenCanvas(16, 28);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const note = () => {
    pen.drawImage(video, 0, 0, 16, 28);
    const { data } = pen.getImageData(0, 0, 16, 28);
    Object.assign(window.shown, { width: video.videoWidth, height: video.videoHeight });
    window.shown.push([performance.now(), data.filter((_, at) => at % 4 === 1).join()]);
    video.requestVideoFrameCallback(note);
  };
  video.requestVideoFrameCallback(note);
  await video.play();
}"""


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine([FakeScript(reply_seconds=REPLY_SECONDS)])


@pytest.fixture
def desk(browser: Browser, engine: FakeEngine) -> Iterator[Page]:
    with serving(engine) as url:
        page = watched_page(browser, "about:blank")
        page.add_init_script(SOCKETS)
        page.goto(url)
        yield page
        page.evaluate("window.host?.close()")
        page.context.close()


def _open(page: Page, speaking: bool = False, **options: Any) -> None:
    page.evaluate(OPEN, {"options": options, "speaking": speaking})


def _told(page: Page, kind: str) -> list[Any]:
    found: list[Any] = page.evaluate(
        "kind => window.told.filter(([type]) => type === kind).map(([, detail]) => detail)", kind
    )
    return found


def _until_told(page: Page, kind: str, value: str) -> None:
    until(page, f"window.told.some(([type, detail]) => type === '{kind}' && detail === '{value}')")


def test_a_reply_is_heard_without_gaps(desk: Page) -> None:
    _open(desk)
    desk.evaluate("window.host.ask('Hello?')")
    _until_told(desk, "phase", "speaking")
    until(desk, "window.host.phase === 'listening'")
    desk.wait_for_timeout(400)
    found = received(desk)
    loud = np.flatnonzero(np.abs(found.sound) > 0.1)
    seconds = (loud[-1] - loud[0]) / found.rate
    assert seconds == pytest.approx(REPLY_SECONDS, abs=0.15)
    steps = np.diff(loud)
    gaps = steps[steps > 0.005 * found.rate]  # a tone of 440 Hz is loud again by then
    # Pieces that do not join leave a gap each, dozens in all. The browser's device now and then
    # puts in one buffer of its own, 10 ms, and plays on where it was: nothing is lost by it.
    assert gaps.size <= 2
    assert gaps.max(initial=0) < 0.011 * found.rate
    spectrum = np.abs(np.fft.rfft(found.sound[loud[0] : loud[-1]]))
    assert spectrum.argmax() / seconds == pytest.approx(440, abs=5)
    assert [words["text"] for words in _told(desk, "reply") if words["final"]] == ["beep"]


def test_an_interruption_silences_it_at_once(desk: Page) -> None:
    _open(desk)
    desk.evaluate("window.host.ask('Hello?')")
    _until_told(desk, "phase", "speaking")
    desk.wait_for_timeout(500)
    desk.evaluate("window.host.interrupt()")
    until(desk, "window.host.phase === 'listening'")
    desk.wait_for_timeout(300)
    received(desk)
    desk.wait_for_timeout(500)
    assert np.abs(received(desk).sound).max() < 0.01
    (reply,) = [words for words in _told(desk, "reply") if words["interrupted"]]
    assert reply["text"] == "be"


def test_the_microphone_is_heard(desk: Page, engine: FakeEngine) -> None:
    desk.evaluate("window.watch.standIn()")
    _open(desk, speaking=True)
    play_as_microphone(desk, _speech(), WIRE_RATE)
    until(desk, "window.told.some(([type]) => type === 'transcript')")
    assert _told(desk, "transcript")[-1]["text"] == "a loud sound"
    heard = np.concatenate(engine.opened[0].taken)
    loud = np.flatnonzero(np.abs(heard) > 0.2)
    assert (loud[-1] - loud[0]) / WIRE_RATE == pytest.approx(1.0, abs=0.1)


def test_poses_come_one_by_one_in_their_time(desk: Page) -> None:
    _open(desk, motion=True)
    until(desk, "window.poses.length > 60")
    poses = np.array(desk.evaluate("window.poses.slice(10, 60)"))
    assert np.diff(poses[:, 1]) == pytest.approx(40.0)
    assert (poses[-1, 0] - poses[0, 0]) == pytest.approx(poses[-1, 1] - poses[0, 1], abs=120)
    assert poses[0, 2:].tolist() == [104 * 4, 3, 52]


def test_pictures_come_with_their_sound(desk: Page) -> None:
    _open(desk, size="128x224", reconnectSeconds=0)
    desk.evaluate(COUNT)
    until(desk, "window.shown.length > 75")
    shown = desk.evaluate("window.shown.slice(25, 75)")
    assert desk.evaluate("[window.shown.width, window.shown.height]") == [128, 224]
    assert len({picture for _, picture in shown}) > 35  # moving, and not one of them twice as long
    assert shown[-1][0] - shown[0][0] == pytest.approx(49 * 40, abs=400)
    assert _told(desk, "error") == []


@pytest.mark.parametrize("code", [3001, 4000])
def test_a_socket_that_breaks_is_made_again(desk: Page, engine: FakeEngine, code: int) -> None:
    _open(desk)
    desk.evaluate("code => window.sockets[0].close(code)", code)
    _until_told(desk, "state", "reconnecting")
    until(desk, "window.host.state === 'connected'")
    first, second = _told(desk, "session")
    assert first["id"] == second["id"]
    assert second["avatar"]["resumed"] is True
    desk.evaluate("window.host.ask('Still there?')")
    _until_told(desk, "phase", "speaking")
    assert [session.texts for session in engine.opened] == [["Still there?"]]


def test_a_session_that_is_gone(desk: Page) -> None:
    _open(desk)
    desk.evaluate("window.sockets[0].close(1000)")  # which ends the session
    until(desk, "window.host.state === 'closed'")
    assert desk.evaluate("window.host.reason.kind") == "gone"


def test_closing_frees_the_place(desk: Page, engine: FakeEngine) -> None:
    _open(desk)
    assert engine.sessions == 1
    desk.evaluate("window.host.close()")
    for _ in range(100):
        if engine.sessions == 0:
            break
        desk.wait_for_timeout(20)
    assert engine.sessions == 0
    assert _told(desk, "closed") == [None]


def test_a_key_opens_the_socket_and_another_does_not(browser: Browser, engine: FakeEngine) -> None:
    access = Access(Keys(single=KEY), Secret(b"of this test alone, thirty-two b"))
    with serving(engine, access=access) as url:
        page = watched_page(browser, f"{url}/static/icon.svg")
        _open(page, token="ek_of_somebody_else")
        assert page.evaluate("window.kind") == "refused"
        assert engine.opened == []
        _open(page, token=KEY)
        assert page.evaluate("window.host.state") == "connected"
        page.context.close()
