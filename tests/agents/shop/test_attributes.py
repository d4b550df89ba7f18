"""What merchants wrote of a product is said in sentences."""

import pytest

from agents.clause import Language
from agents.shop.attributes import about, attribute_texts
from agents.shop.labels import labels, topic_of
from agents.shop.product import Product
from agents.shop.sheet import sheet_of

STOVE = Product("stove", {"en": "Ember Stove", "zh": "余烬气炉"})


def said(key: str, value: str, language: Language = "en") -> str:
    topic = topic_of(key)
    return attribute_texts(STOVE, topic, labels(key, topic), value, language)[0]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("r value", "3.2", "The R value of the Ember Stove is 3.2."),
        (
            "boil time",
            "3.5 minutes a litre",
            "The boil time of the Ember Stove is 3.5 minutes a litre.",
        ),
        (
            "waterproof",
            "3000 mm water column",
            "The Ember Stove is waterproof to 3000 mm water column.",
        ),
        ("waterproof", "not waterproof", "The Ember Stove is not waterproof."),
        ("waterproof", "no", "No, the Ember Stove is not waterproof."),
        ("bluetooth", "no", "No, the Ember Stove has no bluetooth."),
        ("waterproof", "resists rain for an hour", "The Ember Stove resists rain for an hour."),
        (
            "shelf life",
            "3 years, 12 months once opened",
            "The shelf life of the Ember Stove is 3 years, 12 months once opened.",
        ),
        ("thickness", "8 cm", "The Ember Stove is 8 cm thick."),
        ("lengths", "180 cm; 200 cm", "The lengths of the Ember Stove are 180 cm and 200 cm."),
        ("charging", "USB-C", "The Ember Stove charges over USB-C."),
        ("usb ports", "two", "The Ember Stove has two USB ports."),
        ("capacity", "two people", "The Ember Stove is for two people."),
        ("warranty", "2 years", "The Ember Stove comes with a warranty of 2 years."),
        (
            "contents",
            "stove, two pots; gas canister not included",
            "With the Ember Stove you get the stove and two pots. "
            "The gas canister is not included.",
        ),
    ],
)
def test_attributes_in_english(key: str, value: str, sentence: str) -> None:
    assert said(key, value) == sentence


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("boil time", "每升3.5分钟", "余烬气炉的烧水时间是每升3.5分钟。"),
        ("waterproof", "静水压3000毫米", "余烬气炉的防水等级是静水压3000毫米。"),
        ("load", "120公斤", "余烬气炉能承重120公斤。"),
        ("care", "不可机洗", "余烬气炉不可机洗。"),
        ("strange thing", "五", "余烬气炉标的是五。"),
    ],
)
def test_attributes_in_chinese(key: str, value: str, sentence: str) -> None:
    assert said(key, value, "zh") == sentence


def test_a_value_in_english_units_is_said_in_chinese() -> None:
    lamp = Product(
        "lamp", {"en": "Lamp", "zh": "营灯"}, attributes={"brightness": {"en": "300 lumens"}}
    )
    entry = sheet_of(lamp, 0.0).entry("light")
    assert entry is not None
    assert entry.texts["zh"][0] == "营灯的亮度是300流明。"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("Stands on its own", "The Tent stands on its own."),
        ("A home for three seasons.", "The Tent is a home for three seasons."),
        ("The back is adjustable", "On the Tent, the back is adjustable."),
        ("It packs small.", "The Tent packs small."),
        ("Quiet when you turn over", "About the Tent: Quiet when you turn over."),
    ],
)
def test_points_say_what_they_are_about(written: str, sentence: str) -> None:
    assert about("Tent", written, "en") == sentence
