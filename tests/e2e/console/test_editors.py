"""What rooms are made of: rooms themselves, catalogues, rundowns, knowledge, settings."""

from pathlib import Path

from PIL import Image
from playwright.sync_api import FilePayload, Route, expect

from tests.e2e.console.conftest import Console, Opened

ROWS = "id,name_en,price,currency,stock\ntowel,Bath towel,19.00,CNY,30\nrug,Rug,cheap,CNY,4\n"


def test_a_room_is_made(open_page: Opened, console: Console) -> None:
    page = open_page()
    page.get_by_role("button", name="New room").click()
    page.get_by_label("Title").fill("Evening sale")
    page.get_by_role("radio", name="Leo").check(force=True)
    page.get_by_label("Scene").select_option("kitchen")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Evening sale")).to_be_visible()
    spec = console.rooms.room("evening-sale").state.room
    assert (spec.avatar, spec.scene, spec.shop, spec.rundown) == ("leo", "kitchen", "demo", "demo")


def test_a_room_is_made_with_a_draft_of_its_own(open_page: Opened, console: Console) -> None:
    page = open_page()
    page.get_by_role("button", name="New room").click()
    page.get_by_label("Title").fill("Evening sale")
    page.get_by_label("Rundown").select_option("Draft one from the catalogue")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Evening sale")).to_be_visible()
    assert sorted(console.rooms.rundowns.kept) == ["demo", "demo-draft"]
    assert console.rooms.room("evening-sale").state.room.rundown == "demo-draft"


def test_a_host_of_ones_own_is_changed_itself_and_a_refusal_is_told(
    open_page: Opened, console: Console
) -> None:
    page = open_page("#/settings")
    looks = page.request.get(f"{console.url}/v1/looks").json()
    looks["avatars"].append({"name": "ada", "title": "Ada", "ready": True, "picture": None})
    page.route("**/v1/looks", lambda route: route.fulfill(json=looks))
    asked: list[object] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        refused = "fly" in str(asked[-1])
        why = "nobody can fly" if refused else ""
        route.fulfill(json={"refused": refused, "why": why, "ready": not refused})

    page.route("**/v1/avatars/*/edit", answer)
    page.get_by_role("link", name="Hosts and scenes").click()
    page.get_by_role("button", name="Edit Ada").click()
    page.get_by_label("What to change").fill("let her fly")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("nobody can fly")
    page.get_by_label("What to change").fill("a red scarf")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Edit Mia").click()
    page.get_by_label("What to change").fill("a red scarf")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked[1:] == [
        {"instruction": "a red scarf", "save_as": "ada"},
        {"instruction": "a red scarf", "save_as": "mia-2"},
    ]


def test_a_file_is_tried_before_it_is_imported(open_page: Opened, console: Console) -> None:
    page = open_page("#/shops/demo")
    page.get_by_role("button", name="Import file").click()
    file = FilePayload(name="goods.csv", mimeType="text/csv", buffer=ROWS.encode())
    page.locator(".drop input").set_input_files(file)
    row = page.locator(".plain tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("cheap")
    expect(row.locator("td").first).to_have_text("3")
    assert len(console.rooms.shops.kept["demo"].products) == 3, "nothing has been changed yet"
    page.get_by_role("button", name="Import 1 product").click()
    expect(page.get_by_role("button", name="Bath towel", exact=True)).to_be_visible()
    assert str(console.rooms.shops.kept["demo"].product("towel").price) == "19.00"


def test_a_product_is_edited_and_deleted(open_page: Opened, console: Console) -> None:
    page = open_page("#/shops/demo")
    page.get_by_role("button", name="Edit Tea mug").click()
    page.get_by_label("Price", exact=True).fill("49.50")
    page.get_by_label("There is an offer").check(force=True)
    page.get_by_label("Offer price").fill("45.00")
    page.get_by_label("Selling points in Chinese").fill("保温两小时。\n可进洗碗机。")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    mug = console.rooms.shops.kept["demo"].product("tea-mug")
    assert mug.offer is not None
    assert (str(mug.price), str(mug.offer.price)) == ("49.50", "45.00")
    assert mug.points["zh"] == ("保温两小时。", "可进洗碗机。")
    page.get_by_role("button", name="Delete Wool scarf").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("button", name="Delete Wool scarf")).to_have_count(0)
    assert [each.id for each in console.rooms.shops.kept["demo"]] == ["canvas-bag", "tea-mug"]


def test_items_are_moved_by_keyboard_and_by_dragging(open_page: Opened, console: Console) -> None:
    page = open_page("#/rundowns/demo")
    page.get_by_role("button", name="Move Tea mug up").focus()
    page.keyboard.press("Enter")
    names = page.locator(".item-list .item-words b")
    expect(names).to_have_text(
        ["Opening", "Tea mug", "Canvas bag", "Canvas bag", "Questions", "Closing"]
    )
    page.locator(".item-list .item").nth(4).drag_to(page.locator(".item-list .item").nth(1))
    expect(names.nth(1)).to_have_text("Questions")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    kept = [item.id for item in console.rooms.rundowns.kept["demo"]]
    assert kept == ["hello", "ask", "mug", "bag", "deal", "bye"]


def test_sentences_are_written(open_page: Opened, console: Console) -> None:
    page = open_page("#/rundowns/demo")
    page.get_by_role("button", name="Add sentence").click()
    page.get_by_label("Sentence 2", exact=True).fill("Glad you came.\nGood to see you.")
    page.get_by_role("switch", name="Word for word, every round").nth(1).check(force=True)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    script = console.rooms.rundowns.kept["demo"].item("hello").script
    assert script[1].wordings == ("Glad you came.", "Good to see you.")
    assert script[1].fixed


def test_two_who_change_the_same_are_asked(open_page: Opened, console: Console) -> None:
    page = open_page("#/rundowns/demo")
    page.get_by_label("Title").fill("Mine")
    address = f"{console.url}/v1/rundowns/demo"
    theirs = page.request.get(address).json() | {"title": "Theirs"}
    assert page.request.put(address, data=theirs).ok
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog", name="Changed by somebody else")).to_be_visible()
    page.get_by_role("button", name="Take theirs").click()
    expect(page.get_by_label("Title")).to_have_value("Theirs")
    page.get_by_label("Title").fill("Mine again")
    theirs["title"] = "Theirs again"
    assert page.request.put(address, data=theirs).ok
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    assert console.rooms.rundowns.kept["demo"].title == "Mine again"


def test_a_rundown_is_drafted_in_one_dialog(open_page: Opened, console: Console) -> None:
    page = open_page("#/rundowns")
    page.get_by_role("button", name="Draft from a catalogue").click()
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".item-list .item")).to_have_count(6)
    assert len(console.rooms.rundowns.kept) == 2


def test_documents_are_kept_found_and_forgotten(open_page: Opened) -> None:
    page = open_page("#/knowledge")
    page.get_by_role("radio", name="Styling").check(force=True)
    page.get_by_role("button", name="Add document").click()
    page.get_by_label("Title").fill("Linen in summer")
    page.get_by_label("Text", exact=True).fill("Linen goes with canvas and leather sandals.")
    page.get_by_role("button", name="Save").click()
    title = page.get_by_role("button", name="Linen in summer", exact=True)
    expect(title).to_be_visible()
    page.get_by_label("Search by words or meaning").fill("sandals")
    expect(title).to_be_visible()
    page.get_by_role("button", name="Delete: Linen in summer").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(title).to_have_count(0)


def test_a_policy_goes_live(open_page: Opened) -> None:
    page = open_page("#/settings")
    row = page.locator("tr", has_text="learnt-1")
    row.get_by_label("Live").check(force=True)
    expect(page.get_by_text("Changed", exact=True)).to_be_visible()
    expect(row.get_by_label("Live")).to_be_checked()


def test_the_language_and_the_theme_are_kept(open_page: Opened) -> None:
    page = open_page("#/settings")
    page.get_by_role("radio", name="中文").check(force=True)
    expect(page.get_by_role("heading", name="设置")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("radio", name="深色").check(force=True)
    page.reload()
    expect(page.get_by_role("heading", name="设置")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_picture_of_ones_own_is_put_behind_the_host(
    open_page: Opened, console: Console, tmp_path: Path
) -> None:
    path = tmp_path / "wall.jpg"
    Image.new("RGB", (64, 96), "red").save(path)
    page = open_page("#/looks")
    page.get_by_role("tab", name="Scenes").click()
    page.get_by_role("button", name="New scene").click()
    page.get_by_label("Name").fill("Our wall")
    page.get_by_label("Background").select_option("picture")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_be_visible()  # a picture is wanted
    page.get_by_label("Picture behind the host").set_input_files(path)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Edit our-wall").click()
    expect(page.get_by_label("Background")).to_have_value("picture")
    page.get_by_label("Light", exact=True).select_option("warm")
    page.get_by_role("button", name="Save").click()  # the picture stays
    expect(page.get_by_role("dialog")).to_have_count(0)
    scene = page.request.get(f"{console.url}/v1/scenes/our-wall").json()
    assert scene["background"]["source"] == "own"
    assert scene["light"]["preset"] == "warm"
