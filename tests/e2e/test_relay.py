"""A browser that may be reached by a TURN server alone talks all the same."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from pipeline.options import IceServer
from tests.e2e.browser import WATCH, connect, received, until
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine, FakeScript
from tests.transport.coturn import ADDRESS, SECRET, turn_server

# The page is told of servers; that it may use nothing else is the browser's own affair.
RELAY_ONLY = """
const Free = window.RTCPeerConnection;
window.RTCPeerConnection = class extends Free {
  constructor(settings) {
    super({ ...settings, iceTransportPolicy: "relay" });
    window.call = this;
  }
};
window.pair = async () => {
  const stats = [...(await window.call.getStats()).values()];
  const kind = (id) => stats.find((entry) => entry.id === id).candidateType;
  const chosen = stats.find((entry) => entry.type === "candidate-pair" && entry.nominated);
  return [kind(chosen.localCandidateId), kind(chosen.remoteCandidateId)];
};
"""


@pytest.fixture
def relayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TEST_TURN_SECRET", SECRET)
    with turn_server(tmp_path) as port:
        server = IceServer((f"turn:{ADDRESS}:{port}",), secret_variable="TEST_TURN_SECRET")
        engine = FakeEngine([FakeScript(always=True)])
        with serving(engine, ice_servers=[server]) as url:
            yield url


def test_a_browser_behind_a_relay_hears_and_sees(browser: Browser, relayed: str) -> None:
    page = browser.new_context(locale="en-US").new_page()
    page.add_init_script(WATCH)
    page.add_init_script(RELAY_ONLY)
    page.goto(relayed)
    connect(page)
    assert page.evaluate("window.pair()") == ["relay", "host"]
    until(page, "document.querySelector('video').currentTime > 1")
    watched = received(page)
    assert np.abs(watched.sound).max() > 0.1
    assert len(watched.pictures) > 10
