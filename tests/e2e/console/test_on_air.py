"""An operator runs a room: on the air, what is said, cut, spoken by voice, seen by two."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.e2e.browser import WAIT_MS, until
from tests.e2e.console.conftest import Console, Opened
from tests.fakes.console_server import lively_app
from tests.web.server import running

ROOM = "#/rooms/demo"
FOCUSED = """(({ ariaLabel, innerText }) => ariaLabel ?? innerText)(document.activeElement)"""
METER = "document.querySelector('.flat .meter-bar')"


def go_on_air(page: Page) -> None:
    """Press the button, and wait until the room is on the air."""
    page.get_by_role("button", name="Go on air").click()
    expect(page.locator(".room-head .mark")).to_have_text("On air")


def test_the_sample_room_is_on_air_in_three_clicks(open_page: Opened, console: Console) -> None:
    page = open_page()  # the first: the console is opened
    page.get_by_role("link", name="Demo").click()
    page.get_by_role("button", name="Go on air").click()
    expect(page.locator(".room-head .mark")).to_have_text("On air")
    until(page, "document.querySelector('.programme video')?.videoWidth > 0")
    assert console.told() == ["start"]


def test_what_is_steered_reaches_the_room(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.get_by_role("button", name="Mute", exact=True).click()
    expect(page.locator(".tally")).to_have_text("Muted")
    page.get_by_role("button", name="Unmute").click()
    page.get_by_role("button", name="Hold", exact=True).click()
    expect(page.get_by_text("Held")).to_be_visible()
    page.get_by_role("button", name="Go on", exact=True).click()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".now b")).to_have_text("Canvas bag")
    page.get_by_role("button", name="Jump to Tea mug").click()
    expect(page.locator(".now b")).to_have_text("Tea mug")
    page.get_by_role("button", name="Pin Canvas bag").click()
    expect(page.get_by_text("Pinned")).to_be_visible()
    page.get_by_role("button", name="Announce the offer of Canvas bag").click()
    page.get_by_role("button", name="Switch off now").click()
    expect(page.get_by_text("The autopilot is off")).to_be_visible()
    wanted = ["start", "mute", "unmute", "hold", "go_on", "skip", "jump", "pin", "offer"]
    assert console.told() == [*wanted, "autopilot"]


def test_words_are_said(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    words = page.get_by_label("Have the host say")
    words.fill("Two minutes left!")
    page.get_by_role("button", name="Now", exact=True).click()
    expect(words).to_have_value("")
    words.fill("And thank you.")
    words.press("Enter")
    expect(words).to_have_value("")
    said = [command.model_dump() for command, _ in console.room.told if command.type == "say"]
    assert [(each["text"], each["now"]) for each in said] == [
        ("Two minutes left!", True),
        ("And thank you.", False),
    ]


def test_a_cut_wants_two_clicks_or_one_key(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.get_by_role("button", name="Cut to the holding card").click()
    armed = page.get_by_role("button", name="Press again to cut")
    expect(armed).to_be_visible()
    assert "cut" not in console.told()
    armed.click()
    expect(page.locator(".tally")).to_have_text("Holding card")
    page.get_by_role("button", name="Back to the host").click()
    expect(page.locator(".tally")).to_have_count(0)
    page.get_by_label("Have the host say").press("F8")  # also while somebody types
    expect(page.locator(".tally")).to_have_text("Holding card")
    assert console.told() == ["start", "cut", "uncut", "cut"]


def test_an_operator_speaks_through_the_host(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.get_by_role("button", name="Turn on microphone").click()
    hold = page.get_by_role("button", name="Hold to speak")
    hold.hover()
    page.mouse.down()
    expect(page.locator(".tally")).to_have_text("An operator is speaking")
    until(page, f"Number(getComputedStyle({METER}).getPropertyValue('--level')) > 0")
    page.mouse.up()
    expect(page.locator(".tally")).to_have_count(0)
    page.get_by_role("button", name="Keep open").click()
    expect(page.locator(".tally")).to_have_text("An operator is speaking")
    page.get_by_role("button", name="Turn off microphone").click()
    expect(page.locator(".tally")).to_have_count(0)
    assert console.told()[1:] == ["take_over"] * 4


def test_two_operators_see_the_same(open_page: Opened, console: Console) -> None:
    first, second = open_page(ROOM), open_page(ROOM)
    go_on_air(first)
    expect(second.locator(".room-head .mark")).to_have_text("On air")
    second.get_by_role("button", name="Hold", exact=True).click()
    expect(first.get_by_text("Held")).to_be_visible()
    assert console.told() == ["start", "hold"]


def test_the_server_comes_back(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.route("**/events", lambda route: route.abort())
    console.room.end()  # the server lets go of who watches
    expect(page.get_by_text("Connection lost")).to_be_visible()
    expect(page.get_by_role("heading", name="Demo")).to_be_visible()  # what is known stays
    page.unroute("**/events")
    console.room.number = 0
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    page.get_by_role("button", name="Hold", exact=True).click()
    expect(page.get_by_text("Held")).to_be_visible()


def test_what_viewers_write_is_text_and_is_answered(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    asked = "<img src=x onerror=alert(1)> How much is it?"
    event = {"id": "q1", "kind": "chat", "viewer": "v", "name": "<b>Mei</b>", "text": asked}
    assert page.request.post(f"{console.url}/v1/rooms/demo/chat", data=event).ok
    entry = page.locator(".chat-entry", has_text="How much is it?")
    expect(entry.locator(".chat-text")).to_have_text(asked)
    expect(entry.locator(".chat-name")).to_have_text("<b>Mei</b>")
    assert page.locator(".chat-entry img").count() == 0
    entry.get_by_role("button", name="Write answer").click()
    page.get_by_label("Your answer, said next").fill("Ninety-nine today.")
    page.get_by_role("button", name="Say it").click()
    expect(page.get_by_label("Your answer, said next")).to_have_count(0)
    command = console.room.told[-1][0].model_dump()
    assert command == {"type": "answer", "event": "q1", "text": "Ninety-nine today."}


def test_stock_is_changed_where_it_is_seen(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.get_by_role("button", name="Stock of Canvas bag: 42").click()
    field = page.get_by_label("Stock of Canvas bag")
    field.fill("7")
    field.press("Enter")
    expect(page.get_by_role("button", name="Stock of Canvas bag: 7")).to_be_visible()
    assert console.rooms.shops.kept["demo"].product("canvas-bag").stock == 7


def test_a_room_stops_when_it_is_confirmed(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(stop).to_be_focused()  # a dialog gives the focus back
    stop.click()
    page.get_by_role("dialog").get_by_role("button", name="After this sentence").click()
    expect(page.locator(".room-head .mark")).to_have_text("Off air")
    assert console.told() == ["start", "stop"]


def test_the_keyboard_alone_goes_on_air(open_page: Opened, console: Console) -> None:
    page = open_page()
    page.get_by_role("link", name="Demo").wait_for()

    def tab_to(name: str) -> None:
        for _ in range(30):
            page.keyboard.press("Tab")
            if name in page.evaluate(FOCUSED):
                return
        raise AssertionError(f"{name} cannot be reached with Tab")

    tab_to("Demo")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Go on air").wait_for()
    tab_to("Go on air")
    page.keyboard.press("Enter")
    expect(page.locator(".room-head .mark")).to_have_text("On air")
    page.keyboard.press("m")
    expect(page.locator(".tally")).to_have_text("Muted")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("n")  # no shortcut reaches behind a dialog
    page.keyboard.press("Escape")
    assert console.told() == ["start", "mute"]


def test_a_restarted_server_is_found_again(browser: Browser, tmp_path: Path) -> None:
    first, _ = lively_app(tmp_path)
    with running(first) as url:
        page = browser.new_context(locale="en-US").new_page()
        page.goto(f"{url}/console/{ROOM}")
        go_on_air(page)
    expect(page.get_by_text("Connection lost")).to_be_visible(timeout=WAIT_MS)
    second, _ = lively_app(tmp_path)
    with running(second, int(url.rsplit(":", 1)[1])):
        expect(page.get_by_text("Connection lost")).to_have_count(0, timeout=WAIT_MS)
        expect(page.locator(".room-head .mark")).to_have_text("Off air")  # as the new one tells
        page.context.close()
