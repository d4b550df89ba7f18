"""Shops, products, rundowns and knowledge over HTTP."""

from typing import Any

import pytest

from tests.web.rooms.house import House

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


async def test_a_shop_is_made_and_a_room_of_it_keeps_it(stage: House) -> None:
    shop = {"id": "corner", "name": {"en": "Corner"}, "policies": {"returns": {"en": "30 days."}}}
    made = await stage.client.post("/v1/shops", json=shop)
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/shops/corner"
    await stage.send("POST", "shops", shop, 409)
    assert [each["id"] for each in (await stage.get("shops"))["data"]] == ["corner", "demo"]
    changed = await stage.send("PUT", "shops/corner", {"name": {"zh": "街角"}})
    assert changed == {"id": "corner", "name": {"zh": "街角"}}
    await stage.send("DELETE", "shops/corner", None)
    error = (await stage.send("DELETE", "shops/demo", None, 409))["error"]
    assert error["code"] == "in_use"


@pytest.mark.parametrize(
    ("product", "param"),
    [
        ({"name": {}}, None),
        ({"name": {"fr": "sac"}}, "name"),
        ({"name": {"en": "x"}, "price": "12.345"}, "price"),
        ({"name": {"en": "x"}, "price": "5", "offer": {"price": "6"}}, "offer.price"),
        ({"name": {"en": "x"}, "stock": -1}, "stock"),
        ({"name": {"en": "x"}, "colour": "red"}, None),
        ({"id": "other", "name": {"en": "x"}}, "id"),
    ],
)
async def test_a_product_that_is_not_accepted_names_its_field(
    stage: House, product: dict[str, Any], param: str | None
) -> None:
    error = (await stage.send("PUT", "shops/demo/products/new", product, 400))["error"]
    if param is not None:
        assert error["param"] == param
    assert error["message"]
    await stage.get("shops/demo/products/new", 404)


async def test_stock_price_and_offer_are_changed_in_place(stage: House) -> None:
    path = "shops/demo/products/canvas-bag"
    before = (await stage.client.get(f"/v1/{path}")).headers["ETag"]
    changed = await stage.send("PATCH", path, {"stock": 3, "offer": None, "price": "120"})
    assert (changed["stock"], changed["price"]) == (3, "120")
    assert "offer" not in changed
    assert changed["attributes"]["colour"]["zh"] == "沙色、藏青"
    views = (await stage.get("rooms/demo/state"))["products"]
    assert next(view for view in views if view["id"] == "canvas-bag")["stock"] == 3
    stale = await stage.client.patch(f"/v1/{path}", json={"stock": 9}, headers={"If-Match": before})
    assert stale.status_code == 412
    await stage.send("PATCH", path, {}, 400)
    await stage.send("PATCH", "shops/demo/products/none", {"stock": 1}, 404)


async def test_a_product_is_kept_new_and_deleted(stage: House) -> None:
    path = "shops/demo/products/hat"
    await stage.send("PUT", path, {"name": {"en": "Hat"}, "price": "9.90"}, 201)
    await stage.send("PUT", path, {"name": {"en": "Hat"}, "price": "8.90"}, 200)
    assert (await stage.get(path))["price"] == "8.90"
    listed = (await stage.get("shops/demo/products"))["data"]
    assert [each["id"] for each in listed][-1] == "hat"
    await stage.send("DELETE", path, None)
    await stage.get(path, 404)


async def test_a_picture_is_what_it_begins_with(stage: House) -> None:
    path = "/v1/shops/demo/products/tea-mug/picture"
    assert (await stage.client.get(path)).status_code == 404
    for content, kind, status in (
        (PNG, "image/png", 200),
        (b"<svg/>", "image/png", 400),
        (PNG, "image/svg+xml", 415),
        (bytes(9 * 2**20), "image/png", 413),
    ):
        response = await stage.client.put(path, content=content, headers={"Content-Type": kind})
        assert response.status_code == status, kind
    shown = await stage.client.get(path)
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    tag = {"If-None-Match": shown.headers["ETag"]}
    assert (await stage.client.get(path, headers=tag)).status_code == 304


async def test_a_file_is_imported_and_its_problems_are_told(stage: House) -> None:
    table = b"id,name,price,stock\nhat,Straw hat,39.90,5\nbad,Bad,abc,1\ntea-mug,Tea mug,61,120\n"
    file = {"file": ("goods.csv", table)}
    dry = await stage.client.post("/v1/shops/demo/import", params={"dry_run": "true"}, files=file)
    told = dry.json()
    assert (told["imported"], told["changed"], told["dry_run"]) == (1, 1, True)
    assert told["problems"][0] | {"message": ""} == {
        "row": 3, "column": "price", "value": "abc", "message": "",
    }  # fmt: skip
    await stage.get("shops/demo/products/hat", 404)
    await stage.client.post("/v1/shops/demo/import", files=file)
    assert (await stage.get("shops/demo/products/hat"))["stock"] == 5
    assert (await stage.get("shops/demo/products/tea-mug"))["price"] == "61"


@pytest.mark.parametrize(
    ("files", "params", "status", "param"),
    [
        ({"other": ("a.csv", b"x")}, {}, 400, "file"),
        ({"file": ("a.csv", b"x" * (11 * 2**20))}, {}, 413, None),
        ({"file": ("a.csv", b"id,name\na,b")}, {"dry_run": "maybe"}, 400, "dry_run"),
        ({"file": ("a.csv", b"id,name\na,b")}, {"zone": "../../etc/passwd"}, 400, "zone"),
    ],
)
async def test_an_import_that_is_refused(
    stage: House, files: Any, params: dict[str, str], status: int, param: str | None
) -> None:
    response = await stage.client.post("/v1/shops/demo/import", files=files, params=params)
    assert response.status_code == status
    assert response.json()["error"]["param"] == param


async def test_a_file_is_never_opened_by_its_name(stage: House) -> None:
    file = {"file": ("../../../etc/passwd", b"root")}
    told = (await stage.client.post("/v1/shops/demo/import", files=file)).json()
    assert told["problems"]
    assert "/" not in told["problems"][0]["value"]


async def test_a_rundown_is_kept_checked_and_guarded(stage: House) -> None:
    rundown = {
        "id": "short",
        "title": "Short",
        "language": "en",
        "items": [
            {"id": "hello", "kind": "opening", "script": ["Welcome to the harbour, everybody."]},
            {"id": "bag", "kind": "product", "product": "canvas-bag", "script": ["It costs $3."]},
        ],
    }
    await stage.send("POST", "rundowns", rundown, 201)
    await stage.send("POST", "rundowns", rundown, 409)
    problems = (await stage.send("POST", "rundowns/check?shop=demo", rundown))["problems"]
    assert any(each["item"] == "bag" and each["sentence"] == 0 for each in problems)
    clean = {**rundown, "items": rundown["items"][:1]}
    assert (await stage.send("POST", "rundowns/check", clean))["problems"] == []
    shown = await stage.client.get("/v1/rundowns/short")
    tag = {"If-Match": shown.headers["ETag"]}
    changed = {**rundown, "title": "Shorter"}
    first = await stage.client.put("/v1/rundowns/short", json=changed, headers=tag)
    assert first.json()["title"] == "Shorter"
    second = await stage.client.put("/v1/rundowns/short", json=rundown, headers=tag)
    assert second.status_code == 412
    wrong = {**rundown, "items": [{"id": "a", "kind": "dance"}]}
    error = (await stage.send("PUT", "rundowns/short", wrong, 400))["error"]
    assert error["param"] == "items[0].kind"
    await stage.send("DELETE", "rundowns/short", None)
    assert (await stage.send("DELETE", "rundowns/demo", None, 409))["error"]["code"] == "in_use"


async def test_a_rundown_is_drafted(stage: House) -> None:
    made = await stage.send("POST", "rundowns/draft", {"shop": "demo", "language": "zh"}, 201)
    assert made["language"] == "zh"
    for body, status, param in (
        ({}, 400, "shop"),
        ({"shop": "demo", "language": "fr"}, 400, "language"),
        ({"shop": "demo", "title": ""}, 400, "title"),
        ({"shop": "demo", "length": 3}, 400, "length"),
        ({"shop": "nowhere"}, 404, "shop"),
    ):
        error = (await stage.send("POST", "rundowns/draft", body, status))["error"]
        assert error["param"] == param


async def test_knowledge_is_kept_found_and_deleted(stage: House) -> None:
    document = {"title": "Rain", "text": "Wear wool when it rains.", "language": "en"}
    await stage.send("PUT", "knowledge/styling/rain", document, 201)
    await stage.send("PUT", "knowledge/styling/rain", document, 200)
    found = (await stage.get("knowledge/styling", params={"query": "wool in the rain"}))["data"]
    assert found[0]["id"] == "rain"
    assert found[0]["citation"]["text"].startswith("styling/rain#")
    assert (await stage.get("knowledge/craft"))["data"][0]["id"] == "openers"
    await stage.send("DELETE", "knowledge/styling/rain", None)
    assert (await stage.get("knowledge/styling", params={"query": "wool"}))["data"] == []
    await stage.get("knowledge/secrets", 404)
    await stage.get("knowledge/styling", 400, params={"limit": "0"})
    wrong = {**document, "language": "fr"}
    await stage.send("PUT", "knowledge/styling/rain", wrong, 400)


async def test_a_file_of_sections_becomes_documents(stage: House) -> None:
    text = "# Greeting\n\nSay the name.\n\n## 收尾\n\n感谢大家。\n"
    file = {"file": ("Host craft.md", text.encode())}
    told = (await stage.client.post("/v1/knowledge/craft/import", files=file)).json()
    assert told["imported"] == 2
    document = await stage.get(f"knowledge/craft/{told['documents'][1]}")
    assert (document["title"], document["language"]) == ("收尾", "zh")


async def test_a_table_becomes_documents_and_what_it_does_not_say_is_told_by_row(
    stage: House,
) -> None:
    text = "title,text,moment\nGreeting,Say the name.,first\n,No title.,\n"
    file = {"file": ("craft.csv", text.encode())}
    told = (await stage.client.post("/v1/knowledge/craft/import", files=file)).json()
    assert (told["imported"], [each["row"] for each in told["problems"]]) == (1, [3])
    document = await stage.get(f"knowledge/craft/{told['documents'][0]}")
    assert document["metadata"] == {"moment": "first"}


async def test_headings_give_documents_their_ids_and_properties(stage: House) -> None:
    text = "# Openers {kind=opener}\n\n## On the table {#open-table}\n\nBegin with it.\n"
    file = {"file": ("craft.md", text.encode())}
    await stage.client.post("/v1/knowledge/craft/import", files=file)
    document = await stage.get("knowledge/craft/open-table")
    assert document["metadata"] == {"kind": "opener"}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.exe", b"MZ", "accepted: .md"),
        ("a.pdf", b"%PDF-1.4 broken", "PDF"),
        ("a.md", b"no heading", "holds no document"),
        ("a.md", b"x" * (10 * 1024 * 1024 + 1), "is too large"),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused(
    stage: House, name: str, content: bytes, told: str
) -> None:
    file = {"file": (name, content)}
    response = await stage.client.post("/v1/knowledge/craft/import", files=file)
    assert response.status_code == 400
    assert told in response.json()["error"]["message"]
