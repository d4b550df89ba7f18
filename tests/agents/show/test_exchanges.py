"""Who has just been answered may refer back to it."""

import json

from agents.answer import to_clauses
from agents.show.exchanges import Exchange, Exchanges
from agents.show.viewers import ViewerEvent
from tests.agents.show.stage import SHOP, Stage, item, restarted, rundown, stage

RUN = rundown(item("tote", 30, "tote"))


def ask(on: Stage, number: int, text: str, viewer: str = "ann") -> None:
    on.director.hear(ViewerEvent(f"e{number}", "chat", viewer, "Ann", text))


def answered(on: Stage, text: str = "It holds 350 ml.") -> None:
    question = on.director.question()
    assert question is not None
    on.director.answered(question, to_clauses(text, "en"), ("mug.size",))
    on.heed()
    for _ in range(3):
        on.finish()


def test_it_means_what_the_viewer_was_told_of_and_not_what_is_on_air() -> None:
    on = stage(RUN)
    on.finish()
    ask(on, 1, "How big is the Dawn Mug?")
    answered(on)
    ask(on, 2, "How much is it then?")
    question = on.director.question()
    assert question is not None
    assert question.focus == "mug"
    (before,) = question.before
    assert before == Exchange(
        "How big is the Dawn Mug?", "It holds 350 ml.", "mug", ("mug.size",)
    )  # fmt: skip


def test_others_ask_of_what_is_on_air_and_so_does_who_says_this() -> None:
    on = stage(RUN)
    on.finish()
    ask(on, 1, "How big is the Dawn Mug?")
    answered(on)
    ask(on, 2, "How much is it then?", "ben")
    ask(on, 3, "Is this one heavy?")
    first, second = on.director.question(), on.director.question()
    assert first is not None
    assert second is not None
    assert (first.focus, first.before) == ("tote", ())
    assert second.focus == "tote"


def test_what_was_told_is_forgotten_after_three_minutes_and_outlives_a_restart() -> None:
    on = stage(RUN)
    on.finish()
    ask(on, 1, "How big is the Dawn Mug?")
    answered(on)
    snapshot = json.loads(json.dumps(on.director.snapshot()))
    on = restarted(on, RUN, SHOP, snapshot)
    ask(on, 2, "How much is it then?")
    question = on.director.question()
    assert question is not None
    assert question.focus == "mug"
    assert len(question.before) == 1
    on.director.unanswered(question)
    on.now += 180.0
    ask(on, 3, "How much is it then?")
    question = on.director.question()
    assert question is not None
    assert (question.focus, question.before) == ("tote", ())


def test_two_exchanges_of_a_viewer_and_a_hundred_in_all_are_kept() -> None:
    kept = Exchanges()
    for number in range(500):
        kept.add(Exchange(f"{number}?", "Yes."), ["ann", f"v{number}"], 1000.0)
    assert len(kept) == 100
    assert [one.question for one in kept.of("ann", 1000.0)] == ["498?", "499?"]
    assert kept.of("v1", 1000.0) == ()
    # A clock that was set back makes nothing last.
    assert kept.of("ann", 900.0) == ()
