"""Schemas of the models of rooms, as they stand in the document: whole, without references."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

from pipeline.rooms.commands import COMMAND_TYPES
from web.openapi.operation import TEXT, Answer, Schema, record, refused

_PLACE: Final = "#/$defs/"


@cache
def schema_of(model: type[BaseModel], mode: str = "validation") -> dict[str, Any]:
    """Return the JSON Schema of a model, its parts in their places.

    Args:
        mode: "validation" for what is sent, "serialization" for what is answered.
    """
    schema = model.model_json_schema(mode=mode)  # type: ignore[arg-type]
    definitions = schema.pop("$defs", {})
    whole: dict[str, Any] = _inlined(schema, definitions)
    whole.pop("description", None)  # written for who reads the code
    return whole


@cache
def command_schema() -> dict[str, Any]:
    """Return the schema of a command: one of many, told apart by `type`."""
    branches = []
    for kind, model in COMMAND_TYPES.items():
        told = " ".join((model.__doc__ or "").split())
        schema = schema_of(model)
        properties = {**schema["properties"], "type": {"const": kind, "description": told}}
        required = ["type", *schema.get("required", [])]
        branches.append({**schema, "properties": properties, "required": required})
    return {"type": "object", "oneOf": branches}


def listed(schema: Schema, **more: Schema) -> Schema:
    """Return the schema of a list as it is answered."""
    return record(object={"const": "list"}, data={"type": "array", "items": schema}, **more)


def with_example(schema: Schema, example: object) -> Schema:
    """Return a schema that shows an example."""
    return {**schema, "examples": [example]}


DELETED: Final = record(id=TEXT, object=TEXT, status={"const": "deleted"})
OUTDATED: Final[Answer] = refused(
    "it has been changed since the version that `If-Match` names: read it again"
)


def _inlined(value: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        if "$ref" in value:
            name = str(value["$ref"]).removeprefix(_PLACE)
            rest = {key: each for key, each in value.items() if key != "$ref"}
            inner = {k: v for k, v in definitions[name].items() if k not in ("description",)}
            return _inlined({**inner, **rest}, definitions)
        return {
            key: _inlined(each, definitions)
            for key, each in value.items()
            if not (key == "title" and isinstance(each, str))
        }
    if isinstance(value, list):
        return [_inlined(each, definitions) for each in value]
    return value
