"""The director: order of the script, interjections, bridges, batches, limits."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from agents.errors import AgentValueError
from agents.rundown.document import Item, Sentence
from agents.show.viewers import ViewerEvent, ViewerKind
from tests.agents.show.stage import SHOP, Stage, item, positions, rundown, stage

RUN = rundown(item("hello", 2), item("tote", 6, "tote"), item("mug", 4, "mug"))


def chat(number: int, text: str, viewer: str = "", name: str = "") -> ViewerEvent:
    """Return something a viewer wrote."""
    return ViewerEvent(
        f"e{number}", "chat", viewer or f"v{number}", name or f"Viewer{number}", text
    )


def did(number: int, kind: ViewerKind, name: str = "Anna", **fields: object) -> ViewerEvent:
    """Return something a viewer did."""
    return ViewerEvent(f"e{number}", kind, f"v{number}", name, **fields)  # type: ignore[arg-type]


def play(on: Stage, lines: int) -> None:
    for _ in range(lines):
        on.finish()


def test_the_script_is_heard_in_order_and_again() -> None:
    on = stage(RUN)
    play(on, 24)
    once = [("hello", 0), ("hello", 1), *[("tote", n) for n in range(6)],
            *[("mug", n) for n in range(4)]]  # fmt: skip
    assert positions(on.heard) == [*once, *once]
    assert on.director.loop == 3  # whose first lines are prepared


def test_lines_show_the_product_of_their_item() -> None:
    on = stage(RUN)
    play(on, 9)
    assert [line.product for line in on.heard] == [None, None, *["tote"] * 6, "mug"]


def test_an_answer_comes_at_the_end_of_the_running_line_and_the_script_goes_on_over_a_bridge() -> (
    None
):
    on = stage(RUN)
    play(on, 4)
    on.director.hear(chat(1, "How much is it?", name="Anna"))
    assert on.answer() == 1
    assert on.director.urgent
    play(on, 4)
    kinds = [line.kind for line in on.heard[4:]]
    assert kinds == ["script", "answer", "bridge", "script"]
    assert "Anna" in on.heard[5].text
    assert on.heard[5].text.casefold().endswith("it is $49.90.")
    assert "Harbour Tote" in on.heard[6].text
    assert positions(on.heard)[-2:] == [("tote", 2), ("tote", 3)]


def test_no_bridge_between_items_after_a_short_break() -> None:
    on = stage(RUN)
    play(on, 1)
    on.director.hear(chat(1, "How much is the mug?"))
    on.answer()
    play(on, 3)
    assert [line.kind for line in on.heard] == ["script", "script", "answer", "script"]
    assert positions(on.heard)[-1] == ("tote", 0)


def test_a_bridge_is_followed_by_the_script_whatever_presses() -> None:
    on = stage(RUN)
    play(on, 4)
    on.director.hear(chat(1, "How much is it?"))
    on.answer()
    play(on, 2)
    assert on.running is not None
    assert on.running.kind == "bridge"
    on.director.hear(chat(2, "What colours are there?"))
    on.answer()
    play(on, 3)
    assert [line.kind for line in on.heard[-3:]] == ["bridge", "script", "answer"]


def test_duplicates_are_merged_and_answered_once() -> None:
    on = stage(RUN)
    play(on, 4)
    first = on.director.hear(chat(1, "How much is it?", name="Anna"))
    others = [
        on.director.hear(chat(2, "how much is it", name="Ben")),
        on.director.hear(chat(3, "What does the Harbour Tote cost?", name="Cleo")),
        on.director.hear(chat(4, "price please?", name="Dan")),
    ]
    assert first.status == "queued"
    assert [(one.status, one.merged_with) for one in others] == [("merged", "e1")] * 3
    assert on.answer() == 1
    play(on, 3)
    answers = [line for line in on.heard if line.kind == "answer"]
    assert [line.events for line in answers] == [("e1", "e2", "e3", "e4")]
    assert "Anna, Ben and two others" in answers[0].text


def test_questions_about_different_things_are_not_merged() -> None:
    on = stage(RUN)
    on.director.hear(chat(1, "How much is the tote bag?"))
    on.director.hear(chat(2, "How much is the Dawn Mug?"))
    on.director.hear(chat(3, "Which colours does the Harbour Tote come in?"))
    assert on.director.waiting == 3


def test_a_question_asked_while_it_is_answered_is_part_of_the_answer() -> None:
    on = stage(RUN)
    play(on, 3)
    on.director.hear(chat(1, "How much is it?"))
    on.answer()
    play(on, 1)
    assert on.running is not None
    assert on.running.kind == "answer"
    heard = on.director.hear(chat(2, "how much is it?"))
    assert (heard.status, heard.merged_with) == ("merged", "e1")
    play(on, 1)
    assert on.director.hear(chat(3, "how much is it??")).status == "merged"
    assert on.director.waiting == 0


def test_the_same_event_counts_once() -> None:
    on = stage(RUN)
    assert on.director.hear(chat(1, "How much is it?")).status == "queued"
    assert on.director.hear(chat(1, "How much is it?")).status == "known"
    assert on.director.waiting == 1


def test_who_floods_is_limited_and_told_for_how_long() -> None:
    on = stage(RUN, questions_per_minute=3)
    texts = ["How much is it?", "Which colours?", "What material is it?", "How heavy is it?"]
    heard = [on.director.hear(chat(n, text, "anna")) for n, text in enumerate(texts)]
    assert [one.status for one in heard] == ["queued", "queued", "queued", "limited"]
    assert 0 < heard[3].retry_after <= 60
    assert on.director.hear(chat(9, "How heavy is it?", "ben")).status == "queued"
    on.now += 61
    assert on.director.hear(chat(10, "Is it waterproof?", "anna")).status == "queued"


def test_an_order_is_thanked_with_the_product_and_without_the_buyer() -> None:
    on = stage(RUN)
    play(on, 3)
    on.director.hear(did(1, "order", "Anna Smith", product="mug"))
    play(on, 3)
    (thanks,) = on.texts("thanks")
    assert "Dawn Mug" in thanks
    assert "Anna" not in thanks


def test_who_comes_is_greeted_alone_when_calm_and_in_a_batch_when_busy() -> None:
    on = stage(RUN)
    play(on, 3)
    on.director.hear(did(1, "join", "Anna"))
    play(on, 3)
    assert ["Anna" in text for text in on.texts("greeting")] == [True]
    for number in range(2, 15):
        on.director.hear(did(number, "join", f"Viewer{number}"))
    play(on, 24)
    greeting = on.texts("greeting")[1]
    assert "Viewer2, Viewer3 and eleven others" in greeting


def test_nobody_is_greeted_twice_within_the_hour() -> None:
    on = stage(RUN)
    on.director.hear(ViewerEvent("a", "join", "v", "Anna"))
    assert on.director.hear(ViewerEvent("b", "join", "v", "Anna")).status == "ignored"


def test_greetings_are_not_given_where_the_room_does_not_greet_but_orders_are_thanked() -> None:
    on = stage(RUN, greets=False)
    assert on.director.hear(did(1, "join")).status == "noted"
    assert on.director.hear(did(2, "order", product="tote")).status == "queued"


def test_an_operator_comes_first() -> None:
    on = stage(RUN)
    play(on, 3)
    on.director.hear(did(1, "order", product="tote"))
    on.director.say("One moment please. We are back at once.")
    play(on, 4)
    assert [line.kind for line in on.heard[3:]] == ["script", "operator", "operator", "thanks"]
    assert on.texts("operator") == ["One moment please.", "We are back at once."]


def test_nothing_waits_for_ever_under_a_steady_stream_of_what_is_more_urgent() -> None:
    """A greeting passes an endless stream of orders once it has waited long enough."""
    on = stage(RUN)
    play(on, 2)
    on.director.hear(did(1, "join", "Patience"))
    for number in range(2, 400):
        on.director.hear(did(number, "order", product="tote"))
        on.director.hear(did(1000 + number, "gift", gift="Rose"))
        play(on, 1)
        if on.texts("greeting"):
            break
    assert on.now - 1000.0 < 200.0
    assert "Patience" in on.texts("greeting")[0]


def test_the_script_has_its_turn_among_endless_questions() -> None:
    on = stage(RUN)
    for number in range(60):
        on.director.hear(chat(number, f"Is number {number} of {number * 37} in the box {number}?"))
        on.answer()
        play(on, 1)
    runs = "".join("s" if line.kind == "script" else "a" for line in on.heard).split("s")
    assert max(map(len, runs)) <= 6
    assert len(runs) > 8


def test_what_cannot_be_answered_in_time_is_overdue_and_the_most_asked_is_kept() -> None:
    on = stage(RUN)
    play(on, 1)
    for number in range(12):
        on.director.hear(chat(number, f"Question number {number}, about {number * 7919}?"))
    for number in range(100, 104):
        on.director.hear(chat(number, "How much is it?"))
    assert on.director.overdue() == []  # they have only just come
    on.now += 2.0
    late = on.director.overdue()
    assert on.director.waiting + len(late) == 13
    assert 0 < on.director.waiting <= 2
    assert all(question.askers == 1 for question in late)
    kept = on.director.question()
    assert kept is not None
    assert kept.askers == 4


def test_a_question_waits_for_the_line_it_came_in_and_not_for_the_next_one() -> None:
    long = tuple(Sentence((f"{n} " + "and so on " * 9 + ".",), fixed=True) for n in range(6))
    on = stage(rundown(Item("opening", "opening", long)))
    on.fill()
    for number in range(3):
        on.director.hear(chat(number, f"What of number {number * 7919}?"))
    on.now += 1.5  # the line goes on for much longer than 6 s
    on.director.hear(chat(3, "How much is it?"))
    assert on.director.waiting == 4
    late = {question.id for question in on.director.overdue()}
    assert on.director.waiting == 1, "one can begin when the line ends"
    (kept,) = [one for one in on.director._waiting if one.id not in late]
    # The line ends, and another one was begun before anybody looked at what waits.
    line, on.running = on.running, None
    assert line is not None
    assert on.prepared is not None
    on.now += 8.0
    on.director.ended(line)
    on.running, on.prepared = on.prepared, None
    on.director.began(on.running)
    on.now += 0.1
    assert [question.id for question in on.director.overdue()] == [kept.id]


def test_remarks_that_are_let_go_are_told_once() -> None:
    on = stage(RUN)
    play(on, 1)
    for number in range(8):
        on.director.hear(chat(number, f"Question number {number}, about {number * 7919}?"))
    heard = on.director.hear(chat(50, "I love your voice so much"))
    assert heard.status == "queued"
    on.now += 40.0
    assert len(on.director.overdue()) == 8
    (event,) = on.director.forgotten()
    assert event.endswith("50")
    assert on.director.forgotten() == []


def test_one_question_alone_is_never_overdue() -> None:
    on = stage(RUN)
    on.director.hear(chat(1, "How much is it?"))
    on.now += 30.0
    assert on.director.overdue() == []


def test_what_waits_is_bounded_and_orders_are_not_pushed_out() -> None:
    on = stage(RUN)
    on.director.hear(did(99_999, "order", product="tote"))
    for number in range(700):
        on.director.hear(chat(number, f"Is {number * 7919} what {number * 104729} asks for?"))
    assert on.director.waiting <= 500
    written = on.director.overdue()
    assert on.director.waiting + len(written) == 700
    play(on, 3)
    assert len(on.texts("thanks")) == 1


def test_skip_and_jump_leave_the_rest_of_an_item() -> None:
    on = stage(RUN)
    play(on, 4)
    on.director.skip()
    assert on.director.urgent
    play(on, 3)
    assert positions(on.heard)[-2:] == [("mug", 0), ("mug", 1)]
    on.director.jump("tote")
    play(on, 2)
    assert positions(on.heard)[-1] == ("tote", 0)
    with pytest.raises(AgentValueError, match=r"no item 'nowhere'.*hello, tote, mug"):
        on.director.jump("nowhere")


def test_a_held_item_stands_still_and_goes_on_exactly() -> None:
    on = stage(RUN)
    play(on, 4)
    on.director.hold()
    play(on, 6)
    assert {line.kind for line in on.heard[5:]} == {"more"}
    on.director.go_on()
    play(on, 3)
    assert positions(on.heard) == [("hello", 0), ("hello", 1), *[("tote", n) for n in range(4)]][:7]


def test_an_edited_item_goes_on_at_the_place_reached() -> None:
    on = stage(RUN)
    play(on, 4)
    old = item("tote", 6, "tote")
    more = item("new", 1).script
    script = (*old.script[:2], *more, *old.script[4:])
    on.director.replace(rundown(RUN.items[0], replace(old, script=script)))
    play(on, 5)
    texts = on.texts("script")
    assert texts[2:5] == ["tote says 0.", "tote says 1.", "tote says 2."]
    assert texts[5:8] == ["new says 0.", "tote says 4.", "tote says 5."]


def test_an_offer_is_announced_next_with_its_product_shown() -> None:
    on = stage(RUN)
    play(on, 3)
    on.director.offer("mug")
    play(on, 3)
    told = next(line for line in on.heard if line.kind == "decision")
    assert told.product == "mug"
    assert "$18" in told.text
    with pytest.raises(AgentValueError, match="no product 'nothing'"):
        on.director.offer("nothing")


def test_gestures_of_greetings_and_thanks_differ() -> None:
    on = stage(RUN)
    made = []
    for number in range(30):
        on.director.hear(did(number, "order", product="tote"))
        play(on, 2)
    for line in on.heard:
        if line.clauses:
            made += [clause.action.id for clause in line.clauses if clause.action]
    assert len(set(made)) >= 3
    # A line that was withdrawn may have had the gesture that its successor now has too.
    same = sum(left == right for left, right in pairwise(made))
    assert same <= len(made) // 10


def test_a_snapshot_is_json_and_refuses_what_is_none() -> None:
    on = stage(RUN)
    play(on, 5)
    on.director.hear(chat(1, "How much is it?"))
    json.dumps(on.director.snapshot())
    with pytest.raises(AgentValueError, match="snapshot"):
        on.director.restore({"version": 1})
    with pytest.raises(AgentValueError, match="version"):
        on.director.restore({"version": 99})


def test_a_rundown_that_does_not_loop_ends_and_still_answers() -> None:
    on = stage(rundown(item("hello", 2), loops=False))
    play(on, 4)
    assert on.director.finished
    on.director.hear(chat(1, "How much is the tote?"))
    on.answer()
    assert on.director.urgent
    play(on, 2)
    assert len(on.texts("answer")) == 1


def test_the_shop_of_the_stage_is_sound() -> None:
    assert [product.id for product in SHOP] == ["tote", "mug"]
