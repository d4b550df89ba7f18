"""What is written down of a session is what was heard of it."""

from datetime import UTC, datetime

import pytest

from pipeline import events
from pipeline.privacy.scribe import MAX_OPEN, Scribe
from pipeline.privacy.transcripts import Line
from tests.fakes.room import Room

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Book:
    """A ledger in memory."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, Line]] = []

    def add(self, person: str, line: Line) -> None:
        self.lines.append((person, line))

    def amend(self, person: str, session: str, item: str, text: str) -> None:
        self.lines = [
            (whose, Line(old.at, old.session, old.item, old.who, text, old.language))
            if (whose, old.session, old.item) == (person, session, item)
            else (whose, old)
            for whose, old in self.lines
        ]

    def told(self) -> list[tuple[str, str]]:
        """Return who said what."""
        return [(line.who, line.text) for _, line in self.lines]


@pytest.fixture
def book() -> Book:
    return Book()


def follow(room: Room, book: Book, person: str | None = "ann") -> None:
    """Write down what the session of a room tells from now on."""
    scribe = Scribe(book, person, lambda: NOON)
    scribe.begin(room.session.id)
    forward = room.sink.event

    def event(told: events.SessionEvent) -> None:
        scribe.event(told)
        forward(told)

    room.sink.event = event  # type: ignore[method-assign, assignment]


async def test_a_conversation_is_written_down(room: Room, book: Book) -> None:
    follow(room, book)
    await room.speak(1.0)
    await room.silence(5.0)
    assert book.told() == [
        ("person", "what is on this pizza"),
        ("host", "You asked me this, what is on this pizza"),
    ]
    assert {person for person, _ in book.lines} == {"ann"}
    assert {line.session for _, line in book.lines} == {room.session.id}
    assert book.lines[0][1].language == "en"


async def test_nothing_of_a_reply_is_written_before_its_end(room: Room, book: Book) -> None:
    follow(room, book)
    await room.speak(1.0)
    await room.silence(1.5)
    assert room.sink.of(events.OutputAudioStarted)
    assert [who for who, _ in book.told()] == ["person"]


async def test_of_an_interrupted_reply_what_was_heard_is_written(room: Room, book: Book) -> None:
    follow(room, book)
    await room.speak(1.0)
    await room.silence(1.8)
    room.session.cancel()
    await room.silence(0.5)
    (who, text) = book.told()[-1]
    assert who == "host"
    assert text.startswith("You asked")
    assert "pizza" not in text


async def test_what_a_client_says_was_not_heard_is_taken_back(room: Room, book: Book) -> None:
    follow(room, book)
    await room.speak(1.0)
    await room.silence(5.0)
    item = room.sink.of(events.ResponseDone)[0].item_id
    room.session.truncate(item, 700)
    assert book.told()[-1] == ("host", "You asked —")


async def test_what_a_client_deletes_is_not_kept(room: Room, book: Book) -> None:
    follow(room, book)
    item = room.session.submit_text("typed words")
    room.session.submit_text("other words")
    room.session.delete_item(item)
    assert book.told() == [("person", ""), ("person", "other words")]


async def test_typed_text_is_written_and_a_stranger_is_their_session(
    room: Room, book: Book
) -> None:
    follow(room, book, person=None)
    room.session.submit_text("typed words")
    assert book.told() == [("person", "typed words")]
    assert book.lines[0][0] == room.session.id


def test_a_reply_without_sound_is_written_when_its_turn_is_over(book: Book) -> None:
    scribe = Scribe(book, "ann", lambda: NOON)
    scribe.begin("sess_1")
    scribe.event(events.ResponseCreated("r", "i", 1))
    scribe.event(events.ResponseDone("r", "i", "completed", "shown"))
    assert book.told() == []
    scribe.event(events.TurnMeasured(1, "r"))
    assert book.told() == [("host", "shown")]


def test_replies_that_never_end_are_not_held_for_ever(book: Book) -> None:
    scribe = Scribe(book, "ann", lambda: NOON)
    scribe.begin("sess_1")
    for number in range(10 * MAX_OPEN):
        scribe.event(events.ResponseCreated(f"r{number}", f"i{number}", number))
    for number in range(10 * MAX_OPEN):
        scribe.event(events.ItemTruncated(f"i{number}", 10, "heard"))
    assert len(book.lines) == MAX_OPEN
