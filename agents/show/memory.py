"""A director's state taken out as JSON and put back: `Director.snapshot` and `restore`."""

from collections import OrderedDict
from typing import Any, Final, cast

from agents.errors import AgentValueError
from agents.rundown.said import fingerprint
from agents.show.cursor import Beat, Cursor, Visit
from agents.show.hearing import Ear
from agents.show.precedence import Precedence
from agents.show.scripting import Scripting
from agents.show.snapshot import (
    Saved,
    all_of,
    entry_from_json,
    entry_to_json,
    piece_from_json,
    piece_to_json,
)
from agents.show.timetable import Timetable
from agents.show.waiting import Waiting

# Ids of events and greeted viewers that are kept; a store knows all events it has acknowledged.
_MOST_KEPT: Final = 5000


def save_cursor(cursor: Cursor, scripting: Scripting) -> dict[str, Any]:
    """Return where a cursor stands; what was given and has not ended is to be given again."""
    visit, loop = cursor.place
    pieces = sorted([*visit.given, *visit.pieces], key=lambda one: one.place)
    return {
        "item": visit.item.id,
        "loop": loop,
        "finished": cursor.finished,
        "number": visit.number,
        "keys": [beat.key for beat in visit.beats],
        "topics": [beat.topic for beat in visit.beats],
        "next_beat": visit.next_beat,
        "pieces": [piece_to_json(piece) for piece in pieces],
        "began_at": visit.began_at,
        "said": visit.said,
        "facts": _facts(scripting, visit),
    }


def load_cursor(cursor: Cursor, scripting: Scripting, saved: Saved) -> None:
    """Go on where another cursor stood, as near as the rundown of today has that place."""
    known = {item.id: item for item in cursor.rundown}
    item = known.get(saved.get("item", str))
    if item is None:
        return
    planned = scripting.plan(item)
    topics = saved.texts("topics")
    beats = planned if item.script else [Beat(topic=topic) for topic in topics]
    pieces = all_of(saved, "pieces", piece_from_json)
    visit = Visit(
        saved.get("number", int), item, beats, saved.get("next_beat", int), pieces,
        began_at=saved.maybe("began_at", float), said=saved.get("said", int),
    )  # fmt: skip
    keys = saved.texts("keys")
    if keys != [beat.key for beat in beats]:
        visit.edit(item, beats, keys)
    for piece in visit.pieces:
        piece.visit = visit.number
    cursor.reopen(visit, saved.get("loop", int), finished=saved.get("finished", bool))
    if saved.get("facts", str) != _facts(scripting, visit):
        visit.freshen()


def save_ear(ear: Ear, waiting: Waiting) -> dict[str, Any]:
    """Return what waits and what has been heard."""
    return {
        "number": ear.number,
        "waiting": [entry_to_json(entry) for entry in waiting],
        "known": list(ear.known)[-_MOST_KEPT:],
        "greeted": dict(list(ear.greeted.items())[-_MOST_KEPT:]),
        "counted": dict(ear.counted),
    }


def load_ear(ear: Ear, waiting: Waiting, saved: Saved) -> None:
    """Take back what waited and what had been heard."""
    ear.number = saved.get("number", int)
    ear.known = OrderedDict.fromkeys(saved.texts("known"))
    ear.greeted = OrderedDict(
        sorted(saved.table("greeted", float).items(), key=lambda each: each[1])
    )
    ear.counted = saved.table("counted", int)
    for entry in all_of(saved, "waiting", entry_from_json):
        waiting.add(entry)


def load_precedence(precedence: Precedence, value: list[object]) -> None:
    """Take back when somebody was greeted and thanked last; nothing of an older snapshot.

    Raises:
        AgentValueError: the value is another.
    """
    match value:
        case []:
            pass
        case [int() | float() | None as greeted, int() | float() | None as thanked]:
            precedence.restore(greeted, thanked)
        case _:
            raise AgentValueError(f"snapshot.courtesies: {value!r:.60} is not accepted")


def load_timetable(timetable: Timetable, value: list[object]) -> None:
    """Take back when items are due.

    Raises:
        AgentValueError: the value is another.
    """
    match value:
        case [due, ends, int(late) | float(late)] if all(
            one is None or isinstance(one, int | float) for one in (due, ends)
        ):
            timetable.restore(cast("float | None", due), cast("float | None", ends), float(late))
        case _:
            raise AgentValueError(f"snapshot.timetable: {value!r:.60} is not accepted")


def _facts(scripting: Scripting, visit: Visit) -> str:
    return fingerprint(repr(scripting.product(visit.item)))
