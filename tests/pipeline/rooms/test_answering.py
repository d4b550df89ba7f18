"""The host answers with what who asks was told before."""

from agents.catalogue import load_anchor
from agents.host import Host
from agents.shop.sample import sample_shop
from agents.show.exchanges import Exchange
from agents.show.question import Question
from pipeline.rooms.answering import history_of, text_of

TOLD = Exchange(
    "What colours does the Drift Wool Scarf come in?",
    "It comes in oat, rust and deep blue.",
    "drift-scarf",
    ("drift-scarf.colour",),
)


async def test_the_other_one_is_what_was_told_of_before() -> None:
    question = Question(
        "w1", "How much is the other one?", "en", "dawn-thermos", None, 0.0, ("e1",),
        viewers=("ann",), before=(TOLD,),
    )  # fmt: skip
    host = Host(None, load_anchor(), shop=sample_shop())
    replies = host.reply(question.text, "en", history_of(question), focus=question.focus)
    assert "$58" in text_of([part async for part in replies])  # type: ignore[misc]
