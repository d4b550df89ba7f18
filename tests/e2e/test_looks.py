"""Choosing host, scene, manner and framing in Chromium, before a call and during it."""

import asyncio
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from avatar.body.prepare import asset_path
from avatar.spec import HOSTS, ready, ready_scene
from pipeline.errors import AvatarPreparingError
from pipeline.folders import avatar_folder
from pipeline.looks import Looks
from pipeline.prepared import still_path
from pipeline.preparing import Preparing
from tests.e2e.browser import WAIT_MS, connect, shows, watched_page
from tests.e2e.server import serving
from tests.fakes.engine import FakeEngine


@pytest.fixture
def looks(tmp_path: Path) -> Looks:
    looks = Looks(tmp_path)
    looks.scenes.keep(ready_scene("shop").changed(name="tea-house"))
    for name, colour in (("mia", "#203040"), ("lin", "#c02020")):
        path = still_path(ready(name), tmp_path)
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (90, 120), colour).save(path)
    return looks


@pytest.fixture
def chooser(browser: Browser, engine: FakeEngine, looks: Looks) -> Iterator[Page]:
    with serving(engine, looks=looks) as url:
        page = watched_page(browser, url, locale="en-US", viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.get_by_text("Host and scene").click()
        yield page
        page.context.close()
        assert not errors


def test_all_that_the_library_holds_is_offered(chooser: Page) -> None:
    cards = chooser.locator(".host-card")
    expect(cards).to_have_count(len(HOSTS))
    expect(chooser.get_by_role("radio", name="Mia")).to_be_checked()
    faces = chooser.locator(".host-card img")
    expect(faces).to_have_count(2)
    expect(cards.nth(1).locator(".face")).to_have_text("L")
    assert "tea-house" in chooser.get_by_label("Scene").locator("option").all_inner_texts()
    expect(chooser.get_by_label("Manner")).to_have_value("natural")
    chooser.get_by_role("button", name="中文").click()
    assert "厨房" in chooser.get_by_label("场景").locator("option").all_inner_texts()


def test_the_choice_reaches_the_session(chooser: Page, engine: FakeEngine) -> None:
    chooser.get_by_role("radio", name="Lin").check()
    expect(chooser.locator("#figure")).to_have_attribute(
        "src", _ends("/v1/looks/avatars/lin/still")
    )
    chooser.get_by_label("Scene").select_option("tea-house")
    chooser.get_by_label("Manner").select_option("lively")
    chooser.get_by_label("Framing").select_option("full")
    connect(chooser)
    options = engine.opened[0].options
    assert (options.avatar, options.scene, options.style) == ("lin", "tea-house", "lively")
    assert options.framing == "full"


def test_scene_and_manner_change_during_a_call(chooser: Page, engine: FakeEngine) -> None:
    connect(chooser)
    chooser.get_by_label("Scene").select_option("kitchen")
    chooser.get_by_label("Manner").select_option("calm")
    _asked(chooser)
    options = engine.opened[0].options
    assert (options.avatar, options.scene, options.style) == ("mia", "kitchen", "calm")
    assert options.framing is None
    expect(chooser.locator("#message")).to_be_hidden()


def test_another_host_is_offered_a_call_of_their_own(chooser: Page, engine: FakeEngine) -> None:
    connect(chooser)
    chooser.get_by_role("radio", name="Lin").check()
    expect(chooser.get_by_role("alert")).to_contain_text("a call of their own")
    assert engine.opened[0].options.avatar == "mia"
    chooser.get_by_role("radio", name="Mia").check()
    expect(chooser.locator("#message")).to_be_hidden()


def test_who_must_be_built_first_is_waited_for(
    browser: Browser, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, tries = Event(), count(1)

    async def ready_of(_: Preparing, name: str) -> None:
        if next(tries) == 1:
            raise AvatarPreparingError(name, retry_after_s=1)
        await asyncio.to_thread(built.wait)
        path = asset_path(ready(name), avatar_folder(tmp_path))
        path.parent.mkdir()
        path.touch()

    monkeypatch.setattr(Preparing, "ready", ready_of)
    with serving(engine, looks=Looks(tmp_path, drawn=True)) as url:
        page = watched_page(browser, url, locale="en-US")
        page.set_default_timeout(WAIT_MS)
        expect(page.locator(".host-card")).to_have_count(len(HOSTS))
        page.get_by_role("button", name="Start talking").click()
        expect(page.get_by_role("alert")).to_contain_text("still being made ready")
        page.get_by_role("button", name="Try again").click()
        shows(page, "Getting the host ready, some seconds")
        expect(page.get_by_role("button", name="Connecting")).to_be_visible()
        assert not engine.opened
        built.set()
        shows(page, "Listening")
        assert engine.opened[0].options.avatar == "mia"
        page.get_by_role("button", name="End call").click()
        shows(page, "Not connected")
        connect(page)
        page.context.close()
    assert next(tries) == 3  # who has come once is not waited for


def test_a_server_without_choices_shows_none(page: Page) -> None:
    expect(page.locator("#looks")).to_be_hidden()
    connect(page)


def _asked(page: Page) -> None:
    """Events are taken in order: once a question is answered, the changes before it are in."""
    page.get_by_label("Type a question").fill("Hello")
    page.keyboard.press("Enter")
    shows(page, "Speaking")


def _ends(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(path) + "$")
