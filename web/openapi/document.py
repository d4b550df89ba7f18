"""The document itself, for the routes an application has, and the route that shows it."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from web.openapi.operation import Operation, record
from web.openapi.operations import OPERATIONS, TAGS

PATH: Final = "/openapi.json"
_CONVERTER: Final = re.compile(r":[a-z]+(?=\})")

_ERROR: Final = record(
    error=record(
        type={"type": "string", "examples": ["invalid_request_error"]},
        code={"type": "string", "description": "a short name to compare"},
        message={
            "type": "string",
            "description": "what was wrong, with which value, and what is accepted",
        },
        param={"type": ["string", "null"], "description": "the part at fault"},
    )
)


def document(routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """Return the OpenAPI document of those operations that `routes` serve.

    What a route answers HEAD and OPTIONS with is not described apart: HTTP says it.
    """
    served = set(served_operations(routes))
    return describe(each for each in OPERATIONS if (each.method, each.path) in served)


def describe(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the OpenAPI document of operations."""
    paths: dict[str, dict[str, Any]] = {}
    tags: set[str] = set()
    for operation in operations:
        tags.add(operation.tag)
        paths.setdefault(operation.path, {})[operation.method.lower()] = operation.as_openapi()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Vivant",
            "version": version("vivant"),
            "summary": "A real-time digital human over HTTP.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "tags": [{"name": name, "description": text} for name, text in TAGS if name in tags],
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key, or a short-lived token that was made with one.",
                }
            },
        },
    }


def served_operations(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Yield (method, path) of what routes serve over HTTP, without HEAD and OPTIONS."""
    for route in routes:
        if isinstance(route, Route):
            path = _CONVERTER.sub("", route.path)
            for method in sorted(route.methods or ()):
                if method not in ("HEAD", "OPTIONS"):
                    yield method, path


def document_route() -> Route:
    """Return the route of the document; it describes the application that serves it."""

    async def show(request: Request) -> JSONResponse:
        return JSONResponse(document(request.app.routes))

    return Route(PATH, show)


def described(operations: Iterable[Operation]) -> set[tuple[str, str]]:
    """Return (method, path) of operations."""
    return {(each.method, each.path) for each in operations}
