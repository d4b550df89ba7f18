"""What is nearest in meaning answers where words do not, and only if it is near enough."""

from agents.catalogue import load_anchor
from agents.clause import Clause
from agents.history import History
from agents.host import Host
from tests.agents.embedder import WordEmbedder
from tests.agents.shop.measure import NOW, shop

HOME = shop("home")


async def ask(host: Host, question: str, focus: str | None = None) -> set[str]:
    parts = host.reply(question, "en", History(), focus=focus)
    return {c async for part in parts if isinstance(part, Clause) for c in part.citations}


def host(*groups: tuple[str, ...]) -> tuple[Host, WordEmbedder]:
    embedder = WordEmbedder(*groups)
    return Host(None, load_anchor(), shop=HOME, embedder=embedder, now=lambda: NOW), embedder


async def test_a_part_by_another_name_is_found() -> None:
    one, _ = host(("tether", "cable"))
    assert await ask(one, "how long is the tether", "espresso") == {"espresso.cable_length"}


async def test_without_an_embedder_it_is_not_known() -> None:
    assert (
        await ask(
            Host(None, load_anchor(), shop=HOME, now=lambda: NOW),
            "how long is the tether",
            "espresso",
        )
        == set()
    )


async def test_only_the_product_asked_about_is_compared() -> None:
    one, _ = host(("tether", "cable"))
    assert await ask(one, "how long is the tether", "candle") == set()


async def test_another_kind_of_quantity_is_no_answer() -> None:
    one, _ = host(("tether", "suction"))
    assert await ask(one, "how long is the tether", "vac") == set()


async def test_of_two_alike_both_are_told_where_they_are_short() -> None:
    one, _ = host(("gizmo", "driver", "microphone"))
    cited = await ask(one, "what about the gizmo", "buds")
    assert cited == {"buds.driver_size", "buds.microphone"}


async def test_words_decide_before_meanings() -> None:
    one, embedder = host(("heavy", "cable"))
    assert await ask(one, "how heavy is it", "espresso") == {"espresso.weight"}
    assert embedder.asked == []


async def test_what_was_read_is_not_embedded_again() -> None:
    one, embedder = host(("tether", "cable"))
    await ask(one, "how long is the tether", "espresso")
    before = len(embedder.asked)
    await ask(one, "how long is the tether", "espresso")
    assert embedder.asked[before:] == []


async def test_what_has_been_read_ahead_is_not_embedded_again() -> None:
    one, embedder = host(("tether", "cable"))
    one.prepare()
    one.read_ahead("espresso")
    embedder.asked.clear()
    assert await ask(one, "how long is the tether", "espresso") == {"espresso.cable_length"}
    assert [text for texts in embedder.asked for text in texts] == ["how long is the tether"]
