"""Whether words that hold sentences together name no product, and name it where they do."""

from decimal import Decimal

import pytest

from agents.shop.lexicon import read
from agents.shop.naming import Names
from agents.shop.product import Product


def _product(product_id: str, english: str, chinese: str, category: str = "") -> Product:
    return Product(
        id=product_id,
        name={"en": english, "zh": chinese},
        category=category,
        price=Decimal(10),
        currency="USD",
    )


_NAMES = Names([
    _product("spray", "Dewdrop Watering Can", "露珠洒水壶"),
    _product("opener", "Crest Can Opener", "山顶开罐器"),
    _product("cooker", "All In One Pot", "自己热火锅"),
    _product("shaver", "Must Shaver", "一起剃须刀"),
    _product("stool", "Meadow Stool", "草地凳"),
])  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "how thick a branch can these cut",
        "can lefties use this",
        "can this hold a grown man",
        "cant i leave it out in the rain",
        "can't i leave it out in the rain",
        "what can i put in it",
        "which one is lighter",
        "must i oil it",
        "is it all in there",
        "晚上要自己去开吗",
        "可以一起用吗",
    ],
)
def test_function_words_alone_name_nothing(question: str) -> None:
    assert _NAMES.find(read(question)).ids == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("how big is the can", "spray"),
        ("can the watering can rust", "spray"),
        ("price of the can opener", "opener"),
        ("can the opener rust", "opener"),
        ("does the all in one pot whistle", "cooker"),
        ("one pot weight", "cooker"),
        ("can the stool rust", "stool"),
        ("自己热火锅多重", "cooker"),
        ("火锅自己会停吗", "cooker"),
    ],
)
def test_beside_other_words_of_a_name_they_are_part_of_it(question: str, named: str) -> None:
    assert _NAMES.find(read(question)).ids == (named,)
