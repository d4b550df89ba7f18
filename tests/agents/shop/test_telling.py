"""Sentences about what a merchant wrote, as they are heard."""

import pytest

from agents.clause import Language
from agents.shop.attributes import about, attribute_texts
from agents.shop.labels import labels, topic_of
from agents.shop.product import Product
from agents.shop.spelling import meant

THING = Product("x", {"en": "Dawn Thermos", "zh": "晨光保温杯"})


def told(key: str, value: str, language: Language = "en") -> str:
    topic = topic_of(key)
    return attribute_texts(THING, topic, labels(key, topic), value, language)[0]


@pytest.mark.parametrize(
    ("key", "value", "language", "said"),
    [
        # The label that a value says itself is not said before it.
        ("warranty", "保修2年", "zh", "晨光保温杯保修2年。"),
        ("warranty", "杯盖保修1年", "zh", "晨光保温杯杯盖保修1年。"),
        ("warranty", "2-year warranty", "en", "The Dawn Thermos comes with a 2-year warranty."),
        # What is an extent is no choice of sizes.
        ("size", "90 cm long, 3 cm wide", "en", "The Dawn Thermos is 90 cm long and 3 cm wide."),
        ("size", "500 ml, 22 cm high", "en", "The Dawn Thermos is 500 ml and 22 cm high."),
        ("size", "36-40", "en", "You get the Dawn Thermos in sizes 36-40."),
        ("material", "steel, cork lid", "en", "The Dawn Thermos is made of steel and cork lid."),
        # A yes or a no is said as one, with its reason.
        ("gluten_free", "no, wheat is near", "en",
         "No, the Dawn Thermos is not gluten free, wheat is near."),
        ("machine_washable", "可以，30度以下", "zh", "晨光保温杯可机洗，30度以下。"),
        ("tubeless_ready", "yes", "en", "Yes, the Dawn Thermos is tubeless ready."),
        # Names of attributes that begin a sentence do so.
        ("goes_with", "tea", "en", "The Dawn Thermos goes with tea."),
        ("not_for", "milk", "en", "The Dawn Thermos is not for milk."),
    ],
)  # fmt: skip
def test_attributes_are_sentences(key: str, value: str, language: Language, said: str) -> None:
    assert told(key, value, language) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Can be returned within 14 days.", "The Dawn Thermos can be returned within 14 days."),
        ("Baked in small batches.", "The Dawn Thermos is baked in small batches."),
        ("Sold singly.", "The Dawn Thermos is sold singly."),
        ("Red enamel inside.", "About the Dawn Thermos: Red enamel inside."),
    ],
)
def test_what_lacks_its_subject_is_given_it(text: str, said: str) -> None:
    assert about("Dawn Thermos", text, "en") == said


@pytest.mark.parametrize(
    ("word", "own", "right"),
    [
        ("shippng", frozenset(), "shipping"),
        ("protien", frozenset({"protein"}), "protein"),
        ("protien", frozenset(), ""),
        ("table", frozenset({"cables"}), ""),
    ],
)
def test_slips_are_mended_to_words_of_shopping_and_of_the_merchant(
    word: str, own: frozenset[str], right: str
) -> None:
    assert meant(word, word, "", own) == right
