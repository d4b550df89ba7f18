"""Own scenes and styles: a stored one with some values changed, under another name."""

import json
from collections.abc import Mapping
from typing import Any

from pipeline.errors import ConfigurationError
from pipeline.library import REFUSED, Document, Library


def adapt(library: "Library[Any]", base: str, name: str, changes: Mapping[str, str]) -> Document:
    """Keep `base` as `name` with other values, and return it.

    Args:
        library: where both are.
        base: name of the stored document to start from.
        name: of the new one; an older one of that name is replaced.
        changes: by field as in the JSON document, parts with a dot ("card.price"); values as JSON,
            or text as it is. "null" takes a field away.

    Raises:
        ConfigurationError: there is no such document, or a field, value or name is not accepted.
    """
    document = library.get(base)
    content = json.loads(document.to_json()) | {"name": name}
    for path, text in changes.items():
        _set(content, path, _value(text))
    try:
        made: Document = type(document).from_json(json.dumps(content))
    except REFUSED as error:
        raise ConfigurationError(str(error)) from error
    library.keep(made)
    return made


def _set(content: dict[str, Any], path: str, value: object) -> None:
    *parts, last = path.split(".")
    for part in parts:
        inner = content.setdefault(part, {})
        if not isinstance(inner, dict):
            raise ConfigurationError(f"{path}: {part} has no parts; accepted: {part} alone")
        content = inner
    content[last] = value


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
