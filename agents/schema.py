"""JSON Schema as tools use it: checked when a tool is given, and arguments checked against it.

JSON Schema, draft 2020-12, https://json-schema.org/draft/2020-12/json-schema-validation.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from agents.errors import AgentValueError

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")

_LONGEST = 16384
_DEEPEST = 8
_LONGEST_NAME = 64
_LONGEST_TEXT = 2000
_MOST_CHOICES = 500
_MOST_STEPS = 2000
_DEEPEST_WEIGHED = 40
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")
# Keywords that restrict a value and that `fits` does not weigh; it then vouches for nothing.
_UNWEIGHED = frozenset({
    "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "contains",
    "patternProperties", "propertyNames", "minProperties", "maxProperties", "prefixItems",
    "multipleOf", "uniqueItems", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
})  # fmt: skip
# A pattern that takes no longer to match than a few passes over a short text: no groups, hence
# nothing repeated within what is repeated.
_PLAIN_PATTERN = re.compile(
    r"\^?(?:(?:\\[dDwWsS.\-/#+]|\[\^?[\w\\\- .#/]+\]|[\w \-.#/:@])"
    r"(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?)*\$?"
)
_LONGEST_MATCHED = 200


def check_schema(schema: object, path: str) -> dict[str, Any]:
    """Return a copy of the schema of an object, of which the later fate of `schema` is no part.

    An empty one accepts no arguments. Keywords that are none of JSON Schema's are left in and
    mean nothing.

    Raises:
        AgentValueError: not JSON, longer than 16384 characters, more than 8 levels deep, not of
            an object, or a keyword has another form than the standard's; `path` and what follows
            name the place.
    """
    try:
        text = json.dumps(schema, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentValueError(f"{path}: {error}; accepted is JSON") from error
    if len(text) > _LONGEST:
        raise AgentValueError(f"{path}: {len(text)} characters, at most {_LONGEST} are accepted")
    copy: Any = json.loads(text)
    if copy == {}:
        return {"type": "object", "properties": {}}
    if not isinstance(copy, dict) or copy.get("type") != "object":
        kind = copy.get("type") if isinstance(copy, dict) else copy
        raise AgentValueError(f"{path}.type: {_shown(kind)}; accepted is 'object'")
    _check(copy, path, copy, 0)
    return copy


def resolve(schema: object, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with `$ref` followed and "X or null" reduced to X; {} where that fails."""
    for _ in range(_DEEPEST):
        if not isinstance(schema, Mapping):
            return {}
        if isinstance(ref := schema.get("$ref"), str):
            schema = _target(ref, root)
            continue
        options = schema.get("anyOf", schema.get("oneOf"))
        if not isinstance(options, list):
            return schema
        known = [o for o in options if not (isinstance(o, Mapping) and o.get("type") == "null")]
        if len(known) != 1 or not isinstance(known[0], Mapping):
            return schema
        kept = {key: schema[key] for key in ("description", "title") if key in schema}
        schema = {**known[0], **kept}
    return {}


def fits(value: object, schema: object, root: Mapping[str, Any]) -> bool:
    """Say whether a JSON value is surely valid; a schema that is not wholly weighed makes it not.

    `root`: the whole schema, which `$ref` refers to.
    """
    return _Scales(root).fits(value, schema)


def allows_null(schema: object, root: Mapping[str, Any]) -> bool:
    """Say whether null is accepted where a schema stands."""
    return fits(None, schema, root)


class _Scales:
    """Weighs one value, in bounded steps: schemas may refer to each other in circles."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._steps_left = _MOST_STEPS
        self._depth = 0

    def fits(self, value: object, schema: object) -> bool:
        if isinstance(schema, bool):
            return schema
        self._steps_left -= 1
        if self._steps_left < 0 or self._depth > _DEEPEST_WEIGHED:
            return False
        if not isinstance(schema, Mapping) or not _UNWEIGHED.isdisjoint(schema):
            return False
        self._depth += 1
        fits = self._fits(value, schema)
        self._depth -= 1
        return fits

    def _fits(self, value: object, schema: Mapping[str, Any]) -> bool:
        ref = schema.get("$ref")
        if isinstance(ref, str) and not self.fits(value, _target(ref, self._root)):
            return False
        return (
            self._fits_options(value, schema)
            and _fits_choices(value, schema)
            and _is_any(value, _kinds(schema))
            and self._fits_bounds(value, schema)
        )

    def _fits_options(self, value: object, schema: Mapping[str, Any]) -> bool:
        if "anyOf" in schema and not any(self.fits(value, one) for one in schema["anyOf"]):
            return False
        if "oneOf" not in schema:
            return True
        # What is not surely valid may be valid all the same, and then two would be: only where
        # the types tell them apart is it sure.
        kinds = [_kinds(resolve(one, self._root)) for one in schema["oneOf"]]
        return sum(_is_any(value, kind) for kind in kinds) == 1 and any(
            self.fits(value, one) for one in schema["oneOf"]
        )

    def _fits_bounds(self, value: object, schema: Mapping[str, Any]) -> bool:
        if isinstance(value, str):
            return _text_within(value, schema)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return bool(
                schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
                and schema.get("exclusiveMinimum", -math.inf) < value
                and value < schema.get("exclusiveMaximum", math.inf)
            )
        if isinstance(value, list):
            least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
            items = schema.get("items", True)
            return least <= len(value) <= most and all(self.fits(one, items) for one in value)
        if isinstance(value, dict):
            known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
            return all(name in value for name in schema.get("required", ())) and all(
                self.fits(one, known.get(name, others)) for name, one in value.items()
            )
        return True


def _fits_choices(value: object, schema: Mapping[str, Any]) -> bool:
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        return False
    return "const" not in schema or _same(value, schema["const"])


def _text_within(value: str, schema: Mapping[str, Any]) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        return False
    pattern = schema.get("pattern")
    if pattern is None:
        return True
    if not is_plain_pattern(pattern) or len(value) > _LONGEST_MATCHED:
        return False
    return re.search(pattern, value) is not None


def is_plain_pattern(pattern: str) -> bool:
    """Say whether a pattern may be matched without the risk that it takes for ever."""
    unbounded = len(re.findall(r"(?<!\\)[*+]|,\d{0,2}\}", pattern))
    return len(pattern) <= 80 and unbounded <= 3 and bool(_PLAIN_PATTERN.fullmatch(pattern))


def _kinds(schema: Mapping[str, Any]) -> tuple[str, ...]:
    kind = schema.get("type", TYPES)
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _is_any(value: object, kinds: tuple[str, ...]) -> bool:
    return any(_is(value, kind) for kind in kinds)


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, int):
        return kind in ("integer", "number")
    if isinstance(value, float):
        return kind == "number" or (kind == "integer" and value.is_integer())
    names: dict[type, str] = {str: "string", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value)) == kind


def _same(left: object, right: object) -> bool:
    """Say whether two JSON values are equal; in Python True is 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _target(ref: str, root: Mapping[str, Any]) -> object:
    """Return what a reference into the same document points at, None where there is nothing."""
    place: object = root
    for step in ref.removeprefix("#").split("/")[1:]:
        place = place.get(step) if isinstance(place, Mapping) else None
    return place if ref.startswith("#") else None


def _check(schema: object, path: str, root: Mapping[str, Any], depth: int) -> None:
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        raise AgentValueError(f"{path}: {_shown(schema)}; accepted is a schema, an object")
    if depth > _DEEPEST:
        raise AgentValueError(f"{path}: deeper than {_DEEPEST} levels, which is not accepted")
    _check_type(schema, path)
    _check_values(schema, path)
    if "$ref" in schema:
        ref = schema["$ref"]
        if not isinstance(ref, str) or not isinstance(_target(ref, root), (dict, bool)):
            raise AgentValueError(f"{path}.$ref: {_shown(ref)}; accepted is '#/$defs/NAME'")
    for key in ("properties", "$defs", "definitions"):
        for name, child in _object(schema, key, path).items():
            if not 0 < len(name) <= _LONGEST_NAME:
                raise AgentValueError(
                    f"{path}.{key}: the name {_shown(name)}; accepted are 1 to {_LONGEST_NAME} "
                    "characters"
                )
            _check(child, f"{path}.{key}.{name}", root, depth + 1)
    for key in ("items", "additionalProperties", "not"):
        if key in schema:
            _check(schema[key], f"{path}.{key}", root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            for number, child in enumerate(_list(schema[key], f"{path}.{key}")):
                _check(child, f"{path}.{key}[{number}]", root, depth + 1)
    _check_required(schema, path)


def _check_type(schema: Mapping[str, Any], path: str) -> None:
    if "type" not in schema:
        return
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    for kind in kinds or [kinds]:
        if kind not in TYPES:
            raise AgentValueError(f"{path}.type: {_shown(kind)}; accepted are {', '.join(TYPES)}")


def _check_values(schema: Mapping[str, Any], path: str) -> None:
    if "enum" in schema and len(_list(schema["enum"], f"{path}.enum")) > _MOST_CHOICES:
        raise AgentValueError(
            f"{path}.enum: {len(schema['enum'])} values, at most {_MOST_CHOICES} are accepted"
        )
    for key in ("description", "title", "pattern", "format"):
        text = schema.get(key, "")
        if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            raise AgentValueError(
                f"{path}.{key}: {_shown(text)}; accepted is text of at most {_LONGEST_TEXT}"
            )
    for key in _NUMBERS:
        if key in schema and not _is(schema[key], "number"):
            raise AgentValueError(f"{path}.{key}: {_shown(schema[key])}; accepted is a number")
    for key in _COUNTS:
        if key in schema and not (_is(schema[key], "integer") and schema[key] >= 0):
            raise AgentValueError(f"{path}.{key}: {_shown(schema[key])}; accepted is 0 or more")


def _check_required(schema: Mapping[str, Any], path: str) -> None:
    required = schema.get("required", [])
    if not isinstance(required, list):
        raise AgentValueError(f"{path}.required: {_shown(required)}; accepted is a list of names")
    known = schema.get("properties", {})
    for name in required:
        if not isinstance(name, str) or name not in known:
            accepted = ", ".join(known) or "none, for there are no properties"
            raise AgentValueError(f"{path}.required: {_shown(name)}; accepted are {accepted}")


def _object(schema: Mapping[str, Any], key: str, path: str) -> dict[str, Any]:
    value = schema.get(key, {})
    if not isinstance(value, dict):
        raise AgentValueError(f"{path}.{key}: {_shown(value)}; accepted is an object")
    return value


def _list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise AgentValueError(f"{path}: {_shown(value)}; accepted is a list that is not empty")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
