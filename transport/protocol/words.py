"""JSON Schemas in words: types, ranges and defaults of fields, for tables of Markdown."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]
Link = Callable[[str], str]

NEEDED: Final = "needed"
_PLAIN: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
_PLURAL: Final = {
    "text": "texts",
    "whole number": "whole numbers",
    "number": "numbers",
    "object": "objects",
}


def type_in_words(schema: Schema, link: Link = lambda name: name) -> str:
    """Return what a schema takes: "text, up to 80 characters or null".

    `link` turns the name of a definition into what stands for it.
    """
    if "$ref" in schema:
        return link(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return _code(schema["const"])
    if "enum" in schema:
        return ", ".join(_code(value) for value in schema["enum"])
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return " or ".join(type_in_words(branch, link) for branch in branches)
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(type_in_words({**schema, "type": each}, link) for each in kind)
    if kind == "array":
        return _list(schema, link)
    if kind == "object":
        return _object(schema, link)
    return ", ".join([_PLAIN.get(kind, "anything"), *_bounds(schema)])


def field_in_words(schema: Schema, required: bool, link: Link = lambda name: name) -> str:
    """Return what a field takes; of one that may be left out the null that says so is not told."""
    branches = schema.get("anyOf", ())
    told = [branch for branch in branches if branch.get("type") != "null"]
    if not required and len(told) < len(branches) and schema.get("default") is None:
        return " or ".join(type_in_words(branch, link) for branch in told)
    return type_in_words(schema, link)


def default_in_words(schema: Schema, required: bool) -> str:
    """Return what a field is where it is absent: "needed", a value, or "" where nothing is set."""
    if required:
        return NEEDED
    default = schema.get("default")
    return "" if default is None else _code(default)


def purpose(schema: Schema) -> str:
    """Return what the schema says about itself, or the one branch of it that does."""
    told = schema.get("description", "")
    for branch in schema.get("anyOf", ()):
        told = told or branch.get("description", "")
    return " ".join(str(told).split())


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table of Markdown, and an empty one."""
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _list(schema: Schema, link: Link) -> str:
    items = type_in_words(schema.get("items", {}), link)
    low, high = schema.get("minItems", 0), schema.get("maxItems")
    if low == high == 1:
        return f"list of one: {items}"
    between = f", up to {high}" if high is not None else ""
    return f"list of {_PLURAL.get(items, items)}{between}"


def _object(schema: Schema, link: Link) -> str:
    values = schema.get("additionalProperties")
    if isinstance(values, Mapping) and values:
        return f"object: names to {type_in_words(values, link)}"
    return "object"


def _bounds(schema: Schema) -> Iterator[str]:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        yield f"{_number(low)} to {_number(high)}"
    elif low is not None:
        yield f"from {_number(low)}"
    short, long = schema.get("minLength", 0), schema.get("maxLength")
    if long is not None:
        yield f"{short} to {long} characters" if short else f"up to {long} characters"
    if "pattern" in schema:
        yield f"as `{schema['pattern']}`"
    if "format" in schema:
        yield str(schema["format"])


def _number(value: float) -> str:
    return f"{int(value)}" if value == int(value) else f"{value:g}"


def _code(value: object) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"
