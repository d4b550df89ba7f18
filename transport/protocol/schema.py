"""Reading events by the models, and the JSON Schema of them all (draft 2020-12)."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic.json_schema import models_json_schema

from transport.errors import EventError
from transport.protocol.base import IN_WORDS, PROTOCOL_VERSION
from transport.protocol.client import AnyClientEvent
from transport.protocol.server import AnyServerEvent
from transport.strict_json import shown, write_json

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

D = TypeVar("D", bound=BaseModel)

CLIENT_EVENTS: Final[Mapping[str, type[BaseModel]]] = {
    get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(AnyClientEvent)
}
SERVER_EVENTS: Final[Mapping[str, type[BaseModel]]] = {
    get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(AnyServerEvent)
}
_SERVER: TypeAdapter[AnyServerEvent] = TypeAdapter(
    Annotated[AnyServerEvent, Field(discriminator="type")]
)
# What pydantic adds to the places of errors for branches of unions: types, and tags of ours.
_BRANCH: Final = re.compile(r"^[A-Z]|^$|[-\[(]|^(str|int|message|function_call(_output)?)$")
_WORDS: Final = {
    "Input should be ": "",
    "Value error, ": "",
    "String should have ": "",
    "List should have ": "",
    "Dictionary should have ": "",
    "a valid ": "a ",
    "a integer": "an integer",
}


def read_client_event(event: Mapping[str, Any]) -> AnyClientEvent:
    """Return the client event that a JSON object is.

    Raises:
        EventError: its type is unknown, or a field is; one is missing or has a value that is not
            accepted. `param` is the field's path; the message says what is accepted.
    """
    kind = event.get("type")
    model = CLIENT_EVENTS.get(kind) if isinstance(kind, str) else None
    if model is None:
        accepted = ", ".join(sorted(CLIENT_EVENTS))
        message = f"type is {shown(kind)}; accepted: {accepted}"
        raise EventError("unknown_event_type", message, "type")
    return cast(AnyClientEvent, read_shape(model, event))


def read_server_event(event: Mapping[str, Any]) -> AnyServerEvent:
    """Return the server event that a JSON object is.

    Raises:
        EventError: it is none this version knows, or lacks a field.
    """
    try:
        return _SERVER.validate_python(event)
    except ValidationError as error:
        raise _refused(None, error, ()) from None


def read_shape(model: type[BaseModel], value: object, *place: str) -> BaseModel:
    """Return `value` as `model`; `place` is the path of the value in what was sent.

    Raises:
        EventError: as `read_client_event`.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise _refused(model, error, place) from None


def read_document(model: type[D], value: object) -> D:
    """Return a JSON value as `model`, which need not be a shape of the protocol: lists are taken
    for tuples, and no value is turned into another.

    Raises:
        EventError: as `read_client_event`.
    """
    try:
        return model.model_validate_json(write_json(value), strict=True)
    except ValidationError as error:
        raise _refused(model, error, ()) from None


@cache
def json_schema() -> dict[str, Any]:
    """Return one JSON Schema with every event under `$defs`, clients' and the server's.

    `$defs.ClientEvent` and `$defs.ServerEvent` are what either side may send.
    """
    models = [*CLIENT_EVENTS.values(), *SERVER_EVENTS.values()]
    _, schema = models_json_schema([(model, "validation") for model in models])
    definitions = schema["$defs"]
    for name, events in (("ClientEvent", CLIENT_EVENTS), ("ServerEvent", SERVER_EVENTS)):
        definitions[name] = {
            "oneOf": [{"$ref": f"#/$defs/{_reference(definitions, m)}"} for m in events.values()]
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Events of Vivant's Realtime protocol",
        "version": PROTOCOL_VERSION,
        "$defs": dict(sorted(definitions.items())),
    }


def _reference(definitions: Mapping[str, Any], model: type[BaseModel]) -> str:
    """Return the name a model has in the schema: the long one where two models share a name."""
    long = f"{model.__module__}.{model.__qualname__}".replace(".", "__")
    return long if long in definitions else model.__name__


def _refused(
    model: type[BaseModel] | None, error: ValidationError, place: tuple[str, ...]
) -> EventError:
    """Return the refusal of what was wrong deepest down."""
    details = error.errors(include_url=False)
    detail = max(details, key=lambda one: len(_path(one["loc"])))
    where = _path(detail["loc"])
    param = ".".join((*place, *where))[:80] or None
    kind, name = detail["type"], param or "the event"
    if kind == "missing":
        return EventError("missing_required_parameter", f"{name} is missing; it is needed", param)
    if kind == "extra_forbidden":
        known = [] if model is None else sorted(_fields(model, where[:-1]))
        message = f"{name} is not known; accepted: {', '.join(known)}"
        return EventError("unknown_parameter", message, param)
    wanted = dict.fromkeys(_wanted(one) for one in details if _path(one["loc"]) == where)
    code = "invalid_type" if kind.endswith("_type") else "invalid_value"
    message = f"{name} is {shown(detail['input'])}; accepted: {', or '.join(wanted)}"
    return EventError(code, message, param)


def _wanted(detail: "ErrorDetails") -> str:
    """Return what would have been accepted, in words."""
    if detail["type"] == "union_tag_invalid":
        return f"type {detail['ctx']['expected_tags']}"
    if detail["type"] in ("model_type", "model_attributes_type", "dict_type"):
        return "an object"
    if detail["type"] == "string_pattern_mismatch":
        pattern: str = detail["ctx"]["pattern"]
        return IN_WORDS.get(pattern, f"what matches {pattern}")
    if detail["type"] == "literal_error":
        return str(detail["ctx"]["expected"]).replace(" or ", ", ").replace("'", "")
    words = detail["msg"]
    for long, short in _WORDS.items():
        words = words.replace(long, short)
    return words


def _path(place: tuple[int | str, ...]) -> tuple[str, ...]:
    """Return the path of an error without what pydantic adds for branches of unions."""
    return tuple(str(part) for part in place if isinstance(part, int) or not _BRANCH.search(part))


def _branches(annotation: object) -> Iterator[object]:
    """Yield the plain types within an annotation."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _branches(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for each in get_args(annotation):
            yield from _branches(each)
    elif origin in (list, tuple):
        yield from _branches(get_args(annotation)[0])
    else:
        yield annotation


def _fields(model: type[BaseModel], path: tuple[str, ...]) -> set[str]:
    """Return the fields known at a path within a model."""
    models = [model]
    for name in path:
        if name.isdigit():
            continue
        annotations = [m.model_fields[name].annotation for m in models if name in m.model_fields]
        models = [
            each
            for annotation in annotations
            for each in _branches(annotation)
            if isinstance(each, type) and issubclass(each, BaseModel)
        ]
    return {name for each in models for name in each.model_fields}
