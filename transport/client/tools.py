"""Python functions as the host's tools: JSON Schema from annotations, arguments checked by it."""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PydanticSchemaGenerationError,
    ValidationError,
    create_model,
)
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic_core import PydanticSerializationError, to_json

from transport.client.errors import ClientValueError
from transport.protocol.base import MAX_OUTPUT

MAX_TOOLS: Final = 32
MAX_DESCRIPTION: Final = 1_024
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

Handler = Callable[..., Any]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function the host may ask for.

    Attributes:
        name: as the host calls it.
        description: what it does and when to use it: its docstring.
        parameters: JSON Schema of its arguments.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    _handler: Handler
    _model: type[BaseModel]

    @classmethod
    def of(cls, handler: Handler) -> "Tool":
        """Make a tool of a function with type hints, which may be a coroutine function.

        Its docstring tells the host what it is for; `Annotated[str, pydantic.Field(
        description=...)]` describes an argument.

        Raises:
            ClientValueError: it has no name or an argument no type, or one that JSON has not.
        """
        name = getattr(handler, "__name__", "")
        if not _NAME.fullmatch(name):
            raise ClientValueError(f"{name!r} is no name of a tool; accepted: {_NAME.pattern}")
        description = (inspect.getdoc(handler) or "")[:MAX_DESCRIPTION]
        model = _arguments(handler, name)
        try:
            schema = model.model_json_schema(by_alias=True)
        except PydanticInvalidForJsonSchema as error:
            raise ClientValueError(f"{name}: {error.message}") from error
        return cls(name, description, _without_titles(schema), handler, model)

    def definition(self) -> dict[str, Any]:
        """Return it as `session.tools` names it."""
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }

    async def call(self, arguments: str) -> str:
        """Call it with JSON arguments and return what the host is to be told, text or JSON.

        What goes wrong is told to the host as {"error": ...}: it can put it right or say so. A
        plain function runs in a thread, so that it may block.
        """
        try:
            checked = self._model.model_validate_json(arguments or "{}")
        except ValidationError as error:
            return _failure("; ".join(_complaints(error)))
        given = {
            field.alias or key: getattr(checked, key)
            for key, field in type(checked).model_fields.items()
        }
        running = asyncio.ensure_future(self._run(given))
        try:
            await asyncio.wait([running])
        finally:
            running.cancel()
        if running.cancelled():
            return _failure("it was cancelled")
        failure = running.exception()
        if failure is not None:
            logger.error("tool %s failed", self.name, exc_info=failure)
            return _failure(f"{type(failure).__name__}: {failure}")
        return _told(running.result())

    async def _run(self, given: Mapping[str, Any]) -> Any:
        if inspect.iscoroutinefunction(self._handler):
            return await self._handler(**given)
        return await asyncio.to_thread(self._handler, **given)


class Toolbox:
    """The tools of one conversation, by name; at most 32."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def __bool__(self) -> bool:
        return bool(self._tools)

    def add(self, handler: Handler) -> None:
        """Add a function; it takes the place of one of the same name.

        Raises:
            ClientValueError: it cannot be a tool, or there are too many.
        """
        tool = Tool.of(handler)
        if tool.name not in self._tools and len(self._tools) >= MAX_TOOLS:
            raise ClientValueError(f"{tool.name} is one tool too many; accepted: {MAX_TOOLS}")
        self._tools[tool.name] = tool

    def definitions(self) -> list[dict[str, Any]]:
        """Return what `session.tools` is to be."""
        return [tool.definition() for tool in self._tools.values()]

    async def call(self, name: str, arguments: str) -> str:
        """Do as `Tool.call`; a name that is unknown is told to the host as well."""
        tool = self._tools.get(name)
        if tool is None:
            return _failure(f"no function {name}; there are: {', '.join(self._tools)}")
        return await tool.call(arguments)


def _arguments(handler: Handler, name: str) -> type[BaseModel]:
    """Return a model of a function's arguments: fields by number, aliases by name."""
    try:
        hints = get_type_hints(handler, include_extras=True)
    except NameError as error:
        raise ClientValueError(f"{name}: a type hint cannot be resolved: {error}") from error
    except TypeError as error:
        raise ClientValueError(f"{name} is {handler!r}; accepted: functions") from error
    fields: dict[str, Any] = {}
    for index, parameter in enumerate(inspect.signature(handler).parameters.values()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ClientValueError(f"{name}: {parameter}; accepted: arguments with a name")
        if parameter.name not in hints:
            raise ClientValueError(f"{name}: {parameter.name} has no type hint; it needs one")
        default = ... if parameter.default is parameter.empty else parameter.default
        # A name of its own would clash with a model's methods, such as `copy`.
        fields[f"argument_{index}"] = (hints[parameter.name], Field(default, alias=parameter.name))
    try:
        return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise ClientValueError(f"{name}: {error.message}") from error


def _without_titles(schema: Any) -> Any:
    """Leave out the titles pydantic makes of names: the host needs them no second time."""
    if isinstance(schema, list):
        return [_without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_titles(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }


def _complaints(error: ValidationError) -> list[str]:
    return [
        f"{'.'.join(map(str, one['loc'])) or 'the arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)[:8]
    ]


def _told(result: object) -> str:
    if isinstance(result, str):
        text = result
    else:
        try:
            text = to_json(result).decode()
        except PydanticSerializationError as error:
            return _failure(f"the result is no JSON: {error}")
    if len(text) > MAX_OUTPUT:
        return _failure(f"the result has {len(text)} characters; accepted: {MAX_OUTPUT}")
    return text


def _failure(message: str) -> str:
    return to_json({"error": message[:1_000]}).decode()
