"""Prints the reference: the pages of the protocol, and that of the HTTP interface.

python -m web.openapi.reference docs/protocol
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from transport.protocol import reference
from transport.protocol.words import default_in_words, purpose, table, type_in_words
from web.openapi.operation import JSON, Answer, Operation, Parameter
from web.openapi.operations import OPERATIONS, TAGS

HTTP: Final = "http.md"

_HEAD: Final = """\
# The HTTP interface

<!-- Printed by scripts/protocol-reference; change web/openapi instead. -->

A server describes itself, as far as it is switched on, in `/openapi.json` (OpenAPI 3.1). A client
shows a key or a short-lived token as `Authorization: Bearer …`; what it must allow is told as the
*scope*. A server that is bound to its own machine and has no keys asks for none. Wherever a scope
is needed, 401 says that no key or token was accepted, 403 that it lacks the scope (or that a page
of another origin asked), and 429 with `Retry-After` that a limit of the key is reached.

A request that is not served is answered with the status that says why, and with

```json
{
  "error": {
    "type": "invalid_request_error",
    "code": "invalid_value",
    "message": "voice: 'bob'; accepted: kokoro, light",
    "param": "voice"
  }
}
```

`code` is for programs, `message` names the value and what is accepted, `param` the part at fault.
"""


def pages() -> dict[str, str]:
    """Return the text of each file of the reference, by name."""
    return {HTTP: "\n".join(_http()), **reference.pages()}


def write(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")


def _http() -> Iterator[str]:
    yield _HEAD
    for tag, text in TAGS:
        operations = [each for each in OPERATIONS if each.tag == tag]
        yield f"## {tag}\n"
        yield f"{text}\n"
        for operation in operations:
            yield from _operation(operation)


def _operation(operation: Operation) -> Iterator[str]:
    yield f"### {operation.method} {operation.path}\n"
    scope = f" Scope: `{operation.scope}`." if operation.scope else ""
    if operation.scope == "signed":
        scope = " Scope: `operate`, or a signature."
    yield f"{operation.summary}{scope}\n"
    if operation.text:
        yield f"{operation.text}\n"
    if operation.parameters:
        rows = [_parameter(each) for each in operation.parameters]
        yield from table(("parameter", "in", "type", "default", ""), rows)
    if operation.body is not None:
        needed = "" if operation.body.required else " It may be left out."
        yield f"Body: {operation.body.text}.{needed}\n"
        yield from _contents(operation.body.content, "Body, ")
    rows = [(str(status), _told(answer)) for status, answer in sorted(operation.answers.items())]
    yield from table(("status", "answer"), rows)
    for status, answer in operation.answers.items():
        if "properties" in answer.content.get(JSON, {}):
            yield from _contents({JSON: answer.content[JSON]}, f"Answer {status}, ")


def _parameter(each: Parameter) -> tuple[str, ...]:
    required = each.where == "path"
    kind = type_in_words(each.schema)
    default = default_in_words(each.schema, required)
    return (f"`{each.name}`", each.where, kind, default, each.text)


def _told(answer: Answer) -> str:
    kinds = ", ".join(f"`{kind}`" for kind in answer.content if kind != JSON)
    headers = "; ".join(f"`{name}`: {text}" for name, text in answer.headers.items())
    return answer.text + (f" ({kinds})" if kinds else "") + (f". {headers}" if headers else "")


def _contents(content: Mapping[str, Mapping[str, Any]], what: str) -> Iterator[str]:
    """Yield the fields of each kind of content, or what it is where it has none."""
    for kind, schema in content.items():
        rows = list(_fields(schema, ""))
        if "oneOf" in schema:
            yield f"{what}`{kind}`: one of\n"
            yield from table(("`type`", "other fields", ""), map(_branch, schema["oneOf"]))
        elif rows:
            yield f"{what}`{kind}`:\n"
            yield from table(("field", "type", ""), rows)
        else:
            yield f"{what}`{kind}`: {type_in_words(schema)}\n"
        for example in schema.get("examples", ()):
            yield f"```json\n{json.dumps(example, ensure_ascii=False, indent=2)}\n```\n"


def _branch(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the row of one of several objects that their `type` tells apart."""
    kind = schema["properties"]["type"]
    required = schema.get("required", ())
    told = (
        f"`{name}`: {type_in_words(field)}" + ("" if name in required else ", may be absent")
        for name, field in schema["properties"].items()
        if name != "type"
    )
    return (type_in_words({"const": kind["const"]}), "; ".join(told), purpose(kind))


def _fields(schema: Mapping[str, Any], place: str) -> Iterator[tuple[str, ...]]:
    """Yield the fields of an object and of those within it; `[]` is each of a list."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        path = f"{place}{name}"
        inner = field.get("items", field)
        within = list(_fields(inner, f"{path}[]." if "items" in field else f"{path}."))
        optional = "" if name in required else ", may be absent"
        kind = ("list" if "items" in field else "object") if within else type_in_words(field)
        yield (f"`{path}`", f"{kind}{optional}", purpose(field))
        yield from within


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/protocol"))
