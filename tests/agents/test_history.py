import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import AgentValueError
from agents.history import ROOT, History
from agents.llm import CallMessage, Message, OutputMessage


def spoken(text: str) -> History:
    history = History()
    history.add("q", "user", "When?")
    history.add("a", "assistant", text, status="in_progress", citations=("hours",))
    return history


def test_grows_clause_by_clause() -> None:
    history = spoken("We open")
    history.extend("a", " at 11 AM,", ("hours", "prices"))
    item = history.complete("a")
    assert (item.text, item.status) == ("We open at 11 AM,", "completed")
    assert item.citations == ("hours", "prices")
    with pytest.raises(AgentValueError, match="completed"):
        history.extend("a", " more")


@pytest.mark.parametrize(
    ("text", "heard", "kept"),
    [
        ("We open at 11 AM, and close at 10 PM.", "We open at 11 AM", "We open at 11 AM, —"),
        ("We open at 11 AM, and close at 10 PM.", "we open at", "We open at —"),
        ("It costs $9.99 today.", "It costs 9", "It costs —"),
        ("It costs today.", "It costs tod", "It costs —"),
        ("It costs today.", "It costs today", "It costs today."),
        ("It costs today.", "", ""),
        ("We open at 11 AM, and close at 10 PM.", "Weopenateleven", "We open at —"),
        ("We open at 11 AM, and close.", "Weopenat elevenAM", "We open at 11 AM, —"),
        ("We open at 11 AM, and close.", "Weopenat elevenAMand", "We open at 11 AM, and —"),
        (
            "A small is $9, a medium is $12.",
            "asmallisninedollarsamedium",
            "A small is $9, a medium —",
        ),
        ("电话是555-0123，打来就能订餐。", "电话是五五五零一二三打来", "电话是555-0123，打来——"),
        ("It costs today.", "Something else", ""),
        ("每天上午十一点开门，晚上十点打烊。", "每天上午十一点", "每天上午十一点——"),
    ],
)
def test_keeps_the_words_heard(text: str, heard: str, kept: str) -> None:
    item = spoken(text).truncate("a", heard=heard)
    assert (item.text, item.status) == (kept, "interrupted")


@pytest.mark.parametrize(
    ("text", "fraction", "kept"),
    [
        ("one two three four", 0.5, "one two —"),
        ("one two three four", 0.0, ""),
        ("one two three four", 1.0, "one two three four"),
        ("我们每天开门", 0.5, "我们每——"),
    ],
)
def test_keeps_the_share_heard(text: str, fraction: float, kept: str) -> None:
    assert spoken(text).truncate("a", fraction=fraction).text == kept


@given(st.text(max_size=80), st.floats(0, 1))
def test_truncation_never_adds_words(text: str, fraction: float) -> None:
    kept = spoken(text).truncate("a", fraction=fraction).text
    body = kept.removesuffix("——").removesuffix(" —") if kept != text else text
    assert text.startswith(body)


def test_unheard_items_do_not_reach_the_model() -> None:
    history = spoken("We open at 11 AM.")
    history.truncate("a", fraction=0)
    assert history.messages() == [Message("user", "When?")]
    assert history.messages(0) == []


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_refuses_a_share_out_of_range(fraction: float) -> None:
    with pytest.raises(AgentValueError, match="0 to 1"):
        spoken("text").truncate("a", fraction=fraction)


def test_refuses_both_and_neither_and_unknown() -> None:
    history = spoken("text")
    with pytest.raises(AgentValueError, match="either"):
        history.truncate("a")
    with pytest.raises(AgentValueError, match="either"):
        history.truncate("a", heard="t", fraction=0.1)
    with pytest.raises(AgentValueError, match="'b'"):
        history.truncate("b", fraction=0.1)
    with pytest.raises(AgentValueError, match="already"):
        history.add("a", "user", "again")


@given(st.lists(st.text(min_size=1, max_size=50), min_size=1, max_size=60))
def test_is_bounded(texts: list[str]) -> None:
    history = History(max_items=5, max_characters=100)
    for number, text in enumerate(texts):
        history.add(str(number), "user", text)
    assert len(history) <= 5
    assert sum(len(item.text) for item in history) <= 100
    assert [item.text for item in history][-1] == texts[-1]


def test_refuses_no_room() -> None:
    with pytest.raises(AgentValueError, match="0 items"):
        History(max_items=0)


def test_remove() -> None:
    history = spoken("text")
    history.remove("a")
    assert "a" not in history
    with pytest.raises(AgentValueError, match="'a'"):
        history.remove("a")


def called() -> History:
    history = History()
    history.add("q", "user", "Where is my order?")
    history.add_call("c", "call_1", "track", '{"id": "A1"}')
    return history


def test_a_call_and_its_output_are_told_side_by_side() -> None:
    history = called()
    history.add("q2", "user", "Hello?")
    history.add_output("o", "call_1", "shipped")
    assert history.exchange() == [
        Message("user", "Where is my order?"),
        CallMessage("call_1", "track", '{"id": "A1"}'),
        OutputMessage("call_1", "shipped"),
        Message("user", "Hello?"),
    ]
    assert history.get("o").name == "track"
    assert history.messages() == [Message("user", "Where is my order?"), Message("user", "Hello?")]


def test_half_a_call_is_not_told() -> None:
    history = called()
    assert history.exchange() == [Message("user", "Where is my order?")]
    history.add_output("o", "call_1", "shipped")
    history.remove("c")
    assert history.exchange() == [Message("user", "Where is my order?")]


def test_an_output_needs_its_call_and_comes_once() -> None:
    history = called()
    with pytest.raises(AgentValueError, match="'call_2'"):
        history.add_output("o", "call_2", "shipped")
    history.add_output("o", "call_1", "shipped")
    with pytest.raises(AgentValueError, match="has its output"):
        history.add_output("o2", "call_1", "shipped")
    with pytest.raises(AgentValueError, match="already"):
        history.add_call("c2", "call_1", "track", "{}")
    with pytest.raises(AgentValueError, match="at most 32768"):
        history.add_call("c3", "call_3", "track", "x" * 32769)
    with pytest.raises(AgentValueError, match="only speech"):
        history.truncate("c", fraction=0.5)


def test_outputs_are_unanswered_until_something_is_said() -> None:
    history = called()
    assert history.unanswered() == []
    history.add_call("c2", "call_2", "track", "{}")
    history.add_output("o", "call_1", "shipped")
    history.add_output("o2", "call_2", "lost")
    history.add("a", "assistant", "", status="in_progress")
    assert [item.id for item in history.unanswered()] == ["o", "o2"]
    history.extend("a", "It is on its way.")
    assert history.unanswered() == []


@pytest.mark.parametrize(
    ("after", "order"),
    [(ROOT, "nabc"), ("a", "anbc"), ("b", "abnc"), ("c", "abcn"), (None, "abcn")],
)
def test_an_item_is_inserted_after_another(after: str | None, order: str) -> None:
    history = History()
    for name in "abc":
        history.add(name, "user", name)
    history.add("n", "system", "Be brief.", after=after)
    assert "".join(item.id for item in history) == order
    assert Message("system", "Be brief.") in history.messages()


def test_refuses_to_follow_what_is_not_there() -> None:
    history = called()
    with pytest.raises(AgentValueError, match="'nowhere'"):
        history.add("n", "user", "Hi", after="nowhere")
    with pytest.raises(AgentValueError, match="reserved"):
        history.add(ROOT, "user", "Hi")
    assert [item.id for item in history] == ["q", "c"]
