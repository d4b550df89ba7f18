"""The JSON form of a rundown: what is stored, sent and edited.

A sentence that has one wording and is not fixed may be written as a text alone. Fields that hold
nothing are left out.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from agents.clause import LANGUAGES, Language
from agents.errors import AgentValueError
from agents.rundown.document import KINDS, Item, Kind, Rundown, Sentence

_RUNDOWN: Final = ("id", "title", "language", "items", "loops")
_ITEM: Final = ("id", "kind", "script", "brief", "product", "action", "duration", "hook")
_SENTENCE: Final = ("wordings", "fixed")
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_MOST_ITEMS: Final = 200
_MOST_SENTENCES: Final = 200
_MOST_WORDINGS: Final = 40
_LONGEST_WORDING: Final = 600
_LONGEST_BRIEF: Final = 2000
_DURATIONS: Final = (5.0, 3600.0)


def rundown_to_json(rundown: Rundown) -> dict[str, Any]:
    """Return a rundown as a JSON object."""
    return {
        "id": rundown.id,
        "title": rundown.title,
        "language": rundown.language,
        "loops": rundown.loops,
        "items": [_item_to_json(item) for item in rundown],
    }


def rundown_from_json(value: Any) -> Rundown:
    """Read a rundown.

    Raises:
        AgentValueError: a field is unknown, missing or not acceptable; the message names it with
            its path, "rundown.items[2].script[0].wordings", its value and what is accepted.
    """
    fields = _object(value, "rundown", _RUNDOWN)
    items = _array(fields, "items", "rundown", _MOST_ITEMS)
    read = tuple(_item(item, f"rundown.items[{n}]") for n, item in enumerate(items))
    _check_unique(read)
    return Rundown(
        id=_identifier(fields, "id", "rundown"),
        title=_string(fields, "title", "rundown", 80),
        language=cast("Language", _choice(fields, "language", "rundown", LANGUAGES)),
        items=read,
        loops=_flag(fields, "loops", "rundown", default=True),
    )


def _item(value: Any, path: str) -> Item:
    fields = _object(value, path, _ITEM)
    script = _array(fields, "script", path, _MOST_SENTENCES) if fields.get("script") else []
    product = fields.get("product")
    return Item(
        id=_identifier(fields, "id", path),
        kind=cast("Kind", _choice(fields, "kind", path, KINDS)),
        script=tuple(_sentence(each, f"{path}.script[{n}]") for n, each in enumerate(script)),
        brief=_string(fields, "brief", path, _LONGEST_BRIEF, optional=True),
        product=None if product in (None, "") else _identifier(fields, "product", path),
        action=_string(fields, "action", path, 40, optional=True),
        duration=_duration(fields, path),
        hook=_string(fields, "hook", path, 120, optional=True),
    )


def _sentence(value: Any, path: str) -> Sentence:
    if isinstance(value, str):
        value = {"wordings": [value]}
    fields = _object(value, path, _SENTENCE)
    wordings = _array(fields, "wordings", path, _MOST_WORDINGS)
    for number, wording in enumerate(wordings):
        at = f"{path}.wordings[{number}]"
        if not isinstance(wording, str) or not wording.strip():
            raise AgentValueError(f"{at}: {_shown(wording)} is not accepted; a text is")
        if len(wording) > _LONGEST_WORDING:
            raise AgentValueError(f"{at}: {len(wording)} characters, at most {_LONGEST_WORDING}")
        if "\n" in wording.strip():
            raise AgentValueError(f"{at}: a line break; accepted is one sentence on one line")
    texts = tuple(wording.strip() for wording in wordings)
    return Sentence(texts, _flag(fields, "fixed", path, default=False))


def _check_unique(items: tuple[Item, ...]) -> None:
    seen: set[str] = set()
    for number, item in enumerate(items):
        if item.id in seen:
            raise AgentValueError(
                f"rundown.items[{number}].id: {item.id!r} is used twice; accepted is each id once"
            )
        seen.add(item.id)


def _item_to_json(item: Item) -> dict[str, Any]:
    whole = {
        "id": item.id,
        "kind": item.kind,
        "script": [_sentence_to_json(sentence) for sentence in item.script],
        "brief": item.brief,
        "product": item.product,
        "action": item.action,
        "duration": item.duration,
        "hook": item.hook,
    }
    return {name: value for name, value in whole.items() if value not in (None, "", [])}


def _sentence_to_json(sentence: Sentence) -> dict[str, Any] | str:
    if len(sentence.wordings) == 1 and not sentence.fixed:
        return sentence.wordings[0]
    made: dict[str, Any] = {"wordings": list(sentence.wordings)}
    return made | ({"fixed": True} if sentence.fixed else {})


def _object(value: Any, path: str, accepted: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise AgentValueError(f"{path}: {_shown(value)} is not accepted; an object is")
    for name in value:
        if name not in accepted:
            raise AgentValueError(
                f"{path} has {_shown(name)}; accepted fields: {', '.join(accepted)}"
            )
    return value


def _array(fields: Mapping[str, Any], key: str, path: str, most: int) -> list[Any]:
    value = fields.get(key)
    if not isinstance(value, list | tuple) or not value:
        raise AgentValueError(
            f"{path}.{key}: {_shown(value)} is not accepted; a list with an entry is"
        )
    if len(value) > most:
        raise AgentValueError(f"{path}.{key}: {len(value)} entries, at most {most} are accepted")
    return list(value)


def _string(
    fields: Mapping[str, Any], key: str, path: str, longest: int, *, optional: bool = False
) -> str:
    value = fields.get(key, "" if optional else None)
    if optional and value in (None, ""):
        return ""
    if not isinstance(value, str) or not value.strip():
        raise AgentValueError(f"{path}.{key}: {_shown(value)} is not accepted; a text is")
    if len(value) > longest:
        raise AgentValueError(f"{path}.{key}: {len(value)} characters, at most {longest}")
    return value.strip()


def _identifier(fields: Mapping[str, Any], key: str, path: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise AgentValueError(
            f"{path}.{key}: {_shown(value)} is no id; accepted: 1 to 40 of a-z, 0-9, - and _, the "
            "first a letter or digit"
        )
    return value


def _choice(fields: Mapping[str, Any], key: str, path: str, accepted: tuple[str, ...]) -> str:
    value = fields.get(key)
    if value not in accepted:
        raise AgentValueError(f"{path}.{key}: {_shown(value)}; accepted are {', '.join(accepted)}")
    return str(value)


def _flag(fields: Mapping[str, Any], key: str, path: str, *, default: bool) -> bool:
    value = fields.get(key, default)
    if not isinstance(value, bool):
        raise AgentValueError(f"{path}.{key}: {_shown(value)}; accepted are true and false")
    return value


def _duration(fields: Mapping[str, Any], path: str) -> float | None:
    value = fields.get("duration")
    if value is None:
        return None
    least, most = _DURATIONS
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise AgentValueError(
            f"{path}.duration: {_shown(value)}; accepted are {least:g} to {most:g} seconds, or null"
        )
    return float(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
