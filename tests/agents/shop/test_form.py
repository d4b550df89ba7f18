"""The JSON form of shops, and what makes them acceptable."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import AgentValueError
from agents.shop.form import product_from_json, shop_from_json, shop_to_json
from agents.shop.product import Shop
from agents.shop.sample import sample_picture, sample_shop
from tests.agents.shop.shops import shops


@given(shops())
def test_a_shop_is_read_back_as_it_was(shop: Shop) -> None:
    assert shop_from_json(json.loads(json.dumps(shop_to_json(shop)))) == shop


TOTE: dict[str, Any] = {"id": "tote", "name": {"en": "Tote"}, "price": "39.00", "currency": "USD"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "../tote"}, "product.id: '../tote' is not accepted: 1 to 40 of a-z, 0-9, - and _"),
        ({"id": None}, "product.id: None is not accepted; a text is"),
        ({"name": {}}, "product.name: '' is missing"),
        ({"name": {"fr": "Sac"}}, "product.name: {'fr': 'Sac'} is not accepted; an object with en"),
        ({"name": {"en": "a\x00b"}}, "has the character U+0000"),
        ({"name": {"en": "a\u202eb"}}, "has the character U+202E"),
        ({"name": {"en": "\ud800"}}, "has the character U+D800"),
        ({"name": {"en": "x" * 121}}, "product.name.en: 'xxx"),
        ({"price": "-1"}, "product.price: '-1' is not accepted: 0 to 1000000000"),
        ({"price": "NaN"}, "product.price: 'NaN' is not accepted: 0 to 1000000000"),
        ({"price": 1e300}, "product.price: '1E+300' is not accepted"),
        ({"price": "9.999"}, "product.price: '9.999' has more decimals than USD has, 2"),
        ({"price": True}, "product.price: True is no amount; accepted: such as '19.90'"),
        ({"price": "abc"}, "product.price: 'abc' is no amount"),
        ({"price": "100.5", "currency": "JPY"}, "has more decimals than JPY has, 0"),
        ({"currency": "XYZ"}, "product.currency: 'XYZ' is no code of ISO 4217"),
        ({"list_price": "38"}, "product.list_price: '38' is less than the price, 39.00"),
        ({"stock": -1}, "product.stock: '-1' is not accepted: 0 to 1000000000"),
        ({"stock": 1.5}, "product.stock: 1.5 is not accepted; a whole number is"),
        ({"offer": {}}, "product.offer.price is missing"),
        ({"offer": {"price": "40"}}, "product.offer.price: '40' is more than the price, 39.00"),
        (
            {"offer": {"price": "9", "until": "tonight"}},
            "product.offer.until: 'tonight' is no time",
        ),
        ({"offer": {"price": "9", "until": "2030-01-01T00:00"}}, "with a time zone"),
        ({"price": None, "offer": {"price": "9"}}, "is an offer of a product without a price"),
        ({"picture": "../a.jpg"}, "product.picture: '../a.jpg' is not accepted"),
        ({"picture": ".hidden"}, "product.picture: '.hidden' is not accepted"),
        ({"picture": "a..b/c"}, "is not accepted: the name of a file"),
        ({"link": "javascript:alert(1)"}, "product.link: 'javascript:alert(1)' is not accepted"),
        ({"link": "https://user@host/"}, "is not accepted: http:// or https://"),
        ({"points": {"en": "one"}}, "product.points.en: 'one' is not accepted; a list is"),
        ({"points": {"en": ["x"] * 21}}, "product.points.en: '21' are too many; accepted: 20"),
        ({"questions": [{"question": {"en": "Why?"}}]}, "product.questions[0].answer: None"),
        ({"colour": "red"}, "product has 'colour'; accepted fields: id, name, category"),
    ],
)
def test_what_is_not_acceptable_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(AgentValueError) as told:
        product_from_json({**TOTE, **fields})
    assert message in str(told.value)


def test_numbers_are_taken_for_amounts() -> None:
    assert str(product_from_json({**TOTE, "price": 19.9}).price) == "19.9"


def test_ids_of_a_shop_are_unique() -> None:
    with pytest.raises(AgentValueError, match=r"shop 'ours': products\[1\]\.id: 'tote' is there"):
        shop_from_json({"id": "ours", "name": {"en": "Ours"}, "products": [TOTE, TOTE]})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "name", "products", "offer", "price", "en", "policies"])
                | st.text(max_size=4),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused(value: object) -> None:
    try:
        shop = shop_from_json(value)
    except AgentValueError:
        return
    assert shop_from_json(shop_to_json(shop)) == shop


def test_the_sample_shop_is_whole() -> None:
    shop = sample_shop()
    assert len(shop.products) == 8
    for product in shop:
        assert set(product.name) == set(product.description) == {"en", "zh"}
        assert all(set(words) == {"en", "zh"} for words in product.attributes.values())
        assert all(
            set(each.question) == set(each.answer) == {"en", "zh"} for each in product.questions
        )
        assert sample_picture(product.picture).startswith(b"\xff\xd8")
    assert sum(product.stock == 0 for product in shop) == 1
    assert sum(product.offer is not None for product in shop) == 2
    with pytest.raises(AgentValueError, match="no picture 'x'"):
        sample_picture("x")
