"""The arguments of a tool one by one, and what kind of thing each is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from agents.concepts import features, spaced
from agents.schema import resolve

Kind = Literal[
    "choice", "choices", "boolean", "number", "numbers", "code", "codes", "email", "phone", "url",
    "date", "time", "moment", "person", "origin", "destination", "place", "color", "size",
    "message", "query", "text", "texts", "object", "other",
]  # fmt: skip

_FORMATS: Mapping[str, Kind] = {
    "email": "email", "idn-email": "email", "uri": "url", "url": "url", "phone": "phone",
    "date": "date", "time": "time", "date-time": "moment", "uuid": "code",
}  # fmt: skip
# By which concepts a text is known to be of a kind; the first that fits decides.
_MARKS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("email", ("email",)),
    ("phone", ("phone",)),
    ("code", ("order_number", "id", "code", "number", "zip", "invoice", "coupon")),
    ("date", ("date",)),
    ("time", ("time",)),
    ("origin", ("origin",)),
    ("destination", ("destination",)),
    ("place", ("city", "place", "address", "country")),
    ("message", ("message", "reason")),
    ("color", ("color",)),
    ("size", ("size",)),
)
# A name of one of these is no person's.
_THINGS_WITH_NAMES = frozenset({
    "things.product", "things.menu", "things.pizza", "things.store", "things.hotel",
    "things.music", "things.recipe", "things.topping", "things.category",
})  # fmt: skip
_QUERIES = frozenset({"q", "query", "search", "keyword", "keywords", "term", "terms"})
_MOMENTS = frozenset({"when", "datetime", "timestamp", "start", "at"})
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument.

    Attributes:
        path: its place in the arguments, ("guest", "name").
        schema: what it must be, references followed and null left out.
        whole: its schema as it is written.
        required: whether there is no call without it.
        items: of a list, what each of it must be.
    """

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    whole: Any
    required: bool
    kind: Kind
    items: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path[-1]

    @property
    def about(self) -> str:
        """What its description says of it, "" where there is none."""
        return str(self.schema.get("description", ""))


def slots_of(root: Mapping[str, Any]) -> list[Slot]:
    """Return the arguments of a schema, those within required objects one by one."""
    return list(_slots(root, root, (), required=True))


def _slots(
    schema: Mapping[str, Any], root: Mapping[str, Any], path: tuple[str, ...], *, required: bool
) -> Iterator[Slot]:
    for name, whole in schema.get("properties", {}).items():
        child = resolve(whole, root)
        here = Slot(
            (*path, name),
            child,
            whole,
            required and name in schema.get("required", ()),
            kind_of(name, child, root),
            resolve(child.get("items"), root),
        )
        if here.kind == "object" and here.required and len(path) < _DEEPEST:
            yield from _slots(child, root, here.path, required=True)
        else:
            yield here


def kind_of(name: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Kind:
    """Return what kind of thing an argument is, by its schema, name and description."""
    if "enum" in schema or "const" in schema:
        return "choice"
    kinds = schema.get("type", ())
    listed = [kinds] if isinstance(kinds, str) else [k for k in kinds if k != "null"]
    if len(listed) != 1:
        return "other"
    if listed[0] in ("number", "integer"):
        return "number"
    if listed[0] == "boolean":
        return "boolean"
    if listed[0] == "object":
        return "object"
    if listed[0] == "array":
        return _kind_of_list(name, schema, root)
    return _kind_of_text(name, schema) if listed[0] == "string" else "other"


def _kind_of_list(name: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Kind:
    items = resolve(schema.get("items"), root)
    inner = kind_of(name, {"description": schema.get("description", ""), **items}, root)
    lists: Mapping[Kind, Kind] = {"choice": "choices", "number": "numbers", "code": "codes"}
    if inner in lists:
        return lists[inner]
    return "texts" if items.get("type") == "string" else "other"


def _kind_of_text(name: str, schema: Mapping[str, Any]) -> Kind:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    words = spaced(name).lower()
    if words in _QUERIES or words.split()[-1:] == ["query"]:
        return "query"
    if words in _MOMENTS:
        return "moment"
    named = features(words)
    return _marked(named) or _marked(features(str(schema.get("description", "")))) or "text"


def _marked(keys: frozenset[str]) -> Kind | None:
    if {"things.date", "things.time"} <= keys:
        return "moment"
    # "The name of the city" is a place before it is a name.
    for kind, marks in _MARKS:
        if any(f"things.{mark}" in keys for mark in marks):
            return kind
    if "things.name" in keys:
        return "text" if keys & _THINGS_WITH_NAMES else "person"
    return None


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts or measures, as its name and description tell."""

    keys: frozenset[str]

    def suits(self, kind: str) -> int:
        """Return 1 for a number of this kind of thing, 0 where nothing tells, -1 for another."""
        main, _, counted = kind.partition(":")
        wanted = {
            "money": {"things.price", "things.budget", "things.total", "things.balance"},
            "minutes": {"things.duration", "things.time", "minut", "hour", "second"},
        }
        if main in wanted:
            return 1 if self.keys & wanted[main] else -1
        if main in ("days", "weeks", "months", "years", "inches", "percent"):
            return 1 if any(key.startswith(main[:3]) for key in self.keys) else -1
        if not counted:
            counts = {"things.quantity", "things.people", "things.number"}
            return 1 if self.keys & counts else 0
        return 1 if self._counts(counted) else 0

    def _counts(self, counted: str) -> bool:
        people = features(counted) | {counted}
        if "things.people" in self.keys:
            return (
                bool({"things.people", "位", "人", "名", "adult", "friend"} & people)
                or counted == "个"
            )
        return "things.quantity" in self.keys or bool(people & self.keys)

    def converted(self, value: Fraction, kind: str) -> Fraction:
        """Return a number in the unit asked for; time is heard in minutes."""
        if kind == "minutes" and "hour" in self.words:
            return value / 60
        return value * 60 if kind == "minutes" and "second" in self.words else value

    @property
    def words(self) -> frozenset[str]:
        """The keys without what concepts they belong to."""
        return frozenset(key.partition(".")[2] or key for key in self.keys)


def unit_of(slot: Slot) -> Unit:
    """Return what a number is of."""
    return Unit(features(spaced(slot.name)) | features(slot.about))
