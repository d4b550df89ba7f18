"""One operation of the HTTP interface, in the words of OpenAPI 3.1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Schema = Mapping[str, Any]
# "any": whoever is known; what they ask for decides. "signed": a signature, or who operates.
Scope = Literal["talk", "watch", "publish", "operate", "any", "signed"]

JSON: Final = "application/json"
SDP: Final = "application/sdp"
TEXT: Final = {"type": "string"}
ERROR: Final = {"$ref": "#/components/schemas/Error"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value in the query, the path or a header of a request. Those in the path are required."""

    name: str
    text: str
    schema: Schema
    where: Literal["query", "path", "header"] = "query"

    def as_openapi(self) -> dict[str, Any]:
        """Return the Parameter Object."""
        return {
            "name": self.name,
            "in": self.where,
            "required": self.where == "path",
            "description": self.text,
            "schema": dict(self.schema),
        }


@dataclass(frozen=True, slots=True)
class Body:
    """What a request carries: a schema for each media type that is taken."""

    text: str
    content: Mapping[str, Schema]
    required: bool = True

    def as_openapi(self) -> dict[str, Any]:
        """Return the Request Body Object."""
        return {
            "description": self.text,
            "required": self.required,
            "content": _content(self.content),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back: a schema for each media type (none: no body), and headers with a text."""

    text: str
    content: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_openapi(self) -> dict[str, Any]:
        """Return the Response Object."""
        described: dict[str, Any] = {"description": self.text}
        if self.content:
            described["content"] = _content(self.content)
        if self.headers:
            described["headers"] = {
                name: {"description": text, "schema": TEXT} for name, text in self.headers.items()
            }
        return described


@dataclass(frozen=True, slots=True)
class Operation:
    """What one method does at one path.

    Attributes:
        path: as the routes have it, without converters: "/v1/streams/{name}".
        text: what a client should know beyond the summary.
        answers: its own, by status; see `all_answers`.
        scope: what a key or token must allow; None for what anybody may ask.
        tag: the chapter of the reference it stands in.
    """

    method: str
    path: str
    summary: str
    answers: Mapping[int, Answer]
    tag: str
    text: str = ""
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    scope: Scope | None = None

    @property
    def all_answers(self) -> Mapping[int, Answer]:
        """Its own answers, and those of the door it lies behind."""
        door = dict(DOOR) if self.scope is not None else {}
        if self.method not in _SAFE:
            door.setdefault(403, _FOREIGN)
        return {**door, **self.answers}

    @property
    def name(self) -> str:
        """Its operationId: "get_v1_voices"."""
        words = "".join(c if c.isalnum() else " " for c in self.path).split()
        return "_".join([self.method.lower(), *words])

    def as_openapi(self) -> dict[str, Any]:
        """Return the Operation Object."""
        described: dict[str, Any] = {
            "operationId": self.name,
            "summary": self.summary,
            "tags": [self.tag],
            "responses": {
                str(status): answer.as_openapi()
                for status, answer in sorted(self.all_answers.items())
            },
        }
        if self.text:
            described["description"] = self.text
        if self.parameters:
            described["parameters"] = [each.as_openapi() for each in self.parameters]
        if self.body is not None:
            described["requestBody"] = self.body.as_openapi()
        if self.scope is not None:
            # Without keys a server serves its own machine alone, and asks for none.
            named = {"any": [], "signed": ["operate"]}.get(self.scope, [self.scope])
            described["security"] = [{"bearer": named}, {}]
        return described


def parameter(name: str, text: str, **schema: Any) -> Parameter:
    """Return a parameter of the query: one text, unless `schema` says otherwise."""
    return Parameter(name, text, {**TEXT, **schema})


def in_path(name: str, text: str, **schema: Any) -> Parameter:
    """Return a parameter that is a part of the path."""
    return Parameter(name, text, {**TEXT, **schema}, "path")


def found(text: str, schema: Schema, media_type: str = JSON) -> Answer:
    """Return an answer with one kind of content."""
    return Answer(text, {media_type: schema})


def refused(text: str, **headers: str) -> Answer:
    """Return a refusal in the error shape; underscores in the names of headers become hyphens."""
    named = {name.replace("_", "-"): told for name, told in headers.items()}
    return Answer(text, {JSON: ERROR}, named)


def record(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """Return the schema of an object; with no `required` every property is."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required or properties),
    }


# What is answered to who may not come in, wherever a scope is needed.
DOOR: Final[Mapping[int, Answer]] = {
    401: refused(
        "no key or token was shown, or one that is not accepted",
        WWW_Authenticate="how to show one (RFC 6750)",
    ),
    403: refused("the key or token lacks the scope, or a page of another origin asked"),
    429: refused("a limit of the key is reached", Retry_After="seconds to wait"),
}
_FOREIGN: Final = refused("a page of another origin asked")
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


def _content(content: Mapping[str, Schema]) -> dict[str, Any]:
    return {media_type: {"schema": dict(schema)} for media_type, schema in content.items()}
