"""Every page: nothing that keeps people out (axe-core), in both themes; no word left in English."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console, Opened

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
PAGES = [
    "#/rooms", "#/rooms/demo", "#/shops", "#/shops/demo", "#/rundowns", "#/rundowns/demo",
    "#/knowledge", "#/looks", "#/recordings", "#/settings",
]  # fmt: skip
RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(" | ")}`);
}"""
# Latin words in the Chinese page: names, and what is of the merchant's own.
TEXTS = """() => {
  const PASSED = "pre, noscript, option, #access, kbd, .mono, [lang=en]";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (!parentElement.closest(PASSED)) found.push(data);
  }
  return found;
}"""
KNOWN = {
    "Vivant", "English", "Demo", "demo", "Mia", "Leo", "Grace", "Kofi", "Lin", "Rosa", "Ready",
    "dBFS", "An", "evening", "at", "the", "harbour", "canvas-bag", "tea-mug", "wool-scarf", "bag",
    "cup", "scarf", "Canvas", "Tea", "mug", "Wool", "JPEG", "CSV", "PDF", "Excel", "Markdown",
    "p95", "F", "Standard", "Webhooks",
}  # fmt: skip


def check(page: Page) -> None:
    """Fail with what axe-core finds that is serious or critical."""
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    page.evaluate(AXE)
    assert page.evaluate(RUN) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_keep_nobody_out(open_page: Opened, console: Console, theme: str) -> None:
    page = open_page(color_scheme=theme, reduced_motion="reduce")
    page.request.post(f"{console.url}/v1/rooms/demo/commands", data={"type": "start"})
    event = {"id": "q", "kind": "chat", "viewer": "v", "name": "Mei", "text": "How much?"}
    page.request.post(f"{console.url}/v1/rooms/demo/chat", data=event)
    for where in PAGES:
        page.goto(f"{console.url}/console/{where}")
        check(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dialogs_keep_nobody_out(open_page: Opened, theme: str) -> None:
    page = open_page("#/rooms", color_scheme=theme, reduced_motion="reduce")
    page.get_by_role("button", name="New room").click()
    expect(page.get_by_label("Title")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)


def test_no_word_is_left_in_english(open_page: Opened, console: Console) -> None:
    page = open_page(locale="zh-CN")
    for where in PAGES:
        if where == "#/settings":
            continue  # names of models and machines
        page.goto(f"{console.url}/console/{where}")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator(".skeleton")).to_have_count(0)
        words = {
            word
            for text in page.evaluate(TEXTS)
            for word in text.replace("·", " ").split()
            if word.isascii() and word[0].isalpha() and word.strip("()") not in KNOWN
        }
        assert not words, where


def test_one_column_on_a_phone_does_not_scroll_sideways(
    open_page: Opened, console: Console
) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    for where in PAGES:
        page.goto(f"{console.url}/console/{where}")
        expect(page.locator("main h1")).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, where
