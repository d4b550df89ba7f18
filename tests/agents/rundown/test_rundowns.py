"""Rundowns: their JSON form, marks, checks, drafts, and what was said."""

import json
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError
from agents.regulation.regulation import Regulation
from agents.rundown.check import check
from agents.rundown.document import KINDS, Item, Rundown, Sentence
from agents.rundown.drafting import draft, running_order
from agents.rundown.form import rundown_from_json, rundown_to_json
from agents.rundown.gestures import GESTURES
from agents.rundown.marks import check_marks, marked_clauses, plain
from agents.rundown.said import Said
from agents.shop.product import Product, Shop
from agents.shop.sample import sample_shop
from agents.shop.truth import FigureCheck
from motion.actions import ACTION_IDS

_NOW = 1_800_000_000.0
_SHOP = Shop("s", {"en": "Shop"}, (Product("cup", {"en": "Tea Cup"}, price=Decimal(20)),))
_TEXT = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30)
_SENTENCES = st.builds(Sentence, st.lists(_TEXT, min_size=1, max_size=3).map(tuple), st.booleans())
_ITEMS = st.builds(
    Item,
    id=st.from_regex(r"[a-z0-9][a-z0-9_-]{0,39}", fullmatch=True),
    kind=st.sampled_from(KINDS),
    script=st.lists(_SENTENCES, max_size=3).map(tuple),
    brief=st.just("") | _TEXT,
    product=st.none() | st.just("cup"),
    action=st.sampled_from(("", "wave")),
    duration=st.none() | st.floats(5, 3600),
    hook=st.just("") | _TEXT,
)


@given(st.lists(_ITEMS, min_size=1, max_size=4, unique_by=lambda one: one.id), st.booleans())
def test_a_rundown_is_read_as_it_was_written(items: list[Item], loops: bool) -> None:
    run = Rundown("r", "A round", "en", tuple(items), loops)
    assert rundown_from_json(json.loads(json.dumps(rundown_to_json(run)))) == run


def _document(**fields: object) -> dict[str, object]:
    item = {"id": "a", "kind": "opening", "script": ["Hello."], **fields}
    return {"id": "r", "title": "T", "language": "en", "items": [item]}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([], "rundown: [] is not accepted; an object is"),
        ({**_document(), "loop": True}, "rundown has 'loop'; accepted fields: id, title"),
        ({**_document(), "language": "fr"}, "rundown.language: 'fr'; accepted are en, zh"),
        (_document(kind="song"), "rundown.items[0].kind: 'song'; accepted are opening, product"),
        (_document(duration=2), "rundown.items[0].duration: 2; accepted are 5 to 3600 seconds"),
        (_document(script=[{"wordings": []}]), "rundown.items[0].script[0].wordings: []"),
        (_document(script=["ok", 3]), "rundown.items[0].script[1]: 3 is not accepted"),
        (_document(id="No Id"), "rundown.items[0].id: 'No Id' is no id"),
        ({**_document(), "items": []}, "rundown.items: [] is not accepted; a list with an entry"),
    ],
)
def test_what_is_wrong_in_a_document_is_named(document: object, told: str) -> None:
    with pytest.raises(AgentValueError) as error:
        rundown_from_json(document)
    assert told in str(error.value)


def test_marks_become_gestures_and_emotions() -> None:
    text = "[happy:0.6] Welcome! Here is [point_product] the bag."
    clauses = marked_clauses(text, "en")
    assert plain(text) == "Welcome! Here is the bag."
    assert "".join(clause.text for clause in clauses).strip() == plain(text)
    assert {(clause.emotion, clause.intensity) for clause in clauses} == {("happy", 0.6)}
    actions = [clause.action for clause in clauses if clause.action]
    assert [(action.id, action.anchor) for action in actions] == [("point_product", "the")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[dance] Hello.", "[dance] is no mark"),
        ("[happy:3] Hello.", "'happy:3'"),
        ("[wave:1] Hello.", "a gesture has no strength"),
    ],
)
def test_wrong_marks_are_told(text: str, told: str) -> None:
    assert told in " ".join(check_marks(text))


@given(st.text(max_size=60))
def test_no_text_breaks_the_marks(text: str) -> None:
    check_marks(text)
    marked_clauses(text, "en")


def test_gestures_are_those_of_the_body() -> None:
    assert set(GESTURES) == set(ACTION_IDS)


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (Item("a", "product", (Sentence(("Hello.",)),)), "needs a product"),
        (Item("a", "opening", (Sentence(("Hi.",)),), product="mug"), "no product 'mug'"),
        (Item("a", "opening", (Sentence(("Hi.",)),), action="dance"), "action 'dance'"),
        (Item("a", "opening"), "neither a script nor a brief"),
        (Item("a", "opening", (Sentence(("[dance] Hi.",)),)), "[dance] is no mark"),
        (Item("a", "opening", (Sentence(("It is {price}.",)),)), "{price} needs a product"),
        (Item("a", "opening", (Sentence(("It is {cost}.",)),)), "{cost} is no place to fill"),
        (Item("a", "opening", (Sentence(("word " * 60,)),)), "part it"),
        (
            Item("a", "opening", tuple(Sentence((f"This is number {n}.",)) for n in range(9)),
                 duration=5.0),
            "duration 5 s is shorter than the script",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_item_is_told(item: Item, told: str) -> None:
    problems = check(Rundown("r", "R", "en", (item,)), _SHOP)
    assert [problem.item for problem in problems] == ["a"]
    assert told in problems[0].message


def test_forbidden_words_and_false_figures_are_told_of_their_sentence() -> None:
    script = (Sentence(("It is {price}.",)), Sentence(("It is $19, the best in the world.",)))
    run = Rundown("r", "R", "en", (Item("a", "product", script, product="cup"),))
    found = check(
        run, _SHOP, Regulation.of(_SHOP).check, FigureCheck(_SHOP, lambda: _NOW).false, now=_NOW
    )
    assert {problem.sentence for problem in found} == {1}
    assert any("$19" in problem.message for problem in found)
    assert any("best" in problem.message for problem in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_draft_has_nothing_wrong_with_it(language: Language) -> None:
    shop = sample_shop()
    run = draft(shop, language, now=_NOW)
    figures = FigureCheck(shop, lambda: _NOW).false
    assert check(run, shop, Regulation.of(shop).check, figures, now=_NOW) == []
    assert rundown_from_json(rundown_to_json(run)) == run
    kinds = [item.kind for item in run]
    assert kinds[0] == "opening"
    assert kinds[-1] == "closing"
    shown = {item.product for item in run if item.kind == "product"}
    assert shown == {one.id for one in shop if one.stock != 0 and one.price is not None}
    # Prices are filled in when they are spoken.
    wordings = [w for item in run for sentence in item.script for w in sentence.wordings]
    prices = {f"{one.price:f}".removesuffix(".00") for one in shop if one.price}
    assert any("{price}" in wording for wording in wordings)
    assert not any(f"${price} " in f"{wording} " for wording in wordings for price in prices)


def test_an_offer_follows_its_product_and_opens_the_round() -> None:
    shop = sample_shop()
    order = running_order(shop, _NOW)
    assert order[0].offer is not None
    items = draft(shop, "en", now=_NOW).items
    for before, item in pairwise(items):
        if item.kind == "offer":
            assert before.product == item.product


def test_a_shop_with_nothing_to_show_is_refused() -> None:
    with pytest.raises(AgentValueError, match="nothing to show"):
        draft(replace(_SHOP, products=()), "en")


def test_what_was_said_is_remembered_for_an_hour_and_no_longer() -> None:
    said = Said()
    said.add("[happy] It folds!", 1000.0)
    assert not said.is_fresh("it folds", 4599.0)
    assert said.is_fresh("It folds flat.", 1000.0)
    assert said.is_fresh("It folds!", 4600.0)
    for number in range(30_000):
        said.add(f"Sentence {number}", 1000.0)
    assert len(said) <= 18_000
    kept = Said()
    kept.restore(json.loads(json.dumps(said.snapshot())))
    assert not kept.is_fresh("Sentence 29999", 1001.0)
    with pytest.raises(AgentValueError, match="accepted is"):
        kept.restore([["only a fingerprint"]])
