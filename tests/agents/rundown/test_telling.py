"""What is told of goods: in how many ways, and that nothing in it is untrue or forbidden."""

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from agents.clause import LANGUAGES, Language
from agents.regulation.regulation import Regulation
from agents.rundown.said import normalised
from agents.rundown.telling import Telling, iterate
from agents.shop.product import Offer, Product, Shop
from agents.shop.sample import sample_shop
from agents.shop.truth import FigureCheck

_NOW = 1_800_000_000.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_product_is_told_in_hundreds_of_sentences(language: Language) -> None:
    shop = sample_shop()
    telling = Telling(shop, language, _NOW)
    for product in shop:
        told = iterate(telling, product, Random(1))
        found = {normalised(next(told).text) for _ in range(900)}
        assert len(found) > 500, product.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_figure_is_false_and_no_word_is_forbidden(language: Language) -> None:
    shop = sample_shop()
    figures, regulation = FigureCheck(shop, lambda: _NOW), Regulation.of(shop)
    telling = Telling(shop, language, _NOW)
    for product in shop:
        told = iterate(telling, product, Random(2))
        for _ in range(60):
            text = next(told).text
            assert figures.false(text, product.id) == [], text
            assert regulation.problems(text, language) == [], text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_place_and_no_alternative_is_left_open(language: Language) -> None:
    shop = sample_shop()
    telling, random = Telling(shop, language, _NOW), Random(3)
    texts = []
    for product in shop:
        told = iterate(telling, product, random)
        texts += [next(told).text for _ in range(300)]
        texts += [core.text for _ in range(40) if (core := telling.about(product, "name", random))]
    for topic in telling.topics_of_shop():
        for _ in range(40):
            core = telling.of_shop(topic, random, list(shop)[:2])
            texts += [core.text] if core else []
    for text in texts:
        assert not set("{}[]|") & set(text), text
        assert "  " not in text
        assert not text[0].islower(), text


def test_an_offer_is_told_with_its_condition() -> None:
    product = Product(
        "cup", {"en": "Tea Cup"}, price=Decimal(20),
        offer=Offer(Decimal(15), {"en": "with the code TEA"}, stock=7),
    )  # fmt: skip
    telling = Telling(Shop("s", {"en": "Shop"}, (product,)), "en", _NOW)
    for topic in ("price", "offer"):
        for seed in range(60):
            core = telling.about(product, topic, Random(seed))
            assert core is not None
            assert "$15" in core.text
            assert "with the code TEA" in core.text
            assert "7" in core.text


def test_an_offer_that_has_ended_is_not_told() -> None:
    offer = Offer(Decimal(15), until="2026-01-01T00:00:00+00:00")
    product = Product("cup", {"en": "Tea Cup"}, price=Decimal(20), offer=offer)
    telling = Telling(Shop("s", {"en": "Shop"}, (product,)), "en", _NOW)
    assert (
        "offer" not in telling.topics(product) or telling.about(product, "offer", Random(1)) is None
    )
    texts = [core.text for s in range(40) if (core := telling.about(product, "price", Random(s)))]
    assert all("$20" in text and "15" not in text for text in texts)


def test_what_is_sold_out_has_no_price_to_tell() -> None:
    shop = sample_shop()
    gone = replace(next(iter(shop)), stock=0)
    topics = Telling(shop, "en", _NOW).topics(gone)
    assert not {"price", "offer", "stock", "buy"} & set(topics)


def test_several_things_are_spoken_of_as_several() -> None:
    product = Product("socks", {"en": "Wool Socks"}, price=Decimal(9),
                      attributes={"weight": {"en": "80 g"}})  # fmt: skip
    telling = Telling(Shop("s", {"en": "Shop"}, (product,)), "en", _NOW)
    texts = [core.text for s in range(80) if (core := telling.about(product, "weight", Random(s)))]
    assert any("he Wool Socks weigh 80 g." in text for text in texts)
    assert not any(" weighs " in text or text.startswith("It ") for text in texts)
