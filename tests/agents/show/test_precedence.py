"""Who comes first where much waits."""

from random import Random

import pytest

from agents.show.viewers import ViewerEvent
from tests.agents.show.stage import SHOP, Stage, item, rundown, stage

RUN = rundown(item("opening", 30), item("tote", 30, "tote"))


def chat(number: int, text: str) -> ViewerEvent:
    return ViewerEvent(f"c{number}", "chat", f"v{number}", f"Viewer {number}", text)


def crowd(on: Stage, seconds: float, seed: int) -> None:
    """Questions, orders and gifts come in all the time, and each wakes the show."""
    random = Random(seed)
    number, until = 0, on.now + seconds
    while on.now < until:
        for _ in range(random.randrange(12)):
            number += 1
            kind = random.choice(["chat", "chat", "order", "gift", "join"])
            event = chat(number, f"What about number {random.randrange(40)}?")
            if kind != "chat":
                product = random.choice(SHOP.products).id
                event = ViewerEvent(
                    f"c{number}", kind, f"v{number}", "Ben", product=product, gift="Rose"  # type: ignore[arg-type]
                )  # fmt: skip
            on.director.hear(event)
            on.answer()
            on.heed()
        on.director.overdue()
        on.heed()
        on.finish()


@pytest.mark.parametrize("seed", range(6))
def test_a_crowd_is_answered_and_thanked_and_the_script_goes_on(seed: int) -> None:
    on = stage(RUN)
    crowd(on, 600.0, seed)
    kinds = [line.kind for line in on.heard]
    share = {kind: kinds.count(kind) / len(kinds) for kind in set(kinds)}
    assert share["answer"] > 0.3
    assert share["script"] > 0.2
    assert 0.02 < share["thanks"] < 0.2
    # Whatever was bought has been thanked for, or is in the batch that waits.
    assert on.now - 1000.0 >= 600.0


@pytest.mark.parametrize("seed", range(3))
def test_a_crowd_does_not_keep_the_show_from_its_next_item(seed: int) -> None:
    on = stage(rundown(item("opening", 2), item("tote", 4, "tote", duration=30.0), item("end", 1)))
    crowd(on, 600.0, seed)
    items = [line.item for line in on.heard]
    visits = [name for at, name in enumerate(items) if name != items[at - 1]]
    assert on.director.loop > 2
    assert visits.count("tote") > 2


def test_who_waits_is_answered_where_the_script_has_nothing() -> None:
    on = stage(rundown(item("opening", 1), loops=False))
    for number in range(8):
        on.director.hear(chat(number, f"What about number {number}?"))
        on.answer()
    for _ in range(12):
        on.fill()
        on.finish()
    assert [line.kind for line in on.heard].count("answer") == 8


def test_different_orders_are_thanked_for_in_one_line_while_questions_wait() -> None:
    on = stage(RUN)
    on.fill()
    on.director.hear(chat(1, "How much is it?"))
    for number, product in enumerate(("tote", "mug", "tote")):
        on.director.hear(ViewerEvent(f"o{number}", "order", f"b{number}", product=product))
    for _ in range(8):
        on.answer()
        on.heed()
        on.finish()
    (thanks,) = [line for line in on.heard if line.kind == "thanks"]
    assert set(thanks.events) == {"o0", "o1", "o2"}
    assert "Tote" not in thanks.text
