"""Own scenes and styles: a stored one with some values changed, under another name."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pipeline.errors import ConfigurationError
from pipeline.library import REFUSED, Document, Library

# Which sort of background has a field: setting it asks for that sort.
_SORTS: Final = {
    "colour": "colour",
    **dict.fromkeys(("top", "bottom", "glow", "discs"), "gradient"),
    **dict.fromkeys(("room", "wall", "accent", "desk"), "stage"),
}


def adapt(
    library: "Library[Any]",
    base: str,
    name: str,
    changes: Mapping[str, str],
    *,
    replace: bool = False,
) -> Document:
    """Keep `base` as `name` with other values, and return it.

    Args:
        library: where both are.
        base: name of the stored document to start from.
        name: of the new one.
        changes: by field as in the JSON document, parts with a dot ("card.price"); values as JSON,
            or text as it is. "null" takes a field away. A field of another sort of background
            makes the background one of that sort.
        replace: whether an own document of that name goes.

    Raises:
        ConfigurationError: there is no such document, or a field, value or name is not accepted.
    """
    # Who names one document twice means to change it where it is.
    library.free(name, replace=replace or name == base)
    document = library.get(base)
    content = json.loads(document.to_json()) | {"name": name}
    for path, text in changes.items():
        _set(content, path, _value(text))
        _sort_background(content, path)
    try:
        made: Document = type(document).from_json(json.dumps(content))
    except REFUSED as error:
        raise ConfigurationError(str(error)) from error
    library.keep(made)
    return made


def _sort_background(content: dict[str, Any], path: str) -> None:
    """Make the background the sort that has the field just set, without the fields of others."""
    sort = _SORTS.get(path.removeprefix("background."))
    background = content.get("background")
    if not path.startswith("background.") or sort is None or not isinstance(background, dict):
        return
    # A document leaves out what is as usual, and a gradient is.
    background.setdefault("type", "gradient")
    if background["type"] != sort:
        field = path.removeprefix("background.")
        content["background"] = {"type": sort, field: background[field]}


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
