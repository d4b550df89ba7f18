import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.answer import Wording
from agents.catalogue import load_catalogue, load_persona
from agents.errors import AgentValueError
from agents.history import History

DATA = Path(__file__).parents[2] / "agents" / "data"


def test_the_example_is_a_pizza_shop_of_ten_facts() -> None:
    catalogue = load_catalogue()
    assert [fact.id for fact in catalogue] == [
        "hours", "address", "delivery", "prices", "gluten_free", "vegan", "payment", "offer",
        "phone", "allergens",
    ]  # fmt: skip
    assert load_persona().name == {"en": "Mia", "zh": "米娅"}
    with pytest.raises(AgentValueError, match="no fact 'wine'"):
        catalogue.fact("wine")


def changed(tmp_path: Path, name: str, change: Callable[[Any], None]) -> Path:
    source = json.loads((DATA / name).read_text("utf-8"))
    change(source)
    target = tmp_path / name
    target.write_text(json.dumps(source), "utf-8")
    return target


Change = Callable[[Any], None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("name"), "catalogue.name is missing"),
        (lambda c: c["name"].pop("zh"), r"catalogue.name.zh is missing"),
        (lambda c: c.update(facts=[]), r"catalogue.facts: \[\] is no list"),
        (lambda c: c["facts"].append(3), r"catalogue.facts\[10\]: 3 is not an object"),
        (lambda c: c["facts"][1].update(id="Hours!"), r"facts\[1\].id: 'Hours!' is no identifier"),
        (lambda c: c["facts"][1].update(id="hours"), "'hours' is used twice"),
        (lambda c: c["facts"][0]["texts"].update(en=[" "]), r"texts.en\[0\]: ' ' is no text"),
        (lambda c: c["facts"][0]["texts"].update(en="x"), r"texts.en: 'x' is no list"),
        (lambda c: c["facts"][0]["texts"].update(en=["x" * 401]), "401 characters, at most 400"),
        (lambda c: c.update(contact="fax"), "contact: 'fax' is neither a fact nor a side of one"),
        (lambda c: c["facts"][0].update(emotion="angry"), "emotion: 'angry'; accepted are neutral"),
        (
            lambda c: c["facts"][3]["action"].update(id="dance"),
            r"facts\[3\].action.id: 'dance'; accepted are welcome",
        ),
        (
            lambda c: c["facts"][3]["action"]["anchor"].update(en="wine"),
            r"action.anchor.en: 'wine' is in none of the texts",
        ),
    ],
)
def test_errors_name_the_field_and_the_value(tmp_path: Path, change: Change, message: str) -> None:
    with pytest.raises(AgentValueError, match=message):
        load_catalogue(changed(tmp_path, "pizza_shop.json", change))


def test_a_persona_needs_every_kind_of_line(tmp_path: Path) -> None:
    path = changed(tmp_path, "mia.json", lambda p: p["lines"].pop("refuse"))
    with pytest.raises(AgentValueError, match=r"persona.lines.refuse is missing"):
        load_persona(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(AgentValueError, match="cannot read"):
        load_catalogue(tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    with pytest.raises(AgentValueError, match="not valid JSON"):
        load_catalogue(broken)
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(AgentValueError, match="cannot read"):
        load_catalogue(broken)


def test_people_are_reached_where_the_catalogue_says(tmp_path: Path) -> None:
    contact = load_catalogue().contact
    assert contact is not None
    assert contact.id == "phone.number"
    silent = changed(tmp_path, "pizza_shop.json", lambda c: c.pop("contact"))
    assert load_catalogue(silent).contact is None


def test_emotions_may_say_how_strongly_and_lines_may_have_their_own(tmp_path: Path) -> None:
    strong = changed(
        tmp_path, "pizza_shop.json", lambda c: c["facts"][0].update(emotion="happy:0.4")
    )
    own = changed(tmp_path, "mia.json", lambda p: p.update(emotions={"greeting": "excited:0.7"}))
    shop = load_catalogue(strong)
    wording = Wording(shop, load_persona(own))
    greeting = wording.line("greeting", "en")
    assert {(clause.emotion, clause.intensity) for clause in greeting} == {("excited", 0.7)}
    facts = wording.facts([shop.facts[0].whole], "en", History())
    assert {(clause.emotion, clause.intensity) for clause in facts} == {("happy", 0.4)}


@pytest.mark.parametrize(
    ("emotions", "message"),
    [
        ({"greeting": "angry"}, "persona.emotions.greeting: 'angry'; accepted are neutral"),
        ({"greeting": "happy:7"}, "persona.emotions.greeting: 'happy:7'"),
        ({"farewell": "happy"}, "persona.emotions.farewell: no such kind; accepted are greeting"),
    ],
)
def test_emotions_of_lines_are_checked(
    emotions: dict[str, str], message: str, tmp_path: Path
) -> None:
    path = changed(tmp_path, "mia.json", lambda p: p.update(emotions=emotions))
    with pytest.raises(AgentValueError, match=message):
        load_persona(path)
