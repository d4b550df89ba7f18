"""What a change of goods touches."""

from dataclasses import replace
from decimal import Decimal

from agents.answer import to_clauses
from agents.show.goods import change_of
from agents.show.viewers import ViewerEvent
from tests.agents.show.stage import SHOP, item, rundown, stage

TOTE = replace(SHOP.product("tote"), stock=20)
MUG = SHOP.product("mug")
BEFORE = replace(SHOP, products=(TOTE, MUG))
SOLD = replace(BEFORE, products=(replace(TOTE, stock=19), MUG))
RUN = rundown(item("opening", 9), item("tote", 9, "tote"))


def test_a_sale_touches_figures_of_that_product_alone() -> None:
    change = change_of(BEFORE, SOLD)
    assert change.touches("There are 20 left.", "tote")
    assert change.touches("20 of one, 3 of another.", None)
    assert not change.touches("It stands on its own.", "tote")
    assert not change.touches("It holds 350 ml.", "mug")


def test_the_last_one_sold_touches_all_that_is_said_of_it() -> None:
    gone = replace(BEFORE, products=(replace(TOTE, stock=0), MUG))
    assert change_of(BEFORE, gone).touches("It stands on its own.", "tote")


def test_a_price_and_a_policy_touch_more() -> None:
    dear = replace(BEFORE, products=(replace(TOTE, price=Decimal(60)), MUG))
    assert change_of(BEFORE, dear).touches("It stands on its own.", "tote")
    banned = replace(BEFORE, banned=("stands",))
    assert change_of(BEFORE, banned).touches("It holds 350 ml.", "mug")
    assert not change_of(BEFORE, replace(BEFORE)).touches("20 left.", "tote")


def test_an_answer_is_made_anew_where_a_sale_has_changed_it() -> None:
    on = stage(RUN, BEFORE)
    on.fill()
    on.director.hear(ViewerEvent("q1", "chat", "v1", "Anna", "How many totes are left?"))
    question = on.director.question()
    assert question is not None
    on.director.answered(question, to_clauses("There are 20 left.", "en"), ("tote.stock",))
    on.heed()
    assert on.prepared is not None
    assert on.prepared.kind == "answer"
    on.director.restock(SOLD)
    assert on.director.urgent
    on.wake()
    again = on.director.question()
    assert again is not None
    on.director.answered(again, to_clauses("There are 19 left.", "en"), ("tote.stock",))
    for _ in range(4):
        on.heed()
        on.finish()
    assert [text for text in on.texts("answer") if "left" in text] != []
    assert all("20" not in text for text in on.texts("answer"))
