"""Hosts of rooms answer from what operators know beside the shop."""

from pathlib import Path

from agents.brief import PLAIN
from agents.clause import Clause
from agents.history import History
from agents.knowledge.document import Document
from agents.knowledge.products import replace_shop
from agents.knowledge.sqlite_store import SqliteKnowledge
from agents.shop.sample import sample_shop
from pipeline.rooms.hosts import RoomHosts
from pipeline.rooms.moments import RoomClock
from pipeline.rooms.state import RoomSpec
from tests.fakes.engine import FakeEngine

ASKED = "When is the pottery course for children?"
ANSWER = "The pottery course for children is on Tuesdays."


async def said(knowledge: SqliteKnowledge) -> tuple[str, list[str]]:
    hosts = RoomHosts(FakeEngine(), None, RoomClock(), knowledge)
    spec = RoomSpec(id="one", title="One", shop="willow-and-tide", rundown="one")
    host = hosts.make(spec, sample_shop(), lambda _: None)
    clauses = [
        part async for part in host.reply(ASKED, "en", History(), PLAIN) if isinstance(part, Clause)
    ]
    return "".join(part.text for part in clauses), [c for part in clauses for c in part.citations]


async def test_what_no_shop_answers_is_quoted_from_a_document(tmp_path: Path) -> None:
    knowledge = SqliteKnowledge(tmp_path / "knowledge.sqlite")
    replace_shop(knowledge, sample_shop())
    before, _ = await said(knowledge)
    knowledge.put([Document("courses", "products", "Courses", ANSWER, "en", {}, "an operator")])
    after, citations = await said(knowledge)
    knowledge.close()
    assert "Tuesdays" not in before
    assert ANSWER in after
    assert any(each.startswith("products/courses#") for each in citations)
