"""The knowledge that ships, and a shop's products as documents."""

from collections import Counter
from dataclasses import replace

import pytest

from agents.knowledge import Knowledge, SqliteKnowledge
from agents.knowledge.products import product_documents, remove_shop, replace_shop
from agents.knowledge.shipped import load_shipped, shipped_documents
from agents.shop.checks import check_shop
from agents.shop.sample import sample_shop
from tests.agents.knowledge.conftest import Open


def test_there_is_enough_in_both_languages() -> None:
    count = Counter((each.collection, each.language) for each in shipped_documents())
    assert count["craft", "en"] + count["craft", "zh"] >= 60
    assert min(count.values()) >= 4
    assert len({(each.collection, each.id) for each in shipped_documents()}) == count.total()
    cases = [each for each in shipped_documents() if each.collection == "cases"]
    craft = {each.id for each in shipped_documents() if each.collection == "craft"}
    assert {case.metadata["craft"] for case in cases} <= craft


def test_it_is_loaded_once_and_what_is_deleted_stays_away(reopen: Open) -> None:
    store = reopen(None)
    assert load_shipped(store)
    store.delete("craft", ["open-table"])
    again = reopen(None)
    assert not load_shipped(again)
    assert "open-table" not in [each.id for each in again.documents("craft", limit=1000)]


@pytest.mark.parametrize(
    ("query", "collection", "language", "wanted"),
    [
        ("the customer says it is too expensive", "craft", "en", "objection-price"),
        ("太贵了怎么办", "craft", "zh", "zh-objection-price"),
        ("is it real or a fake", "craft", "en", "objection-real"),
        ("how do I say what stock is left", "craft", "en", "offer-count"),
        ("what to wear for selling a bag", "styling", "en", "outfit-bag"),
        ("卖茶叶穿什么", "styling", "zh", "zh-outfit-tea"),
        ("thermos turned upside down", "cases", "en", "case-thermos"),
    ],
)
def test_questions_of_hosts_find_their_answer_by_words(
    query: str, collection: str, language: str, wanted: str
) -> None:
    store = SqliteKnowledge()
    load_shipped(store)
    found = store.search(query, collection=collection, language=language, limit=3)  # type: ignore[arg-type]
    assert wanted in [each.document.id for each in found]


def test_a_shops_documents_follow_the_shop(store: Knowledge) -> None:
    shop = sample_shop()
    replace_shop(store, shop)
    documents = {each.id: each for each in product_documents(shop)}
    assert {each.id: each for each in store.documents("products", limit=1000)} == documents
    found = store.search("能机洗吗", collection="products", language="zh", limit=2)
    assert "harbour-tote" in [each.document.metadata["product"] for each in found]
    fewer = replace(shop, products=shop.products[1:], policies={})
    check_shop(fewer)
    replace_shop(store, fewer)
    assert not store.documents("products", filters={"product": "harbour-tote"})
    assert store.documents("products", filters={"product": "dawn-thermos"})
    remove_shop(store, shop.id)
    assert store.documents("products") == []


def test_prices_are_not_kept_where_they_would_grow_old() -> None:
    text = "\n".join(each.text for each in product_documents(replace(sample_shop(), policies={})))
    prices = {f"{product.price:f}" for product in sample_shop() if product.price}
    assert not [price for price in prices if price in text]
