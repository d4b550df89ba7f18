"""Chromium and seven more watch one encode."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import httpx
from playwright.sync_api import Browser

from tests.e2e.browser import WAIT_MS, shows, until, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine, FakeScript
from tests.transport.watcher import Watcher, units
from transport.nat import DIRECT
from web.streams import open_broadcasting

SDP = {"Content-Type": "application/sdp"}
SEEN = "document.querySelector('video').currentTime > 1"


async def watch(url: str, count: int, pictures: int) -> list[set[tuple[bytes, ...]]]:
    """Let so many watch until each has so many pictures; return what each was sent."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=30))
        watchers = [await stack.enter_async_context(Watcher()) for _ in range(count)]
        for watcher in watchers:
            posted = await client.post("/v1/whep/lobby", content=await watcher.offer(), headers=SDP)
            assert posted.status_code == 201, posted.text
            await watcher.take(posted.text)
        await asyncio.gather(*(watcher.more(pictures, 60) for watcher in watchers))
        shown = (await client.get("/v1/streams/lobby")).json()
        assert shown["viewers"] == count + 1, "and the browser"
        return [{units(picture.data) for _, picture in watcher.pictures} for watcher in watchers]


def test_eight_watch_what_was_encoded_once(browser: Browser) -> None:
    engine = FakeEngine([FakeScript(always=True)])
    with serving(engine, streams=open_broadcasting(engine, DIRECT)) as url:
        page = watched_page(browser, "about:blank", locale="en-US")
        page.set_default_timeout(WAIT_MS)
        assert page.request.post(f"{url}/v1/streams", data={"name": "lobby"}).status == 201
        page.goto(f"{url}/watch/lobby")
        shows(page, "Live")
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(asyncio.run, watch(url, 7, 50)).result()
        until(page, SEEN)
        (session,) = engine.opened
        assert len(set.intersection(*sent)) > 20, "the same pictures, to the bit"
        assert len(set.union(*sent)) <= session._position // 1920 + 1, "and no others"
        page.context.close()
