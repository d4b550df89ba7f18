"""Logs of chat: read, written, refused by line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.show.viewers import VIEWER_KINDS, ViewerEvent
from transport.chat.log import Entry, read_log, renamed, write_log
from transport.errors import PayloadError

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=40
).filter(lambda text: text == text.strip())
EVENTS = st.builds(
    ViewerEvent,
    id=TEXTS,
    kind=st.sampled_from(VIEWER_KINDS),
    viewer=TEXTS,
    name=TEXTS,
    text=TEXTS,
    language=st.sampled_from([None, "en", "zh"]),
    product=st.none() | st.just("p1"),
    amount=st.integers(0, 1000).map(float),
    gift=TEXTS,
)


@given(st.lists(st.tuples(st.integers(0, 10**6), EVENTS), min_size=1, max_size=8))
@settings(max_examples=60)
def test_what_is_written_is_read_again(found: list[tuple[int, ViewerEvent]]) -> None:
    entries = [Entry(at / 1000, event) for at, event in found]
    read = read_log(write_log(entries))
    assert sorted(read, key=lambda e: e.at) == read
    assert {(e.at, e.event) for e in read} == {(e.at, e.event) for e in entries}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "not|JSON|Expecting"),
        ("[]", "no JSON object"),
        ('{"id": "a", "kind": "join"}', "at is None"),
        ('{"at": true, "id": "a", "kind": "join"}', "at is True"),
        ('{"at": -1, "id": "a", "kind": "join"}', "at is -1"),
        ('{"at": 1e9, "id": "a", "kind": "join"}', "at is"),
        ('{"at": 1, "id": "a", "kind": "jump"}', "kind is 'jump'"),
        ('{"at": 1, "id": "a", "kind": "chat"}', "text is ''"),
        ('{"at": 1, "id": "", "kind": "join"}', "id"),
        ('{"at": 1, "id": "a", "kind": "join", "x": "' + "y" * 20_000 + '"}', "characters"),
    ],
)
def test_a_line_that_is_no_entry_is_named(line: str, says: str) -> None:
    good = '{"at": 0, "id": "ok", "kind": "join"}\n\n'
    with pytest.raises(PayloadError, match=f"line 3 of the log.*({says})"):
        read_log(good + line)


def test_an_empty_log_is_none() -> None:
    with pytest.raises(PayloadError, match="0 events"):
        read_log("\n \n")


def test_a_log_can_be_heard_again_under_other_ids() -> None:
    entries = read_log('{"at": 0, "id": "a", "kind": "join"}')
    assert [entry.event.id for entry in renamed(entries, "run2")] == ["run2-a"]
