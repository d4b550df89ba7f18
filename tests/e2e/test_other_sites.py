"""A page of another site in Chromium: one that the server allows opens a call, others cannot."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.server import serving
from tests.e2e.site import site as serve_site
from tests.fakes.engine import FakeEngine

CALL = """async url => {
  const peer = new RTCPeerConnection();
  const channel = peer.createDataChannel("oai-events");
  const created = new Promise(heard => { channel.onmessage = ({ data }) => heard(data); });
  peer.addTransceiver("audio");
  await peer.setLocalDescription();
  const answer = await fetch(`${url}/v1/realtime/calls?size=none`, {
    method: "POST",
    headers: { "Content-Type": "application/sdp", Authorization: "Bearer any" },
    body: peer.localDescription.sdp,
  }).catch(error => error);
  if (answer instanceof Error) return { refused: answer.name };
  const sdp = await answer.text();
  await peer.setRemoteDescription({ type: "answer", sdp });
  const { type } = JSON.parse(await created);
  const place = new URL(answer.headers.get("Location"), answer.url);
  const ended = await fetch(place, { method: "DELETE" });
  peer.close();
  return { opened: answer.status, first: type, ended: ended.status };
}"""


@pytest.fixture
def site() -> Iterator[int]:
    """Another site with one empty page; its port."""
    with serve_site({"/": "<title>Shop</title>"}) as port:
        yield port


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def open_url(engine: FakeEngine, site: int) -> Iterator[str]:
    """A server that allows the site by one of its two names."""
    with serving(engine, origins=[f"http://localhost:{site}"]) as url:
        yield url


def _call_from(browser: Browser, origin: str, url: str) -> dict[str, Any]:
    page = browser.new_context().new_page()
    page.goto(origin)
    found: dict[str, Any] = page.evaluate(CALL, url)
    page.context.close()
    return found


def test_a_page_of_an_allowed_site_talks_and_hangs_up(
    browser: Browser, site: int, open_url: str, engine: FakeEngine
) -> None:
    found = _call_from(browser, f"http://localhost:{site}", open_url)
    assert found == {"opened": 201, "first": "session.created", "ended": 200}
    assert len(engine.opened) == 1
    assert engine.sessions == 0


def test_a_page_of_another_site_opens_nothing(
    browser: Browser, site: int, open_url: str, engine: FakeEngine
) -> None:
    found = _call_from(browser, f"http://127.0.0.1:{site}", open_url)
    assert found == {"refused": "TypeError"}
    assert engine.opened == []
