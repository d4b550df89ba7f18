"""How a director stands, as JSON: what a room keeps, so that it goes on where it was killed."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar, cast, get_args

from agents.clause import LANGUAGES, Action, Clause, Emotion
from agents.errors import AgentValueError
from agents.show.asking import Asked
from agents.show.cursor import Piece
from agents.show.waiting import PATIENCE, Entry, EntryKind, State

T = TypeVar("T")

VERSION: Final = 1
_STATES: Final[tuple[State, ...]] = get_args(State)
_EMOTIONS: Final[tuple[Emotion, ...]] = get_args(Emotion)


class Saved:
    """An object of a snapshot. Each reader raises AgentValueError where the value is another."""

    def __init__(self, value: object, path: str = "snapshot") -> None:
        if not isinstance(value, Mapping):
            raise AgentValueError(f"{path}: {value!r:.60} is no object")
        self._value = value
        self.path = path

    def get(self, key: str, kind: type[T] | tuple[type[T], ...]) -> T:
        """Return a field of a kind; `float` takes whole numbers too."""
        value = self._value.get(key)
        kinds: Any = (int, float) if kind is float else kind
        if not isinstance(value, kinds) or (isinstance(value, bool) and kind is not bool):
            raise AgentValueError(f"{self.path}.{key}: {value!r:.60} is not accepted here")
        return cast("T", value)

    def maybe(self, key: str, kind: type[T]) -> T | None:
        """Return a field of a kind, None where it is null or missing."""
        return None if self._value.get(key) is None else self.get(key, kind)

    def choice(self, key: str, accepted: tuple[T, ...]) -> T:
        """Return a field that is one of a few."""
        value = self._value.get(key)
        if value not in accepted:
            raise AgentValueError(f"{self.path}.{key}: {value!r:.60}; accepted are {accepted}")
        return cast("T", value)

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        return [self._text(one, key) for one in self.get(key, list)]

    def children(self, key: str) -> list["Saved"]:
        """Return a list of objects."""
        values = self.get(key, list)
        return [Saved(one, f"{self.path}.{key}[{n}]") for n, one in enumerate(values)]

    def child(self, key: str) -> "Saved":
        """Return an object."""
        return Saved(self._value.get(key), f"{self.path}.{key}")

    def table(self, key: str, kind: type[T]) -> dict[str, T]:
        """Return an object whose values are all of a kind."""
        child = self.child(key)
        return {self._text(name, key): child.get(name, kind) for name in child.names()}

    def names(self) -> list[str]:
        """Return the names of its fields."""
        return list(self._value)

    def _text(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise AgentValueError(f"{self.path}.{key}: {value!r:.60} is no text")
        return value


def clause_to_json(clause: Clause) -> dict[str, Any]:
    """Return a clause as JSON."""
    made: dict[str, Any] = {"text": clause.text, "language": clause.language}
    if clause.action is not None:
        action = clause.action
        made["action"] = [action.id, action.anchor, [list(pair) for pair in action.parameters]]
    if clause.emotion is not None:
        made |= {"emotion": clause.emotion, "intensity": clause.intensity}
    if clause.citations:
        made["citations"] = list(clause.citations)
    return made


def clause_from_json(saved: Saved) -> Clause:
    """Read a clause."""
    action = saved.maybe("action", list)
    return Clause(
        saved.get("text", str),
        saved.choice("language", LANGUAGES),
        None if action is None else _action(action, saved.path),
        None if saved.maybe("emotion", str) is None else saved.choice("emotion", _EMOTIONS),
        tuple(saved.texts("citations")) if "citations" in saved.names() else (),
        saved.maybe("intensity", float) or 1.0,
    )


def _action(value: list[Any], path: str) -> Action:
    match value:
        case [str(name), str(anchor), list(pairs)]:
            parameters = tuple((str(key), number) for key, number in pairs)
            return Action(name, anchor, parameters)
    raise AgentValueError(f"{path}.action: {value!r:.60}; accepted is [id, anchor, parameters]")


def piece_to_json(piece: Piece) -> dict[str, Any]:
    """Return a piece of the script as JSON."""
    return asdict(piece) | {
        "clauses": [clause_to_json(clause) for clause in piece.clauses],
        "citations": list(piece.citations),
    }


def piece_from_json(saved: Saved) -> Piece:
    """Read a piece of the script."""
    return Piece(
        saved.get("visit", int),
        saved.get("beat", int),
        saved.get("part", int),
        saved.get("parts", int),
        saved.get("text", str),
        tuple(clause_from_json(one) for one in saved.children("clauses")),
        tuple(saved.texts("citations")),
        saved.get("stale", bool),
    )


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """Return what waits as JSON; what is being said waits again, what is being made is asked for
    again.
    """
    state = {"given": "ready", "asked": "waiting"}.get(entry.state, entry.state)
    return asdict(entry) | {
        "state": state,
        "asked": list(entry.asked) if entry.asked else None,
        "clauses": [clause_to_json(clause) for clause in entry.clauses],
        "citations": list(entry.citations),
        "line": "",
    }


def entry_from_json(saved: Saved) -> Entry:
    """Read what waits."""
    kinds: tuple[EntryKind, ...] = tuple(PATIENCE)
    asked = saved.texts("asked") if saved.maybe("asked", list) is not None else []
    return Entry(
        id=saved.get("id", str),
        kind=saved.choice("kind", kinds),
        at=float(saved.get("at", float)),
        language=saved.choice("language", LANGUAGES),
        text=saved.get("text", str),
        asked=Asked(asked[0], asked[1]) if len(asked) == 2 else None,
        product=saved.maybe("product", str),
        gift=saved.get("gift", str),
        events=saved.texts("events"),
        names=saved.table("names", str),
        count=float(saved.get("count", float)),
        state=saved.choice("state", _STATES),
        clauses=tuple(clause_from_json(one) for one in saved.children("clauses")),
        citations=tuple(saved.texts("citations")),
        preferred=saved.get("preferred", bool),
    )


def all_of(saved: Saved, key: str, read: Callable[[Saved], T]) -> list[T]:
    """Read a list of objects."""
    return [read(one) for one in saved.children(key)]
