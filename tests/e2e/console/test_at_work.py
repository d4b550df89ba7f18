"""What operators see while much happens: nothing takes their place, and all of it is so."""

import json
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from pipeline.rooms.state import AlertView, ChatView, MetricPoint
from tests.e2e.browser import until
from tests.e2e.console.conftest import Console, Opened
from tests.e2e.console.test_on_air import ROOM, go_on_air

LOOKS = "**/v1/looks"


def ask(page: Page, console: Console, event: str, text: str) -> None:
    """Have a viewer ask, and wait until the page shows it."""
    told = {"id": event, "kind": "chat", "viewer": event, "name": "Mei", "text": text}
    assert page.request.post(f"{console.url}/v1/rooms/demo/chat", data=told).ok
    expect(page.locator(".chat-entry", has_text=text)).to_be_visible()


def test_the_pace_is_the_rooms(open_page: Opened, console: Console) -> None:
    page, other = open_page(ROOM), open_page(ROOM)
    go_on_air(page)
    expect(page.get_by_role("radio", name="Usual")).to_be_checked()
    console.room.change(pace="quick")  # as the autopilot does
    expect(page.get_by_role("radio", name="Quick")).to_be_checked()
    other.get_by_role("radio", name="Calm").check(force=True)
    expect(page.get_by_role("radio", name="Calm")).to_be_checked()
    assert console.room.state.pace == "calm"


def test_a_choice_that_is_refused_falls_back(open_page: Opened) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.route("**/commands", lambda route: route.fulfill(status=409, json={"error": {}}))
    page.get_by_role("radio", name="Quick").check(force=True)
    expect(page.get_by_role("radio", name="Usual")).to_be_checked()
    page.get_by_role("radio", name="Learnt").check(force=True)
    expect(page.get_by_role("radio", name="Rules")).to_be_checked()


def test_what_comes_in_takes_no_focus_and_no_words(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    ask(page, console, "q1", "Is it heavy?")
    page.get_by_role("button", name="Write answer").click()
    answer = page.get_by_label("Your answer, said next")
    expect(answer).to_be_focused()
    answer.fill("Six hundred grams")
    box = page.get_by_label("Have the host say")
    box.click()
    ask(page, console, "q2", "Is there a red one?")
    expect(box).to_be_focused()
    # The host answers first: what the operator has written stays, and can still be said.
    entry = next(each for each in console.room.state.chat if each.id == "q1")
    console.room.add("chat", entry.model_copy(update={"status": "spoken", "answer": "Light."}))
    expect(page.locator(".chat-entry", has_text="Is it heavy?").locator(".mark")).to_have_text(
        "Spoken"
    )
    expect(answer).to_have_value("Six hundred grams")
    answer.press("Escape")
    expect(answer).to_have_count(0)


def test_what_is_joined_to_another_is_told_without_ids(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    console.room.add(
        "chat",
        ChatView(
            id="q9", kind="chat", name="Tom", text="How much?", at=console.rooms.now(),
            status="spoken", answer="Ninety-nine.", line="l000001002", merged_with="q8",
            waited_s=3.2,
        ),
    )  # fmt: skip
    entry = page.locator(".chat-entry", has_text="How much?")
    expect(entry).to_contain_text("after 3.2s")
    expect(entry).to_contain_text("with another question of the same meaning")
    expect(entry).not_to_contain_text("l000001002")


def test_a_figure_is_saved_once_and_gives_the_focus_back(open_page: Opened) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.get_by_role("button", name="Stock of Canvas bag: 42").click()
    field = page.get_by_label("Stock of Canvas bag")
    field.fill("7")
    field.press("Enter")
    changed = page.get_by_role("button", name="Stock of Canvas bag: 7")
    expect(changed).to_be_focused()
    assert sent.count("PATCH") == 1
    changed.press("Enter")
    page.get_by_label("Stock of Canvas bag").press("Escape")
    expect(changed).to_be_focused()
    assert sent.count("PATCH") == 1


def test_what_cuts_and_what_speaks_is_legible(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.get_by_role("button", name="Cut to the holding card").click()
    expect(page.get_by_role("button", name="Press again to cut")).to_have_css(
        "background-color", "rgb(176, 38, 31)"
    )
    page.get_by_role("button", name="Turn on microphone").click()
    page.get_by_role("button", name="Hold to speak").hover()
    page.mouse.down()
    console.room.change(line=None)
    speaking = page.get_by_role("button", name="On the air")
    expect(speaking).to_have_css("background-color", "rgb(194, 47, 42)")
    expect(page.locator(".caption")).to_contain_text("An operator is speaking")
    page.mouse.up()


def test_the_preview_is_never_empty(open_page: Opened) -> None:
    page = open_page("#/rooms")
    page.route("**/preview*", lambda _: None)  # the server draws for long
    page.get_by_role("link", name="Demo").click()
    drawing = page.locator(".preview").get_by_text("Drawing…")
    expect(drawing).to_be_visible()
    expect(page.locator(".preview .picture")).to_be_visible()  # the host, or what stands for it
    page.unroute("**/preview*")
    go_on_air(page)  # another item comes next
    expect(drawing).to_have_count(0)
    until(page, "document.querySelector('.preview img').naturalWidth > 0")
    page.route("**/preview*", lambda _: None)
    page.get_by_role("button", name="Skip").click()
    expect(drawing).to_be_visible()  # what was drawn stays meanwhile
    assert page.evaluate("document.querySelector('.preview img').naturalWidth") > 0


def test_scenes_are_drawn_two_at_a_time(open_page: Opened) -> None:
    page = open_page("#/looks")
    waiting: list[Route] = []
    page.route("**/v1/scenes/*/picture", lambda route: waiting.append(route))
    page.get_by_role("tab", name="Scenes").click()
    expect(page.get_by_text("Drawing…")).to_have_count(8)
    # The other connections are free: a dialog opens while pictures are being drawn.
    page.get_by_role("button", name="New scene").click()
    expect(page.get_by_label("Begin with")).to_be_visible()
    assert len(waiting) == 2


def test_a_host_that_is_still_being_built_is_awaited(open_page: Opened, console: Console) -> None:
    page = open_page("#/settings")
    page.clock.install()
    looks = json.loads(page.request.get(f"{console.url}/v1/looks").text())
    host = {"name": "walter", "title": "Walter", "ready": False, "picture": None, "own": True}
    page.route(LOOKS, lambda route: route.fulfill(json=looks))
    page.route("**/v1/avatars", lambda route: route.fulfill(status=201, json={"ready": False}))
    page.get_by_role("link", name="Hosts and scenes").click()
    page.get_by_role("button", name="New host").click()
    page.get_by_label("Describe the host").fill("a man with grey hair")
    page.get_by_label("Name").fill("Walter")
    looks["avatars"].append(host)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("the figure is still being built")).to_be_visible()
    expect(page.get_by_text("Not built yet")).to_be_visible()
    host["ready"] = True
    page.clock.fast_forward(6_000)
    expect(page.get_by_text("Not built yet")).to_have_count(0)


def test_what_is_over_is_shown_no_longer(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    now = console.rooms.now()
    alert = AlertView(id="a1", at=now - 20, level="error", code="silence", message="quiet")
    console.room.add("alerts", alert)
    expect(page.get_by_text("Nothing is heard on the air.")).to_be_visible()
    console.room.add("alerts", alert.model_copy(update={"ended_at": now}))
    expect(page.get_by_text("Nothing is heard on the air.")).to_have_count(0)


def test_full_level_is_no_minus_nought(open_page: Opened, console: Console) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    point = MetricPoint(at=console.rooms.now(), level_db=-0.3)
    console.room.add("metrics", point, 720)
    expect(page.locator(".figure-card", has_text="Audio level").locator("b")).to_have_text("0")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "0 dBFS")


def test_a_lost_network_is_told_at_once(open_page: Opened) -> None:
    page = open_page(ROOM)
    go_on_air(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_a_film_is_found_played_and_deleted(open_page: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "egress" / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "demo-20261201-044345.mp4").write_bytes(b"\0" * 2048)
    page = open_page("#/recordings")
    expect(page.get_by_text("demo", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play demo-20261201-044345").click()
    expect(page.locator("video.film")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete demo-20261201-044345").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Nothing has been recorded yet")).to_be_visible()


def test_a_gesture_is_chosen_and_the_rules_of_sentences_are_told(
    open_page: Opened, console: Console
) -> None:
    page = open_page("#/rundowns/demo", viewport={"width": 390, "height": 844})
    page.locator(".item-choice").nth(1).click()
    gesture = page.get_by_label("Gesture it begins with")
    expect(gesture).to_be_in_viewport()  # not far below the list
    gesture.select_option("Wave")
    expect(page.get_by_text("The same thing said in several ways, one a line.")).to_be_visible()
    expect(
        page.get_by_text("Otherwise a sentence that was said within the last hour")
    ).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    assert console.rooms.rundowns.kept["demo"].items[1].action == "wave"
