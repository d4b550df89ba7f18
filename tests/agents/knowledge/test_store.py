"""What every store of knowledge does, whichever database it is in."""

import threading

import pytest

from agents.errors import AgentValueError
from agents.knowledge import Collection, Document, Knowledge, Model
from tests.agents.embedder import WordEmbedder
from tests.agents.knowledge.conftest import Open

WARM = Document(
    "warm",
    "craft",
    "Talking about warmth",
    "Turn hours into a moment of the day.\n\nTea from breakfast is still hot on the way home.",
    "en",
    {"kind": "hook", "level": "1"},
    "handbook",
)
PRICE = Document("price", "craft", "Too dear", "Agree first, then give one fact.", "en")
WARM_ZH = Document(
    "warm-zh", "craft", "讲保温", "把小时变成一天里的一刻。保温杯里的茶还是热的。", "zh"
)
BAG = Document(
    "bag", "styling", "Bags", "Clean shoulders let straps show.", "en", {"kind": "outfit"}
)
ALL = (WARM, PRICE, WARM_ZH, BAG)


def ids(knowledge: Knowledge, query: str, **wanted: object) -> list[str]:
    return [found.document.id for found in knowledge.search(query, **wanted)]  # type: ignore[arg-type]


def test_what_is_put_is_there_as_it_was(store: Knowledge) -> None:
    store.put(ALL)
    assert [store.get(each.collection, each.id) for each in ALL] == list(ALL)
    assert store.documents("craft") == [PRICE, WARM, WARM_ZH], "in the order of ids"
    assert store.documents("craft", after="price", limit=1) == [WARM]
    assert store.documents("craft", language="zh") == [WARM_ZH]
    assert store.documents("craft", filters={"kind": ("hook", "outfit")}) == [WARM]
    assert store.documents("cases") == []


def test_a_search_finds_by_words_in_both_languages_and_cites(store: Knowledge) -> None:
    store.put(ALL)
    (found,) = store.search("how do I talk of breakfast teas?", collection="craft", language="en")
    assert found.document == WARM
    assert found.by_words
    assert WARM.text[found.citation.start : found.citation.stop] == found.passage
    assert "breakfast" in found.passage
    assert (found.citation.title, found.citation.source) == ("Talking about warmth", "handbook")
    assert ids(store, "保温")[0] == "warm-zh"
    assert ids(store, "保溫杯")[0] == "warm-zh", "Traditional characters are as Simplified ones"
    assert ids(store, "straps") == ["bag"]
    assert ids(store, "outfit") == ["bag"], "short metadata are words too"
    assert ids(store, "motorcycle 摩托") == []
    assert ids(store, "  ") == []
    assert ids(store, '"); DROP TABLE documents; -- * OR NEAR(') == []


def test_a_search_is_narrowed_by_what_is_asked_for(store: Knowledge) -> None:
    store.put(ALL)
    assert ids(store, "straps show", collection="craft") == []
    assert ids(store, "moment of the day", filters={"kind": "hook"}) == ["warm"]
    assert ids(store, "moment of the day", filters={"kind": "hook", "level": "2"}) == []
    assert ids(store, "moment of the day", language="zh") == []


def test_an_edit_and_a_delete_take_effect_at_once(store: Knowledge) -> None:
    store.put(ALL)
    edited = Document("warm", "craft", "Cold", "Ice lasts a day.", "en", {"kind": "fact"})
    store.put([edited])
    assert store.get("craft", "warm") == edited
    assert ids(store, "breakfast") == []
    assert ids(store, "ice") == ["warm"]
    assert store.documents("craft", filters={"kind": "hook"}) == []
    assert store.delete("craft", ["warm", "nobody"]) == 1
    assert ids(store, "ice") == []
    with pytest.raises(AgentValueError, match="no document 'warm' in craft"):
        store.get("craft", "warm")


def test_ids_are_of_one_collection(store: Knowledge) -> None:
    collections: tuple[Collection, ...] = ("craft", "styling")
    store.put(Document("one", each, "Straps", f"In {each}.", "en") for each in collections)
    store.delete("craft", ["one"])
    assert store.get("styling", "one").text == "In styling."
    assert ids(store, "straps") == ["one"]


def test_a_long_document_is_found_by_its_passage(store: Knowledge) -> None:
    text = "\n\n".join(f"Paragraph {n} speaks of nothing in particular. " * 5 for n in range(30))
    store.put([Document("long", "cases", "Long", text + "\n\nThe walrus sings.", "en")])
    (found,) = store.search("walrus")
    assert found.passage == "The walrus sings."
    assert found.citation.stop == len(text) + 2 + len("The walrus sings.")
    store.put([Document("long", "cases", "Short", "Nothing is left.", "en")])
    assert ids(store, "walrus") == []


def test_nothing_is_kept_of_a_list_with_one_wrong_document(store: Knowledge) -> None:
    with pytest.raises(AgentValueError, match=r"id is '\.\./x'; accepted: 1 to 100 of a-z"):
        store.put([BAG, Document("../x", "craft", "Title", "Text", "en")])
    assert store.documents("styling") == []


@pytest.mark.parametrize("limit", [0, 101])
def test_searches_are_bounded(store: Knowledge, limit: int) -> None:
    with pytest.raises(AgentValueError, match=f"limit is {limit}; accepted: 1 to 100"):
        store.search("x", limit=limit)
    with pytest.raises(AgentValueError, match="has 1001 characters; accepted: 1000"):
        store.search("x" * 1001)


def test_a_limit_counts_documents(store: Knowledge) -> None:
    store.put(Document(f"d-{n}", "cases", "Straps", f"Number {n}.", "en") for n in range(30))
    assert len(ids(store, "straps", limit=7)) == 7


def test_marks_last(reopen: Open) -> None:
    first = reopen(None)
    assert not first.marked("loaded")
    first.mark("loaded")
    first.mark("loaded")
    assert reopen(None).marked("loaded")
    assert reopen(None).search("loaded") == []


def model(name: str, *groups: tuple[str, ...]) -> Model:
    return Model(name, WordEmbedder(*groups))


def embed_all(knowledge: Knowledge) -> None:
    while knowledge.embed(most=2):
        pass


def test_what_has_no_word_of_the_query_is_found_by_meaning(reopen: Open) -> None:
    known = reopen(model("groups", ("warm", "hot", "cosy"), ("price", "dear", "expensive")))
    known.put(ALL)
    embed_all(known)
    first = known.search("cosy", language="en")[0]
    assert first.document == WARM
    assert not first.by_words
    assert known.search("expensive", language="en")[0].document == PRICE
    known.delete("craft", ["warm"])
    assert "warm" not in ids(known, "cosy")


def test_an_edit_is_found_by_its_new_meaning(reopen: Open) -> None:
    known = reopen(model("groups", ("warm", "cosy"), ("dear", "expensive"), ("blue",)))
    known.put([PRICE, WARM])
    embed_all(known)
    known.put([Document("price", "craft", "Blue", "All is blue.", "en")])
    embed_all(known)
    assert ids(known, "blue")[0] == "price"
    assert known.search("expensive")[0].by_words is False
    assert known.embed() == 0


def test_both_ways_of_searching_are_fused(reopen: Open) -> None:
    known = reopen(model("groups", ("straps", "cosy"), ("other",)))
    known.put(
        [
            Document("words", "cases", "One", "Other moments of the morning.", "en"),
            Document("both", "cases", "Two", "Cosy straps of the morning.", "en"),
            Document("meaning", "cases", "Three", "Cosy evenings.", "en"),
        ]
    )
    embed_all(known)
    assert ids(known, "morning straps")[0] == "both"


def test_another_embedder_embeds_everything_again(reopen: Open) -> None:
    plain = reopen(None)
    plain.put(ALL)
    plain.mark("loaded")
    first = reopen(model("first", ("warm", "cosy")))
    embed_all(first)
    assert ids(first, "cosy", language="en")[0] == "warm"
    second = reopen(model("second", ("dear", "cosy"), ("warm",)))
    embed_all(second)
    assert ids(second, "cosy", language="en")[0] == "price"
    assert second.get("craft", "warm") == WARM
    assert second.marked("loaded")


def test_it_stands_the_use_of_several_threads(store: Knowledge) -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for turn in range(8):
            mine = Document(f"t-{number}", "cases", f"Thread {number}", f"Turn {turn}.", "en")
            store.put([mine])
            if store.get("cases", mine.id) != mine or not store.search(f"thread {number}"):
                wrong.append(f"{number} {turn}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(store.documents("cases")) == 4
